#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "store/ledger.h"

namespace knapsack {
namespace {

struct Delivery {
  std::string session_key;
  int64_t run = 0;
  Timestamp at;
};

struct Entry {
  StoredRun run;
  std::vector<Decision> decisions;
  std::vector<ModelCall> calls;
  std::optional<std::string> output;
};

class MemoryLedger final : public Ledger {
 public:
  Result<RunKey> append_run(const RunRecord& run, std::span<const Decision> decisions,
                            std::span<const ModelCall> calls, std::string_view output = {}) override {
    const std::lock_guard turn(mutex_);
    RunKey key{++last_run_, 1};
    for (const auto& [sequence, entry] : runs_) {
      if (entry.run.record.run_id == run.run_id) key.repeat = std::max(key.repeat, entry.run.key.repeat + 1);
    }
    runs_[key.sequence] = {
        {key, run}, {decisions.begin(), decisions.end()}, {calls.begin(), calls.end()}, {}};
    if (!output.empty()) runs_[key.sequence].output = output;
    return key;
  }

  Status append_delivery(std::string_view session_key, int64_t run_sequence, Timestamp at) override {
    const std::lock_guard turn(mutex_);
    if (!runs_.contains(run_sequence)) return no_such_run(run_sequence);
    deliveries_.push_back({std::string(session_key), run_sequence, at});
    return ok_status();
  }

  Status append_outcome(const RunOutcome& outcome) override {
    const std::lock_guard turn(mutex_);
    if (!runs_.contains(outcome.run)) return no_such_run(outcome.run);
    outcomes_.push_back(outcome);
    return ok_status();
  }

  Result<int64_t> append_index_run(const IndexRun& run) override {
    const std::lock_guard turn(mutex_);
    index_runs_[++last_index_run_] = run;
    return last_index_run_;
  }

  Result<int64_t> append_enrichment(const Enrichment& enrichment) override {
    const std::lock_guard turn(mutex_);
    enrichments_[++last_enrichment_] = enrichment;
    return last_enrichment_;
  }

  Result<std::vector<StoredRun>> list_runs(const RunFilter& filter) override {
    const std::lock_guard turn(mutex_);
    std::vector<StoredRun> found;
    for (auto it = runs_.rbegin(); it != runs_.rend(); ++it) {
      if (static_cast<int64_t>(found.size()) >= filter.limit) break;
      const RunRecord& run = it->second.run.record;
      if (!filter.command.empty() && run.command != filter.command) continue;
      if (!filter.task_id.empty() && run.task_id != filter.task_id) continue;
      if (filter.status && run.status != *filter.status) continue;
      if (filter.after && run.started < *filter.after) continue;
      if (filter.before && run.started >= *filter.before) continue;
      found.push_back(it->second.run);
    }
    return found;
  }

  Result<std::vector<Decision>> decisions_of(int64_t run_sequence) override {
    const std::lock_guard turn(mutex_);
    const auto found = runs_.find(run_sequence);
    return found == runs_.end() ? std::vector<Decision>() : found->second.decisions;
  }

  Result<std::vector<ModelCall>> model_calls_of(int64_t run_sequence) override {
    const std::lock_guard turn(mutex_);
    const auto found = runs_.find(run_sequence);
    return found == runs_.end() ? std::vector<ModelCall>() : found->second.calls;
  }

  Result<std::optional<std::string>> output_of(int64_t run_sequence) override {
    const std::lock_guard turn(mutex_);
    const auto found = runs_.find(run_sequence);
    return found == runs_.end() ? std::nullopt : found->second.output;
  }

  Result<std::optional<Timestamp>> last_delivery(std::string_view session_key) override {
    const std::lock_guard turn(mutex_);
    for (auto it = deliveries_.rbegin(); it != deliveries_.rend(); ++it) {
      if (it->session_key == session_key) return std::optional(it->at);
    }
    return std::optional<Timestamp>();
  }

  Result<std::vector<int64_t>> runs_delivered_to(std::string_view session_key) override {
    const std::lock_guard turn(mutex_);
    std::set<int64_t> found;
    for (const Delivery& delivery : deliveries_) {
      if (delivery.session_key == session_key) found.insert(delivery.run);
    }
    return std::vector<int64_t>(found.begin(), found.end());
  }

  Result<std::vector<RunOutcome>> list_outcomes() override {
    const std::lock_guard turn(mutex_);
    return outcomes_;
  }

  Result<std::vector<IndexRun>> list_index_runs(int64_t limit) override {
    const std::lock_guard turn(mutex_);
    std::vector<IndexRun> found;
    for (auto it = index_runs_.rbegin(); it != index_runs_.rend(); ++it) {
      if (static_cast<int64_t>(found.size()) >= limit) break;
      found.push_back(it->second);
    }
    return found;
  }

  Result<std::optional<Enrichment>> find_enrichment(std::string_view blob, std::string_view model) override {
    const std::lock_guard turn(mutex_);
    for (auto it = enrichments_.rbegin(); it != enrichments_.rend(); ++it) {
      if (it->second.blob == blob && it->second.model == model) return std::optional(it->second);
    }
    return std::optional<Enrichment>();
  }

  Result<PruneReport> prune(Timestamp before) override {
    const std::lock_guard turn(mutex_);
    std::set<int64_t> delivered;
    for (const Delivery& delivery : deliveries_) {
      if (delivery.at >= before) delivered.insert(delivery.run);
    }
    PruneReport report;
    report.runs_removed = static_cast<int64_t>(std::erase_if(runs_, [&](const auto& item) {
      return item.second.run.record.started < before && !delivered.contains(item.first);
    }));
    report.runs_kept = static_cast<int64_t>(runs_.size());
    std::erase_if(deliveries_, [&](const Delivery& delivery) { return !runs_.contains(delivery.run); });
    std::erase_if(outcomes_, [&](const RunOutcome& outcome) { return !runs_.contains(outcome.run); });
    std::erase_if(index_runs_, [&](const auto& item) { return item.second.started < before; });
    std::map<std::pair<std::string, std::string>, int64_t> newest;
    for (const auto& [sequence, enrichment] : enrichments_) {
      newest[{enrichment.blob, enrichment.model}] = sequence;
    }
    std::erase_if(enrichments_, [&](const auto& item) {
      return item.second.at < before && newest[{item.second.blob, item.second.model}] != item.first;
    });
    return report;
  }

 protected:
  Result<std::optional<StoredRun>> run_at(int64_t sequence) override {
    const std::lock_guard turn(mutex_);
    const auto found = runs_.find(sequence);
    return found == runs_.end() ? std::nullopt : std::optional(found->second.run);
  }

  Result<std::vector<StoredRun>> runs_with_prefix(std::string_view prefix, int64_t limit) override {
    const std::lock_guard turn(mutex_);
    std::map<std::string, StoredRun> newest;
    for (const auto& [sequence, entry] : runs_) {
      if (entry.run.record.run_id.starts_with(prefix)) newest[entry.run.record.run_id] = entry.run;
    }
    std::vector<StoredRun> found;
    for (auto& [run_id, run] : newest) {
      if (static_cast<int64_t>(found.size()) >= limit) break;
      found.push_back(std::move(run));
    }
    return found;
  }

 private:
  std::mutex mutex_;
  std::map<int64_t, Entry> runs_;
  std::map<int64_t, IndexRun> index_runs_;
  std::map<int64_t, Enrichment> enrichments_;
  std::vector<Delivery> deliveries_;
  std::vector<RunOutcome> outcomes_;
  int64_t last_run_ = 0, last_index_run_ = 0, last_enrichment_ = 0;
};

}  // namespace

std::unique_ptr<Ledger> make_memory_ledger() {
  return std::make_unique<MemoryLedger>();
}

}  // namespace knapsack
