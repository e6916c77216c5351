#include "git/library.h"

#include <fmt/format.h>

#include <mutex>

#include "core/ascii.h"

namespace knapsack {
namespace {

// libgit2 keeps parsed objects for the whole process. Trees of up to this size are worth keeping (two
// neighbouring commits share nearly all of theirs), within this total.
constexpr size_t kCachedTreeBytes = 256 << 10;
constexpr ssize_t kCacheBytes = 96 << 20;
// What a delta may unfold to, on the way to an object too; git itself never makes deltas of more than 512 MiB.
constexpr size_t kMaxUnfoldedBytes = size_t{1} << 30U;

int start() {
  if (const int error = git_libgit2_init(); error < 0) return error;
  for (const int level : {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
                          GIT_CONFIG_LEVEL_GLOBAL}) {
    if (const int error = git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, ""); error < 0) return error;
  }
  if (const int error = git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, kCacheBytes); error < 0) return error;
  if (const int error = git_libgit2_opts(GIT_OPT_SET_PACK_MAX_OBJECT_SIZE, kMaxUnfoldedBytes); error < 0)
    return error;
  return git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, kCachedTreeBytes);
}

}  // namespace

Status start_git_library() {
  static std::once_flag once;
  static int outcome = 0;
  std::call_once(once, [] { outcome = start(); });
  // What libgit2 keeps a thread for its errors is made now: made while memory is short, it would ask for itself without end.
  thread_local const bool ready = outcome < 0 || (git_error_clear(), true);
  (void)ready;
  if (outcome < 0) return git_failure(ErrorCode::kInternal, "libgit2 does not start");
  return ok_status();
}

Error git_failure(ErrorCode code, const std::string& what, const std::string& next) {
  const git_error* last = git_error_last();
  Error error{code, what, next};
  if (last != nullptr && last->message != nullptr && last->klass != GIT_ERROR_NONE) {
    error.what += fmt::format(": {}", last->message);
  }
  git_error_clear();
  return error;
}

std::string git_hex(const git_oid& id) {
  std::string hex(GIT_OID_HEXSZ, '\0');
  git_oid_fmt(hex.data(), &id);
  return hex;
}

// Without the library: every file of a work tree has such a name, and the threads that read them need no state of it.
Result<git_oid> parse_git_hex(const std::string& hex) {
  git_oid id = {};
  bool is_hex = hex.size() == GIT_OID_HEXSZ;
  for (size_t i = 0; is_hex && i < GIT_OID_RAWSZ; ++i) {
    const int high = ascii::hex_value(hex[2 * i]), low = ascii::hex_value(hex[2 * i + 1]);
    is_hex = high >= 0 && low >= 0;
    if (is_hex) id.id[i] = static_cast<unsigned char>(high * 16 + low);
  }
  if (is_hex) return id;
  return Error{ErrorCode::kUsage, fmt::format("'{}' is not an object id of 40 hexadecimal digits", hex), ""};
}

}  // namespace knapsack
