// Assembly: the last steps of every recipe, from ranked sections to a packet that keeps its budget.
//
// The only place where prices, packing and the bytes that are printed meet. Prices of pieces guide the
// choice; the rendered bytes are counted and have the last word.
#pragma once

#include <string>

#include "core/packet.h"
#include "render/renderer.h"
#include "text/token_counter.h"

namespace knapsack {

// Chooses a form for every item, fills tokens, reasons, `used` and `over_budget`, and gives the rendered
// bytes. packet.budget and everything that is to be shown must be set.
std::string assemble(Packet& packet, const TokenCounter& counter, const Renderer& renderer);

}  // namespace knapsack
