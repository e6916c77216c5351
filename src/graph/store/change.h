// Changes: how several files of the store change together, and survive a crash at any instruction.
//
// A change is written down whole in pending.json, synced, before anything else. Then, each step synced before
// the next: the node lines, the context pack, its check, context_pack.latest.json, and the commit row last;
// then pending.json goes. Whoever finds it there finishes the change: every step may be repeated, bytes are
// written where the change says they belong, and nothing before them is touched. So nothing acknowledged is
// lost and nothing half-done is ever seen. Writers hold the lock of the folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "core/result.h"

namespace knapsack::graph {

struct Append {
  std::string file;  // in the store
  uint64_t at = 0;
  std::string bytes;  // whole lines
};

struct Change {
  std::string commit_id;
  std::vector<Append> nodes;
  std::string pack_path;  // in the store: "context_packs/context_pack.<time>.<commit id>.json"
  std::string pack;
  Append commit;
};

// The one that is not finished, if any. kCorrupt for a file that no crash of ours leaves.
Result<std::optional<Change>> read_pending(const FileSystem& files, const std::string& folder);

// Writes the change and does all its steps. Under the lock, with nothing pending.
Status make_change(FileSystem& files, const std::string& folder, const Change& change);

// Finishes what was interrupted; false when there was nothing. Under the lock.
Result<bool> finish_pending(FileSystem& files, const std::string& folder);

}  // namespace knapsack::graph
