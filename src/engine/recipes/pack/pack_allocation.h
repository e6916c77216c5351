// How one budget is shared among sources: a share for each by what the task wants, and what becomes of it.
//
// Shares are soft. They become floors of sections, which the packer keeps free only as far as the section can
// use them: what a source does not need flows on, code first, then the others in the order of service. Pure
// functions; no thread rule.
// Private to engine/recipes/pack/.
#pragma once

#include <span>
#include <vector>

#include "packet/packet.h"
#include "understand/intent.h"

namespace knapsack {

struct SourceShare {
  Source source;
  double share = 0;
};

// The shares of these sources for an intent; they add up to one.
std::vector<SourceShare> shares_for(TaskIntent intent, std::span<const Source> present);

// Sets tier and floor of the sections of one source.
void allocate(std::vector<PacketSection>& sections, Source source, double share);

}  // namespace knapsack
