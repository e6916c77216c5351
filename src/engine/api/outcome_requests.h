// What the recipes about the use of packets are asked and what they answer: outcome, report, export. Plain data; no
// thread rule.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "git/commit.h"
#include "packet/candidate.h"
#include "store/ledger/ledger.h"

namespace knapsack {

// What came of a run's packet. With nothing but a run: what the work tree has changed since it.
struct OutcomeRequest {
  std::string run = "latest";      // as for explain
  std::string session;             // instead of a run: all that a client's session was given
  std::string commit;              // the change: a commit, or a range "A..B"
  std::vector<std::string> files;  // the change, by names alone
  std::optional<bool> useful;
  std::string missing;  // what the packet lacked, in words
  bool refresh = true;  // bring the index of the work tree up to date first, where it is looked at
};

// One file of the change, seen from the packet.
struct OutcomeFile {
  std::string path;  // before the change
  FileChangeKind change = FileChangeKind::kModified;
  bool packed = false;                // something of it was shown
  std::vector<std::string> named_by;  // other sources of which an entry that was shown names it
  std::vector<LineRange> lines;       // changed ones, in the commit before the change
  // Of what was packed; counted where the text that was packed is still known.
  bool compared = false;
  uint64_t changed_lines = 0, shown_lines = 0;
  std::string why;  // it was left out, in words; empty for what is packed or new
};

struct OutcomeReply {
  std::vector<StoredRun> runs;     // one, or those of the session; none: the session was given nothing
  RunOutcome outcome;              // of the last of them
  std::vector<OutcomeFile> files;  // likewise
  uint64_t packed_unused = 0;      // files that were packed and not changed
  bool knows_changes = false;
};

struct ReportRequest {
  std::string by = "week";  // day, week or month
  std::optional<Timestamp> after;
};

// Of runs with an outcome, in one period, for one source ("code", "notes", "memory", "graph").
struct ReportRow {
  std::string period;  // its first day, or "all"
  std::string source;
  uint64_t runs = 0;  // that showed something of it and of which the change is known
  uint64_t hits = 0;  // of these, how many showed (or named) a file that was then changed
  uint64_t changed_files = 0, found_files = 0;
  uint64_t changed_lines = 0, shown_lines = 0;  // of code, in files that could be compared or were left out
  uint64_t tokens = 0;
  uint64_t useful = 0, not_useful = 0;  // runs that somebody judged
};

struct ReportReply {
  std::vector<ReportRow> rows;  // "all" first, then periods, newest first
  uint64_t runs = 0, with_outcome = 0;
  std::vector<std::string> missing;  // what was said to be missing, newest first
};

struct ExportReply {
  std::string jsonl;
  uint64_t runs = 0;
};

}  // namespace knapsack
