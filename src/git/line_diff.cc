#include "git/line_diff.h"

#include <algorithm>

#include "git/library.h"

namespace knapsack {
namespace {

struct Collected {
  std::vector<LineRange> ranges;
  uint32_t lines = 0;  // of the text before
};

int collect(const git_diff_delta* /*delta*/, const git_diff_hunk* hunk, void* payload) {
  return without_exceptions([&] {
    auto& collected = *static_cast<Collected*>(payload);
    const auto first = static_cast<uint32_t>(hunk->old_start);
    const auto count = static_cast<uint32_t>(hunk->old_lines);
    // An insertion names the line before it, 0 for one at the top.
    LineRange range = count > 0 ? LineRange{first, first + count - 1} : LineRange{first, first + 1};
    range.first = std::max(range.first, 1U);
    range.last = std::min(range.last, collected.lines);
    if (range.first <= range.last) collected.ranges.push_back(range);
    return 0;
  });
}

}  // namespace

Result<std::vector<LineRange>> changed_lines(std::string_view before, std::string_view after) {
  KNAPSACK_CHECK(start_git_library());
  Collected collected;
  collected.lines = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n')) +
                    (before.empty() || before.ends_with('\n') ? 0 : 1);
  git_diff_options options;
  if (git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION) != 0)
    return git_failure(ErrorCode::kInternal, "two versions of a file cannot be compared");
  options.context_lines = 0;
  options.flags = GIT_DIFF_FORCE_TEXT;
  const int code = git_diff_buffers(before.data(), before.size(), nullptr, after.data(), after.size(),
                                    nullptr, &options, nullptr, nullptr, &collect, nullptr, &collected);
  if (code != 0) return git_failure(ErrorCode::kInternal, "two versions of a file cannot be compared");
  return std::move(collected.ranges);
}

}  // namespace knapsack
