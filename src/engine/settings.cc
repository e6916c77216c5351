#include "engine/settings.h"

#include <fmt/format.h>
#include <toml++/toml.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/budget.h"
#include "core/clock.h"
#include "core/nearest.h"
#include "engine/memory_place.h"
#include "engine/places.h"
#include "engine/setting_table.h"
#include "engine/trust.h"
#include "memory/tree.h"
#include "text/token_counter.h"
#include "text/toml_depth.h"
#include "text/utf8.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxConfigBytes = uint64_t{1024} * 1024;
constexpr int64_t kMaxModelSeconds = int64_t{24} * 3600;
constexpr int64_t kMaxHookMillis = 60'000;  // clients give up on a hook after a minute themselves
constexpr std::string_view kTomlName = "knapsack.toml";
constexpr std::string_view kDefaultOrigin = "default";

std::string environment_name(std::string_view key) {
  std::string name = "KNAPSACK_";
  for (const char c : key)
    name += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return name;
}

Result<std::optional<std::string>> read_if_there(const FileSystem& files, const std::string& path) {
  const auto info = files.info(path);
  if (!info.ok() && info.error().code == ErrorCode::kNotFound) return std::optional<std::string>();
  auto bytes = files.read(path, kMaxConfigBytes);
  if (!bytes.ok()) {
    Error error = bytes.error();
    error.code = ErrorCode::kConfig;
    return error;
  }
  return std::optional<std::string>(std::move(*bytes));
}

using Values = std::map<std::string, std::string>;

// No deeper than kMaxTomlDepth.
Status flatten(const toml::table& table, const std::string& prefix, const std::string& file, Values& values) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    const bool known =
        std::any_of(kSettings.begin(), kSettings.end(), [&](const auto& spec) { return spec.key == key; });
    if (node.is_table()) {
      KNAPSACK_CHECK(flatten(*node.as_table(), key + ".", file, values));
    } else if (!known) {
      std::vector<std::string> keys;
      for (const auto& spec : kSettings) keys.emplace_back(spec.key);
      return Error{
          ErrorCode::kConfig, fmt::format("{}: unknown key '{}'", file, key),
          fmt::format("did you mean '{}'? `knapsack config` lists all keys", nearest_name(key, keys))};
    } else if (const auto text = node.value<std::string>()) {
      values[key] = *text;
    } else if (const auto flag = node.value_exact<bool>()) {
      values[key] = *flag ? "true" : "false";
    } else if (const auto whole = node.value_exact<int64_t>()) {
      values[key] = fmt::format("{}", *whole);
    } else if (const auto number = node.value_exact<double>()) {
      values[key] = fmt::format("{}", *number);
    } else if (const auto* list = node.as_array(); list != nullptr && list->is_homogeneous<std::string>()) {
      std::string& joined = values[key];
      for (const auto& item : *list) joined += (joined.empty() ? "" : ",") + item.value_or(std::string());
    } else {
      return Error{ErrorCode::kConfig,
                   fmt::format("{}: '{}' must be a text, a number or true or false", file, key), ""};
    }
  }
  return ok_status();
}

Result<Values> read_toml(const std::string& bytes, const std::string& file) {
  Values values;
  if (const std::string why = toml_refusal(bytes, kMaxTomlDepth); !why.empty())
    return Error{ErrorCode::kConfig, fmt::format("{}: {}", file, why), "correct it or remove it"};
  try {
    const toml::table table = toml::parse(bytes);
    KNAPSACK_CHECK(flatten(table, "", file, values));
  } catch (const toml::parse_error& error) {
    return Error{ErrorCode::kConfig,
                 fmt::format("{} line {}: {}", file, error.source().begin.line, error.description()),
                 "correct it or remove it"};
  }
  return values;
}

// A file of settings that holds for every workspace of the user, unless it came with this one.
struct UserFile {
  std::string name;  // empty when there is none
  Values values;
};

Result<UserFile> read_user_file(const FileSystem& files, const SettingsRequest& request) {
  UserFile user;
  const auto path = user_settings_file(request.environment);
  // People keep such files elsewhere and link to them.
  const auto real = path ? files.resolve(*path) : Result<std::string>(Error{ErrorCode::kNotFound, "", ""});
  if (!real.ok() || lies_in(files, request.workspace, *real)) return user;
  KNAPSACK_TRY(const auto bytes, read_if_there(files, *real));
  if (!bytes) return user;
  user.name = *path;
  KNAPSACK_TRY(user.values, read_toml(*bytes, *path));
  return user;
}

struct RcFile {
  std::string name;  // empty when there is none
  Values values;     // by rc key
  std::vector<std::string> priority_order;
};

// Other programs keep their own keys in this file: what we do not know is theirs.
Result<RcFile> read_rc(const FileSystem& files, const std::string& folder) {
  RcFile rc;
  for (const char* name : {".ctxrc", ".contextrc"}) {
    KNAPSACK_TRY(const auto bytes, read_if_there(files, join_path(folder, name)));
    if (!bytes) continue;
    rc.name = name;
    try {
      const YAML::Node root = YAML::Load(*bytes);
      if (root.IsNull()) return rc;
      if (!root.IsMap())
        return Error{ErrorCode::kConfig, fmt::format("{} is not a list of keys and values", name), ""};
      for (const auto& spec : kSettings) {
        if (std::string_view(spec.rc_key).empty()) continue;
        if (const YAML::Node value = root[spec.rc_key]; value && value.IsScalar())
          rc.values[spec.rc_key] = value.Scalar();
      }
      if (const YAML::Node order = root["priority_order"]; order && order.IsSequence()) {
        for (const auto& entry : order) {
          if (entry.IsScalar()) rc.priority_order.push_back(entry.Scalar());
        }
      }
    } catch (const YAML::Exception& error) {
      return Error{ErrorCode::kConfig, fmt::format("{} line {}: {}", name, error.mark.line + 1, error.msg),
                   "correct the YAML or remove the file"};
    }
    return rc;
  }
  return rc;
}

struct Effective {
  std::string value;
  std::string origin;
  ErrorCode code = ErrorCode::kConfig;
};

Result<double> parse_share(const Effective& from, std::string_view key) {
  double share = 0;
  const auto [end, problem] =
      std::from_chars(from.value.data(), from.value.data() + from.value.size(), share);
  if (problem != std::errc() || end != from.value.data() + from.value.size() || !(share >= 0 && share <= 1)) {
    return Error{from.code, fmt::format("{} from {}: '{}' is not a share", key, from.origin, from.value),
                 "give a number from 0 to 1"};
  }
  return share;
}

// How many of something a packet may hold; more than this is a slip of the finger.
constexpr size_t kMaxCap = 10'000;

Result<size_t> parse_cap(const Effective& from, const std::string& named,
                         std::string_view of_what = "nodes") {
  size_t number = 0;
  const char* end = from.value.data() + from.value.size();
  const auto [stop, problem] = std::from_chars(from.value.data(), end, number);
  if (problem != std::errc() || stop != end || from.value.empty() || number > kMaxCap) {
    return Error{from.code, fmt::format("{} '{}' is not a number of {}", named, from.value, of_what),
                 fmt::format("give a whole number from 0 to {}", kMaxCap)};
  }
  return number;
}

Result<std::string> parse_word(const Effective& from, const std::string& named,
                               std::initializer_list<std::string_view> known) {
  if (std::find(known.begin(), known.end(), from.value) != known.end()) return from.value;
  return Error{from.code, fmt::format("{} '{}' is not known", named, from.value),
               fmt::format("choose of {}", fmt::join(known, ", "))};
}

Result<bool> parse_flag(const Effective& from, const std::string& named) {
  if (from.value == "true" || from.value == "false") return from.value == "true";
  return Error{from.code, fmt::format("{} '{}' is neither true nor false", named, from.value),
               "give true or false"};
}

// "work, shared": no name twice; "default" is the root of the tree.
Result<std::vector<std::string>> parse_namespaces(const Effective& from, const std::string& named) {
  std::vector<std::string> names;
  for (size_t at = 0; at <= from.value.size();) {
    const size_t end = std::min(from.value.find(',', at), from.value.size());
    std::string name = from.value.substr(at, end - at);
    at = end + 1;
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    if (!memory::is_namespace_name(name)) {
      return Error{from.code, fmt::format("{} '{}' is no name of a namespace", named, name),
                   "give lower-case letters, digits, '-', '_' and '.', at most 64"};
    }
    if (name == memory::kDefaultNamespace) name.clear();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> parse_names(const std::string& value) {
  std::vector<std::string> names;
  for (size_t at = 0; at <= value.size();) {
    const size_t end = std::min(value.find(',', at), value.size());
    std::string name = value.substr(at, end - at);
    at = end + 1;
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);  // npos + 1 is 0
    if (!name.empty()) names.push_back(std::move(name));
  }
  return names;
}

Result<int64_t> parse_model_time(const Effective& from, const std::string& named) {
  auto seconds = parse_duration(from.value);
  if (!seconds.ok()) return Error{from.code, named + " " + seconds.error().what, seconds.error().next};
  if (*seconds < 1 || *seconds > kMaxModelSeconds) {
    return Error{from.code, fmt::format("{} '{}' is too short or too long", named, from.value),
                 "give 1s to 1d"};
  }
  return *seconds;
}

Result<std::chrono::milliseconds> parse_hook_deadline(const Effective& from, const std::string& named) {
  int64_t millis = 0;
  const char* end = from.value.data() + from.value.size();
  const auto [stop, problem] = std::from_chars(from.value.data(), end, millis);
  if (problem != std::errc() || stop != end || millis < 1 || millis > kMaxHookMillis) {
    return Error{from.code, fmt::format("{} '{}' is not a number of milliseconds", named, from.value),
                 fmt::format("give a whole number from 1 to {}", kMaxHookMillis)};
  }
  return std::chrono::milliseconds(millis);
}

// The settings that name a place on disk.
constexpr std::array<const char*, 3> kPlaces = {"notes.context_dir", "graph.dir", "memory.dir"};

// What would make reading a workspace less safe, whoever wrote its files.
std::string_view why_only_the_user(std::string_view key, const std::string& value) {
  if (key == "index.allow_sensitive" && !value.empty()) return "would have files read that hold secrets";
  if (key == "index.sandbox" && value == "false") return "would parse files without a sandbox";
  const bool names_a_model = key == "model.name" || key == "model.base_url" || key == "search.embed_model" ||
                             key == "search.embed_url";
  if (names_a_model && !value.empty()) return "would send texts to a model that you did not choose";
  return "";
}

// As much of a value as a message needs.
std::string shortened(const std::string& value) {
  constexpr size_t kMost = 80;
  const std::string_view prefix = utf8_prefix(value, kMost);
  return replace_invalid_utf8(prefix) + (prefix.size() < value.size() ? "…" : "");
}

class SettingsLoader {
 public:
  SettingsLoader(const FileSystem& files, const SettingsRequest& request)
      : files_(files), request_(request) {}

  Result<Settings> run() {
    KNAPSACK_TRY(const auto own, read_if_there(files_, join_path(request_.workspace, kTomlName)));
    if (own) {
      KNAPSACK_TRY(toml_, read_toml(*own, std::string(kTomlName)));
      KNAPSACK_CHECK(refuse_places(*own));
      refuse_less_safety();
    }
    KNAPSACK_TRY(user_, read_user_file(files_, request_));
    // The rc file stands beside the notes folder, so the folder is settled first.
    const auto* const of_notes = std::find_if(
        kSettings.begin(), kSettings.end(),
        [](const SettingSpec& each) { return std::string_view(each.key) == "notes.context_dir"; });
    const Effective folder = find(*of_notes);
    settings_.notes_context_dir = folder.value;
    settings_.context_dir_from_flag = request_.flags.count("notes.context_dir") > 0;
    if (folder.value.empty()) {
      return Error{folder.code, fmt::format("notes.context_dir from {} is empty", folder.origin),
                   "name a folder"};
    }
    // Beside a folder that the workspace names is not always in the workspace.
    const std::string beside = parent_path(context_folder(settings_, request_));
    const bool own_name = folder.origin == kTomlName || folder.origin == kDefaultOrigin;
    if (!own_name || is_trusted_place(beside)) {
      KNAPSACK_TRY(rc_, read_rc(files_, beside));
    }
    settings_.notes_priority_order = rc_.priority_order;
    for (const auto& spec : kSettings) {
      const Effective from = find(spec);
      settings_.rows.push_back({spec.key, from.value, from.origin, spec.description});
      KNAPSACK_CHECK(take(spec.key, from));
    }
    KNAPSACK_CHECK(refuse_namespace());
    for (const SettingRow& row : refused_rows_) settings_.rows.push_back(row);
    if (!rc_.priority_order.empty()) {
      settings_.rows.push_back({"notes.priority_order",
                                fmt::format("{}", fmt::join(rc_.priority_order, ", ")), rc_.name,
                                "files listed first under \"Read These Files\""});
    }
    return std::move(settings_);
  }

 private:
  // Takes out of what the workspace's file says what it may not say by itself.
  Status refuse_places(const std::string& content) {
    content_ = content;
    const auto home = request_.environment.find("HOME");
    for (const char* key : kPlaces) {
      const auto named = toml_.find(key);
      if (named == toml_.end() || named->second.empty()) continue;
      if (std::string_view(key) == "memory.dir" && named->second == "auto") continue;
      const auto path = expand_place(named->second, request_.workspace,
                                     home == request_.environment.end() ? "" : home->second);
      const Status inside =
          path.ok() ? check_place_inside(files_, request_.workspace, *path) : Status(path.error());
      if (inside.ok() || is_trusted_file()) continue;
      refuse(key, inside.error().what);
    }
    return ok_status();
  }

  void refuse_less_safety() {
    for (const auto& spec : kSettings) {
      const auto named = toml_.find(spec.key);
      if (named == toml_.end()) continue;
      const std::string_view why = why_only_the_user(spec.key, named->second);
      if (!why.empty() && !is_trusted_file()) refuse(spec.key, std::string(why));
    }
  }

  // Which of the user's own memories are read is the user's affair; of those that came along, the file's.
  Status refuse_namespace() {
    const auto named = toml_.find("memory.namespace");
    if (named == toml_.end() || named->second == "default" || origin_of_namespace_ != kTomlName)
      return ok_status();
    const auto folder = memory_folder(files_, settings_, request_);
    // Those in the user's data folder are of this workspace alone, as if they lay in it.
    if (!folder.ok() || *folder == user_memory_folder(request_) ||
        check_place_inside(files_, request_.workspace, *folder).ok() || is_trusted_file())
      return ok_status();
    refuse("memory.namespace", "chooses among memories outside of the workspace");
    const auto* const spec = std::find_if(kSettings.begin(), kSettings.end(), [](const SettingSpec& each) {
      return std::string_view(each.key) == "memory.namespace";
    });
    const Effective from = find(*spec);
    for (SettingRow& row : settings_.rows) {
      if (row.key == spec->key) row = {spec->key, from.value, from.origin, spec->description};
    }
    return take(spec->key, from);
  }

  bool is_trusted_place(const std::string& path) {
    return check_place_inside(files_, request_.workspace, path).ok() || is_trusted_file();
  }

  bool is_trusted_file() {
    if (!trusted_) trusted_ = is_trusted(files_, {request_.workspace, request_.environment, content_});
    return *trusted_;
  }

  void refuse(const std::string& key, const std::string& why) {
    const auto named = toml_.find(key);
    settings_.refused.push_back(fmt::format("{} of {} does nothing: '{}' {}; `knapsack trust` allows it", key,
                                            kTomlName, shortened(named->second), why));
    refused_rows_.push_back({key, shortened(named->second), fmt::format("{}, refused", kTomlName), why});
    toml_.erase(named);
  }

  Effective find(const SettingSpec& spec) const {
    if (const auto flag = request_.flags.find(spec.key); flag != request_.flags.end()) {
      return {flag->second, spec.flag, ErrorCode::kUsage};
    }
    for (const std::string& name : {environment_name(spec.key), std::string(spec.environment)}) {
      const auto variable = request_.environment.find(name);
      if (!name.empty() && variable != request_.environment.end() && !variable->second.empty()) {
        return {variable->second, "environment " + name, ErrorCode::kConfig};
      }
    }
    if (const auto value = toml_.find(spec.key); value != toml_.end()) {
      return {value->second, std::string(kTomlName), ErrorCode::kConfig};
    }
    if (const auto value = rc_.values.find(spec.rc_key); value != rc_.values.end()) {
      return {value->second, rc_.name, ErrorCode::kConfig};
    }
    if (const auto value = user_.values.find(spec.key); value != user_.values.end()) {
      return {value->second, user_.name, ErrorCode::kConfig};
    }
    return {spec.default_value, std::string(kDefaultOrigin), ErrorCode::kConfig};
  }

  Status take(std::string_view key, const Effective& from) {
    const std::string named =
        from.code == ErrorCode::kUsage ? from.origin : fmt::format("{} from {}:", key, from.origin);
    if (key == "pack.budget") {
      KNAPSACK_TRY(settings_.pack_budget, parse_budget(from.value, named, from.code));
    } else if (key == "pack.tokenizer") {
      KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(from.value));
      settings_.pack_tokenizer = counter->name();
    } else if (key == "notes.budget") {
      KNAPSACK_TRY(settings_.notes_budget, parse_budget(from.value, named, from.code));
    } else if (key == "notes.tokenizer") {
      KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(from.value));
      settings_.notes_tokenizer = counter->name();
    } else if (key == "notes.task_share") {
      KNAPSACK_TRY(settings_.notes_task_share, parse_share(from, key));
    } else if (key == "notes.convention_share") {
      KNAPSACK_TRY(settings_.notes_convention_share, parse_share(from, key));
    } else if (key == "notes.cooldown") {
      auto seconds = parse_duration(from.value);
      if (!seconds.ok()) return Error{from.code, named + " " + seconds.error().what, seconds.error().next};
      settings_.notes_cooldown_seconds = *seconds;
    } else if (key == "code.tokenizer") {
      KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(from.value));
      settings_.code_tokenizer = counter->name();
    } else if (key == "code.safety_margin") {
      KNAPSACK_TRY(settings_.code_safety_margin, parse_share(from, key));
    } else if (key == "graph.dir") {
      if (from.value.empty()) return Error{from.code, named + " is empty", "name a folder"};
      settings_.graph_dir = from.value;
      settings_.graph_dir_from_flag = from.code == ErrorCode::kUsage;
    } else if (key == "graph.tokenizer") {
      KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(from.value));
      settings_.graph_tokenizer = counter->name();
    } else if (key == "graph.max_tasks") {
      KNAPSACK_TRY(settings_.graph_max_tasks, parse_cap(from, named));
    } else if (key == "graph.max_kg") {
      KNAPSACK_TRY(settings_.graph_max_kg, parse_cap(from, named));
    } else if (key == "graph.max_rg") {
      KNAPSACK_TRY(settings_.graph_max_rg, parse_cap(from, named));
    } else if (key == "graph.max_deltas") {
      KNAPSACK_TRY(settings_.graph_max_deltas, parse_cap(from, named));
    } else if (key == "model.deadline") {
      KNAPSACK_TRY(const int64_t seconds, parse_model_time(from, named));
      settings_.model_deadline = std::chrono::seconds(seconds);
    } else if (key == "model.name") {
      settings_.model_name = from.value;
    } else if (key == "model.base_url") {
      settings_.model_url = from.value;
    } else if (key == "model.provider") {
      if (from.value != "auto" && from.value != "ollama" && from.value != "openai") {
        return Error{from.code, fmt::format("{} '{}' is no provider", named, from.value),
                     "give auto, ollama or openai"};
      }
      settings_.model_provider = from.value;
    } else if (key == "model.context_window") {
      KNAPSACK_TRY(settings_.model_window, parse_budget(from.value, named, from.code));
    } else if (key == "model.timeout") {
      KNAPSACK_TRY(settings_.model_timeout_seconds, parse_model_time(from, named));
    } else if (key == "index.allow_sensitive") {
      settings_.index_allow_sensitive = parse_names(from.value);
    } else if (key == "index.sandbox") {
      KNAPSACK_TRY(settings_.index_sandbox, parse_flag(from, named));
    } else if (key == "memory.dir") {
      if (from.value.empty()) return Error{from.code, named + " is empty", "name a folder"};
      settings_.memory_dir = from.value;
      settings_.memory_dir_from_flag = from.code == ErrorCode::kUsage;
      settings_.memory_dir_from_file = from.origin == kTomlName;
    } else if (key == "memory.namespace") {
      KNAPSACK_TRY(settings_.memory_namespaces, parse_namespaces(from, named));
      origin_of_namespace_ = from.origin;
    } else if (key == "memory.shared") {
      KNAPSACK_TRY(settings_.memory_shared, parse_flag(from, named));
    } else if (key == "hook.deadline_ms") {
      KNAPSACK_TRY(settings_.hook_deadline, parse_hook_deadline(from, named));
    } else if (key.starts_with("recall.")) {
      return take_recall(key.substr(std::string_view("recall.").size()), from, named);
    } else if (key.starts_with("search.")) {
      return take_search(key, from, named);
    }
    return ok_status();
  }

  Status take_recall(std::string_view key, const Effective& from, const std::string& named) {
    RecallSettings& recall = settings_.recall;
    const std::pair<std::string_view, bool*> flags[] = {{"planner_enabled", &recall.planner_enabled},
                                                        {"search_enabled", &recall.search_enabled},
                                                        {"intent_routing", &recall.intent_routing},
                                                        {"verbatim_artifacts", &recall.verbatim_artifacts},
                                                        {"query_expansion", &recall.query_expansion},
                                                        {"search_rerank", &recall.search_rerank},
                                                        {"rerank", &recall.rerank}};
    for (const auto& [name, value] : flags) {
      if (key == name) {
        KNAPSACK_TRY(*value, parse_flag(from, named));
      }
    }
    const std::string full = fmt::format("recall.{}", key);
    if (key == "max_tokens") {
      KNAPSACK_TRY(recall.max_tokens, parse_budget(from.value, named, from.code));
    } else if (key == "tokenizer") {
      KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(from.value));
      recall.tokenizer = counter->name();
    } else if (key == "max_results") {
      KNAPSACK_TRY(recall.max_results, parse_cap(from, named, "memories"));
    } else if (key == "minimal_results") {
      KNAPSACK_TRY(recall.minimal_results, parse_cap(from, named, "memories"));
    } else if (key == "floor") {
      KNAPSACK_TRY(recall.floor, parse_share(from, full));
    } else if (key == "recency_weight") {
      KNAPSACK_TRY(recall.recency_weight, parse_share(from, full));
    } else if (key == "intent_boost") {
      KNAPSACK_TRY(recall.intent_boost, parse_share(from, full));
    }
    return ok_status();
  }

  Status take_search(std::string_view key, const Effective& from, const std::string& named) {
    SearchSettings& search = settings_.search;
    if (key == "search.embed_model") {
      search.embed_model = from.value;
    } else if (key == "search.embed_url") {
      search.embed_url = from.value;
    } else if (key == "search.vectors") {
      KNAPSACK_TRY(search.vectors, parse_word(from, named, {"none", "auto", "ollama", "openai"}));
    } else if (key == "search.vector_encoding") {
      KNAPSACK_TRY(search.vector_encoding, parse_word(from, named, {"int8", "float32"}));
    } else if (key == "search.fusion") {
      KNAPSACK_TRY(search.fusion, parse_word(from, named, {"sum", "rrf"}));
    } else if (key == "search.vector_weight") {
      KNAPSACK_TRY(search.vector_weight, parse_share(from, key));
    } else if (key == "search.rerank") {
      KNAPSACK_TRY(search.rerank, parse_flag(from, named));
    } else if (key == "search.meaning") {
      KNAPSACK_TRY(search.meaning, parse_flag(from, named));
    } else if (key == "search.mmr") {
      KNAPSACK_TRY(search.mmr, parse_flag(from, named));
    }
    return ok_status();
  }

  const FileSystem& files_;
  const SettingsRequest& request_;
  Values toml_;          // of the workspace, without what was refused
  std::string content_;  // its bytes
  std::optional<bool> trusted_;
  std::vector<SettingRow> refused_rows_;
  std::string origin_of_namespace_;
  RcFile rc_;
  UserFile user_;
  Settings settings_;
};

}  // namespace

Result<Settings> load_settings(const FileSystem& files, const SettingsRequest& request) {
  return SettingsLoader(files, request).run();
}

}  // namespace knapsack
