// Commits: the log of what changed together, and what changed lately.
//
// The log is append-only, one JSON object a line; rows that cannot be read are problems. Pure functions over
// its bytes; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/result.h"
#include "graph/store/graph_index.h"

namespace knapsack::graph {

struct CommitRow {
  std::string commit_id;
  std::string mode;   // "put" or "clarify"
  std::string event;  // in words
  std::vector<std::string> changed_node_ids;
  std::string context_pack_path;
  std::string created_at;
  std::string request_id;  // empty: not part of a request
  std::optional<int64_t> request_seq;
};

// One line with its line feed, keys sorted.
std::string commit_line(const CommitRow& row);
// Why it is none, instead of the row.
Result<CommitRow> parse_commit(std::string_view line);

// The rows of the log from its end on; `visit` returns false to stop. Lines that are no rows are passed over:
// `graph validate` names them.
void for_each_commit_from_end(std::string_view log, const std::function<bool(const CommitRow&)>& visit);

struct Delta {
  std::string id;
  Layer layer = Layer::kKnowledge;
  std::string change;     // "created", "updated", or "missing" where the graph has no such node
  std::string commit_id;  // empty where no commit is known
  std::string at;
};

struct DeltaAnchor {
  std::optional<std::string> commit_id;    // asked for
  std::optional<Timestamp> prior_request;  // when the request before this one was answered
  Timestamp now;                           // a node that says it changed later says nothing
};

struct Deltas {
  std::vector<Delta> rows;  // newest first
  std::string anchor;       // the commit they start from; empty where there is none
  size_t left_out = 0;      // beyond the limit
};

// What changed in the anchor commit and after it: the one that was asked for (kNotFound when the log has no
// such one), else the latest, else since the prior request. Lines that another program appended, of which no commit
// tells, count by their dates; those without a date where they stand behind all lines of these commits.
Result<Deltas> recent_deltas(const GraphIndex& index, std::string_view log, const DeltaAnchor& anchor,
                             size_t limit);

}  // namespace knapsack::graph
