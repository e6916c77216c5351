// A TOML configuration of a snapshot, read within the bounds of ConfigReader.
// Private to code/imports/.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>

#include "code/imports/resolver_config.h"

namespace knapsack::code {

// Nothing, and a note, where it is not TOML or nests too deep.
std::optional<toml::table> read_toml(ConfigReader& configs, uint32_t file);

}  // namespace knapsack::code
