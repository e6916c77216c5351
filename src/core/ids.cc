#include "core/ids.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "core/ascii.h"

namespace knapsack {
namespace {

std::string hex(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  return hex(XXH3_128bits(bytes.data(), bytes.size()));
}

void ContentHasher::Free::operator()(XXH3_state_s* state) const {
  XXH3_freeState(state);
}

ContentHasher::ContentHasher() : state_(XXH3_createState()) {
  XXH3_128bits_reset(state_.get());
}

void ContentHasher::add(std::string_view bytes) {
  XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

std::string ContentHasher::hash() const {
  return hex(XXH3_128bits_digest(state_.get()));
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
