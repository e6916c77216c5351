// Assembly: the last steps of every recipe, from ranked sections to a packet that keeps its budget.
//
// The only place where prices, packing and the bytes that are printed meet. Each item is printed and priced
// once in each form; prices guide the choice, drafts are put together from what was printed, and the bytes
// that result are counted and have the last word.
#pragma once

#include <span>
#include <string>

#include "packet/packet.h"
#include "packet/render/renderer.h"
#include "text/tokens/unit_memory.h"

namespace knapsack {

// The section's items in every form, printed and priced; exactly where no more than `limit` units can be shown.
SectionPieces price(const PacketSection& section, const Renderer& renderer, UnitMemory& memory,
                    uint64_t limit = UINT64_MAX);

// Chooses a form for every item, fills tokens, reasons, `used` and `over_budget`, and gives the rendered
// bytes. packet.budget and everything that is to be shown must be set; `pieces` are those of its sections, by
// the same renderer.
std::string assemble(Packet& packet, std::span<const SectionPieces> pieces, const Renderer& renderer,
                     UnitMemory& memory);

}  // namespace knapsack
