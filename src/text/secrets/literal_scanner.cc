#include "text/secrets/literal_scanner.h"

#include <algorithm>
#include <cassert>

#include "core/ascii.h"

namespace knapsack {
namespace {

char fold(char c) {
  return static_cast<char>(static_cast<unsigned char>(c) | 0x20U);
}

// How common a byte is in code and prose, roughly: letters by their frequency in English, then what else
// there is.
int commonness(char c) {
  constexpr std::string_view kLetters = "qzjxkvbywgpfmucdlhrnsioate";  // rising
  if (const size_t rank = kLetters.find(fold(c)); rank != std::string_view::npos)
    return 4 + static_cast<int>(rank);
  if (ascii::is_digit(c)) return 3;
  return c == '_' || c == '-' || c == '.' || c == '/' ? 8 : 5;
}

}  // namespace

LiteralScanner::LiteralScanner(std::span<const std::string_view> literals)
    : literals_(literals.begin(), literals.end()), entries_(1), first_(1U << kSlotBits, 0) {
  for (size_t i = 0; i < literals_.size(); ++i) {
    const std::string_view literal = literals_[i];
    assert(literal.size() >= kWindow - 1);
    const auto number = static_cast<uint16_t>(i);
    if (literal.size() < kWindow) {
      // Whatever may follow it: few of these bytes are the same when folded.
      std::array<bool, 256> done{};
      for (int c = 0; c < 256; ++c) {
        char bytes[kWindow] = {literal[0], literal[1], literal[2], static_cast<char>(c)};
        bool& known = done[static_cast<unsigned char>(fold(static_cast<char>(c)))];
        if (!known) add(folded(bytes), number, 0);
        known = true;
      }
      continue;
    }
    size_t best = 0;
    int least = 1000;
    for (size_t at = 0; at + kWindow <= literal.size(); ++at) {
      int sum = 0;
      for (size_t j = 0; j < kWindow; ++j) sum += commonness(literal[at + j]);
      if (sum < least) {
        least = sum;
        best = at;
      }
    }
    add(folded(literal.data() + best), number, static_cast<uint8_t>(best));
  }
}

void LiteralScanner::add(uint32_t window, uint16_t literal, uint8_t offset) {
  const uint32_t slot = slot_of(window);
  bits_[slot / 64] |= uint64_t{1} << (slot % 64);
  entries_.push_back({window, literal, offset, first_[slot]});
  first_[slot] = static_cast<uint16_t>(entries_.size() - 1);
}

bool LiteralScanner::stands_at(std::string_view text, size_t at, std::string_view literal) {
  if (text.size() - at < literal.size()) return false;
  return std::equal(literal.begin(), literal.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [&](char a, char b) { return ascii::lower(a) == ascii::lower(b); });
}

}  // namespace knapsack
