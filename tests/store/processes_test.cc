// Several processes on one real raw.db: killed at any moment, appending at once, pruning meanwhile.
#include <unistd.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "store/ledger/sqlite_ledger.h"
#include "support/support.h"
#include "support_processes.h"
#include "support_rows.h"

namespace knapsack {
namespace {

using namespace testing;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

constexpr size_t kDecisions = 40;

class LedgerProcesses : public ::testing::Test {
 protected:
  Result<RunKey> append(Ledger& ledger, const std::string& run_id, Timestamp started = noon(5)) {
    return ledger.append_run(sample_run(run_id, started), sample_decisions(kDecisions, run_id), {});
  }
  std::unique_ptr<SqliteLedger> ledger(milliseconds busy_timeout = milliseconds(5000)) {
    return std::make_unique<SqliteLedger>(folder_.file("raw.db"), *files_, clock_,
                                          LedgerFileOptions{busy_timeout, "", ""});
  }
  // Every acknowledged run is there, and every run that is there is whole.
  void expect_all_there(const std::set<std::string>& acknowledged) {
    const auto found = ledger();
    const auto runs = found->list_runs({.limit = 1'000'000});
    ASSERT_OK(runs);
    std::set<std::string> seen;
    std::set<int64_t> sequences;
    for (const StoredRun& run : *runs) {
      seen.insert(run.record.run_id);
      sequences.insert(run.key.sequence);
      const auto decisions = found->decisions_of(run.key.sequence);
      ASSERT_OK(decisions);
      ASSERT_EQ(*decisions, sample_decisions(kDecisions, run.record.run_id));
    }
    EXPECT_EQ(sequences.size(), runs->size());
    for (const std::string& run_id : acknowledged)
      EXPECT_TRUE(seen.contains(run_id)) << run_id << " was lost";
  }
  void expect_sound() {
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kReadWrite;
    options.checkpoint_on_close = false;
    auto database = sqlite::Database::open(folder_.file("raw.db"), options);
    ASSERT_OK(database);
    auto check = database->prepare("PRAGMA integrity_check");
    ASSERT_OK(check);
    ASSERT_TRUE(*check->step());
    EXPECT_EQ(check->text(0), "ok");
  }

  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
  FixedClock clock_{noon(15)};
};

TEST_F(LedgerProcesses, KilledAtAnyMomentLoseNothingAcknowledged) {
  std::mt19937 random(20261115);
  std::set<std::string> acknowledged;
  for (int round = 0; round < 50; ++round) {
    ChildProcess child([&](const Report& report) {
      const auto mine = ledger();
      for (int i = 0; i < 1000; ++i) {
        const std::string run_id = std::to_string(round) + "-" + std::to_string(i);
        if (!append(*mine, run_id).ok()) return false;
        report(run_id);
        // Now and then the log is folded in or the file replaced: these are killed as well.
        if (i % 7 == 6 && !mine->prune(noon(1)).ok()) return false;
      }
      return true;
    });
    ASSERT_TRUE(child.wait_for_line()) << "round " << round;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    child.kill_now();
    for (const std::string& run_id : child.finish()) acknowledged.insert(run_id);
  }
  EXPECT_GT(acknowledged.size(), 50u);
  expect_all_there(acknowledged);
  expect_sound();
  EXPECT_OK(append(*ledger(), "after all that"));
}

// As `knapsack agent` does it: open, append, end. Nobody is there to fold the log in later.
TEST_F(LedgerProcesses, ThatAppendOnceEachKeepTheLogShort) {
  const auto log_size = [&] { return std::filesystem::file_size(folder_.file("raw.db-wal")); };
  const uint64_t longest = LedgerFileOptions().longest_log;
  std::set<std::string> acknowledged;
  uint64_t largest = 0;
  int folded = 0;
  for (int i = 0; i < 100; ++i) {
    const uint64_t before = i == 0 ? 0 : log_size();
    const std::string run_id = std::to_string(i);
    ASSERT_OK(append(*ledger(), run_id));
    acknowledged.insert(run_id);
    largest = std::max<uint64_t>(largest, log_size());
    folded += log_size() < before ? 1 : 0;
  }
  EXPECT_LE(largest, longest);
  EXPECT_GE(folded, 1);
  EXPECT_LE(folded, 20) << "a sync more for each run";
  expect_all_there(acknowledged);
  expect_sound();
}

TEST_F(LedgerProcesses, AReaderThatLooksOnDoesNotHoldAnAppendUp) {
  LedgerFileOptions options;
  options.longest_log = 0;
  SqliteLedger writer(folder_.file("raw.db"), *files_, clock_, options);
  ASSERT_OK(append(writer, "one"));
  sqlite::OpenOptions reading;
  reading.mode = sqlite::OpenMode::kReadWrite;
  auto reader = sqlite::Database::open(folder_.file("raw.db"), reading);
  ASSERT_OK(reader);
  auto view = sqlite::Transaction::begin_read(*reader);
  ASSERT_OK(view);
  ASSERT_EQ(*reader->integer("SELECT count(*) FROM runs"), 1);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_OK(append(writer, "two"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, options.busy_timeout / 2);
  EXPECT_EQ(*reader->integer("SELECT count(*) FROM runs"), 1);
}

TEST_F(LedgerProcesses, FourAppendAtOnceAndNothingIsLost) {
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int number = 0; number < 4; ++number) {
    children.push_back(std::make_unique<ChildProcess>([&](const Report& report) {
      auto mine = ledger();
      for (int i = 0; i < 50; ++i) {
        if (i % 10 == 0) mine = ledger();  // opening and closing compete as well, the creation above all
        const std::string run_id = std::to_string(number) + "-" + std::to_string(i);
        const auto key = append(*mine, run_id);
        if (!key.ok()) {
          report("refused: " + key.error().line());
          return false;
        }
        report(run_id);
      }
      return true;
    }));
  }
  std::set<std::string> acknowledged;
  for (const auto& child : children) {
    const auto lines = child->finish();
    EXPECT_TRUE(child->succeeded()) << (lines.empty() ? "" : lines.back());
    acknowledged.insert(lines.begin(), lines.end());
  }
  EXPECT_EQ(acknowledged.size(), 200u);
  expect_all_there(acknowledged);
  EXPECT_EQ(ledger()->list_runs({.limit = 1000})->size(), 200u);
  expect_sound();
}

TEST_F(LedgerProcesses, RepeatsAreNumberedOnceAmongAll) {
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int number = 0; number < 3; ++number) {
    children.push_back(std::make_unique<ChildProcess>([&](const Report& report) {
      const auto mine = ledger();
      for (int i = 0; i < 10; ++i) {
        const auto key = append(*mine, "same");
        if (!key.ok()) return false;
        report(std::to_string(key->repeat));
      }
      return true;
    }));
  }
  std::set<std::string> repeats;
  for (const auto& child : children) {
    for (const std::string& repeat : child->finish()) repeats.insert(repeat);
    EXPECT_TRUE(child->succeeded());
  }
  EXPECT_EQ(repeats.size(), 30u);
  EXPECT_TRUE(repeats.contains("30"));
}

TEST_F(LedgerProcesses, PruningWhileOthersAppendLosesNothing) {
  ASSERT_OK(append(*ledger(), "old", noon(1)));
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int number = 0; number < 2; ++number) {
    children.push_back(std::make_unique<ChildProcess>([&](const Report& report) {
      for (int i = 0; i < 40; ++i) {
        const std::string run_id = std::to_string(number) + "-" + std::to_string(i);
        const auto key = append(*ledger(), run_id);  // opened for each, as separate commands would
        if (!key.ok()) {
          report("refused: " + key.error().line());
          return false;
        }
        report(run_id);
      }
      return true;
    }));
  }
  const auto pruner = ledger();
  int64_t removed = 0;
  for (int i = 0; i < 10; ++i) {
    const auto report = pruner->prune(noon(3));
    ASSERT_OK(report);
    removed += report->runs_removed;
  }
  EXPECT_EQ(removed, 1);
  std::set<std::string> acknowledged;
  for (const auto& child : children) {
    const auto lines = child->finish();
    EXPECT_TRUE(child->succeeded()) << (lines.empty() ? "" : lines.back());
    acknowledged.insert(lines.begin(), lines.end());
  }
  EXPECT_EQ(acknowledged.size(), 80u);
  expect_all_there(acknowledged);
  expect_sound();
}

TEST_F(LedgerProcesses, ThatMeetTheSameDamageMoveItAsideOnce) {
  for (int round = 0; round < 6; ++round) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::filesystem::remove(entry.path());
    }
    // In turn a file that is no database, and a log without its database.
    folder_.write(round % 2 == 0 ? "raw.db" : "raw.db-wal", "not what it should be");
    std::vector<std::unique_ptr<ChildProcess>> children;
    for (int number = 0; number < 3; ++number) {
      children.push_back(std::make_unique<ChildProcess>([&](const Report& report) {
        for (int tries = 0; tries < 5; ++tries) {
          const auto key = append(*ledger(), std::to_string(number));
          if (key.ok()) {
            report(std::to_string(number));
            return true;
          }
          report(key.error().line());
          if (key.error().code != ErrorCode::kCorrupt) return false;
        }
        return false;
      }));
    }
    for (const auto& child : children) {
      const auto lines = child->finish();
      EXPECT_TRUE(child->succeeded()) << ::testing::PrintToString(lines);
    }
    expect_all_there({"0", "1", "2"});
    int moved = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      moved += entry.path().filename().string().find("damaged") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(moved, 1);
  }
}

TEST_F(LedgerProcesses, PruneWaitsForOthersAndThenSaysThatTheLedgerIsBusy) {
  const auto other = ledger();
  ASSERT_OK(append(*other, "a"));
  const auto pruner = ledger(milliseconds(100));
  const auto start = std::chrono::steady_clock::now();
  const auto refused = pruner->prune(noon(9));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
  EXPECT_THAT(refused.error().line(), HasSubstr("try again"));
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(100));
  expect_all_there({"a"});
}

TEST_F(LedgerProcesses, PruneIsRefusedWhileAnotherProgramHasTheFileOpen) {
  ASSERT_OK(append(*ledger(), "a"));
  sqlite::OpenOptions options;
  options.mode = sqlite::OpenMode::kReadWrite;
  auto foreign = sqlite::Database::open(folder_.file("raw.db"), options);
  ASSERT_OK(foreign);
  ASSERT_OK(foreign->integer("SELECT count(*) FROM runs"));
  const auto refused = ledger(milliseconds(50))->prune(noon(9));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
  expect_all_there({"a"});
}

TEST_F(LedgerProcesses, WhatAnInterruptedPruneLeftIsNotInTheWay) {
  ASSERT_OK(append(*ledger(), "old", noon(1)));
  ASSERT_OK(append(*ledger(), "new", noon(5)));
  for (const char* leftover :
       {"raw.db.pruning", "raw.db.pruning-journal", "raw.db.pruning-wal", "raw.db.pruned"}) {
    folder_.write(leftover, "half a file");
  }
  const auto report = ledger()->prune(noon(3));
  ASSERT_OK(report);
  EXPECT_EQ(report->runs_removed, 1);
  expect_all_there({"new"});
  EXPECT_FALSE(folder_.exists("raw.db.pruning"));
  EXPECT_FALSE(folder_.exists("raw.db.pruned"));
}

TEST_F(LedgerProcesses, PruningShrinksTheFileAndKeepsItPrivate) {
  {
    const auto mine = ledger();
    for (int i = 0; i < 60; ++i) ASSERT_OK(append(*mine, std::to_string(i), i < 55 ? noon(1) : noon(9)));
  }
  const auto report = ledger()->prune(noon(5));
  ASSERT_OK(report);
  EXPECT_EQ(report->runs_removed, 55);
  EXPECT_EQ(report->runs_kept, 5);
  EXPECT_LT(report->bytes_after * 3, report->bytes_before);
  EXPECT_EQ(static_cast<uintmax_t>(report->bytes_after), std::filesystem::file_size(folder_.file("raw.db")));
  const auto permissions = std::filesystem::status(folder_.file("raw.db")).permissions();
  EXPECT_EQ(permissions, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(std::filesystem::status(folder_.file("raw.db.lock")).permissions(), permissions);
}

}  // namespace
}  // namespace knapsack
