// The ledger in raw.db. Private to store/ledger/: others use open_ledger().
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "store/ledger/ledger.h"
#include "store/ledger/ledger_file.h"

namespace knapsack {

class SqliteLedger final : public Ledger {
 public:
  SqliteLedger(std::string path, FileSystem& files, const Clock& clock, LedgerFileOptions options = {});
  ~SqliteLedger() override;

  // Opens the file if there is one; otherwise the first append creates it.
  Status open();

  Result<RunKey> append_run(const RunRecord& run, std::span<const Decision> decisions,
                            std::span<const ModelCall> calls, std::string_view output = {}) override;
  Status append_delivery(std::string_view session_key, int64_t run_sequence, Timestamp at) override;
  Result<int64_t> append_index_run(const IndexRun& run) override;
  Status append_outcome(const RunOutcome& outcome) override;
  Result<int64_t> append_enrichment(const Enrichment& enrichment) override;
  Result<std::vector<StoredRun>> list_runs(const RunFilter& filter) override;
  Result<std::vector<Decision>> decisions_of(int64_t run_sequence) override;
  Result<std::vector<ModelCall>> model_calls_of(int64_t run_sequence) override;
  Result<std::optional<std::string>> output_of(int64_t run_sequence) override;
  Result<std::optional<Timestamp>> last_delivery(std::string_view session_key) override;
  Result<std::vector<int64_t>> runs_delivered_to(std::string_view session_key) override;
  Result<std::vector<RunOutcome>> list_outcomes() override;
  Result<std::vector<IndexRun>> list_index_runs(int64_t limit) override;
  Result<std::optional<Enrichment>> find_enrichment(std::string_view blob, std::string_view model) override;
  Result<PruneReport> prune(Timestamp before) override;

 protected:
  Result<std::optional<StoredRun>> run_at(int64_t sequence) override;
  Result<std::vector<StoredRun>> runs_with_prefix(std::string_view prefix, int64_t limit) override;

 private:
  struct Connection;
  enum class Access { kRead, kAppend };

  // Null where there is nothing to read.
  Result<Connection*> connect(Access access);
  // Calls `body` with the connection, in turn, and moves the file aside where it turns out to be damaged.
  // Where there is nothing to read the answer is an empty T.
  template <class T, class Body>
  Result<T> with_connection(Access access, Body body);

  // One row that belongs to a run which must be there.
  Status append_about_run(const std::string& sql, int64_t run_sequence,
                          const std::function<void(sqlite::Statement&)>& bind);

  LedgerFile file_;
  std::mutex mutex_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace knapsack
