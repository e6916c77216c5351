#include "support_crash_vfs.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <cstring>
#include <map>
#include <vector>

namespace knapsack::testing {
namespace {

// What the connections to one database share: file locks, and the shared memory of its log.
struct Sharing {
  int shared = 0;
  const void* reserved = nullptr;  // by whom, and so on
  const void* pending = nullptr;
  const void* exclusive = nullptr;
  std::vector<std::unique_ptr<std::array<char, 32768>>> regions;
  std::array<int, SQLITE_SHM_NLOCK> readers{};
  std::array<const void*, SQLITE_SHM_NLOCK> writers{};
};

struct Vfs {
  sqlite3_vfs base{};
  CrashDisk* disk = nullptr;
  std::string name;
  std::map<uint64_t, std::shared_ptr<Sharing>> sharing;  // by file number
};

struct OpenFile {
  sqlite3_file base{};
  Vfs* vfs = nullptr;
  CrashDisk::FilePointer file;
  std::shared_ptr<Sharing> sharing;
  int lock = SQLITE_LOCK_NONE;
  bool folder_to_sync = false;
  std::array<int, SQLITE_SHM_NLOCK> shared_slots{};
};

OpenFile& of(sqlite3_file* file) {
  return *reinterpret_cast<OpenFile*>(file);
}

CrashDisk& disk_of(sqlite3_file* file) {
  return *of(file).vfs->disk;
}

void let_go(OpenFile& file, int level) {
  Sharing& sharing = *file.sharing;
  if (level < SQLITE_LOCK_RESERVED && sharing.reserved == &file) sharing.reserved = nullptr;
  if (level < SQLITE_LOCK_PENDING && sharing.pending == &file) sharing.pending = nullptr;
  if (level < SQLITE_LOCK_EXCLUSIVE && sharing.exclusive == &file) sharing.exclusive = nullptr;
  if (level < SQLITE_LOCK_SHARED && file.lock >= SQLITE_LOCK_SHARED) --sharing.shared;
  file.lock = std::min(file.lock, level);
}

int file_close(sqlite3_file* file) {
  let_go(of(file), SQLITE_LOCK_NONE);
  of(file).~OpenFile();
  return SQLITE_OK;
}

int file_read(sqlite3_file* file, void* buffer, int count, sqlite3_int64 offset) {
  if (disk_of(file).off()) return SQLITE_IOERR_READ;
  const std::string& bytes = of(file).file->bytes;
  const auto wanted = static_cast<size_t>(count), at = static_cast<size_t>(offset);
  const size_t there = at >= bytes.size() ? 0 : std::min(wanted, bytes.size() - at);
  if (there > 0) std::memcpy(buffer, bytes.data() + at, there);
  if (there == wanted) return SQLITE_OK;
  std::memset(static_cast<char*>(buffer) + there, 0, wanted - there);
  return SQLITE_IOERR_SHORT_READ;
}

int file_write(sqlite3_file* file, const void* buffer, int count, sqlite3_int64 offset) {
  const std::string_view bytes(static_cast<const char*>(buffer), static_cast<size_t>(count));
  const bool done = disk_of(file).write(of(file).file, static_cast<uint64_t>(offset), bytes);
  return done ? SQLITE_OK : SQLITE_IOERR_WRITE;
}

int file_truncate(sqlite3_file* file, sqlite3_int64 size) {
  const bool done = disk_of(file).truncate(of(file).file, static_cast<uint64_t>(size));
  return done ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

int file_sync(sqlite3_file* file, int) {
  if (!disk_of(file).sync(of(file).file)) return SQLITE_IOERR_FSYNC;
  if (of(file).folder_to_sync) {
    if (!disk_of(file).sync_folder()) return SQLITE_IOERR_DIR_FSYNC;
    of(file).folder_to_sync = false;
  }
  return SQLITE_OK;
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  if (disk_of(file).off()) return SQLITE_IOERR_FSTAT;
  *size = static_cast<sqlite3_int64>(of(file).file->bytes.size());
  return SQLITE_OK;
}

int file_lock(sqlite3_file* handle, int level) {
  OpenFile& file = of(handle);
  Sharing& sharing = *file.sharing;
  if (file.vfs->disk->off()) return SQLITE_IOERR_LOCK;
  if (file.lock >= level) return SQLITE_OK;
  const auto others = [&](const void* holder) { return holder != nullptr && holder != &file; };
  if (others(sharing.exclusive) || (level != SQLITE_LOCK_RESERVED && others(sharing.pending)))
    return SQLITE_BUSY;
  if (level == SQLITE_LOCK_SHARED) {
    ++sharing.shared;
  } else if (level == SQLITE_LOCK_RESERVED) {
    if (others(sharing.reserved)) return SQLITE_BUSY;
    sharing.reserved = &file;
  } else {
    if (others(sharing.reserved)) return SQLITE_BUSY;
    sharing.pending = &file;
    if (sharing.shared > 1) {
      file.lock = SQLITE_LOCK_PENDING;
      return SQLITE_BUSY;
    }
    sharing.exclusive = &file;
  }
  file.lock = level;
  return SQLITE_OK;
}

int file_unlock(sqlite3_file* file, int level) {
  let_go(of(file), level);
  return SQLITE_OK;
}

int file_check_reserved(sqlite3_file* file, int* taken) {
  *taken = of(file).sharing->reserved != nullptr ? 1 : 0;
  return SQLITE_OK;
}

int file_control(sqlite3_file*, int, void*) {
  return SQLITE_NOTFOUND;
}

int file_sector_size(sqlite3_file*) {
  return 4096;  // as the unix VFS says on Linux
}

int file_characteristics(sqlite3_file*) {
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;  // likewise
}

int shm_map(sqlite3_file* file, int region, int size, int extend, void volatile** memory) {
  auto& regions = of(file).sharing->regions;
  *memory = nullptr;
  if (disk_of(file).off() || size > 32768) return SQLITE_IOERR_SHMMAP;
  const auto index = static_cast<size_t>(region);
  if (index >= regions.size() && extend == 0) return SQLITE_OK;
  while (regions.size() <= index) {
    regions.push_back(std::make_unique<std::array<char, 32768>>());
    regions.back()->fill(0);
  }
  *memory = regions[index]->data();
  return SQLITE_OK;
}

int shm_lock(sqlite3_file* handle, int first, int count, int flags) {
  OpenFile& file = of(handle);
  Sharing& sharing = *file.sharing;
  if (file.vfs->disk->off() && (flags & SQLITE_SHM_LOCK) != 0) return SQLITE_IOERR_SHMLOCK;
  for (int pass = 0; pass < 2; ++pass) {  // first whether all can be had, then take them
    for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(first + count); ++i) {
      if ((flags & SQLITE_SHM_UNLOCK) != 0) {
        if (pass == 0) continue;
        if (sharing.writers[i] == &file) sharing.writers[i] = nullptr;
        if ((flags & SQLITE_SHM_SHARED) != 0 && file.shared_slots[i] > 0) {
          --file.shared_slots[i];
          --sharing.readers[i];
        }
      } else if ((flags & SQLITE_SHM_SHARED) != 0) {
        if (pass == 0 && sharing.writers[i] != nullptr && sharing.writers[i] != &file) return SQLITE_BUSY;
        if (pass == 1 && file.shared_slots[i] == 0) {
          ++file.shared_slots[i];
          ++sharing.readers[i];
        }
      } else {
        const bool taken = (sharing.writers[i] != nullptr && sharing.writers[i] != &file) ||
                           sharing.readers[i] > file.shared_slots[i];
        if (pass == 0 && taken) return SQLITE_BUSY;
        if (pass == 1) sharing.writers[i] = &file;
      }
    }
  }
  return SQLITE_OK;
}

void shm_barrier(sqlite3_file*) {}

int shm_unmap(sqlite3_file* handle, int) {
  OpenFile& file = of(handle);
  for (size_t i = 0; i < file.shared_slots.size(); ++i) {
    file.sharing->readers[i] -= file.shared_slots[i];
    file.shared_slots[i] = 0;
    if (file.sharing->writers[i] == &file) file.sharing->writers[i] = nullptr;
  }
  return SQLITE_OK;
}

const sqlite3_io_methods kMethods = {2,
                                     file_close,
                                     file_read,
                                     file_write,
                                     file_truncate,
                                     file_sync,
                                     file_size,
                                     file_lock,
                                     file_unlock,
                                     file_check_reserved,
                                     file_control,
                                     file_sector_size,
                                     file_characteristics,
                                     shm_map,
                                     shm_lock,
                                     shm_barrier,
                                     shm_unmap,
                                     nullptr,
                                     nullptr};

Vfs& of(sqlite3_vfs* vfs) {
  return *static_cast<Vfs*>(vfs->pAppData);
}

int vfs_open(sqlite3_vfs* base, const char* path, sqlite3_file* handle, int flags, int* out_flags) {
  Vfs& vfs = of(base);
  handle->pMethods = nullptr;
  if (vfs.disk->off() || path == nullptr) return SQLITE_CANTOPEN;
  CrashDisk::FilePointer file = vfs.disk->find(path);
  if (file == nullptr) {
    if ((flags & SQLITE_OPEN_CREATE) == 0) return SQLITE_CANTOPEN;
    file = vfs.disk->create(path);
    if (file == nullptr) return SQLITE_CANTOPEN;
    if ((flags & SQLITE_OPEN_MAIN_DB) != 0 && !vfs.disk->sync_folder()) return SQLITE_CANTOPEN;
  }
  auto* opened = new (handle) OpenFile;
  opened->base.pMethods = &kMethods;
  opened->vfs = &vfs;
  opened->file = file;
  auto& sharing = vfs.sharing[file->number];
  if (sharing == nullptr) sharing = std::make_shared<Sharing>();
  opened->sharing = sharing;
  opened->folder_to_sync =
      (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL)) != 0;
  if (out_flags != nullptr) *out_flags = flags;
  return SQLITE_OK;
}

int vfs_delete(sqlite3_vfs* base, const char* path, int sync_folder) {
  CrashDisk& disk = *of(base).disk;
  if (disk.off()) return SQLITE_IOERR_DELETE;
  if (disk.find(path) == nullptr) return SQLITE_IOERR_DELETE_NOENT;
  if (!disk.remove(path)) return SQLITE_IOERR_DELETE;
  if (sync_folder != 0 && !disk.sync_folder()) return SQLITE_IOERR_DIR_FSYNC;
  return SQLITE_OK;
}

int vfs_access(sqlite3_vfs* base, const char* path, int flags, int* answer) {
  if (of(base).disk->off()) return SQLITE_IOERR_ACCESS;
  const auto file = of(base).disk->find(path);
  *answer = file != nullptr && (flags != SQLITE_ACCESS_EXISTS || !file->bytes.empty()) ? 1 : 0;
  return SQLITE_OK;
}

int vfs_full_path(sqlite3_vfs*, const char* path, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", path);
  return SQLITE_OK;
}

int vfs_randomness(sqlite3_vfs*, int count, char* out) {
  std::memset(out, 7, static_cast<size_t>(count));
  return count;
}

int vfs_sleep(sqlite3_vfs*, int micros) {
  return micros;  // time is not part of this world: waiting for a lock here would be waiting for ourselves
}

int vfs_time(sqlite3_vfs*, double* now) {
  *now = 2461360.0;  // a day in November 2026, Julian
  return SQLITE_OK;
}

int vfs_last_error(sqlite3_vfs*, int, char*) {
  return 0;
}

Error power_is_off() {
  return {ErrorCode::kIo, "the power is off", ""};
}

}  // namespace

struct CrashVfs::Registration : Vfs {};

CrashVfs::CrashVfs(CrashDisk& disk) : registration_(std::make_unique<Registration>()) {
  Vfs& vfs = *registration_;
  vfs.disk = &disk;
  vfs.name = fmt::format("crash-{}", static_cast<const void*>(&vfs));
  vfs.base.iVersion = 1;
  vfs.base.szOsFile = sizeof(OpenFile);
  vfs.base.mxPathname = 512;
  vfs.base.zName = vfs.name.c_str();
  vfs.base.pAppData = &vfs;
  vfs.base.xOpen = vfs_open;
  vfs.base.xDelete = vfs_delete;
  vfs.base.xAccess = vfs_access;
  vfs.base.xFullPathname = vfs_full_path;
  vfs.base.xRandomness = vfs_randomness;
  vfs.base.xSleep = vfs_sleep;
  vfs.base.xCurrentTime = vfs_time;
  vfs.base.xGetLastError = vfs_last_error;
  sqlite3_vfs_register(&vfs.base, 0);
}

CrashVfs::~CrashVfs() {
  sqlite3_vfs_unregister(&registration_->base);
}

const std::string& CrashVfs::name() const {
  return registration_->name;
}

Result<FileInfo> CrashFileSystem::info(const std::string& path) const {
  if (disk_.off()) return power_is_off();
  const auto file = disk_.find(path);
  if (file == nullptr) return Error{ErrorCode::kNotFound, path + " is not there", ""};
  return FileInfo{FileKind::kRegular, file->bytes.size(), 0, file->number};
}

Status CrashFileSystem::rename(const std::string& from, const std::string& to) {
  if (disk_.off()) return power_is_off();
  if (disk_.find(from) == nullptr) return Error{ErrorCode::kNotFound, from + " is not there", ""};
  if (!disk_.rename(from, to) || !disk_.sync_folder()) return power_is_off();
  return ok_status();
}

Status CrashFileSystem::remove(const std::string& path) {
  if (disk_.off()) return power_is_off();
  if (disk_.find(path) == nullptr) return Error{ErrorCode::kNotFound, path + " is not there", ""};
  if (!disk_.remove(path)) return power_is_off();
  return ok_status();
}

// What the ledger does not use; a test that comes to need one of these must model its syncs first.
Result<std::string> CrashFileSystem::read(const std::string& path, uint64_t) const {
  return Error{ErrorCode::kInternal, "reading is not modelled: " + path, ""};
}
Result<std::vector<DirectoryEntry>> CrashFileSystem::list(const std::string& path) const {
  return Error{ErrorCode::kInternal, "listing is not modelled: " + path, ""};
}
Result<std::string> CrashFileSystem::resolve(const std::string& path) const {
  return path;
}
Status CrashFileSystem::make_directory(const std::string& path) {
  return Error{ErrorCode::kInternal, "folders are not modelled: " + path, ""};
}
Status CrashFileSystem::replace(const std::string& path, std::string_view) {
  return Error{ErrorCode::kInternal, "replacing is not modelled: " + path, ""};
}

}  // namespace knapsack::testing
