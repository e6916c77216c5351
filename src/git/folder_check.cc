#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "git/location.h"

namespace knapsack {
namespace {

// A repository with more loose objects than this is beyond any that git keeps by itself (it packs at 6,700).
constexpr size_t kMaxEntries = 1'000'000;
constexpr int kMaxDepth = 64;

struct Pending {
  std::string path;
  int depth;
};

Error bad_entry(const std::string& path, std::string_view what) {
  return {ErrorCode::kCorrupt, fmt::format("{} is {}: the repository is not read", path, what),
          "remove it, or use the folder without history"};
}

unsigned char type_of(const std::string& path, unsigned char hint) {
  if (hint != DT_UNKNOWN) return hint;
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return DT_REG;  // gone meanwhile
  return static_cast<unsigned char>(IFTODT(status.st_mode));
}

// A link is fine when it ends at a file or folder inside `root` (old repositories keep HEAD as a link).
Status check_link(const std::string& path, const std::string& root) {
  char target[PATH_MAX];
  if (::realpath(path.c_str(), target) == nullptr) return ok_status();  // leads nowhere: reads as missing
  const std::string resolved = target;
  if (!resolved.starts_with(root + "/")) return bad_entry(path, "a link that leads out of its git folder");
  struct stat status {};
  if (::stat(target, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    return bad_entry(path, "a link to a FIFO, socket or device");
  }
  return ok_status();
}

// Looks at the names below `folder`, `levels` deep.
Status check_names(const std::string& folder, const std::string& root, int levels, size_t& seen) {
  std::vector<Pending> pending = {{folder, 0}};
  while (!pending.empty()) {
    const Pending at = std::move(pending.back());
    pending.pop_back();
    DIR* stream = ::opendir(at.path.c_str());
    if (stream == nullptr) {
      if (errno == ENOENT || errno == ENOTDIR) continue;
      return Error{ErrorCode::kIo, fmt::format("cannot list {}: {}", at.path, std::strerror(errno)),
                   "check its permissions"};
    }
    Status status = ok_status();
    while (status.ok()) {
      const dirent* entry = ::readdir(stream);
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (++seen > kMaxEntries) {
        status = Error{ErrorCode::kLimit, fmt::format("{} holds more than {} files", root, kMaxEntries),
                       "run `git gc` in it"};
        break;
      }
      const std::string path = fmt::format("{}/{}", at.path, name);
      switch (type_of(path, entry->d_type)) {
        case DT_DIR:
          if (at.depth + 1 < levels) pending.push_back({path, at.depth + 1});
          break;
        case DT_LNK:
          status = check_link(path, root);
          break;
        case DT_FIFO:
        case DT_CHR:
        case DT_BLK:
          status = bad_entry(path, "a FIFO or device");
          break;
        default:  // files; and sockets, which cannot be opened (git's own monitor keeps one here)
          break;
      }
    }
    ::closedir(stream);
    if (!status.ok()) return status;
  }
  return ok_status();
}

}  // namespace

Status check_git_folder(const std::string& git_dir) {
  size_t seen = 0;
  KNAPSACK_CHECK(check_names(git_dir, git_dir, 1, seen));
  KNAPSACK_CHECK(check_names(git_dir + "/info", git_dir, 1, seen));
  return check_names(git_dir + "/refs", git_dir, kMaxDepth, seen);
}

Status check_object_folder(const std::string& objects) {
  size_t seen = 0;
  return check_names(objects, objects, 2, seen);
}

}  // namespace knapsack
