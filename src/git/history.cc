#include "git/history.h"

#include <algorithm>

#include "core/utf8.h"
#include "git/commit_graph.h"
#include "git/rename_detection.h"
#include "git/tree_diff.h"
#include "text/secrets/redact.h"

namespace knapsack {
namespace {

constexpr size_t kMaxProblems = 100;

class Walk {
 public:
  Walk(const GitRepository& repository, const GitObjects& objects, const HistoryOptions& options)
      : objects_(objects), options_(options), graph_(repository) {}

  Result<HistorySummary> run(const git_oid& start, const std::function<bool(Commit&&)>& visit) {
    KNAPSACK_CHECK(objects_.read_commit(start));
    // A run of equal times longer than this is told in the order found; see CommitOrder.
    CommitOrder order(graph_, graph_.node(start), 4 * options_.max_commits + 16);
    CommitGraph::Node node = 0;
    while (order.next(node)) {
      if (summary_.commits == options_.max_commits) {
        summary_.more = true;
        break;
      }
      auto commit = describe(node);
      if (!commit.ok()) {
        problem(commit.error());
        continue;
      }
      ++summary_.commits;
      summary_.shallow = summary_.shallow || graph_.load(node).boundary;
      if (!visit(std::move(commit).value())) {
        summary_.more = true;
        break;
      }
    }
    summary_.problems.insert(summary_.problems.begin(), graph_.problems().begin(), graph_.problems().end());
    return std::move(summary_);
  }

 private:
  void problem(const Error& error) {
    if (summary_.problems.size() < kMaxProblems) summary_.problems.push_back(error.line());
  }

  Result<Commit> describe(CommitGraph::Node node) {
    const CommitGraph::Entry entry = graph_.load(node);
    Commit commit;
    commit.id = git_hex(entry.id);
    commit.commit_time = entry.time;
    if (!entry.missing && options_.is_described && options_.is_described(commit.id)) return commit;
    KNAPSACK_TRY(const auto stored, objects_.read_commit(graph_.id(node)));
    for (const auto parent : entry.parents) commit.parents.push_back(git_hex(graph_.id(parent)));
    commit.is_merge = entry.parents.size() > 1;
    if (const git_signature* author = git_commit_author(stored.get()); author != nullptr) {
      commit.author = author->name;
      redact_secrets(commit.author);
      commit.author_time = author->when.time;
    }
    if (const char* message = git_commit_message(stored.get()); message != nullptr) {
      // Before it is cut: half a secret has no known shape.
      std::string whole(message);
      redact_secrets_by_line(whole);
      commit.message = std::string(utf8_prefix(whole, kMaxMessageBytes));
      commit.subject = commit.message.substr(0, commit.message.find('\n'));
      if (commit.subject.ends_with('\r')) commit.subject.pop_back();
    }
    add_files(entry, commit);
    if (commit.is_merge) {
      const auto side = graph_.side_of(node, options_.max_side_commits);
      commit.side_commits_truncated = side.truncated;
      for (const auto brought : side.commits) commit.side_commits.push_back(git_hex(graph_.id(brought)));
    }
    return commit;
  }

  void add_files(const CommitGraph::Entry& entry, Commit& commit) {
    commit.files_unknown = true;
    const git_oid* before = nullptr;
    CommitGraph::Entry parent;
    if (entry.boundary) return;
    if (!entry.parents.empty()) {
      parent = graph_.load(entry.parents[0]);
      if (parent.missing) return;
      before = &parent.tree;
    }
    const auto diff = diff_trees(objects_, before, &entry.tree, options_.max_files);
    if (!diff.ok()) return problem(diff.error());
    commit.files_unknown = false;
    commit.files_truncated = diff->truncated;
    // Half a diff would pair what does not belong together.
    RenameLimits limits;
    limits.enabled = options_.follow_renames && !diff->truncated;
    commit.files = follow_renames(objects_, diff->changes, limits);
    // Such a file is not listed either (code/walk/source_list.cc).
    std::erase_if(commit.files, [](const FileChange& change) {
      return holds_secret(change.path) || holds_secret(change.old_path);
    });
  }

  const GitObjects& objects_;
  const HistoryOptions& options_;
  CommitGraph graph_;
  HistorySummary summary_;
};

}  // namespace

Result<HistorySummary> walk_history(const GitRepository& repository, const std::string& commit,
                                    const HistoryOptions& options,
                                    const std::function<bool(Commit&&)>& visit) {
  KNAPSACK_TRY(const git_oid start, parse_git_hex(commit));
  KNAPSACK_TRY(const GitObjects* objects, objects_of(repository));
  return Walk(repository, *objects, options).run(start, visit);
}

}  // namespace knapsack
