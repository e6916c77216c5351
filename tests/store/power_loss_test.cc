// Promise 7: a crash loses nothing acknowledged, at any instruction, and leaves a ledger that the next run
// opens.
#include <fmt/format.h>

#include "store/ledger/ledger_schema.h"
#include "store/sqlite/migrations.h"
#include "support/support.h"
#include "support_crash_check.h"
#include "support_rows.h"

namespace knapsack::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

// Everything a ledger does in its life but prune: it is created, appended to, closed with its log left over,
// opened again, checkpointed in part (so that the log is then written from its start again) and in full.
void live_through(Machine& machine, Witness& witness) {
  {
    const auto ledger = machine.ledger();
    if (!append_known_run(*ledger, "old", witness)) return;
    if (!append_known_run(*ledger, "new1", witness)) return;
    if (!ledger->append_delivery("session", witness.runs["old"].sequence, noon(6)).ok()) return;
    witness.deliveries["session"] = noon(6);
  }
  const auto ledger = machine.ledger();
  if (!append_known_run(*ledger, "old and longer", witness)) return;
  {
    auto database = machine.database();
    if (!database.ok() || !database->execute("PRAGMA wal_checkpoint(PASSIVE)").ok()) return;
  }
  if (!append_known_run(*ledger, "new2", witness)) return;
  if (!ledger->append_index_run(sample_index_run("snapshot", noon(20))).ok()) return;
  ++witness.index_runs;
  {
    auto database = machine.database();
    if (!database.ok() || !database->checkpoint().ok()) return;
  }
  if (!append_known_run(*ledger, "new and much longer", witness)) return;
  if (!ledger->append_enrichment(sample_enrichment("blob", "model", "answer", noon(20))).ok()) return;
  witness.enrichments["blob"] = "answer";
}

// A disk on which all of the above has happened and has been acknowledged.
struct Lived {
  CrashDisk disk;
  Witness witness;
};
Lived a_life(Honesty honesty = Honesty::kHonest) {
  Witness witness;
  Machine machine{CrashDisk(honesty)};
  live_through(machine, witness);
  EXPECT_EQ(witness.runs.size(), 5u);
  return {machine.disk().after_power_loss(Loss::kAllKept, 1), witness};
}

TEST(PowerLoss, LosesNothingAcknowledgedAtAnyOperation) {
  const Verdict verdict = cut_power_everywhere([] { return CrashDisk(); }, live_through);
  EXPECT_THAT(verdict.violations, IsEmpty());
  EXPECT_GT(verdict.crashes, 100u);
  fmt::print("{} power cuts, {} disks looked at\n", verdict.crashes, verdict.disks);
}

TEST(PowerLoss, WhileTheLogIsFoldedInAfterAnAppendLosesNothing) {
  const auto fold_after_each = [](Machine& machine, Witness& witness) {
    for (const char* run_id : {"old", "new1", "new and much longer"}) {
      if (!append_known_run(*machine.ledger(0), run_id, witness)) return;
    }
    if (machine.disk().off()) return;  // in the middle of the last fold, which nobody waits for
    EXPECT_EQ(machine.disk().find(std::string(kLedgerPath) + "-wal")->bytes.size(), 0u);
  };
  const Verdict verdict = cut_power_everywhere([] { return CrashDisk(); }, fold_after_each);
  EXPECT_THAT(verdict.violations, IsEmpty());
  EXPECT_GT(verdict.crashes, 60u);
  fmt::print("{} power cuts, {} disks looked at\n", verdict.crashes, verdict.disks);
}

TEST(PowerLoss, DuringRecoveryLosesNothingEither) {
  Witness whole;
  Machine machine{CrashDisk()};
  live_through(machine, whole);
  const uint64_t operations = machine.disk().operations();
  uint64_t crashes = 0;
  for (const auto& [nth, loss] :
       {std::pair(operations / 20, Loss::kAllKept), std::pair(operations / 3, Loss::kSectorsKept),
        std::pair(operations / 2, Loss::kAllKept), std::pair(operations * 3 / 4, Loss::kSectorsKept),
        std::pair(operations - 1, Loss::kNothingKept)}) {
    Witness before;
    Machine first{CrashDisk()};
    first.disk().cut_power_at(nth);
    live_through(first, before);
    const CrashDisk found = first.disk().after_power_loss(loss, nth);
    const Verdict verdict = cut_power_everywhere(
        [&found] { return found; },
        [](Machine& again, Witness& seen) { append_known_run(*again.ledger(), "again", seen); }, before);
    EXPECT_THAT(verdict.violations, IsEmpty()) << "first cut at " << nth;
    crashes += verdict.crashes;
  }
  EXPECT_GT(crashes, 50u);
}

// Cuts the power at every operation of a prune of what a life left on such a disk.
Verdict prune_under_power_cuts(Honesty honesty) {
  const Lived lived = a_life(honesty);
  Witness before = lived.witness;
  before.prune_tried = true;
  before.deliveries.clear();  // the delivery of an old run goes with the run
  const auto prune = [](Machine& machine, Witness& witness) {
    const auto report = machine.ledger()->prune(kPruneTime);
    if (!report.ok()) return;
    witness.pruned = true;
    EXPECT_EQ(report->runs_removed, 2);
    EXPECT_EQ(report->runs_kept, 3);
  };
  return cut_power_everywhere([&lived] { return lived.disk; }, prune, before, 7);
}

TEST(PowerLoss, DuringPruneLosesNothingThatIsKept) {
  const Verdict verdict = prune_under_power_cuts(Honesty::kHonest);
  EXPECT_THAT(verdict.violations, IsEmpty());
  EXPECT_GT(verdict.crashes, 40u);
  fmt::print("{} power cuts, {} disks looked at\n", verdict.crashes, verdict.disks);
}

TEST(PowerLoss, DuringAMigrationLeavesOneVersionOrTheOther) {
  const Lived lived = a_life();
  const std::string next_version =
      "ALTER TABLE runs ADD COLUMN note TEXT; CREATE TABLE notes (run INTEGER, note TEXT);"
      " INSERT INTO notes SELECT sequence, run_id FROM runs";
  std::vector<const char*> versions(ledger_schema().versions.begin(), ledger_schema().versions.end());
  versions.push_back(next_version.c_str());
  const sqlite::Schema newer{"ledger", ledger_schema().application_id, versions};
  uint64_t crashes = 0;
  for (uint64_t nth = 1;; ++nth) {
    Machine machine(lived.disk);
    machine.disk().cut_power_at(nth);
    bool acknowledged = false;
    {
      auto database = machine.database();
      acknowledged = database.ok() && sqlite::migrate(*database, newer).ok();
    }
    for (const Loss loss :
         {Loss::kNothingKept, Loss::kAllKept, Loss::kPrefixKept, Loss::kSomeKept, Loss::kSectorsKept}) {
      Machine found(machine.disk().after_power_loss(loss, nth));
      auto database = found.database();
      ASSERT_OK(database);
      const int64_t version = *database->integer("PRAGMA user_version");
      const int64_t tables = *database->integer("SELECT count(*) FROM sqlite_schema WHERE name = 'notes'");
      EXPECT_EQ(version, static_cast<int64_t>(ledger_schema().versions.size()) + tables) << "cut at " << nth;
      if (acknowledged) {
        EXPECT_EQ(tables, 1) << "cut at " << nth;
      }
      ASSERT_OK(sqlite::migrate(*database, newer));
      EXPECT_EQ(*database->integer("SELECT count(*) FROM notes"), 5);
      EXPECT_EQ(
          *database->integer("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
    }
    if (!machine.disk().off()) break;
    ++crashes;
  }
  EXPECT_GT(crashes, 5u);
}

TEST(DiskError, AtAnyOperationCostsOnlyTheCallThatMetIt) {
  const auto runs = {"old", "new1", "old and longer", "new2", "new and much longer"};
  for (uint64_t nth = 1;; ++nth) {
    Witness witness;
    Machine machine{CrashDisk()};
    machine.disk().fail_once_at(nth);
    {
      const auto ledger = machine.ledger();
      for (const char* run_id : runs) {
        append_known_run(*ledger, run_id, witness);
        if (std::string_view(run_id) == "new1") {
          auto database = machine.database();
          if (database.ok()) (void)database->checkpoint();
        }
      }
    }
    const CrashDisk found = machine.disk().after_power_loss(Loss::kNothingKept, nth);
    ASSERT_THAT(violations_on(found, witness), IsEmpty()) << "failed at " << nth;
    ASSERT_GE(witness.runs.size() + 1, runs.size()) << "failed at " << nth;
    if (machine.disk().operations() < nth) {
      EXPECT_EQ(witness.runs.size(), runs.size());
      EXPECT_GT(nth, 100u);
      break;
    }
  }
}

TEST(DiskError, DuringPruneLeavesTheLedgerAndCanBeTriedAgain) {
  const Lived lived = a_life();
  Witness witness = lived.witness;
  witness.prune_tried = true;
  witness.deliveries.clear();
  for (uint64_t nth = 1;; ++nth) {
    Machine machine(lived.disk);
    machine.disk().fail_once_at(nth);
    const bool first = machine.ledger()->prune(kPruneTime).ok();
    const bool met = machine.disk().operations() >= nth;
    machine.disk().fail_once_at(0);
    ASSERT_THAT(violations_on(machine.disk(), witness), IsEmpty()) << "failed at " << nth;
    ASSERT_OK(machine.ledger()->prune(kPruneTime));
    EXPECT_EQ(machine.ledger()->list_runs({})->size(), 3u);
    EXPECT_EQ(machine.disk().find(std::string(kLedgerPath) + ".pruning"), nullptr);
    if (!met) {
      EXPECT_TRUE(first);
      EXPECT_GT(nth, 40u);
      break;
    }
  }
}

// The same work and the same check on disks that lie: were these silent, the tests above would mean nothing.

TEST(PowerLossHarness, NoticesADiskThatForgetsToSync) {
  const Verdict verdict =
      cut_power_everywhere([] { return CrashDisk(Honesty::kForgetsSyncs); }, live_through);
  EXPECT_THAT(verdict.violations, Not(IsEmpty()));
}

TEST(PowerLossHarness, NoticesADiskThatForgetsToSyncTheFolder) {
  const Verdict verdict =
      cut_power_everywhere([] { return CrashDisk(Honesty::kForgetsFolderSyncs); }, live_through);
  EXPECT_THAT(verdict.violations, Not(IsEmpty()));
}

TEST(PowerLossHarness, NoticesAPruneWhoseRenamesAreNotSynced) {
  EXPECT_THAT(prune_under_power_cuts(Honesty::kForgetsFolderSyncs).violations, Not(IsEmpty()));
}

}  // namespace
}  // namespace knapsack::testing
