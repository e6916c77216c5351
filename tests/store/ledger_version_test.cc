// A ledger that an older program wrote goes on where it was.
#include "store/deflate.h"
#include "store/ledger/ledger_schema.h"
#include "store/ledger/sqlite_ledger.h"
#include "support/support.h"
#include "support_rows.h"

namespace knapsack {
namespace {

using namespace testing;

class OlderLedger : public ::testing::Test {
 protected:
  sqlite::Database open() {
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kCreate;
    auto database = sqlite::Database::open(folder_.file("raw.db"), options);
    EXPECT_OK(database);
    return *std::move(database);
  }

  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
  FixedClock clock_{noon(15)};
};

TEST_F(OlderLedger, OfVersionOneKeepsItsRunsAndKeepsOutputsFromThenOn) {
  {
    sqlite::Database database = open();
    const sqlite::Schema first{"ledger", ledger_schema().application_id, ledger_schema().versions.first(1)};
    ASSERT_OK(sqlite::migrate(database, first));
    ASSERT_OK(database.execute(
        "INSERT INTO runs VALUES (7, 'run-old', 1, 't', 'pack', '/w', '{}', '{}', 'o200k', 10, 5, 'ok', '[]',"
        " '0.0', 0, '{}', 'f')"));
  }
  SqliteLedger ledger(folder_.file("raw.db"), *files_, clock_);
  const auto old = ledger.find_run("run-old");
  ASSERT_OK(old);
  EXPECT_EQ(old->key.sequence, 7);
  EXPECT_EQ(*ledger.output_of(7), std::nullopt);
  EXPECT_EQ(old->record.shown_json, "{}");
  EXPECT_OK(ledger.append_outcome(sample_outcome(7, "old")));
  const auto added = ledger.append_run(sample_run("new"), {}, {}, "a packet");
  ASSERT_OK(added);
  EXPECT_EQ(added->sequence, 8);
  EXPECT_EQ(*ledger.output_of(8), "a packet");
}

TEST_F(OlderLedger, OutputThatIsDamagedIsSaidToBe) {
  {
    SqliteLedger ledger(folder_.file("raw.db"), *files_, clock_);
    ASSERT_OK(ledger.append_run(sample_run("a"), {}, {}));
  }
  {
    sqlite::Database database = open();
    ASSERT_OK(database.execute("INSERT INTO outputs VALUES (1, 1000000, x'789c00')"));
  }
  SqliteLedger ledger(folder_.file("raw.db"), *files_, clock_);
  const auto output = ledger.output_of(1);
  ASSERT_FALSE(output.ok());
  EXPECT_EQ(output.error().code, ErrorCode::kCorrupt);
}

TEST(Deflate, GivesBackEveryText) {
  for (const std::string& text :
       {std::string(), std::string("x"), std::string(100'000, 'y'), std::string("\0\xff\n", 3)}) {
    EXPECT_EQ(inflate_text(deflate_text(text), static_cast<int64_t>(text.size())), text);
  }
}

TEST(Deflate, RefusesWhatCannotBe) {
  const std::string good = deflate_text("a text that is long enough to be worth it");
  EXPECT_EQ(inflate_text(good, 5), std::nullopt);
  EXPECT_EQ(inflate_text(good, 1000), std::nullopt);
  EXPECT_EQ(inflate_text(good, -1), std::nullopt);
  EXPECT_EQ(inflate_text(good, int64_t{1} << 60), std::nullopt);
  EXPECT_EQ(inflate_text(good.substr(0, good.size() / 2), 41), std::nullopt);
  EXPECT_EQ(inflate_text("", 1), std::nullopt);
}

}  // namespace
}  // namespace knapsack
