#include "core/shared_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/disk_support.h"
#include "core/file_system.h"

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

Status fill(int descriptor, std::string_view bytes, mode_t mode, const std::string& path) {
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t written = ::write(descriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error("write", path, errno);
    rest.remove_prefix(static_cast<size_t>(written));
  }
  if (::fchmod(descriptor, mode) != 0) return system_error("set the mode of", path, errno);
  if (::fsync(descriptor) != 0) return system_error("sync", path, errno);
  return ok_status();
}

Status sync_folder_of(const std::string& path) {
  const std::string folder = parent_path(path);
  const Descriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.valid() || ::fsync(handle.get()) != 0) return system_error("sync", folder, errno);
  return ok_status();
}

}  // namespace

Status rewrite_shared_file(const std::string& path, std::string_view bytes) {
  struct stat before {};
  const bool is_there = ::lstat(path.c_str(), &before) == 0;
  const mode_t mode = is_there ? before.st_mode & kPermissions : kNewFile & ~current_umask();
  std::string beside = path + ".XXXXXX";
  {
    const Descriptor handle(::mkostemp(beside.data(), O_CLOEXEC));
    if (!handle.valid()) return system_error("create", beside, errno);
    if (Status filled = fill(handle.get(), bytes, mode, path); !filled.ok()) {
      ::unlink(beside.c_str());
      return filled;
    }
  }
  if (::rename(beside.c_str(), path.c_str()) != 0) {
    const int failure = errno;
    ::unlink(beside.c_str());
    return system_error("replace", path, failure);
  }
  return sync_folder_of(path);
}

Status make_shared_folder(const std::string& path) {
  if (::mkdir(path.c_str(), kNewFolder) == 0 || errno == EEXIST) return ok_status();
  return system_error("create", path, errno);
}

}  // namespace knapsack
