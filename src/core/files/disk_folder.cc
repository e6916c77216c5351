#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "core/files/disk_support.h"
#include "core/files/folder.h"

namespace knapsack {
namespace {

// A file that a build or an editor keeps rewriting is given this many chances to hold still.
constexpr int kReadAttempts = 3;

bool same_moment(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec && a.st_ctim.tv_sec == b.st_ctim.tv_sec &&
         a.st_ctim.tv_nsec == b.st_ctim.tv_nsec;
}

class DiskFolder final : public Folder {
 public:
  DiskFolder(Descriptor handle, std::string path) : handle_(std::move(handle)), path_(std::move(path)) {}

  Result<std::vector<FolderEntry>> entries(uint64_t max_entries) const override {
    // A descriptor of its own, so that two threads can list one folder.
    Descriptor own(::openat(handle_.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!own.valid()) return system_error("list", path_, errno);
    DIR* stream = ::fdopendir(own.number());
    if (stream == nullptr) return system_error("list", path_, errno);
    own.release();  // closedir closes it
    std::vector<FolderEntry> found;
    int failure = 0;
    bool full = false;
    while (!full) {
      errno = 0;
      const dirent* entry = ::readdir(stream);
      if (entry == nullptr) {
        failure = errno;
        break;
      }
      std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      struct stat status {};
      if (::fstatat(handle_.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT) continue;  // gone meanwhile
        failure = errno;
        break;
      }
      full = found.size() == max_entries;
      found.push_back({std::move(name), file_info(status)});
    }
    ::closedir(stream);
    if (failure != 0) return system_error("list", path_, failure);
    if (full) {
      return Error{ErrorCode::kLimit, fmt::format("{} holds more than {} entries", path_, max_entries),
                   "ignore it or choose a smaller workspace"};
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return found;
  }

  Result<FileInfo> info(const std::string& name) const override {
    KNAPSACK_CHECK(check_entry_name(name));
    struct stat status {};
    if (::fstatat(handle_.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return system_error("look at", below(name), errno);
    }
    return file_info(status);
  }

  Result<std::unique_ptr<Folder>> enter(const std::string& name) const override {
    KNAPSACK_CHECK(check_entry_name(name));
    Descriptor handle(
        ::openat(handle_.number(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!handle.valid()) {
      const int failure = errno;
      struct stat status {};
      if ((failure == ELOOP || failure == ENOTDIR) &&
          ::fstatat(handle_.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
        return Error{ErrorCode::kIo,
                     fmt::format("{} is {}, not a directory", below(name), describe(file_info(status).kind)),
                     "links to folders are not followed"};
      }
      return system_error("open", below(name), failure);
    }
    return std::unique_ptr<Folder>(std::make_unique<DiskFolder>(std::move(handle), below(name)));
  }

  Result<std::string> read(const std::string& name, uint64_t max_bytes) const override {
    KNAPSACK_CHECK(check_entry_name(name));
    for (int attempt = 0; attempt < kReadAttempts; ++attempt) {
      // O_NONBLOCK: opening a FIFO returns at once, and the check below then refuses it.
      const Descriptor file(::openat(handle_.number(), name.c_str(),
                                     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
      if (!file.valid()) {
        if (errno == ELOOP) return not_a_file(below(name), FileKind::kSymlink);
        if (errno == ENXIO) return not_a_file(below(name), FileKind::kOther);  // a socket
        return system_error("read", below(name), errno);
      }
      struct stat before {};
      struct stat after {};
      if (::fstat(file.number(), &before) != 0) return system_error("look at", below(name), errno);
      if (!S_ISREG(before.st_mode)) return not_a_file(below(name), file_info(before).kind);
      KNAPSACK_TRY(auto bytes, read_descriptor(file.number(), static_cast<uint64_t>(before.st_size),
                                               max_bytes, below(name)));
      if (::fstat(file.number(), &after) != 0) return system_error("look at", below(name), errno);
      if (same_moment(before, after) && bytes.size() == static_cast<uint64_t>(after.st_size)) return bytes;
    }
    return Error{ErrorCode::kBusy, fmt::format("{} kept changing while it was read", below(name)),
                 "try again when nothing writes to it"};
  }

  Result<std::string> link_target(const std::string& name) const override {
    KNAPSACK_CHECK(check_entry_name(name));
    char target[PATH_MAX];
    const ssize_t length = ::readlinkat(handle_.number(), name.c_str(), target, sizeof target);
    if (length < 0) return system_error("read the link", below(name), errno);
    return std::string(target, static_cast<size_t>(length));
  }

 private:
  std::string below(const std::string& name) const { return join_path(path_, name); }

  Descriptor handle_;
  std::string path_;  // for messages only
};

}  // namespace

Result<std::unique_ptr<Folder>> open_disk_folder(const std::string& path) {
  Descriptor handle(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.valid()) return system_error("open", path, errno);
  return std::unique_ptr<Folder>(std::make_unique<DiskFolder>(std::move(handle), path));
}

}  // namespace knapsack
