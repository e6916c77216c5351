// What SQLite's result codes mean to us. Private to store/sqlite/.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

struct sqlite3;

namespace knapsack::sqlite {

// An Error for `code`, naming the file and what can be done. `handle` may be null (out of memory).
Error error_of(sqlite3* handle, int code, const std::string& path, const std::string& when_damaged);
Error error_of(sqlite3* handle, int code, const std::string& when_damaged);
Error damaged_error(const std::string& path, std::string_view why, const std::string& when_damaged);

}  // namespace knapsack::sqlite
