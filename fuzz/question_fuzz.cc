// Any bytes as what somebody asks of search, memory and graph, and as a profile: always a question, the same
// one when it is read again.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "memory/recall/query_dates.h"
#include "memory/recall/recall_query.h"
#include "memory/tree/profile.h"
#include "search/query/parse_query.h"
#include "text/unicode/utf8.h"
#include "understand/intent.h"
#include "understand/recall_planner.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace knapsack;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto query = search::parse_query(text);
  check(search::parse_query(text).words == query.words && query.words.size() <= text.size());
  check(classify_intent(text).words == classify_intent(text).words);
  check(plan_recall(text).rule == plan_recall(text).rule);
  constexpr std::array<int, 3> kYears = {2023, 2025, 2026};
  const auto dates = memory::find_dates(text, kYears);
  for (const auto& place : dates.places) check(place.begin < place.end && place.end <= text.size());
  for (const auto& range : dates.ranges) check(range.first_day <= range.last_day);
  const std::string clean = replace_invalid_utf8(text);
  for (const auto& block : memory::read_profile(clean)) check(valid_utf8(block.heading + block.text));
  (void)memory::read_recall_query(clean, {}, kYears);
  return 0;
}
