// What a packet was to hold and does not, said in the packet itself: who reads it must not take it for whole.
#pragma once

#include <string>
#include <vector>

#include "packet/packet.h"

namespace knapsack {

// A few lines name the first of these, one counts the rest: a folder full of bad links must not fill a
// packet.
PacketPreamble not_read(const std::vector<std::string>& lines);

// Adds them to the warnings, and the list above to the preambles. Nothing where there is nothing to say.
void say_not_read(Packet& packet, const std::vector<std::string>& lines);

}  // namespace knapsack
