// Redaction: secrets that a note, a memory or a file happens to hold never reach a packet.
//
// Known shapes only (keys with a published prefix, private key blocks, credentials in URLs): a packet must
// not be full of false alarms. Linear time. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace knapsack {

// The text with every secret replaced by "[redacted: kind]"; `count` grows by the number of replacements.
std::string redact_secrets(std::string_view text, uint64_t& count);

}  // namespace knapsack
