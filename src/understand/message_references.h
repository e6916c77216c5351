// What a text says about issues, pull requests and commits: `#123`, `GH-123`, `/pull/123`, `/issues/123`,
// `1f2e3d4`.
//
// One pass over the text, no regular expression. Values only; no thread rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace knapsack {

struct MessageReference {
  enum Kind { kNumber, kCommit } kind = kNumber;
  std::string value;  // the digits without leading zeros, or the beginning of a commit id in lower case

  bool operator==(const MessageReference&) const = default;
};

// Each one once, in the order of first appearance; at most max_references. Issues and pull requests share
// their numbers on every host that has both, so the two are not told apart. A commit id has 7 to 40 digits,
// among them a digit and a letter, and stands by itself.
std::vector<MessageReference> scan_references(std::string_view text, size_t max_references = 1000);

}  // namespace knapsack
