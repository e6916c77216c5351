#include "text/tokens/unit_memory.h"

#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "core/helper_threads.h"

namespace knapsack {
namespace {

// A thread costs about as much as counting this many bytes does.
constexpr size_t kBytesWorthAThread = size_t{16} * 1024;
constexpr size_t kMaxThreads = 4;

// Whether units add up between a line feed and a text that begins with this byte. Beside white space and '/'
// it turns away the bytes that can begin white space outside ASCII: U+0085, U+00A0, U+1680, U+2000… and
// U+3000.
bool begins_a_cut(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value > ' ' && value != '/' && value != 0xC2 && (value < 0xE1 || value > 0xE3);
}

// The bytes up to the first place where the text may be cut.
std::string_view first_cut(std::string_view text) {
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    if (at + 1 < text.size() && begins_a_cut(text[at + 1])) return text.substr(0, at + 1);
  }
  return text;
}

struct Unknown {
  std::string_view text;
  uint64_t* units;
};

void count_each(const TokenCounter& counter, std::span<const Unknown> texts) {
  for (const Unknown& each : texts) *each.units = counter.units(each.text);
}

// Shares the texts out so that every thread has about as many bytes; this one is one of them.
void count_in_parallel(const TokenCounter& counter, std::span<const Unknown> texts, size_t bytes) {
  const size_t cores = core_count();
  const size_t shares = std::clamp<size_t>(bytes / kBytesWorthAThread, 1, std::min(cores, kMaxThreads));
  HelperThreads threads;
  for (size_t share = 1; share < shares; ++share) {
    size_t count = 0;
    for (size_t taken = 0; taken < bytes / shares && count < texts.size(); ++count)
      taken += texts[count].text.size();
    const auto part = texts.first(count);
    if (!threads.start([&counter, part] { count_each(counter, part); }))
      break;  // what is left is counted here
    texts = texts.subspan(count);
  }
  count_each(counter, texts);
  threads.join();
}

}  // namespace

size_t UnitMemory::Hash::operator()(std::string_view text) const {
  return XXH3_64bits(text.data(), text.size());
}

uint64_t UnitMemory::units(std::string_view text) {
  if (!counter_.is_exact()) return counter_.units(text);
  uint64_t sum = 0;
  while (!text.empty()) {
    const std::string_view cut = first_cut(text);
    auto known = memory_.find(cut);
    if (known == memory_.end()) known = memory_.emplace(cut, counter_.units(cut)).first;
    sum += known->second;
    text.remove_prefix(cut.size());
  }
  return sum;
}

std::pair<std::string_view, std::string_view> UnitMemory::without(std::string_view text,
                                                                  std::string_view part) const {
  const size_t at = part.empty() ? std::string_view::npos : text.find(part);
  if (!counter_.is_exact() || at == std::string_view::npos) return {text, {}};
  const std::string_view before = text.substr(0, at);
  const std::string_view behind = text.substr(at + part.size());
  const bool cut_before = before.empty() || (before.ends_with('\n') && begins_a_cut(part.front()));
  const bool cut_behind = behind.empty() || (part.ends_with('\n') && begins_a_cut(behind.front()));
  if (!cut_before || !cut_behind) return {text, {}};
  return {before, behind};
}

uint64_t UnitMemory::units_around(std::string_view text, std::string_view part, uint64_t part_units) {
  const auto [before, behind] = without(text, part);
  const bool parted = before.size() + behind.size() < text.size();
  return units(before) + units(behind) + (parted ? part_units : 0);
}

void UnitMemory::learn(std::span<const std::string_view> texts) {
  if (!counter_.is_exact()) return;
  std::vector<Unknown> unknown;
  size_t bytes = 0;
  for (std::string_view text : texts) {
    while (!text.empty()) {
      const std::string_view cut = first_cut(text);
      text.remove_prefix(cut.size());
      if (memory_.contains(cut)) continue;
      unknown.push_back({cut, &memory_.emplace(cut, 0).first->second});
      bytes += cut.size();
    }
  }
  count_in_parallel(counter_, unknown, bytes);
}

}  // namespace knapsack
