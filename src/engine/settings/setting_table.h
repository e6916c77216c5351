// Every setting: its name, its default, where else its value may come from, and what its value becomes. Private to
// engine/settings/.
#pragma once

#include <span>
#include <string_view>

#include "core/result.h"
#include "engine/settings/setting_values.h"
#include "engine/settings/settings.h"

namespace knapsack {

struct SettingSpec {
  std::string_view key;
  std::string_view default_value;
  std::string_view flag;         // "" when no command has one
  std::string_view environment;  // a name others already use; KNAPSACK_… always works as well
  std::string_view rc_key;       // in .ctxrc or .contextrc
  std::string_view description;
  Status (*take)(Settings& settings,
                 const SettingValue& value);  // checks a value and puts it where it belongs
};

std::span<const SettingSpec> setting_table();
// Null for a key that is none.
const SettingSpec* find_setting(std::string_view key);

}  // namespace knapsack
