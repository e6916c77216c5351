#include "store/sqlite/damaged.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace knapsack {
namespace {

// The database goes first: a crash between two moves then leaves a log without its database, which is
// noticed, and never a database without its log, which would pass for a whole one.
constexpr std::array<std::string_view, 4> kEndings = {"", "-wal", "-journal", "-shm"};

Result<bool> exists(const FileSystem& files, const std::string& path) {
  const auto info = files.info(path);
  if (info.ok()) return true;
  if (info.error().code == ErrorCode::kNotFound) return false;
  return info.error();
}

Result<bool> any_exists(const FileSystem& files, const std::string& path) {
  for (const std::string_view ending : kEndings) {
    KNAPSACK_TRY(const bool taken, exists(files, fmt::format("{}{}", path, ending)));
    if (taken) return true;
  }
  return false;
}

std::string compact(Timestamp now) {
  std::string text;
  for (const char c : format_rfc3339(Timestamp::from_seconds(now.seconds()))) {
    if (c != '-' && c != ':') text += c;
  }
  return text;
}

}  // namespace

Result<std::string> set_aside(FileSystem& files, const std::string& path, Timestamp now) {
  const std::string first_choice = fmt::format("{}.damaged-{}", path, compact(now));
  std::string target = first_choice;
  for (int number = 2;; ++number) {
    KNAPSACK_TRY(const bool taken, any_exists(files, target));
    if (!taken) break;
    target = fmt::format("{}-{}", first_choice, number);
  }
  for (const std::string_view ending : kEndings) {
    const std::string from = fmt::format("{}{}", path, ending);
    KNAPSACK_TRY(const bool there, exists(files, from));
    if (there) KNAPSACK_CHECK(files.rename(from, fmt::format("{}{}", target, ending)));
  }
  return target;
}

}  // namespace knapsack
