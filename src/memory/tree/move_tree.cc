#include "memory/tree/move_tree.h"

#include <fmt/format.h>

#include "core/ids.h"
#include "core/paths.h"
#include "memory/tree/access_journal.h"
#include "memory/tree/tree.h"
#include "memory/tree/tree_writer.h"

namespace knapsack::memory {
namespace {

constexpr uint64_t kMaxMovedBytes = uint64_t{256} << 20U;
constexpr int kMaxMovedDepth = 16;
constexpr std::string_view kOwnerFile = "workspace";  // says whose a folder is: the new one has its own

bool is_missing(const FileSystem& files, const std::string& path) {
  const auto info = files.info(path);
  return !info.ok() && info.error().code == ErrorCode::kNotFound;
}

class TreeMover {
 public:
  TreeMover(FileSystem& files, TreeWriter& from, TreeWriter& to) : files_(files), from_(from), to_(to) {}

  knapsack::Status run() {
    // Then the counts are in the files, and nothing of the journal has to be joined with another.
    while (true) {
      KNAPSACK_TRY(const bool folded, fold_accesses(from_, 1));
      if (!folded) break;
    }
    return enter("", 0);
  }

  MovedTree moved;

 private:
  // Takes out what is in a folder, then the folder where nothing is left of it.
  knapsack::Status enter(const std::string& path, int depth) {
    const std::string full = path.empty() ? from_.memory_dir() : from_.full_path(path);
    KNAPSACK_TRY(const auto entries, files_.list(full));
    for (const DirectoryEntry& entry : entries) {
      const std::string below = path.empty() ? entry.name : path + "/" + entry.name;
      if (entry.kind == FileKind::kDirectory && depth < kMaxMovedDepth) {
        KNAPSACK_CHECK(enter(below, depth + 1));
      } else if (entry.kind == FileKind::kRegular) {
        KNAPSACK_CHECK(take(below));
      } else {
        moved.stayed.push_back(fmt::format("{} is {}", from_.full_path(below), describe(entry.kind)));
      }
    }
    KNAPSACK_TRY(const auto left, files_.list(full));
    return left.empty() ? files_.remove(full) : ok_status();
  }

  knapsack::Status take(const std::string& path) {
    const bool of_journal = path == kJournalFile || path == kFoldPlanFile;
    const bool unfinished = is_new_file_name(base_name(path));
    const bool of_place = path == kOwnerFile;
    if (!of_journal && !unfinished && !of_place) {
      const auto bytes = files_.read(from_.full_path(path), kMaxMovedBytes);
      if (!bytes.ok()) {
        moved.stayed.push_back(bytes.error().line());
        return ok_status();
      }
      KNAPSACK_CHECK(bring(path, *bytes));
      ++moved.files;
    }
    return files_.remove(from_.full_path(path));
  }

  knapsack::Status bring(const std::string& path, const std::string& bytes) {
    if (is_missing(files_, to_.full_path(path))) return to_.create(path, bytes);
    if (holds(path, bytes)) return ok_status();
    // The name tells the bytes, so that a run that goes on finds its own copy.
    const std::string apart =
        fmt::format("{}/{}-{}", kMovedFolder, content_hash(bytes).substr(0, 12), base_name(path));
    moved.apart.push_back(apart);
    if (holds(apart, bytes)) return ok_status();
    return to_.replace(apart, bytes);
  }

  bool holds(const std::string& path, const std::string& bytes) const {
    const auto known = files_.read(to_.full_path(path), kMaxMovedBytes);
    return known.ok() && *known == bytes;
  }

  FileSystem& files_;
  TreeWriter& from_;
  TreeWriter& to_;
};

}  // namespace

Result<MovedTree> move_tree(FileSystem& files, const std::string& from, const std::string& to, bool on_disk) {
  if (is_missing(files, from)) return MovedTree{};
  auto source = TreeWriter::open(files, from, on_disk);
  if (!source.ok()) return source.error();
  // Whoever held the lock before may have moved everything; opening then made an empty folder in its place.
  const auto entries = files.list(from);
  if (!entries.ok() || entries->empty()) {
    if (entries.ok()) KNAPSACK_CHECK(files.remove(from));
    return MovedTree{};
  }
  if (is_missing(files, to) && files.rename(from, to).ok()) {
    MovedTree moved;
    KNAPSACK_TRY(const Tree tree, walk_tree(files, to));
    moved.files = tree.files.size();
    return moved;
  }
  KNAPSACK_TRY(TreeWriter target, TreeWriter::open(files, to, on_disk));
  TreeMover mover(files, *source, target);
  KNAPSACK_CHECK(mover.run());
  return std::move(mover.moved);
}

}  // namespace knapsack::memory
