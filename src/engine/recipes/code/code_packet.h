// From what the stages chose to a packet: files as groups, their units as candidates in every form.
//
// Units are offered in one sequence (part_sequence.h): a budget shows the longest beginning that fits,
// and of what follows the signatures. Without `fill` the sequence ends at the stop; with it everything in
// scope follows, whole files last.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "code/units/unit_constants.h"
#include "engine/linked/code_places.h"
#include "packet/packet.h"
#include "packet/render/renderer.h"
#include "stages/stage_context.h"
#include "text/tokens/token_counter.h"

namespace knapsack {

// How much of what the stages chose is offered.
struct CodeOffer {
  uint64_t budget = 0;  // in tokens: how much of the files is worth reading
  bool fill = false;    // go on behind the stop until the budget is used up
  std::string_view tokenizer;
  std::set<std::string> whole = {};  // paths of files that are shown whole, before everything else
  code::UnitConstants units = {};
};

struct CodePacketParts {
  std::vector<PacketSection> sections;
  std::vector<std::shared_ptr<const CandidateGroup>> groups;
  std::vector<std::string> warnings;  // files that could not be read
  uint64_t secrets = 0;               // that were replaced
  uint64_t behind_stop = 0;           // units that are not offered
  std::vector<Candidate> unoffered;   // long comments of units that are, with the reason
};

Result<CodePacketParts> make_code_sections(const CodePlaces& places, const stages::StageContext& context,
                                           const CodeOffer& offer);

// Takes the parts into the packet and chooses their forms; gives the rendered bytes. The packet's budget and
// margin must be set.
std::string pack_code(Packet& packet, const CodePacketParts& parts, const Renderer& renderer,
                      const TokenCounter& counter);

}  // namespace knapsack
