#include "core/files/shared_files.h"

#include <sys/stat.h>

#include <cerrno>

#include "core/files/disk_support.h"

namespace knapsack {
namespace {

constexpr mode_t kNewFile = 0666;
constexpr mode_t kNewFolder = 0777;
constexpr mode_t kPermissions = 07777;

// The only way to learn it is to set it; nobody creates files in between that matter.
mode_t current_umask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

}  // namespace

Status rewrite_shared_file(const std::string& path, std::string_view bytes) {
  struct stat before {};
  const bool is_there = ::lstat(path.c_str(), &before) == 0;
  const mode_t mode = is_there ? before.st_mode & kPermissions : kNewFile & ~current_umask();
  return replace_file(path, bytes, mode, kBesideSharedFile);
}

Status make_shared_folder(const std::string& path) {
  if (::mkdir(path.c_str(), kNewFolder) == 0 || errno == EEXIST) return ok_status();
  return system_error("create", path, errno);
}

}  // namespace knapsack
