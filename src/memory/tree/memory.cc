#include "memory/tree/memory.h"

#include <algorithm>
#include <array>

namespace knapsack::memory {
namespace {

constexpr std::array<std::string_view, 5> kStatuses = {"active", "superseded", "archived", "forgotten",
                                                       "quarantined"};
constexpr std::array<std::string_view, 6> kKinds = {"note",     "episode", "box",
                                                    "artifact", "entity",  "correction"};

}  // namespace

std::string_view to_string(Status status) {
  return kStatuses[static_cast<size_t>(status)];
}

std::optional<Status> parse_status(std::string_view word) {
  const auto found = std::find(kStatuses.begin(), kStatuses.end(), word);
  if (found == kStatuses.end()) return std::nullopt;
  return static_cast<Status>(found - kStatuses.begin());
}

std::string_view to_string(Kind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

const std::vector<std::string_view> kCategories = {"fact",     "preference",   "correction", "entity",
                                                   "decision", "relationship", "principle",  "commitment",
                                                   "moment",   "skill"};

bool is_category(std::string_view word) {
  return std::find(kCategories.begin(), kCategories.end(), word) != kCategories.end();
}

}  // namespace knapsack::memory
