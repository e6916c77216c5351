// FtsRanking: documents ranked by SQLite's full-text search as it comes, the yardstick for our own.
//
// In memory, filled once, then asked. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/sqlite/sqlite.h"

namespace knapsack {

class FtsRanking {
 public:
  static Result<FtsRanking> create();

  Status add(uint32_t document, std::string_view name, std::string_view body);
  // Documents with any of the words, best first, the smaller number first among equals.
  Result<std::vector<uint32_t>> best(const std::vector<std::string>& words);

 private:
  explicit FtsRanking(sqlite::Database database) : database_(std::move(database)) {}

  sqlite::Database database_;
};

}  // namespace knapsack
