#include "memory/tree/tree_writer.h"

#include <fmt/format.h>

#include "core/files/folder.h"
#include "core/paths.h"
#include "memory/tree/read_memory.h"
#include "memory/tree/tree.h"

namespace knapsack::memory {
namespace {

// Longer than any writer needs; eight writers with slow disks take turns within it.
constexpr std::chrono::milliseconds kLockWait{30'000};
// How often a file may change under our hands before we give up.
constexpr int kRewriteAttempts = 5;

bool same_file(const FileInfo& a, const FileInfo& b) {
  return a.kind == b.kind && a.size == b.size && a.mtime_nanos == b.mtime_nanos && a.inode == b.inode;
}

Error changed_meanwhile(const std::string& path) {
  return {ErrorCode::kBusy, fmt::format("{} keeps changing", path), "try again when nothing writes to it"};
}

knapsack::Status require_folder(const FileSystem& files, const std::string& path) {
  KNAPSACK_TRY(const FileInfo info, files.info(path));
  if (info.kind == FileKind::kDirectory) return ok_status();
  return Error{ErrorCode::kIo, fmt::format("{} is {}, not a folder", path, describe(info.kind)),
               "replace it with a folder: links inside the memory folder are not followed"};
}

}  // namespace

Result<TreeWriter> TreeWriter::open(FileSystem& files, const std::string& memory_dir, bool on_disk) {
  TreeWriter writer(files, memory_dir);
  if (const auto info = files.info(memory_dir); !info.ok()) {
    if (info.error().code != ErrorCode::kNotFound) return info.error();
    KNAPSACK_CHECK(files.make_directory(memory_dir));
  }
  KNAPSACK_CHECK(require_folder(files, memory_dir));
  if (on_disk) {
    KNAPSACK_TRY(writer.lock_, FileLock::acquire_folder(memory_dir, FileLock::Mode::kExclusive, kLockWait));
  }
  return writer;
}

knapsack::Status TreeWriter::ensure_folder(const std::string& path) {
  if (path.empty()) return ok_status();
  KNAPSACK_TRY(const auto components, relative_components(path));
  std::string folder = memory_dir_;
  for (const std::string& component : components) {
    folder = join_path(folder, component);
    if (const auto info = files_->info(folder); !info.ok()) {
      if (info.error().code != ErrorCode::kNotFound) return info.error();
      KNAPSACK_CHECK(files_->make_directory(folder));
    }
    KNAPSACK_CHECK(require_folder(*files_, folder));
  }
  return ok_status();
}

knapsack::Status TreeWriter::check_path(const std::string& path) const {
  KNAPSACK_TRY(const auto components, relative_components(path));
  std::string folder = memory_dir_;
  for (size_t i = 0; i + 1 < components.size(); ++i) {
    folder = join_path(folder, components[i]);
    KNAPSACK_CHECK(require_folder(*files_, folder));
  }
  return ok_status();
}

// What a killed writer left: nobody else writes while we hold the lock.
void TreeWriter::sweep_unfinished(const std::string& folder) {
  const auto entries = files_->list(folder);
  if (!entries.ok()) return;
  for (const DirectoryEntry& entry : *entries) {
    if (entry.kind == FileKind::kRegular && is_new_file_name(entry.name)) {
      (void)files_->remove(join_path(folder, entry.name));  // in the way of nobody: the next one tries again
    }
  }
}

knapsack::Status TreeWriter::write(const std::string& path, std::string_view bytes,
                                   const std::function<knapsack::Status()>& before_commit) {
  const std::string folder(folder_of(path));
  KNAPSACK_CHECK(ensure_folder(folder));
  const std::string full_folder = folder.empty() ? memory_dir_ : full_path(folder);
  sweep_unfinished(full_folder);
  KNAPSACK_TRY(const auto file, files_->create(full_folder));
  KNAPSACK_CHECK(file->append(bytes));
  KNAPSACK_CHECK(before_commit());
  return file->commit(full_path(path));
}

knapsack::Status TreeWriter::create(const std::string& path, std::string_view bytes) {
  return write(path, bytes, [&]() -> knapsack::Status {
    if (!files_->info(full_path(path)).ok()) return ok_status();
    return Error{ErrorCode::kUsage, fmt::format("{} already exists", full_path(path)), "choose another id"};
  });
}

knapsack::Status TreeWriter::replace(const std::string& path, std::string_view bytes) {
  return write(path, bytes, [] { return ok_status(); });
}

knapsack::Status TreeWriter::set_keys(const std::string& path, const ChooseKeys& choose) {
  KNAPSACK_CHECK(check_path(path));
  const std::string full = full_path(path);
  for (int attempt = 0; attempt < kRewriteAttempts; ++attempt) {
    KNAPSACK_TRY(const FileInfo before, files_->info(full));
    KNAPSACK_TRY(const std::string bytes, files_->read(full, kMaxMemoryBytes));
    const std::vector<KeyValue> keys = choose(read_memory(path, bytes).memory);
    if (keys.empty()) return ok_status();
    auto changed = with_keys(bytes, keys);
    if (!changed.ok()) {
      Error error = changed.error();
      error.what = fmt::format("{}: {}", full, error.what);
      return error;
    }
    auto written = write(path, *changed, [&]() -> knapsack::Status {
      KNAPSACK_TRY(const FileInfo now, files_->info(full));
      return same_file(before, now) ? ok_status() : knapsack::Status(changed_meanwhile(full));
    });
    if (written.ok() || written.error().code != ErrorCode::kBusy) return written;
  }
  return changed_meanwhile(full);
}

knapsack::Status TreeWriter::remove(const std::string& path) {
  KNAPSACK_CHECK(check_path(path));
  return files_->remove(full_path(path));
}

}  // namespace knapsack::memory
