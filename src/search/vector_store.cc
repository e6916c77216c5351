#include "search/vector_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace knapsack::search {
namespace {

constexpr size_t kModelInName = 40;  // characters
constexpr size_t kHashInName = 8;
// Fewer dead vectors than this are not worth a new file.
constexpr size_t kMostDead = 1'000;

bool before(const UnitNeighbour& a, const UnitNeighbour& b) {
  return a.score != b.score ? a.score > b.score : a.unit < b.unit;
}

}  // namespace

std::string VectorStore::folder_of(const VectorSpace& space) {
  return fmt::format("{}-{}-{}-{}", slug(space.model, kModelInName),
                     content_hash(space.model).substr(0, kHashInName), space.dimensions,
                     to_string(space.encoding));
}

Result<VectorStore> VectorStore::open(FileSystem& files, const std::string& root, VectorSpace space) {
  const std::string folder = join_path(root, folder_of(space));
  KNAPSACK_CHECK(files.make_directory(folder));
  VectorStore store(files, folder, std::move(space));
  KNAPSACK_CHECK(store.load());
  return store;
}

Status VectorStore::load() {
  KNAPSACK_TRY(const auto entries, files_->list(folder_));
  for (const DirectoryEntry& entry : entries) {
    if (entry.kind == FileKind::kRegular && entry.name.ends_with(kVectorFileEnding))
      KNAPSACK_CHECK(take_file(entry.name));
  }
  return ok_status();
}

Status VectorStore::take_file(const std::string& name) {
  auto file = VectorFile::open(*files_, folder_, name);
  // Another process joins files: what was in this one is in another.
  if (!file.ok() && file.error().code == ErrorCode::kNotFound) return ok_status();
  if (!file.ok() && file.error().code != ErrorCode::kCorrupt) return file.error();
  if (!file.ok() || !same_space(file->space(), space_)) {
    ++removed_;
    const Status gone = files_->remove(join_path(folder_, name));
    return gone.ok() || gone.error().code == ErrorCode::kNotFound ? ok_status() : gone;
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
  VectorFileBuilder builder(space_);
  for (size_t i = 0; i < hashes.size(); ++i)
    builder.add(hashes[i], vectors.subspan(i * space_.dimensions, space_.dimensions));
  KNAPSACK_TRY(const std::string name, builder.write(*files_, folder_));
  return take_file(name);
}

Status VectorStore::tidy(const std::vector<VectorUnit>& units) {
  std::unordered_set<std::string_view> live;
  for (const VectorUnit& each : units) {
    if (holds(each.hash)) live.insert(each.hash);
  }
  const size_t dead = places_.size() - live.size();
  const bool many_dead = dead > kMostDead && dead > live.size();
  if (opened_.size() <= kMostVectorFiles && !many_dead) return ok_status();
  VectorFileBuilder builder(space_);
  for (uint32_t number = 0; number < opened_.size(); ++number) {
    const VectorFile& file = opened_[number];
    for (uint32_t row = 0; row < file.rows().count; ++row) {
      const Place place = places_.at(file.hash(row));
      const bool first = place.file == number && place.row == row;
      if (first && (!many_dead || live.contains(file.hash(row)))) builder.add(file, row);
    }
  }
  std::vector<std::string> joined;
  for (const VectorFile& file : opened_) joined.push_back(file.name());
  KNAPSACK_TRY(const std::string name, builder.write(*files_, folder_));
  places_.clear();
  opened_.clear();
  KNAPSACK_CHECK(take_file(name));
  for (const std::string& old : joined) {
    if (old == name) continue;
    const Status gone = files_->remove(join_path(folder_, old));
    if (!gone.ok() && gone.error().code != ErrorCode::kNotFound) return gone.error();
  }
  return ok_status();
}

std::vector<UnitNeighbour> VectorStore::nearest(const std::vector<VectorUnit>& units,
                                                std::span<const float> vector, size_t k) const {
  const VectorProbe probe(vector);
  std::vector<UnitNeighbour> scored;
  scored.reserve(units.size());
  for (const VectorUnit& each : units) {
    const auto place = places_.find(each.hash);
    if (place == places_.end()) continue;
    scored.push_back({each.unit, probe.score(opened_[place->second.file].rows(), place->second.row)});
  }
  const size_t kept = std::min(k, scored.size());
  std::partial_sort(scored.begin(), scored.begin() + static_cast<long>(kept), scored.end(), before);
  scored.resize(kept);
  return scored;
}

}  // namespace knapsack::search
