#include "engine/settings/settings.h"

#include <fmt/format.h>

#include <array>

#include "core/ascii.h"
#include "engine/settings/memory_place.h"
#include "engine/settings/places.h"
#include "engine/settings/setting_files.h"
#include "engine/settings/setting_table.h"
#include "engine/settings/trust.h"
#include "memory/tree/tree.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

constexpr std::string_view kDefaultOrigin = "default";

std::string environment_name(std::string_view key) {
  std::string name = "KNAPSACK_";
  for (const char c : key) name += c == '.' ? '_' : ascii::upper(c);
  return name;
}

// The settings that name a place on disk.
constexpr std::array<const char*, 3> kPlaces = {"notes.context_dir", "graph.dir", "memory.dir"};

// Which other folders are read is never a workspace's business, trusted or not.
constexpr std::string_view kOnlyTheUser = "would have folders outside of the workspace read";
// … and neither is where memories are sent.
constexpr std::string_view kOtherServer = "would send memories to a server of the workspace's choice";

// Nobody but the server is told the password in an address.
std::string without_password(std::string_view url) {
  const size_t begin = url.find("://");
  const size_t at = begin == std::string_view::npos ? begin : url.find('@', begin);
  const size_t colon = at == std::string_view::npos ? at : url.find(':', begin + 3);
  std::string shown(url);
  if (colon != std::string_view::npos && colon < at) shown.replace(colon + 1, at - colon - 1, "…");
  // What stands behind a question mark may be one too.
  if (const size_t query = shown.find('?'); query != std::string::npos) shown.resize(query);
  return shown;
}

// What would make reading a workspace less safe, whoever wrote its files.
std::string_view why_only_the_user(std::string_view key, const std::string& value) {
  if (key == "index.allow_sensitive" && !value.empty()) return "would have files read that hold secrets";
  if (key == "index.sandbox" && value == "false") return "would parse files without a sandbox";
  if (key == "also" && !value.empty()) return kOnlyTheUser;
  if (key == "team.url" && !value.empty()) return kOtherServer;
  const bool names_a_model = key == "model.name" || key == "model.base_url" || key == "search.embed_model" ||
                             key == "search.embed_url";
  if (names_a_model && !value.empty()) return "would send texts to a model that you did not choose";
  return "";
}

// As much of a value as a message needs.
std::string shortened(const std::string& value) {
  constexpr size_t kMaxShown = 80;
  const std::string_view prefix = utf8_prefix(value, kMaxShown);
  return replace_invalid_utf8(prefix) + (prefix.size() < value.size() ? "…" : "");
}

class SettingsLoader {
 public:
  SettingsLoader(const FileSystem& files, const SettingsRequest& request, SettingFileCache& cache)
      : files_(files), request_(request), cache_(cache) {}

  Result<Settings> run() {
    KNAPSACK_TRY(const auto own, cache_.read(files_, join_path(request_.workspace, kWorkspaceSettings)));
    if (own) {
      KNAPSACK_TRY(toml_, read_toml_settings(*own, std::string(kWorkspaceSettings)));
      KNAPSACK_CHECK(refuse_places(*own));
      refuse_less_safety();
    }
    KNAPSACK_TRY(user_, read_user_file(files_, request_, cache_));
    // The rc file stands beside the notes folder, so the folder is settled first.
    const SettingSpec& of_notes = *find_setting("notes.context_dir");
    const SettingValue folder = find(of_notes);
    KNAPSACK_CHECK(of_notes.take(settings_, folder));
    // Beside a folder that the workspace names is not always in the workspace.
    const std::string beside = parent_path(context_folder(settings_, request_));
    const bool own_name = folder.origin == kWorkspaceSettings || folder.origin == kDefaultOrigin;
    if (!own_name || is_trusted_place(beside)) {
      KNAPSACK_TRY(rc_, read_rc_file(files_, beside, cache_));
    }
    settings_.notes_priority_order = rc_.priority_order;
    for (const SettingSpec& spec : setting_table()) {
      const SettingValue from = find(spec);
      settings_.rows.push_back(row_of(spec, from));
      KNAPSACK_CHECK(spec.take(settings_, from));
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
    for (const SettingSpec& spec : setting_table()) {
      const auto named = toml_.find(std::string(spec.key));
      if (named == toml_.end()) continue;
      const std::string_view why = why_only_the_user(spec.key, named->second);
      const bool never = why == kOnlyTheUser || why == kOtherServer;
      if (never || (!why.empty() && !is_trusted_file())) refuse(std::string(spec.key), std::string(why));
    }
  }

  // Which of the user's own memories are read is the user's affair; of those that came along, the file's.
  Status refuse_namespace() {
    const auto named = toml_.find("memory.namespace");
    const SettingSpec& spec = *find_setting("memory.namespace");
    if (named == toml_.end() || named->second == "default" || !find(spec).is_from_workspace())
      return ok_status();
    const auto folder = memory_folder(files_, settings_, request_);
    const bool names_team = named->second.find(memory::kTeamNamespace) != std::string::npos;
    // Those in the user's data folder are of this workspace alone, as if they lay in it.
    const bool is_own = !folder.ok() || *folder == user_memory_folder(request_) ||
                        check_place_inside(files_, request_.workspace, *folder).ok();
    if ((is_own && !names_team) || is_trusted_file()) return ok_status();
    refuse("memory.namespace", "chooses among memories outside of the workspace");
    const SettingValue from = find(spec);
    for (SettingRow& row : settings_.rows) {
      if (row.key == spec.key) row = row_of(spec, from);
    }
    return spec.take(settings_, from);
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
    settings_.refused.push_back(fmt::format(
        "{} of {} does nothing: '{}' {}; {}", key, kWorkspaceSettings, shortened(named->second), why,
        why == kOnlyTheUser   ? "name it with `also` or in your own configuration"
        : why == kOtherServer ? "name it in KNAPSACK_TEAM_URL or in your own configuration"
                              : "`knapsack trust` allows it"));
    refused_rows_.push_back(
        {key, shortened(named->second), fmt::format("{}, refused", kWorkspaceSettings), why});
    toml_.erase(named);
  }

  static SettingRow row_of(const SettingSpec& spec, const SettingValue& from) {
    const bool is_secret = spec.key == "team.url";
    return {std::string(spec.key), is_secret ? without_password(from.value) : from.value, from.origin,
            std::string(spec.description)};
  }

  SettingValue find(const SettingSpec& spec) const {
    const std::string key(spec.key);
    if (const auto flag = request_.flags.find(key); flag != request_.flags.end()) {
      return {spec.key, flag->second, std::string(spec.flag), ErrorCode::kUsage};
    }
    for (const std::string& name : {environment_name(spec.key), std::string(spec.environment)}) {
      const auto variable = request_.environment.find(name);
      if (!name.empty() && variable != request_.environment.end() && !variable->second.empty()) {
        return {spec.key, variable->second, "environment " + name, ErrorCode::kConfig};
      }
    }
    if (const auto value = toml_.find(key); value != toml_.end()) {
      return {spec.key, value->second, std::string(kWorkspaceSettings), ErrorCode::kConfig};
    }
    if (const auto value = rc_.values.find(std::string(spec.rc_key)); value != rc_.values.end()) {
      return {spec.rc_key, value->second, rc_.name, ErrorCode::kConfig};  // that file has names of its own
    }
    if (const auto value = user_.values.find(key); value != user_.values.end()) {
      return {spec.key, value->second, user_.name, ErrorCode::kConfig};
    }
    return {spec.key, std::string(spec.default_value), std::string(kDefaultOrigin), ErrorCode::kConfig};
  }

  const FileSystem& files_;
  const SettingsRequest& request_;
  SettingFileCache& cache_;
  SettingTexts toml_;    // of the workspace, without what was refused
  std::string content_;  // its bytes
  std::optional<bool> trusted_;
  std::vector<SettingRow> refused_rows_;
  RcFile rc_;
  UserFile user_;
  Settings settings_;
};

}  // namespace

Result<Settings> load_settings(const FileSystem& files, const SettingsRequest& request,
                               SettingFileCache& cache) {
  return SettingsLoader(files, request, cache).run();
}

Result<Settings> load_settings(const FileSystem& files, const SettingsRequest& request) {
  SettingFileCache none;
  return load_settings(files, request, none);
}

}  // namespace knapsack
