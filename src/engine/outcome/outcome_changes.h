// What was changed after a run: by a commit, by a range of commits, by names, or in the work tree. Reads git's objects
// and files of the workspace; writes nothing. One thread.
// Private to engine/outcome/.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/api/outcome_requests.h"
#include "engine/engine_state.h"
#include "engine/shown_content.h"
#include "git/repository.h"

namespace knapsack {

class OutcomeChanges {
 public:
  // `started` is when the run was: what the work tree changed before it is not its outcome.
  static Result<OutcomeChanges> find(Engine::State& state, const OutcomeRequest& request, Timestamp started);

  // The changed files as a packet sees them, sorted by path.
  Result<std::vector<OutcomeFile>> seen_from(const ShownContent& shown) const;
  const std::string& base() const { return base_; }
  const std::string& commit() const { return commit_; }
  const std::string& told_by() const { return told_by_; }

 private:
  struct Change {
    std::string path;   // before
    std::string after;  // where it is afterwards; empty: nowhere
    FileChangeKind kind = FileChangeKind::kModified;
  };

  OutcomeChanges(Engine::State& state, std::string workspace)
      : state_(&state), workspace_(std::move(workspace)) {}
  Status of_commit(const std::string& revision);
  Status of_range(const std::string& from, const std::string& to);
  Status of_files(const std::vector<std::string>& names);
  Status of_work_tree(const OutcomeRequest& request, Timestamp started);
  Status read_trees();
  Result<std::string> text_before(const Change& change) const;
  Result<std::string> text_after(const Change& change) const;

  Engine::State* state_;
  std::string workspace_;
  std::shared_ptr<const GitRepository> repository_;  // none: no git here
  std::string base_, commit_, told_by_;
  std::vector<Change> changes_;
  std::map<std::string, std::string> before_, after_;  // path → blob, of the paths that matter
};

}  // namespace knapsack
