// docs/schema.md describes the databases that a fresh installation creates, table by table and column by
// column.
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "code/index/curated_writer.h"
#include "store/ledger/sqlite_ledger.h"
#include "support/support.h"
#include "support_rows.h"

namespace knapsack {
namespace {

using namespace testing;
using ::testing::HasSubstr;

using Columns = std::vector<std::string>;

// The first `code` cell of each table row under each "### table" heading of one database's part.
std::map<std::string, Columns> documented_tables(const std::string& text, const std::string& database) {
  std::map<std::string, Columns> tables;
  std::istringstream lines(text.substr(text.find("\n## " + database)));
  std::string line, table;
  std::getline(lines, line);  // what stands before the heading
  std::getline(lines, line);  // the heading
  while (std::getline(lines, line) && !line.starts_with("## ")) {
    if (line.starts_with("### ")) table = line.substr(4);
    if (!line.starts_with("| `") || table.empty()) continue;
    tables[table].push_back(line.substr(3, line.find('`', 3) - 3));
  }
  return tables;
}

class SchemaDocument : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const FixedClock clock{noon(15)};
    ASSERT_OK(SqliteLedger(folder_.file("raw.db"), *files_, clock).append_run(sample_run("a"), {}, {}));
    ASSERT_OK(code::CuratedWriter::open(*files_, folder_.path(), {}));
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kReadWrite;
    auto opened = sqlite::Database::open(folder_.file(GetParam()), options);
    ASSERT_OK(opened);
    database_ = std::make_unique<sqlite::Database>(*std::move(opened));
  }

  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
  std::unique_ptr<sqlite::Database> database_;
  const std::string text_ = read_source_file("docs/schema.md");
};

INSTANTIATE_TEST_SUITE_P(Of, SchemaDocument, ::testing::Values("raw.db", "curated.db"),
                         [](const auto& tested) { return tested.param.substr(0, tested.param.find('.')); });

TEST_P(SchemaDocument, NamesEveryTableAndColumnInOrder) {
  std::map<std::string, Columns> real;
  auto rows = database_->prepare(
      "SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c"
      " WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid");
  ASSERT_OK(rows);
  while (*rows->step()) real[rows->string(0)].push_back(rows->string(1));
  EXPECT_GE(real.size(), 6u);
  EXPECT_EQ(documented_tables(text_, GetParam()), real);
}

TEST_P(SchemaDocument, NamesTheVersionAndTheOwner) {
  const auto part = text_.substr(text_.find("\n## " + GetParam()));
  EXPECT_THAT(part, HasSubstr(fmt::format("`application_id` 0x{:08x}",
                                          *database_->integer("PRAGMA application_id"))));
  EXPECT_THAT(part, HasSubstr(fmt::format("`user_version` {}.", *database_->integer("PRAGMA user_version"))));
}

}  // namespace
}  // namespace knapsack
