#include "core/files/disk_support.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace knapsack {
namespace {

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kRegular;
  if (S_ISDIR(mode)) return FileKind::kDirectory;
  if (S_ISLNK(mode)) return FileKind::kSymlink;
  return FileKind::kOther;
}

// A file can have any time, also one that lies further away than nanoseconds can be counted: the years 1677 and 2262.
int64_t nanos_of(const struct timespec& time) {
  constexpr int64_t kNanosOfSecond = 1'000'000'000;
  constexpr int64_t kFarthest = std::numeric_limits<int64_t>::max() / kNanosOfSecond - 1;
  return std::clamp<int64_t>(time.tv_sec, -kFarthest, kFarthest) * kNanosOfSecond + time.tv_nsec;
}

}  // namespace

Error system_error(std::string_view action, const std::string& path, int number) {
  const ErrorCode code = number == ENOENT || number == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kIo;
  std::string next;
  if (number == EACCES || number == EPERM) next = "check its permissions";
  if (number == ENOSPC || number == EDQUOT) next = "free some disk space";
  if (number == EROFS) next = "the file system is read-only: work in a copy that can be written";
  return {code, fmt::format("cannot {} {}: {}", action, path, std::strerror(number)), next};
}

Error not_a_file(const std::string& path, FileKind kind) {
  return {ErrorCode::kIo, fmt::format("{} is {}, not a regular file", path, describe(kind)),
          "replace it with a plain file or remove it"};
}

Error too_large(const std::string& path, uint64_t max_bytes) {
  return {ErrorCode::kLimit, fmt::format("{} is larger than {} bytes", path, max_bytes),
          "split it or shorten it"};
}

FileInfo file_info(const struct stat& status) {
  return {kind_of(status.st_mode), static_cast<uint64_t>(status.st_size), nanos_of(status.st_mtim),
          static_cast<uint64_t>(status.st_ino)};
}

Result<std::string> read_descriptor(int descriptor, uint64_t expected, uint64_t max_bytes,
                                    const std::string& path) {
  if (expected > max_bytes) return too_large(path, max_bytes);
  // One byte past the size tells a file that grew while it was read.
  std::string bytes(static_cast<size_t>(expected) + 1, '\0');
  size_t filled = 0;
  while (true) {
    if (filled == bytes.size()) bytes.resize(filled + 1 + filled / 4);
    const ssize_t got = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (got < 0) {
      if (errno == EINTR) continue;
      return system_error("read", path, errno);
    }
    if (got == 0) break;
    filled += static_cast<size_t>(got);
    if (filled > max_bytes) return too_large(path, max_bytes);
  }
  bytes.resize(filled);
  return bytes;
}

Status write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return system_error("write", path, errno);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return ok_status();
}

Status sync_folder(const std::string& folder) {
  const Descriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.valid()) return system_error("open", folder, errno);
  if (::fsync(handle.number()) != 0) return system_error("sync", folder, errno);
  return ok_status();
}

Status replace_file(const std::string& path, std::string_view bytes, mode_t mode, std::string_view mark) {
  std::string beside = path + std::string(mark) + "XXXXXX";
  {
    const Descriptor handle(::mkostemp(beside.data(), O_CLOEXEC));
    if (!handle.valid()) return system_error("create", beside, errno);
    Status written = write_all(handle.number(), bytes, path);
    if (written.ok() && ::fchmod(handle.number(), mode) != 0)
      written = system_error("set the mode of", path, errno);
    if (written.ok() && ::fsync(handle.number()) != 0) written = system_error("sync", path, errno);
    if (!written.ok()) {
      ::unlink(beside.c_str());
      return written;
    }
  }
  if (::rename(beside.c_str(), path.c_str()) != 0) {
    const int failure = errno;
    ::unlink(beside.c_str());
    return system_error("replace", path, failure);
  }
  return sync_folder(parent_path(path));
}

}  // namespace knapsack
