// From a notes folder to the sections of a packet: candidates with their forms, ranked, not yet packed.
#pragma once

#include <string>
#include <vector>

#include "notes/folder.h"
#include "packet/packet.h"

namespace knapsack::notes {

// Entries in full take at most this share of their allowance, so that the rest can at least be named.
inline constexpr double kFullShare = 0.8;

struct SectionShares {
  double tasks = 0.40;
  double conventions = 0.20;
};

// Packed newest first (#added, else place in the file), shown in file order.
PacketSection tasks_section(const NotesFolder& folder, const SectionShares& shares);
// Packed and shown in file order.
PacketSection conventions_section(const NotesFolder& folder, const SectionShares& shares);
// Decisions and learnings are scored together, then ranked each on its own. A superseded entry carries its
// reason.
struct EntrySections {
  PacketSection decisions;
  PacketSection learnings;
};
EntrySections entry_sections(const NotesFolder& folder, const std::vector<std::string>& keywords,
                             Timestamp now);

}  // namespace knapsack::notes
