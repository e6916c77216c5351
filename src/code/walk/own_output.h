// Own output: what this program wrote into the workspace itself, which is no source of a later packet.
// Private to code/walk/.
#pragma once

#include <string_view>

namespace knapsack::code {

// Packets that `knapsack graph` keeps beside its nodes: context_packs/context_pack.….json and
// request_context_packs/request_context.….json below any folder, and the latest of each. Its nodes are
// somebody's words and not among these.
bool is_own_output(std::string_view path);

}  // namespace knapsack::code
