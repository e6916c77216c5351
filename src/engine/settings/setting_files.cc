#include "engine/settings/setting_files.h"

#include <fmt/format.h>
#include <toml++/toml.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "core/nearest.h"
#include "engine/settings/places.h"
#include "engine/settings/setting_table.h"
#include "engine/settings/trust.h"
#include "text/toml_depth.h"

namespace knapsack {
namespace {

// "notes": what keys begin with.
bool is_section(const std::string& name) {
  const auto table = setting_table();
  return std::any_of(table.begin(), table.end(),
                     [&](const SettingSpec& spec) { return spec.key.starts_with(name + "."); });
}

// No deeper than kMaxTomlDepth.
Status flatten(const toml::table& table, const std::string& prefix, const std::string& file,
               SettingTexts& values) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (node.is_table()) {
      KNAPSACK_CHECK(flatten(*node.as_table(), key + ".", file, values));
    } else if (find_setting(key) == nullptr) {
      if (is_section(key)) {
        return Error{ErrorCode::kConfig, fmt::format("{}: '{}' is a table, not a value", file, key),
                     fmt::format("write [{}] and its keys below it; `knapsack config` lists all keys", key)};
      }
      std::vector<std::string> keys;
      for (const SettingSpec& spec : setting_table()) keys.emplace_back(spec.key);
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

}  // namespace

Result<SettingTexts> read_toml_settings(const std::string& bytes, const std::string& file) {
  SettingTexts values;
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

Result<UserFile> read_user_file(const FileSystem& files, const SettingsRequest& request,
                                SettingFileCache& cache) {
  UserFile user;
  const auto path = user_settings_file(request.environment);
  // People keep such files elsewhere and link to them.
  const auto real = path ? files.resolve(*path) : Result<std::string>(Error{ErrorCode::kNotFound, "", ""});
  if (!real.ok() || lies_in(files, request.workspace, *real)) return user;
  KNAPSACK_TRY(const auto bytes, cache.read(files, *real));
  if (!bytes) return user;
  user.name = *path;
  KNAPSACK_TRY(user.values, read_toml_settings(*bytes, *path));
  return user;
}

Result<RcFile> read_rc_file(const FileSystem& files, const std::string& folder, SettingFileCache& cache) {
  RcFile rc;
  for (const char* name : {".ctxrc", ".contextrc"}) {
    KNAPSACK_TRY(const auto bytes, cache.read(files, join_path(folder, name)));
    if (!bytes) continue;
    rc.name = name;
    try {
      const YAML::Node root = YAML::Load(*bytes);
      if (root.IsNull()) return rc;
      if (!root.IsMap())
        return Error{ErrorCode::kConfig, fmt::format("{} is not a list of keys and values", name), ""};
      for (const SettingSpec& spec : setting_table()) {
        if (spec.rc_key.empty()) continue;
        const std::string key(spec.rc_key);
        if (const YAML::Node value = root[key]; value && value.IsScalar()) rc.values[key] = value.Scalar();
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

}  // namespace knapsack
