// The ledger: what every run was asked, what it considered, what it kept and why. The Store seam.
//
// Append-only: what was appended is never changed, and only prune() removes. When an append returns ok, its
// rows survive a crash and power loss, all of them or (had it failed) none. Two forms keep this contract and
// pass one test suite: raw.db in the state folder, and memory. Safe to share between threads; calls take
// turns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/files/file_system.h"
#include "core/result.h"
#include "core/run_status.h"

namespace knapsack {

// One request and its answer. Texts that end in _json hold JSON, which the ledger does not look into.
struct RunRecord {
  std::string run_id;  // derived from the request; a repeated request repeats it
  std::string task_id;
  std::string command;
  std::string workspace;     // where it ran; may be empty
  std::string request_json;  // what was asked
  std::string config_json;   // the effective configuration
  std::string tokenizer;
  int64_t budget = 0;  // in tokens of that counter
  int64_t used = 0;
  RunStatus status = RunStatus::kOk;
  std::string warnings_json;
  std::string program_version;
  Timestamp started;
  std::string timings_json;
  std::string fingerprint;  // of everything that was read
  // Which lines of which files were shown, and which files what was shown of other sources names; "{}" where nobody
  // noted it.
  std::string shown_json = "{}";

  bool operator==(const RunRecord&) const = default;
};

// What became of one candidate in one stage.
struct Decision {
  std::string stage;
  std::string source;  // code, notes, memory or graph
  std::string candidate_id;
  std::string title;
  int tier = 0;
  std::string section;
  bool included = false;
  std::string form;         // full, reduced, signature, title; empty for what was left out
  int64_t tokens = 0;       // of that form
  int64_t full_tokens = 0;  // of the whole candidate
  double score = 0;
  std::string components_json;  // of the score
  std::string reason;

  bool operator==(const Decision&) const = default;
};

struct ModelCall {
  std::string stage;
  std::string model;
  std::string request;
  std::string response;  // as it came, also when it could not be used
  std::string outcome;   // "ok", "timeout", "malformed", …
  int64_t latency_micros = 0;
  int64_t prompt_tokens = 0;
  int64_t completion_tokens = 0;

  bool operator==(const ModelCall&) const = default;
};

struct IndexRun {
  Timestamp started;
  std::string workspace;
  std::string snapshot;  // the commit, or the fingerprint of the work tree
  std::string outcome;   // "complete", "interrupted", …
  int64_t files_seen = 0;
  int64_t files_parsed = 0;
  int64_t files_skipped = 0;
  int64_t duration_micros = 0;
  std::string details_json;
  std::string program_version;

  bool operator==(const IndexRun&) const = default;
};

// What a model was asked about one blob and what it answered.
struct Enrichment {
  Timestamp at;
  std::string blob;  // content hash
  std::string path;
  std::string model;
  std::string prompt;
  std::string answer;
  std::string outcome;        // "ok" when the answer passed validation
  std::string metadata_json;  // the validated answer; empty otherwise
  int64_t latency_micros = 0;
  int64_t prompt_tokens = 0;
  int64_t completion_tokens = 0;

  bool operator==(const Enrichment&) const = default;
};

// What came of a run: what was then changed, and what somebody said of its packet. A run may have several.
struct RunOutcome {
  int64_t run = 0;  // its sequence
  Timestamp at;
  std::string
      told_by;       // "commit", "files", "work tree", "session end", or "word" where only something was said
  std::string base;  // the commit that `changes_json` counts lines in; may be empty
  std::string commit;   // the one that holds the change; empty for what is not committed
  std::string verdict;  // "useful", "not useful" or nothing
  std::string missing;  // what the packet lacked, in words
  std::string changes_json;
  std::string program_version;

  bool operator==(const RunOutcome&) const = default;
};

// `sequence` names a stored run for good and is never given twice; `repeat` counts runs of one run_id from 1.
struct RunKey {
  int64_t sequence = 0;
  int64_t repeat = 0;

  bool operator==(const RunKey&) const = default;
};

struct StoredRun {
  RunKey key;
  RunRecord record;

  bool operator==(const StoredRun&) const = default;
};

struct RunFilter {
  int64_t limit = 20;
  std::string command = {};  // empty: all
  std::string task_id = {};  // empty: all
  std::optional<RunStatus> status = {};
  std::optional<Timestamp> after = {};   // started at or after
  std::optional<Timestamp> before = {};  // started before
};

struct PruneReport {
  int64_t runs_removed = 0;
  int64_t runs_kept = 0;
  int64_t sessions_removed = 0;  // by the engine: of tasks that have no run any more
  int64_t bytes_before = 0;
  int64_t bytes_after = 0;
};

class Ledger {
 public:
  virtual ~Ledger() = default;

  // A run with all its decisions, its model calls and what it handed out: all of it is stored or nothing.
  virtual Result<RunKey> append_run(const RunRecord& run, std::span<const Decision> decisions,
                                    std::span<const ModelCall> calls, std::string_view output = {}) = 0;
  // The packet of that run was handed to a session. kNotFound for a run that is not in the ledger.
  virtual Status append_delivery(std::string_view session_key, int64_t run_sequence, Timestamp at) = 0;
  virtual Result<int64_t> append_index_run(const IndexRun& run) = 0;
  // kNotFound for a run that is not in the ledger.
  virtual Status append_outcome(const RunOutcome& outcome) = 0;
  virtual Result<int64_t> append_enrichment(const Enrichment& enrichment) = 0;

  // Newest first, in the order they were appended.
  virtual Result<std::vector<StoredRun>> list_runs(const RunFilter& filter) = 0;
  // In the order they were given; empty for a run that has none or is not there.
  virtual Result<std::vector<Decision>> decisions_of(int64_t run_sequence) = 0;
  virtual Result<std::vector<ModelCall>> model_calls_of(int64_t run_sequence) = 0;
  // What the run handed out, byte for byte; nothing where none was kept.
  virtual Result<std::optional<std::string>> output_of(int64_t run_sequence) = 0;
  // When something was last handed to this session.
  virtual Result<std::optional<Timestamp>> last_delivery(std::string_view session_key) = 0;
  // The runs whose packets were handed to this session, each once, in their order.
  virtual Result<std::vector<int64_t>> runs_delivered_to(std::string_view session_key) = 0;
  // In the order they were appended.
  virtual Result<std::vector<RunOutcome>> list_outcomes() = 0;
  // Newest first.
  virtual Result<std::vector<IndexRun>> list_index_runs(int64_t limit) = 0;
  // The newest one of this blob by this model.
  virtual Result<std::optional<Enrichment>> find_enrichment(std::string_view blob,
                                                            std::string_view model) = 0;

  // "latest", a run_id, a sequence number or a prefix of a run_id, tried in this order. Of repeats the newest
  // is meant. An unknown one is kNotFound, a prefix of several run_ids kUsage naming them.
  Result<StoredRun> find_run(std::string_view selector);

  // Removes runs started before that time, with their decisions, model calls, outputs, deliveries and outcomes, and
  // index runs and superseded enrichments likewise. A run that was delivered at or after that time stays, and
  // so does the newest enrichment of each blob and model: it was paid for.
  virtual Result<PruneReport> prune(Timestamp before) = 0;

 protected:
  static Error no_such_run(int64_t sequence);
  virtual Result<std::optional<StoredRun>> run_at(int64_t sequence) = 0;
  // The newest run of each run_id that starts with `prefix`, by run_id, at most `limit`.
  virtual Result<std::vector<StoredRun>> runs_with_prefix(std::string_view prefix, int64_t limit) = 0;
};

// raw.db in the state folder. Reading where there is none finds nothing; the first append creates it. While
// the ledger is open prune() of another process waits, so long-lived programs open it for each request.
//
// A damaged raw.db is moved aside and kCorrupt says where to; calling again starts a new ledger. What is not
// a plain file, or belongs to another program or a newer version, is refused and left alone.
Result<std::unique_ptr<Ledger>> open_ledger(const std::string& state_folder, FileSystem& files,
                                            const Clock& clock);

}  // namespace knapsack
