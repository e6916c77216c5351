#include "store/ledger/ledger.h"

#include <fmt/format.h>

#include <charconv>

namespace knapsack {
namespace {

constexpr int64_t kMatchesNamed = 5;  // of an ambiguous prefix: enough to choose from on one line

Error unknown_run(std::string_view selector) {
  return {ErrorCode::kNotFound, fmt::format("no run '{}' in the ledger", selector),
          "`knapsack runs` lists them"};
}

std::optional<int64_t> as_sequence(std::string_view text) {
  int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

}  // namespace

Error Ledger::no_such_run(int64_t sequence) {
  return unknown_run(std::to_string(sequence));
}

Result<StoredRun> Ledger::find_run(std::string_view selector) {
  if (selector.empty()) {
    return Error{ErrorCode::kUsage, "no run was named",
                 "name one, or say latest; `knapsack runs` lists them"};
  }
  if (selector == "latest") {
    KNAPSACK_TRY(auto newest, list_runs({.limit = 1}));
    if (newest.empty())
      return Error{ErrorCode::kNotFound, "there are no runs yet", "`knapsack pack TASK` makes one"};
    return std::move(newest.front());
  }
  // One more than is named, to know that there are more. The run_id that equals the prefix sorts first.
  KNAPSACK_TRY(auto matches, runs_with_prefix(selector, kMatchesNamed + 1));
  if (!matches.empty() && matches.front().record.run_id == selector) return std::move(matches.front());
  if (const auto sequence = as_sequence(selector)) {
    KNAPSACK_TRY(auto run, run_at(*sequence));
    if (run) return *std::move(run);
  }
  if (matches.empty()) return unknown_run(selector);
  if (matches.size() == 1) return std::move(matches.front());
  std::string names;
  for (size_t i = 0; i < matches.size() && i < kMatchesNamed; ++i) {
    names += (i == 0 ? "" : ", ") + matches[i].record.run_id;
  }
  if (matches.size() > kMatchesNamed) names += ", …";
  return Error{ErrorCode::kUsage, fmt::format("'{}' is the beginning of several runs: {}", selector, names),
               "write more of it"};
}

}  // namespace knapsack
