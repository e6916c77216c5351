// Redaction: secrets that a note, a memory or a file happens to hold never reach a packet.
//
// Known shapes only (keys with a published prefix, private key blocks, credentials in URLs): a packet must
// not be full of false alarms. Linear time. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace knapsack {

// Replaces every secret in the text by "[redacted: kind]"; how many there were. A text is best cleaned before
// anything is made of it: a shortened secret has no known shape any more.
uint64_t redact_secrets(std::string& text);
// The same, with as many lines as before: what has line numbers keeps them.
uint64_t redact_secrets_by_line(std::string& text);

}  // namespace knapsack
