#include "store/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

namespace knapsack {
namespace {

Error refused(std::string_view action, const std::string& path, int number) {
  return {number == ENOENT || number == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kIo,
          fmt::format("cannot {} {}: {}", action, path, std::strerror(number)),
          number == ELOOP ? "it is a symbolic link: remove it"
                          : "check that its folder exists and may be written"};
}

}  // namespace

Result<FileLock> FileLock::acquire(const std::string& path, Mode mode, std::chrono::milliseconds timeout) {
  // O_NONBLOCK: a FIFO in its place must not make us wait for the other end.
  FileLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (lock.descriptor_ < 0) return refused("open", path, errno);
  struct stat status {};
  if (::fstat(lock.descriptor_, &status) != 0) return refused("look at", path, errno);
  if (!S_ISREG(status.st_mode)) {
    return Error{ErrorCode::kIo, fmt::format("{} is not a regular file", path), "remove it"};
  }
  KNAPSACK_CHECK(lock.wait(path, mode, timeout));
  return lock;
}

Result<FileLock> FileLock::acquire_folder(const std::string& path, Mode mode,
                                          std::chrono::milliseconds timeout) {
  FileLock lock(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (lock.descriptor_ < 0) return refused("open", path, errno);
  KNAPSACK_CHECK(lock.wait(path, mode, timeout));
  return lock;
}

Status FileLock::wait(const std::string& path, Mode mode, std::chrono::milliseconds timeout) {
  // flock has no time-out of its own, so it is asked again and again, at first quickly.
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  const int request = (mode == Mode::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  for (auto pause = std::chrono::milliseconds(1);;
       pause = std::min(pause * 2, std::chrono::milliseconds(20))) {
    if (::flock(descriptor_, request) == 0) return ok_status();
    if (errno != EWOULDBLOCK && errno != EINTR) return refused("lock", path, errno);
    if (std::chrono::steady_clock::now() >= deadline) {
      return Error{ErrorCode::kBusy, fmt::format("{} is held by another process", path),
                   "wait for it to finish and try again"};
    }
    std::this_thread::sleep_for(pause);
  }
}

void FileLock::leave_note(const std::string& note) {
  // A courtesy to whoever waits: the lock holds without it.
  if (::ftruncate(descriptor_, 0) == 0) (void)!::pwrite(descriptor_, note.data(), note.size(), 0);
}

std::string FileLock::note_of(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return "";
  char note[200];
  const ssize_t length = ::read(descriptor, note, sizeof note);
  ::close(descriptor);
  return length > 0 ? std::string(note, static_cast<size_t>(length)) : "";
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace knapsack
