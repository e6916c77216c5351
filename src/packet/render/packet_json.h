// The full JSON packet: the content and everything about it, for programs (docs/schemas/packet.schema.json).
#pragma once

#include <string>

#include "packet/packet.h"

namespace knapsack {

std::string packet_json(const Packet& packet);

}  // namespace knapsack
