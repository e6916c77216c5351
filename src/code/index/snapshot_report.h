// What an index run notes beside a snapshot. Plain data; pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"

namespace knapsack::code {

struct SnapshotReport {
  uint64_t ignored = 0;
  uint64_t skipped = 0;
  std::string shallow_ends;  // a hash of the commits at which a shallow clone ends; empty for a whole one
  uint64_t history_problems = 0;
  uint64_t unread = 0;  // files that belong to the snapshot and that there was no time for

  std::string to_json() const;
  static Result<SnapshotReport> from_json(const std::string& text);
};

}  // namespace knapsack::code
