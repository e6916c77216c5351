#include "search/vectors/vector_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/ascii.h"
#include "core/in_parts.h"
#include "store/state_folder.h"

namespace knapsack::search {
namespace {

constexpr size_t kModelInName = 40;  // characters
constexpr size_t kHashInName = 8;
constexpr size_t kContentHashDigits = 32;
// Fewer dead vectors than this are not worth a new file.
constexpr size_t kMaxDead = 1'000;
// Fewer are looked at in less time than a thread takes to start.
constexpr size_t kUnitsOfThread = 20'000;
constexpr std::chrono::milliseconds kLongestWait{5'000};  // for who sweeps, which takes no time

bool nearer_first(const UnitNeighbour& a, const UnitNeighbour& b) {
  return a.score != b.score ? a.score > b.score : a.unit < b.unit;
}

void keep_best(std::vector<UnitNeighbour>& scored, size_t k) {
  const size_t kept = std::min(k, scored.size());
  std::partial_sort(scored.begin(), scored.begin() + static_cast<long>(kept), scored.end(), nearer_first);
  scored.resize(kept);
}

bool is_vector_file(std::string_view name) {
  if (!name.ends_with(kVectorFileEnding)) return false;
  name.remove_suffix(kVectorFileEnding.size());
  return ascii::is_lower_hex(name, kContentHashDigits);
}

// No error where another process was quicker.
Status remove_if_there(FileSystem& files, const std::string& path) {
  const Status gone = files.remove(path);
  return gone.ok() || gone.error().code == ErrorCode::kNotFound ? ok_status() : gone;
}

}  // namespace

std::string VectorStore::folder_of(const VectorSpace& space) {
  return fmt::format("{}-{}-{}-{}", slug(space.model, kModelInName),
                     content_hash(space.model).substr(0, kHashInName), space.dimensions,
                     to_string(space.encoding));
}

Result<VectorStore> VectorStore::open(FileSystem& files, const std::string& root, VectorSpace space,
                                      const VectorStoreOptions& options) {
  const std::string folder = join_path(root, folder_of(space));
  KNAPSACK_CHECK(ensure_own_folder(files, folder));
  VectorStore store(files, folder, std::move(space), options);
  KNAPSACK_CHECK(store.load());
  return store;
}

Status VectorStore::discard(FileSystem& files, const std::string& root) {
  KNAPSACK_CHECK(check_own_folder(files, root));
  const auto spaces = files.list(root);
  if (!spaces.ok()) return spaces.error().code == ErrorCode::kNotFound ? ok_status() : Status(spaces.error());
  for (const DirectoryEntry& space : *spaces) {
    if (space.kind != FileKind::kDirectory) continue;
    const std::string folder = join_path(root, space.name);
    KNAPSACK_TRY(const auto entries, files.list(folder));
    for (const DirectoryEntry& entry : entries) {
      const bool ours = is_vector_file(entry.name) || is_new_file_name(entry.name);
      if (entry.kind == FileKind::kRegular && ours)
        KNAPSACK_CHECK(remove_if_there(files, join_path(folder, entry.name)));
    }
  }
  return ok_status();
}

Status VectorStore::load() {
  KNAPSACK_TRY(const auto entries, files_->list(folder_));
  KNAPSACK_CHECK(sweep(entries));
  for (const DirectoryEntry& entry : entries) {
    if (entry.kind == FileKind::kRegular && is_vector_file(entry.name)) KNAPSACK_CHECK(take_file(entry.name));
  }
  return ok_status();
}

// What a writer that was killed has left. Nobody writes while this holds the folder alone; where somebody
// does, it is left to the next one.
Status VectorStore::sweep(const std::vector<DirectoryEntry>& entries) {
  std::vector<std::string> unfinished;
  for (const DirectoryEntry& entry : entries) {
    if (entry.kind == FileKind::kRegular && is_new_file_name(entry.name))
      unfinished.push_back(join_path(folder_, entry.name));
  }
  if (unfinished.empty()) return ok_status();
  std::optional<FileLock> lock;
  if (options_.on_disk) {
    auto held = FileLock::acquire_folder(folder_, FileLock::Mode::kExclusive, {});
    if (!held.ok()) return held.error().code == ErrorCode::kBusy ? ok_status() : Status(held.error());
    lock = *std::move(held);
  }
  for (const std::string& path : unfinished) KNAPSACK_CHECK(remove_if_there(*files_, path));
  return ok_status();
}

Result<std::optional<FileLock>> VectorStore::hold() const {
  if (!options_.on_disk) return std::optional<FileLock>();
  KNAPSACK_TRY(FileLock lock, FileLock::acquire_folder(folder_, FileLock::Mode::kShared, kLongestWait));
  return std::optional<FileLock>(std::move(lock));
}

Status VectorStore::take_file(const std::string& name) {
  auto file = VectorFile::open(*files_, folder_, name);
  // Another process joins files: what was in this one is in another.
  if (!file.ok() && file.error().code == ErrorCode::kNotFound) return ok_status();
  if (!file.ok() && file.error().code != ErrorCode::kCorrupt) return file.error();
  if (!file.ok() || !same_space(file->space(), space_)) {
    ++removed_;
    return remove_if_there(*files_, join_path(folder_, name));
  }
  const auto number = static_cast<uint32_t>(opened_.size());
  opened_.push_back(*std::move(file));
  const VectorFile& opened = opened_.back();
  for (uint32_t row = 0; row < opened.rows().count; ++row)
    places_.try_emplace(opened.hash(row), Place{number, row});
  return ok_status();
}

std::vector<const VectorUnit*> VectorStore::missing(const std::vector<VectorUnit>& units) const {
  std::vector<const VectorUnit*> missing;
  std::unordered_set<std::string_view> seen;
  for (const VectorUnit& each : units) {
    if (!holds(each.hash) && seen.insert(each.hash).second) missing.push_back(&each);
  }
  return missing;
}

Status VectorStore::add(const std::vector<std::string_view>& hashes, std::span<const float> vectors) {
  if (vectors.size() != hashes.size() * space_.dimensions)
    return Error{ErrorCode::kInternal, "vectors and texts differ in number", ""};
  KNAPSACK_TRY(const auto lock, hold());
  VectorFileBuilder builder(space_);
  for (size_t i = 0; i < hashes.size(); ++i)
    builder.add(hashes[i], vectors.subspan(i * space_.dimensions, space_.dimensions));
  KNAPSACK_TRY(const std::string name, builder.write(*files_, folder_));
  return take_file(name);
}

Status VectorStore::tidy(const std::vector<std::string_view>& hashes) {
  std::unordered_set<std::string_view> live;
  for (const std::string_view each : hashes) {
    if (holds(each)) live.insert(each);
  }
  const size_t dead = places_.size() - live.size();
  const bool many_dead = dead > kMaxDead && dead > live.size();
  if (opened_.size() <= kMaxVectorFiles && !many_dead) return ok_status();
  VectorFileBuilder builder(space_);
  for (uint32_t number = 0; number < opened_.size(); ++number) {
    const VectorFile& file = opened_[number];
    for (uint32_t row = 0; row < file.rows().count; ++row) {
      const Place place = places_.at(file.hash(row));
      const bool first = place.file == number && place.row == row;
      if (first && (!many_dead || live.contains(file.hash(row)))) builder.add(file, row);
    }
  }
  KNAPSACK_TRY(const auto lock, hold());
  std::vector<std::string> joined;
  for (const VectorFile& file : opened_) joined.push_back(file.name());
  KNAPSACK_TRY(const std::string name, builder.write(*files_, folder_));
  places_.clear();
  opened_.clear();
  KNAPSACK_CHECK(take_file(name));
  for (const std::string& old : joined) {
    if (old != name) KNAPSACK_CHECK(remove_if_there(*files_, join_path(folder_, old)));
  }
  return ok_status();
}

std::vector<UnitNeighbour> VectorStore::nearest(const std::vector<VectorUnit>& units,
                                                std::span<const float> vector, size_t k) const {
  const VectorProbe probe(vector);
  std::vector<std::vector<UnitNeighbour>> parts(part_count(units.size(), kUnitsOfThread));
  in_parts(units.size(), parts.size(), [&](size_t part, size_t begin, size_t end) {
    std::vector<UnitNeighbour>& scored = parts[part];
    for (size_t i = begin; i < end; ++i) {
      const auto place = places_.find(units[i].hash);
      if (place != places_.end()) scored.push_back({units[i].unit, score(probe, place->second)});
    }
    keep_best(scored, k);
  });
  std::vector<UnitNeighbour> best = std::move(parts.front());
  for (size_t part = 1; part < parts.size(); ++part)
    best.insert(best.end(), parts[part].begin(), parts[part].end());
  keep_best(best, k);
  return best;
}

}  // namespace knapsack::search
