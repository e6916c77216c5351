// The recall packet: what was recalled, as sections under one budget.
//
// In the order in which they are served: verbatim artifacts; the profile, cut between its blocks; memories;
// episodes. What the prompt is about keeps two fifths of the budget against any profile. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "memory/recall/recall.h"
#include "memory/tree/profile.h"
#include "packet/assembly/assemble.h"

namespace knapsack {

// Share of the budget that artifacts and profile leave for memories and episodes together.
inline constexpr double kMemoryFloor = 0.4;
inline constexpr double kArtifactCap = 0.5;  // share of the budget that artifacts may take at first
inline constexpr size_t kReducedCharacters = 240;
inline constexpr size_t kMaxProfileSections = 40;  // further headings go on under the last one

struct RecallPacketRequest {
  const memory::Recalled& recalled;
  std::string profile;                // its text; empty where there is none
  std::vector<std::string> warnings;  // each makes the packet degraded
  uint64_t budget = 0;
  Timestamp now;
  std::vector<std::string> refused =
      {};                      // settings that do nothing; said in the packet, which is degraded then
  std::string team_line = {};  // how old the copy of teams' memories is; said where one of them was found
};

struct RecallPacket {
  Packet packet;
  std::string bytes;          // by the renderer; empty where there is nothing to show
  uint64_t least_budget = 0;  // the first that shows something, where this one shows nothing
};

RecallPacket make_recall_packet(const RecallPacketRequest& request, const Renderer& renderer,
                                const TokenCounter& counter);

// Its sections, warnings and status, for who packs them together with others.
Packet make_recall_sections(const RecallPacketRequest& request);

// Adds to the account what was found and not taken; it is never printed.
void add_left_out(Packet& packet, const memory::Recalled& recalled);
// … and what may be read and is not eligible.
struct FilteredMemory {
  const memory::Memory* memory;
  std::string reason;
};
void add_filtered(Packet& packet, const std::vector<FilteredMemory>& filtered);

// "fact-7" of the default namespace, "shared/fact-7" of another.
std::string memory_candidate_id(const memory::Memory& memory);

}  // namespace knapsack
