// By which key the ledger remembers what a client's session was given. Internal to engine/.
#pragma once

#include <string>
#include <string_view>

#include "core/ids.h"

namespace knapsack {

inline std::string hook_delivery_key(std::string_view kind, std::string_view session,
                                     std::string_view what = "") {
  return hash_parts({"hook", kind, session, what});
}

// Under this one every packet that a session was given is listed.
inline constexpr std::string_view kGivenToSession = "given";

}  // namespace knapsack
