#include "code/index/snapshot_history.h"

#include "code/index/packing.h"
#include "git/history.h"

namespace knapsack::code {
namespace {

constexpr const char* kBadCoChanges = "its co-changes do not add up";

// Signed numbers as unsigned ones that are small when they are near zero.
uint64_t zigzag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}
int64_t unzigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

}  // namespace

Result<SnapshotHistory> store_history(CuratedWriter& writer, const GitRepository& repository,
                                      const std::string& commit, size_t limit) {
  KNAPSACK_TRY(const auto known, writer.rows().commit_numbers(true));
  KNAPSACK_TRY(const auto all, writer.rows().commit_numbers(false));
  HistoryOptions options;
  options.max_commits = limit;
  options.is_described = [&](const std::string& id) { return known.contains(id); };
  SnapshotHistory history;
  Status status = ok_status();
  const auto summary = walk_history(repository, commit, options, [&](Commit&& told) {
    if (const auto found = known.find(told.id); found != known.end()) {
      history.commits.push_back(found->second);
      history.ids.push_back(std::move(told.id));
      return true;
    }
    // One that was the end of a shallow clone may have its changes now.
    const auto older = all.find(told.id);
    const auto number =
        writer.add_commit(told, older == all.end() ? std::nullopt : std::optional(older->second));
    if (!number.ok()) {
      status = number.error();
      return false;
    }
    history.commits.push_back(*number);
    history.ids.push_back(std::move(told.id));
    ++history.new_commits;
    return true;
  });
  if (!status.ok()) return status.error();
  if (!summary.ok()) {
    // A damaged repository still has its files.
    history.problems.push_back("no history: " + summary.error().line());
    return history;
  }
  history.more = summary->more;
  history.shallow = summary->shallow;
  history.problems = summary->problems;
  return history;
}

std::string pack_commit_list(const std::vector<int64_t>& commits) {
  std::string packed;
  int64_t last = 0;
  for (const int64_t commit : commits) {
    append_varint(packed, zigzag(commit - last));
    last = commit;
  }
  return packed;
}

Result<std::vector<int64_t>> unpack_commit_list(std::string_view packed) {
  ByteReader reader(packed);
  std::vector<int64_t> commits;
  int64_t last = 0;
  while (!reader.at_end()) {
    last += unzigzag(reader.varint());
    commits.push_back(last);
  }
  if (reader.failed()) return damaged_index("the commits of a snapshot do not add up");
  return commits;
}

Result<std::string> pack_co_changes(CuratedWriter& writer, const SnapshotHistory& history,
                                    const std::function<bool(const std::string& path)>& keep) {
  KNAPSACK_TRY(const auto commits, writer.rows().commits(history.commits, true));
  CoChangeOptions options;
  options.keep = keep;
  if (!commits.empty()) options.now = commits.front().commit.commit_time;
  CoChangeCounter counter(std::move(options));
  for (const CommitRow& row : commits) counter.add(row.commit);
  const CoChangeTable table = counter.finish();
  std::string packed;
  append_varint(packed, table.paths().size());
  for (const std::string& path : table.paths()) {
    KNAPSACK_TRY(const int64_t number, writer.path_number(path));
    append_varint(packed, static_cast<uint64_t>(number));
  }
  append_varint(packed, table.pairs().size());
  uint32_t last = 0;
  for (const CoChangePair& pair : table.pairs()) {
    append_varint(packed, pair.a - last);
    last = pair.a;
    append_varint(packed, pair.b);
    append_varint(packed, pair.count);
    append_varint(packed, pair.weight);
  }
  return packed;
}

Result<PackedCoChanges> unpack_co_changes(std::string_view packed) {
  PackedCoChanges found;
  if (packed.empty()) return found;
  ByteReader reader(packed);
  KNAPSACK_TRY(const size_t paths, read_count(reader, packed, kBadCoChanges));
  for (size_t i = 0; i < paths; ++i) found.paths.push_back(static_cast<int64_t>(reader.varint()));
  KNAPSACK_TRY(const size_t pairs, read_count(reader, packed, kBadCoChanges));
  found.pairs.resize(pairs);
  uint32_t last = 0;
  for (CoChangePair& pair : found.pairs) {
    last += reader.varint32();
    pair.a = last;
    pair.b = reader.varint32();
    pair.count = reader.varint32();
    pair.weight = reader.varint();
    if (pair.a >= paths || pair.b >= paths) return damaged_index(kBadCoChanges);
  }
  if (reader.failed() || !reader.at_end()) return damaged_index(kBadCoChanges);
  return found;
}

}  // namespace knapsack::code
