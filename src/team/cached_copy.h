// CachedCopy: what this machine has of its teams' memories, and when it was last sure of it.
//
//   copy/<team>/facts/2026-11-15/<file>.md  corrections/<file>.md     accepted: read as memories are (memory/tree/tree.h)
//   copy/<team>/review/<file>.md  rejected/<file>.md                  the rest, which nobody recalls
//   state.json                                                        how far it is, and when that was
//
// The server has the truth; all of this may be deleted and comes back. A state is written after what it speaks of, so that a run
// that was killed is repeated. Names of files are ours, whatever the server sends. One writer at a time (the lock is the
// caller's); readers need none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "team/database.h"
#include "team/team_memory.h"

namespace knapsack::team {

struct CopyState {
  std::string since;  // how far, in the server's own counting
  Timestamp synced;   // by this machine's clock
  uint64_t known = 0;
  std::string role;
  std::vector<TeamNamespace> namespaces;
};

class CachedCopy {
 public:
  CachedCopy(FileSystem& files, std::string root) : files_(files), root_(std::move(root)) {}

  // The folder that holds a folder for each team.
  std::string folder() const { return join_path(root_, "copy"); }
  // Nothing where the server was never reached, or what is there cannot be read.
  std::optional<CopyState> state() const;

  // Takes changes in. `whole`: they are everything that there is, and what is not among them goes.
  Status apply(const Changes& changes, bool whole, Timestamp now, const std::string& role);
  // What waits for a review, or was rejected: `review` is "proposed" or "rejected". By id.
  Result<std::vector<memory::Memory>> judged(const std::string& team, const std::string& review) const;

 private:
  Status put(const TeamMemory& memory, CopyState& state);
  Status forget_others(const Changes& changes);
  Status remove_folder(const std::string& path);
  Status ensure_folders(const std::string& team, const std::string& path);

  FileSystem& files_;
  std::string root_;
};

}  // namespace knapsack::team
