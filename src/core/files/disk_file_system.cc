#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "core/files/disk_support.h"
#include "core/files/file_system.h"
#include "core/files/folder.h"

namespace knapsack {
namespace {

class MappedBytes final : public FileBytes {
 public:
  MappedBytes(void* address, size_t size) : address_(address), size_(size) {}
  ~MappedBytes() override {
    if (size_ > 0) ::munmap(address_, size_);
  }
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;
  std::string_view bytes() const override { return {static_cast<const char*>(address_), size_}; }

 private:
  void* address_;
  size_t size_;
};

class NewDiskFile final : public NewFile {
 public:
  NewDiskFile(int descriptor, std::string path) : handle_(descriptor), path_(std::move(path)) {}
  ~NewDiskFile() override {
    if (!committed_) ::unlink(path_.c_str());
  }
  NewDiskFile(const NewDiskFile&) = delete;
  NewDiskFile& operator=(const NewDiskFile&) = delete;

  Status append(std::string_view bytes) override { return write_all(handle_.number(), bytes, path_); }

  Status commit(const std::string& path) override {
    KNAPSACK_CHECK(take_mode_of(path));
    if (::fsync(handle_.number()) != 0) return system_error("sync", path_, errno);
    if (::rename(path_.c_str(), path.c_str()) != 0) return system_error("create", path, errno);
    committed_ = true;
    return sync_folder(parent_path(path));
  }

 private:
  // Whoever could read the file that this one replaces still can.
  Status take_mode_of(const std::string& path) const {
    constexpr mode_t kReadWriteExecute = 0777;
    struct stat before {};
    if (::lstat(path.c_str(), &before) != 0 || !S_ISREG(before.st_mode)) return ok_status();
    if (::fchmod(handle_.number(), before.st_mode & kReadWriteExecute) != 0)
      return system_error("set the mode of", path, errno);
    return ok_status();
  }

  Descriptor handle_;
  std::string path_;
  bool committed_ = false;
};

class DiskFileSystem final : public FileSystem {
 public:
  Result<FileInfo> info(const std::string& path) const override {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return system_error("look at", path, errno);
    return file_info(status);
  }

  Result<std::string> read(const std::string& path, uint64_t max_bytes) const override {
    KNAPSACK_TRY(const OpenedFile file, open_regular(path));
    return read_descriptor(file.handle.number(), file.size, max_bytes, path);
  }

  Result<std::string> read_part(const std::string& path, uint64_t offset, uint64_t length) const override {
    KNAPSACK_TRY(const OpenedFile file, open_regular(path));
    if (offset > file.size || file.size - offset < length) return shorter(path);
    std::string bytes(length, '\0');
    for (size_t done = 0; done < length;) {
      const ssize_t got = ::pread(file.handle.number(), bytes.data() + done, length - done,
                                  static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return system_error("read", path, errno);
      if (got == 0) return shorter(path);
      done += static_cast<size_t>(got);
    }
    return bytes;
  }

  Result<std::shared_ptr<const FileBytes>> map(const std::string& path) const override {
    KNAPSACK_TRY(const OpenedFile file, open_regular(path));
    void* address = nullptr;  // an empty file cannot be mapped and need not be
    if (file.size > 0) address = ::mmap(nullptr, file.size, PROT_READ, MAP_SHARED, file.handle.number(), 0);
    if (address == MAP_FAILED) return system_error("map", path, errno);
    return std::shared_ptr<const FileBytes>(std::make_shared<MappedBytes>(address, file.size));
  }

  Result<std::unique_ptr<NewFile>> create(const std::string& folder) override {
    std::string path =
        join_path(folder, std::string(kNewFilePrefix) + std::string(kNewFileRandomCharacters, 'X'));
    const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);  // mode 0600
    if (descriptor < 0) return system_error("create a file in", folder, errno);
    return std::unique_ptr<NewFile>(std::make_unique<NewDiskFile>(descriptor, path));
  }

  Result<std::vector<DirectoryEntry>> list(const std::string& path) const override {
    DIR* folder = ::opendir(path.c_str());
    if (folder == nullptr) return system_error("list", path, errno);
    std::vector<DirectoryEntry> entries;
    int failure = 0;
    while (true) {
      errno = 0;
      const dirent* entry = ::readdir(folder);
      if (entry == nullptr) {
        failure = errno;
        break;
      }
      const std::string name = entry->d_name;
      if (name == "." || name == "..") continue;
      struct stat status {};
      if (::fstatat(::dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        continue;  // gone meanwhile
      entries.push_back({name, file_info(status).kind});
    }
    ::closedir(folder);
    if (failure != 0) return system_error("list", path, failure);
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return entries;
  }

  Result<std::string> resolve(const std::string& path) const override {
    char resolved[PATH_MAX];
    if (::realpath(path.c_str(), resolved) == nullptr) return system_error("resolve", path, errno);
    return std::string(resolved);
  }

  Result<std::unique_ptr<Folder>> open_folder(const std::string& path) const override {
    return open_disk_folder(path);
  }

  Status make_directory(const std::string& path) override {
    if (::mkdir(path.c_str(), 0700) == 0) return sync_folder(parent_path(path));
    const int failure = errno;
    if (failure == EEXIST) {
      struct stat status {};
      if (::lstat(path.c_str(), &status) != 0) return system_error("look at", path, errno);
      return S_ISDIR(status.st_mode) ? ok_status() : Status(not_a_folder(path, file_info(status).kind));
    }
    return system_error("create", path, failure);
  }

  Status replace(const std::string& path, std::string_view bytes) override {
    return replace_file(path, bytes, 0600);
  }

  Status append(const std::string& path, uint64_t at, std::string_view bytes) override {
    constexpr int kFlags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    Descriptor handle(::open(path.c_str(), kFlags));
    const bool created = !handle.valid() && errno == ENOENT;
    if (created) handle = Descriptor(::open(path.c_str(), kFlags | O_CREAT, 0600));
    if (!handle.valid()) {
      if (errno == ELOOP) return not_a_file(path, FileKind::kSymlink);
      return system_error("write", path, errno);
    }
    struct stat status {};
    if (::fstat(handle.number(), &status) != 0) return system_error("look at", path, errno);
    if (!S_ISREG(status.st_mode)) return not_a_file(path, file_info(status).kind);
    if (static_cast<uint64_t>(status.st_size) < at) return shorter(path);
    if (::lseek(handle.number(), static_cast<off_t>(at), SEEK_SET) < 0)
      return system_error("write", path, errno);
    KNAPSACK_CHECK(write_all(handle.number(), bytes, path));
    if (::fsync(handle.number()) != 0) return system_error("sync", path, errno);
    return created ? sync_folder(parent_path(path)) : ok_status();
  }

  Status rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) return system_error("rename", from, errno);
    return sync_folder(parent_path(to));
  }

  Status share(const std::string& from, const std::string& to) override {
    if (::link(from.c_str(), to.c_str()) == 0) return ok_status();
    // A disk that has no second names.
    if (errno == EPERM || errno == EXDEV || errno == EMLINK || errno == EOPNOTSUPP)
      return FileSystem::share(from, to);
    return system_error("create", to, errno);
  }

  Status remove(const std::string& path) override {
    if (::remove(path.c_str()) != 0) return system_error("remove", path, errno);
    return ok_status();
  }

 private:
  struct OpenedFile {
    Descriptor handle;
    uint64_t size;
  };

  static Result<OpenedFile> open_regular(const std::string& path) {
    // O_NONBLOCK: opening a FIFO returns at once, and the check of its kind then refuses it.
    Descriptor handle(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!handle.valid()) {
      if (errno == ELOOP) return not_a_file(path, FileKind::kSymlink);
      return system_error("read", path, errno);
    }
    struct stat status {};
    if (::fstat(handle.number(), &status) != 0) return system_error("look at", path, errno);
    if (!S_ISREG(status.st_mode)) return not_a_file(path, file_info(status).kind);
    return OpenedFile{std::move(handle), static_cast<uint64_t>(status.st_size)};
  }

  static Error shorter(const std::string& path) {
    return {ErrorCode::kCorrupt, path + " is shorter than it was", "try again"};
  }
};

}  // namespace

std::unique_ptr<FileSystem> make_disk_file_system() {
  return std::make_unique<DiskFileSystem>();
}

}  // namespace knapsack
