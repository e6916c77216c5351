// What the text of a setting means. Each parser gives an error that names the setting and where its value comes from.
// Pure functions.
// Private to engine/settings/.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace knapsack {

inline constexpr std::string_view kWorkspaceSettings = "knapsack.toml";  // in the workspace's own folder

struct SettingValue {
  std::string_view key;  // as the place that it comes from calls it
  std::string value;
  std::string origin;                   // "default", "knapsack.toml", "environment KNAPSACK_…", "--budget"
  ErrorCode code = ErrorCode::kConfig;  // kUsage where the caller gave it

  bool is_from_flag() const { return code == ErrorCode::kUsage; }
  bool is_from_workspace() const { return origin == kWorkspaceSettings; }
  // How messages name it: by its flag, or by its key and where it comes from.
  std::string named() const;
};

Result<uint64_t> parse_tokens(const SettingValue& from);
Result<std::string> parse_tokenizer(const SettingValue& from);
Result<double> parse_share(const SettingValue& from);  // 0 to 1
Result<bool> parse_switch(const SettingValue& from);
Result<size_t> parse_nodes(const SettingValue& from);
Result<size_t> parse_memories(const SettingValue& from);
Result<int64_t> parse_seconds(const SettingValue& from);  // of a duration: "10m"
Result<int64_t> parse_model_timeout(const SettingValue& from);
Result<std::chrono::milliseconds> parse_model_seconds(const SettingValue& from);
Result<std::chrono::milliseconds> parse_hook_deadline(const SettingValue& from);
Result<std::string> parse_provider(const SettingValue& from);
Result<std::string> parse_vectors(const SettingValue& from);
Result<std::string> parse_encoding(const SettingValue& from);
Result<std::string> parse_fusion(const SettingValue& from);
Result<std::string> parse_text(const SettingValue& from);
Result<std::string> parse_folder(const SettingValue& from);
Result<std::vector<std::string>> parse_names(const SettingValue& from);
// "work, shared": no name twice; "default" is the root of the tree.
Result<std::vector<std::string>> parse_namespaces(const SettingValue& from);

}  // namespace knapsack
