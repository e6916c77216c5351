#include "store/sqlite/sqlite_error.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>

namespace knapsack::sqlite {
namespace {

// The causes that look alike in the primary code but ask for different remedies.
Error io_error(int code, const std::string& path, std::string_view why) {
  const std::string what = fmt::format("cannot use {}: {}", path, why);
  switch (code & 0xff) {
    case SQLITE_FULL:
      return {ErrorCode::kIo, what, "free some disk space"};
    case SQLITE_READONLY:
      return {ErrorCode::kIo, what, "check the permissions of the file and of its folder"};
    case SQLITE_CANTOPEN:
      if (code == SQLITE_CANTOPEN_SYMLINK) {
        return {ErrorCode::kIo, fmt::format("{} is a symbolic link, which is not followed", path),
                "replace it with a plain file or remove it"};
      }
      return {ErrorCode::kIo, what, "check that the folder exists and may be written"};
    default:
      return {ErrorCode::kIo, what, "check the disk and the permissions of its folder"};
  }
}

}  // namespace

Error damaged_error(const std::string& path, std::string_view why, const std::string& when_damaged) {
  return {ErrorCode::kCorrupt, fmt::format("{} is damaged: {}", path, why), when_damaged};
}

Error error_of(sqlite3* handle, int code, const std::string& path, const std::string& when_damaged) {
  const std::string why = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  if (code == SQLITE_IOERR_CORRUPTFS) return damaged_error(path, why, when_damaged);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::kBusy, fmt::format("{} is in use by another process", path),
              "wait for it to finish and try again"};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return damaged_error(path, why, when_damaged);
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_PROTOCOL:
      // Some calls say no more than that they failed where the disk is full.
      if (handle != nullptr && sqlite3_system_errno(handle) == ENOSPC)
        return io_error(SQLITE_FULL, path, sqlite3_errstr(SQLITE_FULL));
      return io_error(code, path, why);
    case SQLITE_TOOBIG:
      return {ErrorCode::kLimit, fmt::format("a value is too large for {}", path), "shorten it"};
    default:
      return {ErrorCode::kInternal, fmt::format("SQLite refused a statement on {}: {}", path, why), ""};
  }
}

Error error_of(sqlite3* handle, int code, const std::string& when_damaged) {
  const char* path = handle != nullptr ? sqlite3_db_filename(handle, "main") : nullptr;
  return error_of(handle, code, path != nullptr ? path : "the database", when_damaged);
}

}  // namespace knapsack::sqlite
