// The tables of curated.db, described in docs/schema.md. Private to code/index/.
#pragma once

#include <cstdint>

#include "store/sqlite/migrations.h"

namespace knapsack::code {

const sqlite::Schema& curated_schema();
// What to do about a damaged database: it is derived from the repository.
inline constexpr const char* kWhenDamaged = "run `knapsack index --full`, which rebuilds it";
// Raised when the same bytes give other facts or documents than before; everything is then learnt anew.
inline constexpr const char* kFactsVersion = "12";
// The first version that keeps no secrets.
inline constexpr int64_t kFirstCleanVersion = 3;

// What belongs to a blob or a commit is numbered `owner << kOwnerShift | position`, so that its rows lie
// together, come back in order and are appended when they are new. No file that is parsed has a million
// symbols, since it has at most a million bytes.
constexpr int kOwnerShift = 20;
constexpr int64_t first_row(int64_t owner) {
  return owner << kOwnerShift;
}
constexpr int64_t row_number(int64_t owner, size_t position) {
  return first_row(owner) + static_cast<int64_t>(position);
}
// The bits of symbols.flags.
enum SymbolFlag : int { kTest = 1, kExported = 2, kDeclaration = 4 };

constexpr int64_t owner_of(int64_t row) {
  return row >> kOwnerShift;
}
constexpr uint32_t position_of(int64_t row) {
  return static_cast<uint32_t>(row & ((int64_t{1} << kOwnerShift) - 1));
}

}  // namespace knapsack::code
