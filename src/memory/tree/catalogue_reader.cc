#include "memory/tree/catalogue_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/clock.h"
#include "core/escape.h"
#include "core/helper_threads.h"
#include "core/ids.h"
#include "core/in_parts.h"
#include "memory/tree/access_journal.h"
#include "memory/tree/memory_record.h"
#include "memory/tree/read_memory.h"
#include "search/segments/segment_set.h"
#include "store/file_lock.h"
#include "store/state_folder.h"

namespace knapsack::memory {
namespace {

constexpr std::string_view kTableFile = "memories.table";
constexpr std::string_view kLockFile = "lock";
// A writer may sweep a segment between our reading the table and opening it; then the table names others.
constexpr int kLoadAttempts = 3;
constexpr std::chrono::milliseconds kDiscardWait{10'000};  // a large index is written in a few seconds
constexpr size_t kReadsOfThread = 64;                      // fewer files are read before a thread has started
// The clock of a file system ticks every 10 ms at most, or every second or two on old ones (whose times then
// have no fraction): a file that was read this soon after its time may have changed since and look the same.
constexpr int64_t kTickNanos = 20'000'000;
constexpr int64_t kCoarseTickNanos = 2'000'000'000;
constexpr int64_t kNanosOfSecond = 1'000'000'000;

bool in_order(const Memory& a, const Memory& b) {
  return std::tie(a.name_space, a.session, a.created, a.id, a.path) <
         std::tie(b.name_space, b.session, b.created, b.id, b.path);
}

bool is_settled(int64_t mtime_nanos, Timestamp now) {
  const int64_t tick = mtime_nanos % kNanosOfSecond == 0 ? kCoarseTickNanos : kTickNanos;
  // Not their difference: a file can have any time, and no number holds how far the farthest is from now.
  const int64_t now_nanos = now.micros * 1000;
  return mtime_nanos < now_nanos - tick || mtime_nanos > now_nanos + tick;
}

Stamp stamp_of(const FileInfo& info) {
  return {info.size, info.mtime_nanos, info.inode, true};
}

bool same_memory(const Memory& a, const Memory& b) {
  std::string left;
  std::string right;
  append_memory(left, a);
  append_memory(right, b);
  return left == right;
}

}  // namespace

std::string derived_folder(const CatalogueRequest& request) {
  return join_path(request.state_dir, "memory-" + content_hash(request.memory_dir).substr(0, 12));
}

knapsack::Status discard_derived(FileSystem& files, const CatalogueRequest& request) {
  const std::string folder = derived_folder(request);
  if (!files.info(folder).ok()) return ok_status();
  KNAPSACK_CHECK(check_own_folder(files, folder));
  std::optional<FileLock> lock;
  if (request.on_disk) {
    KNAPSACK_TRY(lock,
                 FileLock::acquire(join_path(folder, kLockFile), FileLock::Mode::kExclusive, kDiscardWait));
  }
  const std::string table = join_path(folder, kTableFile);
  if (files.info(table).ok()) KNAPSACK_CHECK(files.remove(table));
  KNAPSACK_CHECK(search::sweep_segments(files, folder, {}));
  return ok_status();
}

CatalogueReader::CatalogueReader(FileSystem& files, const CatalogueRequest& request)
    : files_(files), request_(request), folder_(derived_folder(request)) {}

Result<Catalogue> CatalogueReader::run() {
  KNAPSACK_TRY(const std::string fingerprint, documents_fingerprint());
  Result<Tree> tree = Tree{};
  const auto threads = request_.on_disk ? TreeThreads::kSeveral : TreeThreads::kOne;
  const auto walk = [&] { tree = walk_tree(files_, request_.memory_dir, request_.team_dir, threads); };
  if (request_.on_disk) {
    HelperThreads walking;
    walking.run(walk);
    load_known(fingerprint);
  } else {
    walk();
    load_known(fingerprint);
  }
  if (!tree.ok()) return tree.error();
  tree_ = std::move(*tree);
  warnings_ = std::move(tree_.warnings);
  compare();
  KNAPSACK_CHECK(read_changed());
  drop_unchanged();
  KNAPSACK_CHECK(merge());
  return finish();
}

void CatalogueReader::load_known(const std::string& fingerprint) {
  for (int attempt = 0; attempt < kLoadAttempts; ++attempt) {
    if (load_table_and_segments(fingerprint)) return;
  }
  table_ = {};
  parts_.clear();
  table_.fingerprint = fingerprint;
  work_.rebuilt = true;
}

bool CatalogueReader::load_table_and_segments(const std::string& fingerprint) {
  auto table = load_table(files_, join_path(folder_, kTableFile));
  if (!table.ok() || table->fingerprint != fingerprint) return false;
  auto parts = open_parts(files_, folder_, table->segments);
  if (!parts.ok()) return false;
  uint64_t live = 0;
  for (const auto& part : *parts) {
    if (!part.live.fits(part.segment->documents())) return false;
    live += part.live.size();
  }
  if (live != table->memories.size()) return false;
  table_ = std::move(*table);
  parts_ = std::move(*parts);
  return true;
}

// Both are in the order of paths.
void CatalogueReader::compare() {
  gone_.assign(table_.memories.size(), 0);
  size_t at = 0;
  const auto known_path = [&] { return std::string_view(table_.memories[table_.by_path[at]].path); };
  const auto remove_known = [&] {
    gone_[table_.by_path[at++]] = 1;
    ++work_.removed;
  };
  for (const TreeFile& file : tree_.files) {
    while (at < table_.by_path.size() && known_path() < file.path) remove_known();
    uint32_t known_as = kUnknown;
    if (at < table_.by_path.size() && known_path() == file.path) known_as = table_.by_path[at++];
    if (known_as != kUnknown && table_.stamps[known_as] == stamp_of(file.info)) continue;
    Fresh fresh;
    fresh.memory.path = file.path;
    fresh.stamp = stamp_of(file.info);
    fresh.known_as = known_as;
    fresh_.push_back(std::move(fresh));
  }
  while (at < table_.by_path.size()) remove_known();
}

void CatalogueReader::read(Fresh& fresh, const Folder* root, const Folder* teams) const {
  const std::string path = fresh.memory.path;
  const bool of_team = is_team_path(path);
  const auto bytes = of_team ? read_beneath(*teams, path.substr(kTeamFolder.size() + 1), kMaxMemoryBytes)
                             : read_beneath(*root, path, kMaxMemoryBytes);
  if (!bytes.ok()) {
    fresh.remarks.push_back(
        fmt::format("{} is passed over: {}", escape_control(path), escape_control(bytes.error().what)));
    return;
  }
  // Between the look and the read the file may have changed: then the size tells, or its youth does.
  fresh.stamp.settled =
      is_settled(fresh.stamp.mtime_nanos, SystemClock().now()) && bytes->size() == fresh.stamp.size;
  ReadMemory read = read_memory(path, *bytes);
  fresh.memory = std::move(read.memory);
  fresh.remarks = std::move(read.warnings);
  fresh.readable = true;
}

knapsack::Status CatalogueReader::read_changed() {
  if (fresh_.empty()) return ok_status();
  // Only those of which something is read are there.
  std::unique_ptr<Folder> root, teams;
  const auto is_of_team = [](const Fresh& fresh) { return is_team_path(fresh.memory.path); };
  if (!std::all_of(fresh_.begin(), fresh_.end(), is_of_team)) {
    KNAPSACK_TRY(root, files_.open_folder(request_.memory_dir));
  }
  if (std::any_of(fresh_.begin(), fresh_.end(), is_of_team)) {
    KNAPSACK_TRY(teams, files_.open_folder(request_.team_dir));
  }
  const size_t parts = request_.on_disk ? part_count(fresh_.size(), kReadsOfThread) : 1;
  in_parts(fresh_.size(), parts, [&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) read(fresh_[i], root.get(), teams.get());
  });
  return ok_status();
}

void CatalogueReader::drop_unchanged() {
  for (Fresh& fresh : fresh_) {
    if (!fresh.readable) {
      warnings_.insert(warnings_.end(), fresh.remarks.begin(), fresh.remarks.end());
    } else if (fresh.known_as != kUnknown && same_memory(fresh.memory, table_.memories[fresh.known_as])) {
      table_.stamps[fresh.known_as] = fresh.stamp;
      fresh.readable = false;
      continue;
    }
    if (fresh.known_as != kUnknown) gone_[fresh.known_as] = 1;
  }
  std::erase_if(fresh_, [](const Fresh& fresh) { return !fresh.readable; });
  work_.read = fresh_.size();
}

knapsack::Status CatalogueReader::merge() {
  std::vector<std::string_view> gone;
  for (size_t i = 0; i < gone_.size(); ++i) {
    if (gone_[i] != 0) gone.push_back(table_.memories[i].path);
  }
  if (gone.empty() && fresh_.empty()) return ok_status();
  std::sort(fresh_.begin(), fresh_.end(),
            [](const Fresh& a, const Fresh& b) { return in_order(a.memory, b.memory); });
  KNAPSACK_CHECK(retire(parts_, gone));
  const size_t changes = gone.size() + fresh_.size();
  merge_memories();
  std::vector<const Memory*> added;
  for (const Fresh& fresh : fresh_) added.push_back(&table_.memories[fresh.known_as]);
  if (!request_.read_only && (work_.rebuilt || changes > kMaxUnsavedChanges)) {
    const SearchParts before = parts_;
    const knapsack::Status saved = save(added);
    if (saved.ok()) {
      work_.saved = true;
      return ok_status();
    }
    parts_ = before;
    // Somebody else saves the same at this moment: nothing to say.
    if (saved.error().code != ErrorCode::kBusy) {
      warnings_.push_back("the index of the memories could not be kept: " +
                          escape_control(saved.error().what));
    }
  }
  return add_unsaved_documents(added, parts_);
}

// Afterwards `known_as` of each fresh one is where it stands now.
void CatalogueReader::merge_memories() {
  Table merged;
  merged.fingerprint = table_.fingerprint;
  const size_t most = table_.memories.size() + fresh_.size();
  merged.memories.reserve(most);
  merged.stamps.reserve(most);
  std::vector<uint32_t> new_positions(table_.memories.size(), kUnknown);
  size_t next = 0;
  const auto add = [&](Memory& memory, const Stamp& stamp) {
    merged.memories.push_back(std::move(memory));
    merged.stamps.push_back(stamp);
    return static_cast<uint32_t>(merged.memories.size() - 1);
  };
  const auto add_fresh = [&] {
    Fresh& fresh = fresh_[next++];
    fresh.known_as = add(fresh.memory, fresh.stamp);
    for (std::string& line : fresh.remarks) merged.remarks.emplace_back(fresh.known_as, std::move(line));
  };
  for (size_t i = 0; i < table_.memories.size(); ++i) {
    if (gone_[i] != 0) continue;
    while (next < fresh_.size() && in_order(fresh_[next].memory, table_.memories[i])) add_fresh();
    new_positions[i] = add(table_.memories[i], table_.stamps[i]);
  }
  while (next < fresh_.size()) add_fresh();
  for (auto& [position, line] : table_.remarks) {
    if (new_positions[position] != kUnknown)
      merged.remarks.emplace_back(new_positions[position], std::move(line));
  }
  const auto path_order = [&](uint32_t a, uint32_t b) {
    return merged.memories[a].path < merged.memories[b].path;
  };
  std::vector<uint32_t> kept;
  for (const uint32_t position : table_.by_path) {
    if (new_positions[position] != kUnknown) kept.push_back(new_positions[position]);
  }
  std::vector<uint32_t> added;
  for (const Fresh& fresh : fresh_) added.push_back(fresh.known_as);
  std::sort(added.begin(), added.end(), path_order);
  std::merge(kept.begin(), kept.end(), added.begin(), added.end(), std::back_inserter(merged.by_path),
             path_order);
  table_ = std::move(merged);
}

knapsack::Status CatalogueReader::save(std::span<const Memory* const> added) {
  KNAPSACK_CHECK(ensure_own_folder(files_, folder_));
  std::optional<FileLock> lock;
  if (request_.on_disk) {
    KNAPSACK_TRY(lock, FileLock::acquire(join_path(folder_, kLockFile), FileLock::Mode::kExclusive,
                                         std::chrono::milliseconds(0)));
  }
  KNAPSACK_CHECK(add_documents(files_, folder_, added, request_.on_disk ? kMaxParts : 1, parts_));
  KNAPSACK_CHECK(merge_parts(files_, folder_, parts_));
  table_.segments = table_segments(parts_);
  KNAPSACK_CHECK(save_table(files_, join_path(folder_, kTableFile), table_));
  std::vector<std::string> names;
  for (const TableSegment& segment : table_.segments) names.push_back(segment.name);
  KNAPSACK_CHECK(search::sweep_segments(files_, folder_, names));
  return ok_status();
}

// After saving: the table keeps what the files say, not what the journal adds to it.
void CatalogueReader::add_accesses(std::vector<Memory>& memories, const std::vector<uint32_t>& by_path) {
  const auto accesses = read_accesses(files_, request_.memory_dir);
  if (!accesses.ok()) {
    warnings_.push_back("recent accesses are not counted: " + escape_control(accesses.error().what));
    return;
  }
  for (const auto& [path, ignored] : accesses->counts) {
    const auto found = std::lower_bound(
        by_path.begin(), by_path.end(), std::string_view(path),
        [&](uint32_t position, std::string_view wanted) { return memories[position].path < wanted; });
    if (found == by_path.end() || memories[*found].path != path) continue;
    Memory& memory = memories[*found];
    const AccessCount pending = accesses->pending(memory);
    memory.access_count += pending.count;
    memory.last_accessed = std::max(memory.last_accessed.value_or(pending.last), pending.last);
  }
}

Result<Catalogue> CatalogueReader::finish() {
  Catalogue catalogue;
  for (const auto& remark : table_.remarks) warnings_.push_back(remark.second);
  KNAPSACK_TRY(auto index, search::Index::open(std::move(parts_)));
  catalogue.index_ = std::make_shared<const search::Index>(std::move(index));
  catalogue.memories_ = std::move(table_.memories);
  catalogue.by_path_ = std::move(table_.by_path);
  add_accesses(catalogue.memories_, catalogue.by_path_);
  std::sort(warnings_.begin(), warnings_.end());
  catalogue.warnings_ = std::move(warnings_);
  work_.files = catalogue.memories_.size();
  catalogue.work_ = work_;
  return catalogue;
}

}  // namespace knapsack::memory
