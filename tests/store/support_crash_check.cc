#include "support_crash_check.h"

#include <fmt/format.h>

#include <set>

#include "support/support.h"
#include "support_rows.h"

namespace knapsack::testing {
namespace {

constexpr uint64_t kPrefixes = 2;  // tried at each cut
constexpr uint64_t kMixtures = 4;  // of changes, and of sectors
constexpr size_t kEnoughViolations = 10;

// A seed that differs in many bits from its neighbours.
uint64_t mixed(uint64_t a, uint64_t b) {
  const uint64_t x = (a * 1'000'003 + b + 1) * 0x9e3779b97f4a7c15ULL;
  return x ^ (x >> 29);
}

// Some runs fill a page or less and some many, so that commits of one and of many pages are met.
size_t decisions_of_run(const std::string& run_id) {
  return 2 + run_id.size() * 7 % 40;
}

const std::string& lock_folder() {
  static const TemporaryFolder folder;
  return folder.path();
}

class Check {
 public:
  Check(const CrashDisk& disk, const Witness& witness) : machine_(disk), witness_(witness) {}

  std::vector<std::string> run() {
    auto ledger = machine_.ledger();
    if (must("open", ledger->open())) {
      must_be_sound();
      runs_are_whole(*ledger);
      others_are_there(*ledger);
      can_go_on(*ledger);
    }
    return std::move(violations_);
  }

 private:
  template <class T>
  bool must(std::string_view what, const Result<T>& result) {
    if (!result.ok()) violations_.push_back(fmt::format("{}: {}", what, result.error().line()));
    return result.ok();
  }
  void wrong(std::string what) { violations_.push_back(std::move(what)); }

  void must_be_sound() {
    if (machine_.disk().find(kLedgerPath) == nullptr) return;
    auto database = machine_.database();
    if (!must("open for the check", database)) return;
    auto check = database->prepare("PRAGMA integrity_check");
    if (!must("check", check)) return;
    const auto row = check->step();
    if (must("check", row) && check->text(0) != "ok") wrong("integrity_check: " + check->string(0));
  }

  void runs_are_whole(Ledger& ledger) {
    const auto stored = ledger.list_runs({.limit = 1'000'000});
    if (!must("list", stored)) return;
    std::map<std::string, RunKey> seen;
    for (const StoredRun& run : *stored) {
      const std::string& id = run.record.run_id;
      seen[id] = run.key;
      if (run.record != sample_run(id, start_of(id))) wrong("another content in " + id);
      const auto decisions = ledger.decisions_of(run.key.sequence);
      const auto calls = ledger.model_calls_of(run.key.sequence);
      if (!must("decisions", decisions) || !must("calls", calls)) continue;
      if (*decisions != sample_decisions(decisions_of_run(id), id)) wrong("not all decisions of " + id);
      if (*calls != sample_calls(2, id)) wrong("not all model calls of " + id);
    }
    size_t pruned = 0, unknown = 0;
    for (const auto& [id, key] : witness_.runs) {
      const auto found = seen.find(id);
      const bool may_be_gone = start_of(id) < kPruneTime && witness_.prune_tried;
      if (found == seen.end()) {
        may_be_gone ? void(++pruned) : wrong("acknowledged run lost: " + id);
      } else if (found->second != key) {
        wrong("another number for " + id);
      } else if (may_be_gone && witness_.pruned) {
        wrong("an acknowledged prune was undone: " + id);
      }
    }
    for (const auto& [id, key] : seen) {
      if (!witness_.runs.contains(id)) ++unknown;
    }
    if (unknown > 1)
      wrong(fmt::format("{} runs that nobody acknowledged, though one is written at a time", unknown));
    size_t old = 0;
    for (const auto& [id, key] : witness_.runs) old += start_of(id) < kPruneTime ? 1 : 0;
    if (pruned != 0 && pruned != old) wrong("half a prune");
  }

  void others_are_there(Ledger& ledger) {
    for (const auto& [session, at] : witness_.deliveries) {
      const auto last = ledger.last_delivery(session);
      if (must("delivery", last) && *last != at) wrong("delivery lost: " + session);
    }
    const auto index_runs = ledger.list_index_runs(1000);
    if (must("index runs", index_runs) && static_cast<int64_t>(index_runs->size()) < witness_.index_runs) {
      wrong("index run lost");
    }
    for (const auto& [blob, answer] : witness_.enrichments) {
      const auto found = ledger.find_enrichment(blob, "model");
      if (must("enrichment", found) && (!*found || (*found)->answer != answer))
        wrong("enrichment lost: " + blob);
    }
  }

  void can_go_on(Ledger& ledger) {
    Witness more;
    if (!append_known_run(ledger, "one more", more)) return wrong("cannot append any more");
    const auto found = ledger.find_run("one more");
    if (must("find", found) && found->key != more.runs.at("one more")) wrong("the new run is another one");
    for (const auto& [id, key] : witness_.runs) {
      if (key.sequence >= more.runs.at("one more").sequence) wrong("a sequence was given again");
    }
  }

  Machine machine_;
  const Witness& witness_;
  std::vector<std::string> violations_;
};

}  // namespace

const Timestamp kPruneTime = noon(10);

Timestamp start_of(const std::string& run_id) {
  return run_id.starts_with("old") ? noon(5) : noon(20);
}

Machine::Machine(CrashDisk disk) : disk_(std::move(disk)), clock_(noon(25)) {}

std::unique_ptr<SqliteLedger> Machine::ledger(uint64_t longest_log) {
  LedgerFileOptions options;
  options.busy_timeout = std::chrono::milliseconds(0);
  options.vfs = vfs_.name();
  options.lock_path = lock_folder() + "/lock";
  options.longest_log = longest_log;
  return std::make_unique<SqliteLedger>(kLedgerPath, files_, clock_, options);
}

Result<sqlite::Database> Machine::database() {
  sqlite::OpenOptions options;
  options.mode = sqlite::OpenMode::kReadWrite;
  options.busy_timeout = std::chrono::milliseconds(0);
  options.checkpoint_on_close = false;
  options.vfs = vfs_.name();
  return sqlite::Database::open(kLedgerPath, options);
}

bool append_known_run(Ledger& ledger, const std::string& run_id, Witness& witness) {
  const auto key =
      ledger.append_run(sample_run(run_id, start_of(run_id)),
                        sample_decisions(decisions_of_run(run_id), run_id), sample_calls(2, run_id));
  if (key.ok()) witness.runs[run_id] = *key;
  return key.ok();
}

std::vector<std::string> violations_on(const CrashDisk& disk, const Witness& witness) {
  return Check(disk, witness).run();
}

Verdict cut_power_everywhere(const std::function<CrashDisk()>& disk,
                             const std::function<void(Machine&, Witness&)>& work, const Witness& before,
                             size_t tried_in_full) {
  Verdict verdict;
  for (uint64_t nth = 1; verdict.violations.size() < kEnoughViolations; ++nth) {
    Witness witness = before;
    Machine machine(disk());
    machine.disk().cut_power_at(nth);
    work(machine, witness);
    std::set<size_t> seen;
    const auto look = [&](Loss loss, uint64_t seed) {
      const CrashDisk found = machine.disk().after_power_loss(loss, seed);
      if (!seen.insert(found.fingerprint()).second) return;  // several models leave the same disk
      ++verdict.disks;
      for (const std::string& violation : violations_on(found, witness)) {
        verdict.violations.push_back(fmt::format("power cut at {}, model {}, seed {}: {}", nth,
                                                 static_cast<int>(loss), seed, violation));
      }
    };
    look(Loss::kNothingKept, 0);
    look(Loss::kAllKept, 0);
    for (uint64_t i = 0; i < kPrefixes; ++i) look(Loss::kPrefixKept, mixed(nth, i));
    for (uint64_t i = 0; i < kMixtures; ++i) look(Loss::kSectorsKept, mixed(nth, i));
    const size_t unsynced = machine.disk().unsynced();
    if (unsynced <= tried_in_full) {
      for (uint64_t bits = 0; bits < uint64_t{1} << unsynced; ++bits) look(Loss::kSomeKept, bits);
    } else {
      for (uint64_t i = 0; i < kMixtures; ++i) look(Loss::kSomeKept, mixed(nth, i));
    }
    if (!machine.disk().off())
      return verdict;  // the work was done before; what it left has been looked at too
    ++verdict.crashes;
  }
  return verdict;
}

}  // namespace knapsack::testing
