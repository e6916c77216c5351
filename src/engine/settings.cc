#include "engine/settings.h"

#include <fmt/format.h>
#include <toml++/toml.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "code/ranking_constants.h"
#include "core/budget.h"
#include "core/clock.h"
#include "core/nearest.h"
#include "notes/relevance.h"
#include "notes/sections.h"
#include "text/token_counter.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxConfigBytes = uint64_t{1024} * 1024;
constexpr std::string_view kTomlName = "knapsack.toml";

struct SettingSpec {
  const char* key;
  const char* default_value;
  const char* flag;         // "" when no command has one
  const char* environment;  // a name others already use; KNAPSACK_… always works as well
  const char* rc_key;       // in .ctxrc or .contextrc
  const char* description;
};

constexpr std::array<SettingSpec, 6> kSettings = {{
    {"notes.budget", "8000", "--budget", "CTX_TOKEN_BUDGET", "token_budget", "tokens of the notes packet"},
    {"notes.context_dir", ".context", "--context-dir", "", "", "the notes folder"},
    {"notes.tokenizer", "bytes4", "--tokenizer", "", "",
     "counter of the notes packet: chars4, bytes4, cl100k or o200k"},
    {"notes.task_share", "0.40", "", "", "task_budget_pct", "share of the budget that tasks may take"},
    {"notes.convention_share", "0.20", "", "", "convention_budget_pct",
     "share of the budget that conventions may take"},
    {"notes.cooldown", "10m", "--cooldown", "", "agent_cooldown_minutes",
     "silence after a packet for the same session"},
}};

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

Status flatten(const toml::table& table, const std::string& prefix, Values& values) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    const bool known =
        std::any_of(kSettings.begin(), kSettings.end(), [&](const auto& spec) { return spec.key == key; });
    if (node.is_table()) {
      KNAPSACK_CHECK(flatten(*node.as_table(), key + ".", values));
    } else if (!known) {
      std::vector<std::string> keys;
      for (const auto& spec : kSettings) keys.emplace_back(spec.key);
      return Error{
          ErrorCode::kConfig, fmt::format("{}: unknown key '{}'", kTomlName, key),
          fmt::format("did you mean '{}'? `knapsack config` lists all keys", nearest_name(key, keys))};
    } else if (const auto text = node.value<std::string>()) {
      values[key] = *text;
    } else if (const auto whole = node.value_exact<int64_t>()) {
      values[key] = fmt::format("{}", *whole);
    } else if (const auto number = node.value_exact<double>()) {
      values[key] = fmt::format("{}", *number);
    } else {
      return Error{ErrorCode::kConfig, fmt::format("{}: '{}' must be a text or a number", kTomlName, key),
                   ""};
    }
  }
  return ok_status();
}

Result<Values> read_toml(const FileSystem& files, const std::string& workspace) {
  KNAPSACK_TRY(const auto bytes, read_if_there(files, join_path(workspace, kTomlName)));
  Values values;
  if (!bytes) return values;
  try {
    const toml::table table = toml::parse(*bytes);
    KNAPSACK_CHECK(flatten(table, "", values));
  } catch (const toml::parse_error& error) {
    return Error{ErrorCode::kConfig,
                 fmt::format("{} line {}: {}", kTomlName, error.source().begin.line, error.description()),
                 "correct it or remove it"};
  }
  return values;
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

class SettingsLoader {
 public:
  SettingsLoader(const FileSystem& files, const SettingsRequest& request)
      : files_(files), request_(request) {}

  Result<Settings> run() {
    KNAPSACK_TRY(toml_, read_toml(files_, request_.workspace));
    // The rc file stands beside the notes folder, so the folder is settled first.
    const Effective folder = find(kSettings[1]);
    settings_.notes_context_dir = folder.value;
    settings_.context_dir_from_flag = request_.flags.count("notes.context_dir") > 0;
    if (folder.value.empty()) {
      return Error{folder.code, fmt::format("notes.context_dir from {} is empty", folder.origin),
                   "name a folder"};
    }
    KNAPSACK_TRY(rc_, read_rc(files_, parent_path(context_folder(settings_, request_))));
    settings_.notes_priority_order = rc_.priority_order;
    for (const auto& spec : kSettings) {
      const Effective from = find(spec);
      settings_.rows.push_back({spec.key, from.value, from.origin, spec.description});
      KNAPSACK_CHECK(take(spec.key, from));
    }
    if (!rc_.priority_order.empty()) {
      settings_.rows.push_back({"notes.priority_order",
                                fmt::format("{}", fmt::join(rc_.priority_order, ", ")), rc_.name,
                                "files listed first under \"Read These Files\""});
    }
    return std::move(settings_);
  }

 private:
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
    return {spec.default_value, "default", ErrorCode::kConfig};
  }

  Status take(std::string_view key, const Effective& from) {
    const std::string named =
        from.code == ErrorCode::kUsage ? from.origin : fmt::format("{} from {}:", key, from.origin);
    if (key == "notes.budget") {
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
    }
    return ok_status();
  }

  const FileSystem& files_;
  const SettingsRequest& request_;
  Values toml_;
  RcFile rc_;
  Settings settings_;
};

}  // namespace

Result<Settings> load_settings(const FileSystem& files, const SettingsRequest& request) {
  return SettingsLoader(files, request).run();
}

std::string context_folder(const Settings& settings, const SettingsRequest& request) {
  return join_path(settings.context_dir_from_flag ? request.started_in : request.workspace,
                   settings.notes_context_dir);
}

std::vector<SettingRow> constants() {
  std::vector<SettingRow> rows;
  const auto add = [&](std::string key, double value, std::string description) {
    rows.push_back({std::move(key), fmt::format("{}", value), "notes seed", std::move(description)});
  };
  for (const auto& step : notes::kRecencySteps) {
    add(fmt::format("notes.recency.{}_days", step.max_age_days), step.value,
        fmt::format("recency of an entry of at most {} days", step.max_age_days));
  }
  add("notes.recency.older", notes::kOldest, "recency of an older or undated entry");
  add("notes.relevance.saturation", notes::kRelevanceSaturation,
      "matched keywords that make a full relevance");
  add("notes.full_share", notes::kFullShare, "share of a section's allowance that entries in full may take");
  const code::RankingConstants ranking{};
  for (const code::RankingConstantRow& row : code::ranking_constant_rows()) {
    rows.push_back({fmt::format("code.ranking.{}", row.name), fmt::format("{}", ranking.*row.value),
                    "measured", std::string(row.meaning)});
  }
  return rows;
}

}  // namespace knapsack
