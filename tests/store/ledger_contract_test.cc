// The contract of the Store seam, asked of every form of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <thread>

#include "store/ledger/ledger.h"
#include "store/ledger/sqlite_ledger.h"
#include "support/support.h"
#include "support_rows.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::string_literals;
using testing::noon;
using testing::sample_calls;
using testing::sample_decisions;
using testing::sample_enrichment;
using testing::sample_index_run;
using testing::sample_outcome;
using testing::sample_run;

// A form of the ledger with whatever it stands on.
class World {
 public:
  virtual ~World() = default;
  virtual Ledger& ledger() = 0;
};

class SqliteWorld final : public World {
 public:
  Ledger& ledger() override { return ledger_; }

 private:
  testing::TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
  FixedClock clock_{noon(15)};
  SqliteLedger ledger_{folder_.file("raw.db"), *files_, clock_};
};

struct Form {
  const char* name;
  std::unique_ptr<World> (*make)();
};

class LedgerContract : public ::testing::TestWithParam<Form> {
 protected:
  RunKey append(const RunRecord& run) {
    const auto key = ledger().append_run(run, {}, {});
    EXPECT_OK(key);
    return key.ok() ? *key : RunKey{};
  }
  std::vector<std::string> listed(const RunFilter& filter) {
    const auto runs = ledger().list_runs(filter);
    EXPECT_OK(runs);
    std::vector<std::string> ids;
    for (const StoredRun& run : *runs) ids.push_back(run.record.run_id);
    return ids;
  }
  Ledger& ledger() { return world_->ledger(); }

 private:
  std::unique_ptr<World> world_ = GetParam().make();
};

INSTANTIATE_TEST_SUITE_P(
    Forms, LedgerContract,
    ::testing::Values(Form{"sqlite", [] { return std::unique_ptr<World>(std::make_unique<SqliteWorld>()); }}),
    [](const auto& form) { return form.param.name; });

TEST_P(LedgerContract, AnEmptyLedgerAnswersEveryQuestion) {
  EXPECT_TRUE(ledger().list_runs({})->empty());
  EXPECT_TRUE(ledger().decisions_of(1)->empty());
  EXPECT_TRUE(ledger().model_calls_of(1)->empty());
  EXPECT_FALSE(ledger().last_delivery("session")->has_value());
  EXPECT_TRUE(ledger().list_index_runs(10)->empty());
  EXPECT_FALSE(ledger().find_enrichment("blob", "model")->has_value());
  EXPECT_EQ(ledger().find_run("latest").error().code, ErrorCode::kNotFound);
  EXPECT_OK(ledger().prune(noon(1)));
}

TEST_P(LedgerContract, ARunComesBackAsItWasGiven) {
  const auto decisions = sample_decisions(25);
  const auto calls = sample_calls(3);
  const auto key = ledger().append_run(sample_run("abc"), decisions, calls);
  ASSERT_OK(key);
  EXPECT_EQ(*key, (RunKey{1, 1}));
  EXPECT_EQ(ledger().find_run("abc")->record, sample_run("abc"));
  EXPECT_EQ(ledger().find_run("abc")->key, *key);
  EXPECT_EQ(*ledger().decisions_of(key->sequence), decisions);
  EXPECT_EQ(*ledger().model_calls_of(key->sequence), calls);
}

TEST_P(LedgerContract, EmptyFieldsAndStrangeBytesAreKept) {
  RunRecord run;
  run.run_id = "plain";
  ASSERT_EQ(append(run).sequence, 1);
  EXPECT_EQ(ledger().find_run("plain")->record, run);

  Decision decision;
  decision.candidate_id = "nul \0 invalid \xff\xfe line\nbreak 'quote'"s;
  decision.score = -std::numeric_limits<double>::infinity();
  decision.tokens = std::numeric_limits<int64_t>::max();
  const auto key = ledger().append_run(sample_run("odd"), std::vector{decision}, {});
  ASSERT_OK(key);
  EXPECT_EQ(*ledger().decisions_of(key->sequence), std::vector{decision});
}

TEST_P(LedgerContract, AScoreThatIsNotANumberStaysOne) {
  Decision decision;
  decision.score = std::numeric_limits<double>::quiet_NaN();
  const auto key = ledger().append_run(sample_run("odd"), std::vector{decision}, {});
  ASSERT_OK(key);
  EXPECT_TRUE(std::isnan(ledger().decisions_of(key->sequence)->at(0).score));
}

TEST_P(LedgerContract, WhatARunHandedOutIsKeptByteForByte) {
  std::string output = "# Context\n\0 \xff ünïcode\n"s;
  for (int i = 0; i < 1000; ++i) output += fmt::format("line {}\n", i * 7919 % 1000);
  const auto key = ledger().append_run(sample_run("a"), {}, {}, output);
  ASSERT_OK(key);
  const auto kept = ledger().output_of(key->sequence);
  ASSERT_OK(kept);
  EXPECT_EQ(*kept, output);
  const RunKey silent = append(sample_run("b"));
  EXPECT_EQ(*ledger().output_of(silent.sequence), std::nullopt);
  EXPECT_EQ(*ledger().output_of(999), std::nullopt);
}

TEST_P(LedgerContract, PruningRemovesTheOutputsOfOldRunsAndKeepsTheOthers) {
  RunRecord old = sample_run("old");
  old.started = noon(1);
  RunRecord recent = sample_run("recent");
  recent.started = noon(14);
  const auto gone = ledger().append_run(old, {}, {}, "an old packet");
  const auto stays = ledger().append_run(recent, {}, {}, "a recent packet");
  ASSERT_OK(gone);
  ASSERT_OK(stays);
  ASSERT_OK(ledger().prune(noon(10)));
  EXPECT_EQ(*ledger().output_of(gone->sequence), std::nullopt);
  EXPECT_EQ(*ledger().output_of(stays->sequence), "a recent packet");
}

TEST_P(LedgerContract, RepeatsOfARunAreNumbered) {
  EXPECT_EQ(append(sample_run("a")), (RunKey{1, 1}));
  EXPECT_EQ(append(sample_run("b")), (RunKey{2, 1}));
  EXPECT_EQ(append(sample_run("a")), (RunKey{3, 2}));
  EXPECT_EQ(append(sample_run("a")), (RunKey{4, 3}));
}

TEST_P(LedgerContract, RunsAreListedNewestFirst) {
  for (const char* id : {"a", "b", "c", "d"}) append(sample_run(id));
  EXPECT_THAT(listed({}), ElementsAre("d", "c", "b", "a"));
  EXPECT_THAT(listed({.limit = 2}), ElementsAre("d", "c"));
  EXPECT_TRUE(listed({.limit = 0}).empty());
  EXPECT_TRUE(listed({.limit = -1}).empty());
}

TEST_P(LedgerContract, AListCanBeNarrowed) {
  RunRecord recall = sample_run("recall", noon(2));
  recall.command = "recall";
  recall.status = RunStatus::kEmpty;
  append(sample_run("early", noon(1)));
  append(recall);
  append(sample_run("late", noon(3)));
  EXPECT_THAT(listed({.command = "recall"}), ElementsAre("recall"));
  EXPECT_THAT(listed({.task_id = "task of early"}), ElementsAre("early"));
  EXPECT_THAT(listed({.status = RunStatus::kDegraded}), ElementsAre("late", "early"));
  EXPECT_THAT(listed({.after = noon(2)}), ElementsAre("late", "recall"));
  EXPECT_THAT(listed({.before = noon(2)}), ElementsAre("early"));
  EXPECT_THAT(listed({.command = "pack", .after = noon(1), .before = noon(3)}), ElementsAre("early"));
  EXPECT_TRUE(listed({.command = "no such command"}).empty());
}

TEST_P(LedgerContract, ARunIsFoundByIdPrefixSequenceOrLatest) {
  append(sample_run("abc1"));
  append(sample_run("abd2"));
  append(sample_run("7777"));
  EXPECT_EQ(ledger().find_run("abc1")->key.sequence, 1);
  EXPECT_EQ(ledger().find_run("abd")->key.sequence, 2);
  EXPECT_EQ(ledger().find_run("latest")->key.sequence, 3);
  EXPECT_EQ(ledger().find_run("2")->key.sequence, 2);
  EXPECT_EQ(ledger().find_run("777")->key.sequence, 3) << "digits that are no sequence are a prefix";
}

TEST_P(LedgerContract, AnIdWinsOverASequenceAndASequenceOverAPrefix) {
  append(sample_run("2"));
  append(sample_run("10"));
  append(sample_run("3abc"));
  append(sample_run("other"));
  EXPECT_EQ(ledger().find_run("2")->key.sequence, 1);
  EXPECT_EQ(ledger().find_run("3")->key.sequence, 3);
  EXPECT_EQ(ledger().find_run("1")->key.sequence, 1);
}

TEST_P(LedgerContract, AnIdThatBeginsAnotherIsStillFound) {
  append(sample_run("abc"));
  append(sample_run("abcdef"));
  EXPECT_EQ(ledger().find_run("abc")->key.sequence, 1);
}

TEST_P(LedgerContract, OfRepeatsTheNewestIsFound) {
  append(sample_run("abc"));
  append(sample_run("abc"));
  EXPECT_EQ(ledger().find_run("ab")->key, (RunKey{2, 2}));
  EXPECT_EQ(ledger().find_run("abc")->key, (RunKey{2, 2}));
  EXPECT_EQ(ledger().find_run("1")->key, (RunKey{1, 1}));
}

TEST_P(LedgerContract, AnAmbiguousPrefixNamesTheRunsItCouldMean) {
  append(sample_run("abc1"));
  append(sample_run("abd2"));
  const auto found = ledger().find_run("ab");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kUsage);
  EXPECT_THAT(found.error().line(), HasSubstr("abc1, abd2;"));

  for (const char* id : {"abe", "abf", "abg", "abh"}) append(sample_run(id));
  EXPECT_THAT(ledger().find_run("ab").error().line(), HasSubstr("abc1, abd2, abe, abf, abg, …;"));
}

TEST_P(LedgerContract, AnUnknownRunSaysHowToListThem) {
  append(sample_run("abc"));
  for (const char* selector : {"xyz", "99", "abcd", "%", "a_c", "-1", "18446744073709551617"}) {
    const auto found = ledger().find_run(selector);
    ASSERT_FALSE(found.ok()) << selector;
    EXPECT_EQ(found.error().code, ErrorCode::kNotFound) << selector;
    EXPECT_THAT(found.error().next, HasSubstr("knapsack runs"));
  }
  EXPECT_EQ(ledger().find_run("").error().code, ErrorCode::kUsage);
  EXPECT_FALSE(ledger().find_run("\xff").ok());
}

TEST_P(LedgerContract, TheLastDeliveryOfASessionIsKnown) {
  const int64_t run = append(sample_run("a")).sequence;
  ASSERT_OK(ledger().append_delivery("ada", run, noon(2)));
  ASSERT_OK(ledger().append_delivery("bob", run, noon(9)));
  ASSERT_OK(ledger().append_delivery("ada", run, noon(3)));
  EXPECT_EQ(*ledger().last_delivery("ada"), noon(3));
  EXPECT_EQ(*ledger().last_delivery("bob"), noon(9));
  EXPECT_FALSE(ledger().last_delivery("eve")->has_value());
}

TEST_P(LedgerContract, OnlyAStoredRunCanBeDelivered) {
  EXPECT_EQ(ledger().append_delivery("ada", 1, noon(2)).error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(ledger().last_delivery("ada")->has_value());
}

TEST_P(LedgerContract, IndexRunsAreListedNewestFirst) {
  ASSERT_OK(ledger().append_index_run(sample_index_run("one")));
  ASSERT_OK(ledger().append_index_run(sample_index_run("two")));
  EXPECT_THAT(*ledger().list_index_runs(10), ElementsAre(sample_index_run("two"), sample_index_run("one")));
  EXPECT_THAT(*ledger().list_index_runs(1), ElementsAre(sample_index_run("two")));
}

TEST_P(LedgerContract, TheNewestEnrichmentOfABlobByAModelIsFound) {
  for (const char* answer : {"first", "second"}) {
    ASSERT_OK(ledger().append_enrichment(sample_enrichment("blob", "large", answer)));
  }
  ASSERT_OK(ledger().append_enrichment(sample_enrichment("blob", "small", "third")));
  EXPECT_EQ(*ledger().find_enrichment("blob", "large"), sample_enrichment("blob", "large", "second"));
  EXPECT_EQ(*ledger().find_enrichment("blob", "small"), sample_enrichment("blob", "small", "third"));
  EXPECT_FALSE(ledger().find_enrichment("other", "large")->has_value());
}

TEST_P(LedgerContract, PruningRemovesOldRunsWithAllThatIsTheirs) {
  const auto old_key = ledger().append_run(sample_run("old", noon(1)), sample_decisions(4), sample_calls(2));
  ASSERT_OK(ledger().append_delivery("ada", old_key->sequence, noon(1)));
  const auto decisions = sample_decisions(6, "new");
  const auto calls = sample_calls(1, "new");
  const auto new_key = ledger().append_run(sample_run("new", noon(5)), decisions, calls);
  ASSERT_OK(ledger().append_delivery("bob", new_key->sequence, noon(5)));
  ASSERT_OK(ledger().append_index_run(sample_index_run("old", noon(1))));
  ASSERT_OK(ledger().append_index_run(sample_index_run("new", noon(5))));

  const auto report = ledger().prune(noon(5));
  ASSERT_OK(report);
  EXPECT_EQ(report->runs_removed, 1);
  EXPECT_EQ(report->runs_kept, 1);
  EXPECT_THAT(listed({}), ElementsAre("new"));
  EXPECT_TRUE(ledger().decisions_of(old_key->sequence)->empty());
  EXPECT_TRUE(ledger().model_calls_of(old_key->sequence)->empty());
  EXPECT_FALSE(ledger().last_delivery("ada")->has_value());
  EXPECT_EQ(*ledger().decisions_of(new_key->sequence), decisions);
  EXPECT_EQ(*ledger().model_calls_of(new_key->sequence), calls);
  EXPECT_EQ(ledger().find_run("new")->record, sample_run("new", noon(5)));
  EXPECT_EQ(*ledger().last_delivery("bob"), noon(5));
  EXPECT_THAT(*ledger().list_index_runs(10), ElementsAre(sample_index_run("new", noon(5))));
}

TEST_P(LedgerContract, PruningKeepsWhatWasDeliveredSince) {
  const int64_t run = append(sample_run("old", noon(1))).sequence;
  ASSERT_OK(ledger().append_delivery("ada", run, noon(2)));
  ASSERT_OK(ledger().append_delivery("ada", run, noon(7)));
  EXPECT_EQ(ledger().prune(noon(5))->runs_removed, 0);
  EXPECT_EQ(*ledger().last_delivery("ada"), noon(7));
}

TEST_P(LedgerContract, PruningKeepsTheNewestEnrichmentOfEachBlobAndModel) {
  ASSERT_OK(ledger().append_enrichment(sample_enrichment("a", "m", "superseded", noon(1))));
  ASSERT_OK(ledger().append_enrichment(sample_enrichment("a", "m", "newest", noon(2))));
  ASSERT_OK(ledger().append_enrichment(sample_enrichment("b", "m", "only", noon(1))));
  ASSERT_OK(ledger().prune(noon(9)));
  EXPECT_EQ((*ledger().find_enrichment("a", "m"))->answer, "newest");
  EXPECT_EQ((*ledger().find_enrichment("b", "m"))->answer, "only");
}

TEST_P(LedgerContract, OutcomesBelongToARunAndGoWithIt) {
  const int64_t old = append(sample_run("a", noon(1))).sequence;
  const int64_t kept = append(sample_run("b", noon(5))).sequence;
  EXPECT_TRUE(ledger().list_outcomes()->empty());
  EXPECT_OK(ledger().append_outcome(sample_outcome(old, "first", noon(6))));
  EXPECT_OK(ledger().append_outcome(sample_outcome(kept, "second", noon(6))));
  EXPECT_OK(ledger().append_outcome(sample_outcome(kept, "third", noon(7))));
  EXPECT_EQ(ledger().append_outcome(sample_outcome(99, "none")).error().code, ErrorCode::kNotFound);
  EXPECT_THAT(*ledger().list_outcomes(),
              ElementsAre(sample_outcome(old, "first", noon(6)), sample_outcome(kept, "second", noon(6)),
                          sample_outcome(kept, "third", noon(7))));
  EXPECT_EQ(ledger().prune(noon(5))->runs_removed, 1);
  EXPECT_EQ(ledger().list_outcomes()->size(), 2u);
}

TEST_P(LedgerContract, TheRunsOfASessionAreListedOnceEach) {
  const int64_t one = append(sample_run("a")).sequence, two = append(sample_run("b")).sequence;
  for (const int64_t run : {two, one, two}) EXPECT_OK(ledger().append_delivery("s", run, noon(2)));
  EXPECT_OK(ledger().append_delivery("other", one, noon(2)));
  EXPECT_THAT(*ledger().runs_delivered_to("s"), ElementsAre(one, two));
  EXPECT_TRUE(ledger().runs_delivered_to("nobody")->empty());
}

TEST_P(LedgerContract, SequencesOfPrunedRunsAreNeverGivenAgain) {
  append(sample_run("a", noon(1)));
  append(sample_run("b", noon(1)));
  ASSERT_OK(ledger().append_index_run(sample_index_run("one")));
  EXPECT_EQ(ledger().prune(noon(9))->runs_removed, 2);
  EXPECT_EQ(append(sample_run("c")), (RunKey{3, 1}));
  EXPECT_EQ(*ledger().append_index_run(sample_index_run("two")), 2);
}

TEST_P(LedgerContract, PruningTwiceRemovesNothingMore) {
  append(sample_run("a", noon(1)));
  append(sample_run("b", noon(5)));
  EXPECT_EQ(ledger().prune(noon(5))->runs_removed, 1);
  const auto again = ledger().prune(noon(5));
  ASSERT_OK(again);
  EXPECT_EQ(again->runs_removed, 0);
  EXPECT_EQ(again->runs_kept, 1);
}

TEST_P(LedgerContract, ThreadsShareALedger) {
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      for (int i = 0; i < 10; ++i) {
        EXPECT_OK(ledger().append_run(sample_run(fmt::format("{}-{}", number, i)), sample_decisions(5), {}));
        EXPECT_OK(ledger().list_runs({}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(listed({.limit = 1000}).size(), 40u);
}

}  // namespace
}  // namespace knapsack
