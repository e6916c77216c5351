#include <algorithm>
#include <cctype>
#include <filesystem>

#include "store/ledger/sqlite_ledger.h"
#include "support/support.h"
#include "support_rows.h"

namespace knapsack {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

class AppendOnly : public ::testing::Test {
 protected:
  void SetUp() override {
    SqliteLedger ledger(folder_.file("raw.db"), *files_, clock_);
    const auto key = ledger.append_run(sample_run("a"), sample_decisions(2), sample_calls(2), "a packet");
    ASSERT_OK(key);
    ASSERT_OK(ledger.append_delivery("session", key->sequence, noon(1)));
    ASSERT_OK(ledger.append_index_run(sample_index_run("one")));
    ASSERT_OK(ledger.append_outcome(sample_outcome(key->sequence, "a")));
    ASSERT_OK(ledger.append_enrichment(sample_enrichment("blob", "model", "answer")));
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kReadWrite;
    auto opened = sqlite::Database::open(folder_.file("raw.db"), options);
    ASSERT_OK(opened);
    database_ = std::make_unique<sqlite::Database>(*std::move(opened));
  }

  std::vector<std::string> column(const std::string& sql) {
    std::vector<std::string> values;
    auto rows = database_->prepare(sql);
    EXPECT_OK(rows);
    while (*rows->step()) values.push_back(rows->string(0));
    return values;
  }
  std::vector<std::string> tables() {
    return column("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  }

  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
  FixedClock clock_{noon(15)};
  std::unique_ptr<sqlite::Database> database_;
};

TEST_F(AppendOnly, CoversTheTablesOfTheLedger) {
  EXPECT_THAT(tables(), UnorderedElementsAre("runs", "decisions", "model_calls", "outputs", "index_runs",
                                             "enrichments", "deliveries", "outcomes"));
}

TEST_F(AppendOnly, TheDatabaseItselfRefusesToChangeOrRemoveRows) {
  ASSERT_OK(database_->execute("PRAGMA foreign_keys=OFF"));  // what refuses must be the rule, not a reference
  for (const std::string& table : tables()) {
    const std::string rows = "SELECT count(*) FROM " + table;
    const int64_t before = *database_->integer(rows);
    ASSERT_GT(before, 0) << table;
    for (const std::string& column_name : column("SELECT name FROM pragma_table_info('" + table + "')")) {
      const auto changed =
          database_->execute("UPDATE " + table + " SET " + column_name + " = " + column_name);
      ASSERT_FALSE(changed.ok()) << table << "." << column_name;
      EXPECT_THAT(changed.error().what, HasSubstr("append-only"));
    }
    for (const std::string& refused :
         {"DELETE FROM " + table, "DELETE FROM " + table + " WHERE rowid = -5 OR 1",
          "UPDATE OR REPLACE " + table + " SET rowid = rowid",
          "REPLACE INTO " + table + " SELECT * FROM " + table,
          "INSERT OR REPLACE INTO " + table + " SELECT * FROM " + table}) {
      EXPECT_FALSE(database_->execute(refused).ok()) << refused;
    }
    EXPECT_EQ(*database_->integer(rows), before) << table;
  }
}

TEST_F(AppendOnly, ReplacingARunByItsIdIsRefused) {
  EXPECT_FALSE(database_
                   ->execute("REPLACE INTO runs SELECT 99, run_id, repeat, task_id, 'other', workspace, "
                             "request_json, config_json, tokenizer, budget, used, status, warnings_json, "
                             "program_version, started, timings_json, fingerprint FROM runs")
                   .ok());
  EXPECT_EQ(column("SELECT command FROM runs"), std::vector<std::string>{"pack"});
}

// Source text in lower case with runs of spaces, quotes and line breaks as one space, so that a statement
// cannot hide behind a line break inside a literal.
std::string flattened(const std::string& source) {
  std::string text;
  for (const char c : source) {
    const bool gap = std::isspace(static_cast<unsigned char>(c)) != 0 || c == '"';
    if (!gap) {
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  return text;
}

std::vector<std::string> statements_that_remove(const std::string& source, const std::string& table) {
  std::vector<std::string> found;
  const std::string text = flattened(source);
  for (const char* verb : {"update ", "update or replace ", "update or ignore ", "delete from ",
                           "replace into ", "drop table ", "drop table if exists "}) {
    for (const char* schema : {"", "main.", "kept."}) {
      const std::string statement = verb + (schema + table);
      const size_t at = text.find(statement);
      if (at == std::string::npos) continue;
      const char after = at + statement.size() < text.size() ? text[at + statement.size()] : ' ';
      if (std::isalnum(static_cast<unsigned char>(after)) == 0 && after != '_') found.push_back(statement);
    }
  }
  return found;
}

TEST_F(AppendOnly, NoStatementInTheSourcesChangesOrRemovesRows) {
  size_t files = 0;
  const std::filesystem::path sources = std::filesystem::path(KNAPSACK_SOURCE_DIR) / "src";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sources)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string name = std::filesystem::relative(entry.path(), KNAPSACK_SOURCE_DIR);
    for (const std::string& table : tables()) {
      EXPECT_THAT(statements_that_remove(read_source_file(name), table), IsEmpty()) << name;
    }
  }
  EXPECT_GT(files, 20u);
}

TEST(AppendOnlyScan, SeesStatementsInAnyShape) {
  EXPECT_THAT(statements_that_remove("execute(\"DELETE FROM\"\n  \" runs WHERE 1\")", "runs"),
              Not(IsEmpty()));
  EXPECT_THAT(statements_that_remove("update main.runs set", "runs"), Not(IsEmpty()));
  EXPECT_THAT(statements_that_remove("BEFORE UPDATE ON runs", "runs"), IsEmpty());
  EXPECT_THAT(statements_that_remove("DELETE FROM runs_of_another_kind", "runs"), IsEmpty());
}

}  // namespace
}  // namespace knapsack
