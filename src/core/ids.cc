#include "core/ids.h"

#include <fmt/format.h>
#define XXH_STATIC_LINKING_ONLY  // what a state is made of
#include <xxhash.h>

#include "core/ascii.h"

namespace knapsack {
namespace {

// By hand: tens of thousands of them are written for one question about a large tree.
std::string hex(XXH128_hash_t hash) {
  std::string digits(32, '0');
  for (size_t i = 0; i < 16; ++i) {
    digits[15 - i] = ascii::kHexDigits[(hash.high64 >> (4 * i)) & 0xF];
    digits[31 - i] = ascii::kHexDigits[(hash.low64 >> (4 * i)) & 0xF];
  }
  return digits;
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  return hex(XXH3_128bits(bytes.data(), bytes.size()));
}

struct ContentHasher::State {
  XXH3_state_t sums;
};

void ContentHasher::Free::operator()(State* state) const {
  delete state;
}

ContentHasher::ContentHasher() : state_(new State) {
  XXH3_128bits_reset(&state_->sums);
}

void ContentHasher::add(std::string_view bytes) {
  XXH3_128bits_update(&state_->sums, bytes.data(), bytes.size());
}

std::string ContentHasher::hash() const {
  return hex(XXH3_128bits_digest(&state_->sums));
}

std::string hash_parts(const std::vector<std::string_view>& parts) {
  std::string joined;
  for (const auto part : parts) joined += fmt::format("{}:", part.size()).append(part);
  return content_hash(joined);
}

std::string slug(std::string_view title, size_t max_length) {
  std::string out;
  bool gap = false;
  for (const char c : title) {
    const char lower = ascii::lower(c);
    const bool keep = ascii::is_lower(lower) || ascii::is_digit(lower);
    if (!keep) {
      gap = true;
      continue;
    }
    if (out.size() + (gap ? 2 : 1) > max_length) break;
    if (gap && !out.empty()) out += '-';
    gap = false;
    out += lower;
  }
  return out.empty() ? content_hash(title).substr(0, 12) : out;
}

}  // namespace knapsack
