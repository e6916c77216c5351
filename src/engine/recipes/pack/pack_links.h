// Links between sources: files that a decision, a memory or a graph node names, and what names a file that
// the task needs.
//
// A background entry that bears on the task pulls in the files and symbols that it names; one that names a
// file the task needs comes before others of its section. Both say so in their provenance. Two sources that
// say the same say it once. Private to engine/recipes/pack/; one thread.
#pragma once

#include <string>
#include <vector>

#include "code/ask/code_index.h"
#include "engine/recipes/pack/pack_sources.h"
#include "packet/packet.h"
#include "stages/stage_context.h"

namespace knapsack {

// What the entries that bear on the task name, in the order of the sections, each file once.
Result<std::vector<stages::Requested>> named_by_background(const std::vector<PacketSection*>& sections,
                                                           code::CodeIndex& index);

// Moves the entries that name one of these files to the front of their sections.
void raise_what_names(const std::vector<PacketSection*>& sections, const std::vector<std::string>& files);

// Puts the items of a section into this order of packing; where an order of its own is shown, that stays.
void reorder_items(PacketSection& section, const std::vector<size_t>& order);

// Takes out what an earlier section says in the same words. What was taken out goes back into the account of
// its section when everything is packed.
std::vector<LeftOutItem> take_repeated(const std::vector<PacketSection*>& sections);
// Puts items that took no part in packing into the account of their sections.
void account_for(std::vector<LeftOutItem> left_out, Packet& packet);

}  // namespace knapsack
