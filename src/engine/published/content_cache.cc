#include "engine/published/content_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "code/ask/published_texts.h"
#include "core/files/tree.h"
#include "engine/published/own_files.h"
#include "store/state_folder.h"
#include "team/packed_bytes.h"

namespace knapsack {
namespace {

constexpr std::chrono::minutes kMakeWait{5};  // for another process that makes the same
constexpr const char* kRoomLock = ".room";
constexpr std::string_view kUnfinished = "new-";

std::string packed_of(const std::map<std::string, std::string>& objects, const team::FilePart& part) {
  std::string packed;
  for (const std::string& name : part.objects) packed += objects.at(name);
  return packed;
}

}  // namespace

std::string ContentCache::content_path(const std::string& name) const {
  return join_path(root_, "contents/" + name);
}

std::optional<HeldSnapshot> ContentCache::find(const std::string& repository,
                                               const std::string& commit) const {
  const std::string folder = join_path(root_, "snapshots/" + repository + "/" + commit);
  const std::string mark = join_path(folder, kUsedMark);
  if (!files_.info(mark).ok()) return std::nullopt;
  auto lock = FileLock::acquire(mark, FileLock::Mode::kShared, std::chrono::milliseconds(0));
  // Somebody removes it; or has, and the lock is on a file that is not there any more.
  if (!lock.ok() || !files_.info(join_path(folder, ".knapsack")).ok()) return std::nullopt;
  lock->leave_note("used");  // its time says when
  return HeldSnapshot{repository, commit, folder, std::make_shared<FileLock>(*std::move(lock))};
}

Result<team::Manifest> ContentCache::manifest(team::Connection& connection, const std::string& repository,
                                              const team::SnapshotName& snapshot, team::Deadline deadline) {
  KNAPSACK_TRY(const auto objects, team::get_objects(connection, repository, {snapshot.manifest}, deadline));
  return team::manifest_from_json(objects.begin()->second);
}

Status ContentCache::fetch(team::Connection& connection, const std::string& repository,
                           const team::PublishedFile& file, team::Deadline deadline) {
  // From the last part that is here already.
  size_t first = file.parts.size();
  std::shared_ptr<const FileBytes> known;
  while (first > 0 && known == nullptr) {
    const std::string path = content_path(file.parts[first - 1].name);
    if (files_.info(path).ok()) {
      KNAPSACK_TRY(known, files_.map(path));
    } else {
      --first;
    }
  }
  std::string bytes = known ? std::string(known->bytes()) : "";
  for (size_t i = first; i < file.parts.size(); ++i) {
    const team::FilePart& part = file.parts[i];
    const Error damaged{ErrorCode::kCorrupt,
                        fmt::format("what {} has published of {} is not what it says", repository, file.path),
                        "publish the commit again: `knapsack team pushed NAME COMMIT`"};
    KNAPSACK_TRY(const auto objects, team::get_objects(connection, repository, part.objects, deadline));
    const std::string packed = packed_of(objects, part);
    if (packed.size() != part.packed) return damaged;  // its size says how much may come out of it
    KNAPSACK_TRY(std::string next, team::unpack_bytes(packed, part.size, bytes));
    if (team::content_name(next) != part.name) return damaged;
    bytes = std::move(next);
  }
  KNAPSACK_TRY(const auto made, files_.create(join_path(root_, "contents")));
  KNAPSACK_CHECK(made->append(bytes));
  return made->commit(content_path(file.name()));
}

Result<std::shared_ptr<const FileBytes>> ContentCache::content(team::Connection& connection,
                                                               const std::string& repository,
                                                               const team::PublishedFile& file,
                                                               team::Deadline deadline) {
  KNAPSACK_CHECK(make_directories(files_, join_path(root_, "contents")));
  const std::string path = content_path(file.name());
  if (!files_.info(path).ok()) KNAPSACK_CHECK(fetch(connection, repository, file, deadline));
  return files_.map(path);
}

Result<HeldSnapshot> ContentCache::make(team::Connection& connection, const std::string& repository,
                                        const team::SnapshotName& snapshot, team::Deadline deadline) {
  const std::string above = join_path(root_, "snapshots/" + repository);
  KNAPSACK_CHECK(make_directories(files_, above));
  KNAPSACK_TRY(const FileLock making,
               FileLock::acquire(join_path(above, ".making"), FileLock::Mode::kExclusive, kMakeWait));
  if (auto there = find(repository, snapshot.commit)) return *std::move(there);
  KNAPSACK_TRY(const team::Manifest manifest, this->manifest(connection, repository, snapshot, deadline));
  if (manifest.commit != snapshot.commit)
    return Error{
        ErrorCode::kCorrupt,
        fmt::format("the index published as {} of {} belongs to another commit", snapshot.commit, repository),
        "publish it again: `knapsack team pushed NAME COMMIT`"};
  // What nobody uses may go, but not between fetching and using it.
  std::optional<FileLock> room;
  {
    KNAPSACK_TRY(FileLock taken,
                 FileLock::acquire(join_path(root_, kRoomLock), FileLock::Mode::kShared, kMakeWait));
    room.emplace(std::move(taken));
  }
  for (const team::PublishedFile& file : manifest.files) {
    KNAPSACK_TRY([[maybe_unused]] const auto kept, content(connection, repository, file, deadline));
  }
  const std::string unfinished = join_path(above, std::string(kUnfinished) + snapshot.commit);
  KNAPSACK_CHECK(remove_tree(files_, unfinished));
  KNAPSACK_CHECK(fill(manifest, unfinished));
  const std::string folder = join_path(above, snapshot.commit);
  KNAPSACK_CHECK(remove_tree(files_, folder));
  KNAPSACK_CHECK(files_.rename(unfinished, folder));
  auto held = find(repository, snapshot.commit);
  if (!held)
    return Error{ErrorCode::kBusy, fmt::format("{} of {} was removed at once", snapshot.commit, repository),
                 "give the cache more room"};
  room.reset();
  KNAPSACK_CHECK(make_room());
  return *std::move(held);
}

Status ContentCache::fill(const team::Manifest& manifest, const std::string& folder) {
  KNAPSACK_CHECK(files_.make_directory(folder));
  KNAPSACK_TRY(const std::string state, ensure_state_folder(files_, folder));
  for (const team::PublishedFile& file : manifest.files) {
    const std::string path = join_path(state, file.path);
    KNAPSACK_CHECK(make_directories(files_, parent_path(path)));
    KNAPSACK_CHECK(files_.share(content_path(file.name()), path));
  }
  KNAPSACK_TRY(const auto texts, code::PublishedTexts::open(files_, state));
  if (texts) {
    KNAPSACK_TRY(const auto own, texts->own_files());
    for (const auto& [path, text] : own) {
      if (!is_own_path(path))
        return Error{ErrorCode::kCorrupt,
                     fmt::format("the index published for {} names a place outside it", manifest.commit),
                     "publish the commit again: `knapsack team pushed NAME COMMIT`"};
      const std::string place = join_path(folder, path);
      KNAPSACK_CHECK(make_directories(files_, parent_path(place)));
      KNAPSACK_CHECK(files_.replace(place, text));
    }
  }
  return files_.replace(join_path(folder, kUsedMark), "");
}

// The snapshots that were used longest ago go first, then what no snapshot has.
Status ContentCache::make_room() {
  const auto room = FileLock::acquire(join_path(root_, kRoomLock), FileLock::Mode::kExclusive,
                                      std::chrono::milliseconds(0));
  if (!room.ok()) return ok_status();  // somebody fetches: whoever is last does this
  const std::string contents = join_path(root_, "contents"), snapshots = join_path(root_, "snapshots");
  struct Entry {
    int64_t used;
    std::string folder;
  };
  std::vector<Entry> entries;
  KNAPSACK_TRY(const auto repositories, files_.list(snapshots));
  for (const DirectoryEntry& repository : repositories) {
    const std::string above = join_path(snapshots, repository.name);
    KNAPSACK_TRY(const auto found, files_.list(above));
    for (const DirectoryEntry& each : found) {
      const auto used = files_.info(join_path(join_path(above, each.name), kUsedMark));
      if (used.ok() && !each.name.starts_with(kUnfinished))
        entries.push_back({used->mtime_nanos, join_path(above, each.name)});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  // Which contents are in use is known by their inode: a snapshot has them under a second name.
  const auto wanted = [&](std::map<uint64_t, size_t>& uses, const std::string& folder, int by) -> Status {
    const std::string state = state_folder_of(folder);
    for (const std::string& place : {state, join_path(state, "segments")}) {
      const auto listed = files_.list(place);
      if (!listed.ok()) continue;
      for (const DirectoryEntry& each : *listed) {
        const auto info = files_.info(join_path(place, each.name));
        if (info.ok()) uses[info->inode] += static_cast<size_t>(by);
      }
    }
    return ok_status();
  };
  std::map<uint64_t, size_t> uses;
  for (const Entry& entry : entries) KNAPSACK_CHECK(wanted(uses, entry.folder, 1));
  uint64_t total = 0;
  std::map<uint64_t, std::pair<std::string, uint64_t>> kept;
  KNAPSACK_TRY(const auto listed, files_.list(contents));
  for (const DirectoryEntry& each : listed) {
    const auto info = files_.info(join_path(contents, each.name));
    if (!info.ok()) continue;
    kept[info->inode] = {each.name, info->size};
    total += info->size;
  }
  const auto drop_unused = [&]() -> Status {
    for (auto at = kept.begin(); at != kept.end() && total > max_bytes_;) {
      if (uses[at->first] > 0) {
        ++at;
        continue;
      }
      KNAPSACK_CHECK(files_.remove(join_path(contents, at->second.first)));
      total -= at->second.second;
      at = kept.erase(at);
    }
    return ok_status();
  };
  KNAPSACK_CHECK(drop_unused());
  for (const Entry& entry : entries) {
    if (total <= max_bytes_) break;
    auto lock = FileLock::acquire(join_path(entry.folder, kUsedMark), FileLock::Mode::kExclusive,
                                  std::chrono::milliseconds(0));
    if (!lock.ok()) continue;  // it is in use
    KNAPSACK_CHECK(wanted(uses, entry.folder, -1));
    KNAPSACK_CHECK(remove_tree(files_, entry.folder));
    KNAPSACK_CHECK(drop_unused());
  }
  return ok_status();
}

}  // namespace knapsack
