#include "store/sqlite/sqlite.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "support/support.h"

namespace knapsack::sqlite {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;
using namespace std::string_literals;

OpenOptions options_of(OpenMode mode) {
  OpenOptions options;
  options.mode = mode;
  options.busy_timeout = std::chrono::milliseconds(50);
  return options;
}

std::string pragma(Database& database, const std::string& name) {
  auto statement = database.prepare("PRAGMA " + name);
  EXPECT_OK(statement);
  EXPECT_TRUE(*statement->step());
  return statement->string(0);
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

class SqliteTest : public ::testing::Test {
 protected:
  Database create(const std::string& name = "a.db") {
    auto database = Database::open(folder_.file(name), options_of(OpenMode::kCreate));
    EXPECT_OK(database);
    return *std::move(database);
  }
  Error refusal(const std::string& name, OpenMode mode) {
    auto database = Database::open(folder_.file(name), options_of(mode));
    EXPECT_FALSE(database.ok()) << name;
    return database.ok() ? Error{} : database.error();
  }

  TemporaryFolder folder_;
};

TEST_F(SqliteTest, ValuesOfEveryTypeComeBack) {
  Database database = create();
  ASSERT_OK(database.execute("CREATE TABLE t (a, b, c, d, e, f, g)"));
  auto insert = database.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?)");
  ASSERT_OK(insert);
  const std::string text = "nul \0 and é"s;
  const std::byte raw[] = {std::byte{0}, std::byte{255}};
  ASSERT_OK(
      insert->bind(int64_t{-1} << 62, 0.25, text, std::span<const std::byte>(raw), nullptr, true, "").run());
  ASSERT_OK(insert
                ->bind(1, std::nan(""), std::string_view(), std::span<const std::byte>(),
                       std::optional<int64_t>(), std::optional<int64_t>(7), std::optional<std::string>("x"))
                .run());

  auto rows = database.prepare("SELECT * FROM t");
  ASSERT_OK(rows);
  ASSERT_TRUE(*rows->step());
  EXPECT_EQ(rows->integer(0), int64_t{-1} << 62);
  EXPECT_EQ(rows->real(1), 0.25);
  EXPECT_EQ(rows->text(2), text);
  EXPECT_EQ(rows->bytes(3).size(), 2u);
  EXPECT_EQ(rows->bytes(3)[1], std::byte{255});
  EXPECT_TRUE(rows->is_null(4));
  EXPECT_TRUE(rows->boolean(5));
  EXPECT_FALSE(rows->is_null(6)) << "an empty text is not NULL";
  ASSERT_TRUE(*rows->step());
  EXPECT_TRUE(std::isnan(rows->real(1)));
  EXPECT_FALSE(rows->is_null(2));
  EXPECT_FALSE(rows->is_null(3));
  EXPECT_TRUE(rows->is_null(4));
  EXPECT_EQ(rows->integer(5), 7);
  EXPECT_EQ(rows->string(6), "x");
  EXPECT_FALSE(*rows->step());
}

TEST_F(SqliteTest, AStatementThatIsUsedAgainRemembersNothing) {
  Database database = create();
  constexpr const char* kSql = "SELECT ?, ? UNION ALL SELECT 'second', 'row'";
  {
    auto first = database.prepare(kSql);
    ASSERT_OK(first);
    first->bind_at(1, "left behind");
    first->bind_at(2, 7);
    ASSERT_TRUE(*first->step());
    // A second one of the same text while the first is in the middle of its rows.
    auto beside = database.prepare(kSql);
    ASSERT_OK(beside);
    ASSERT_TRUE(*beside->step());
    EXPECT_TRUE(beside->is_null(0));
    EXPECT_EQ(first->string(0), "left behind");
  }
  auto again = database.prepare(kSql);
  ASSERT_OK(again);
  ASSERT_TRUE(*again->step());
  EXPECT_TRUE(again->is_null(0));
  EXPECT_TRUE(again->is_null(1));
  ASSERT_TRUE(*again->step());
  EXPECT_EQ(again->string(0), "second");
  EXPECT_FALSE(*again->step());
}

TEST_F(SqliteTest, ABindThatFailsIsReportedByTheStep) {
  Database database = create();
  auto select = database.prepare("SELECT ?");
  ASSERT_OK(select);
  select->bind_at(2, int64_t{1});
  EXPECT_FALSE(select->step().ok());
  select->bind(5);
  ASSERT_TRUE(*select->step()) << "the failure was reported once";
  EXPECT_EQ(select->integer(0), 5);
}

TEST_F(SqliteTest, ATransactionThatIsNotCommittedLeavesNothing) {
  Database database = create();
  ASSERT_OK(database.execute("CREATE TABLE t (a)"));
  {
    auto transaction = Transaction::begin(database);
    ASSERT_OK(transaction);
    ASSERT_OK(database.execute("INSERT INTO t VALUES (1)"));
  }
  EXPECT_EQ(*database.integer("SELECT count(*) FROM t"), 0);
  {
    auto transaction = Transaction::begin(database);
    ASSERT_OK(transaction);
    ASSERT_OK(database.execute("INSERT INTO t VALUES (1)"));
    ASSERT_OK(transaction->commit());
  }
  EXPECT_EQ(*database.integer("SELECT count(*) FROM t"), 1);
}

TEST_F(SqliteTest, TriggersRestOnlyAsLongAsTheyAreTold) {
  Database database = create();
  ASSERT_OK(
      database.execute("CREATE TABLE t (a); CREATE TRIGGER never BEFORE INSERT ON t"
                       " BEGIN SELECT RAISE(ABORT, 'never'); END"));
  auto insert = database.prepare("INSERT INTO t VALUES (1)");
  ASSERT_OK(insert);
  EXPECT_FALSE(insert->run().ok());
  {
    const Database::WithoutTriggers quiet(database);
    EXPECT_OK(insert->run());
  }
  EXPECT_FALSE(insert->run().ok()) << "the same statement again";
  EXPECT_EQ(*database.integer("SELECT count(*) FROM t"), 1);
}

TEST_F(SqliteTest, EveryConnectionIsDefensive) {
  Database database = create();
  EXPECT_EQ(pragma(database, "foreign_keys"), "1");
  EXPECT_EQ(pragma(database, "trusted_schema"), "0");
  EXPECT_EQ(pragma(database, "cell_size_check"), "1");
  EXPECT_EQ(pragma(database, "journal_mode"), "wal");
  EXPECT_EQ(pragma(database, "temp_store"), "2");
  EXPECT_FALSE(database.execute("SELECT load_extension('x')").ok());
  EXPECT_FALSE(database.execute("SELECT \"not a column\"").ok()) << "a misspelt column is not a string";
  ASSERT_OK(database.execute("PRAGMA writable_schema=ON"));
  EXPECT_FALSE(database.execute("UPDATE sqlite_schema SET sql = ''").ok());
}

TEST_F(SqliteTest, DurabilityIsWhatWasAskedFor) {
  {
    Database database = create();
    EXPECT_EQ(pragma(database, "synchronous"), "2");
  }
  OpenOptions options = options_of(OpenMode::kReadWrite);
  options.durability = Durability::kNormal;
  auto database = Database::open(folder_.file("a.db"), options);
  ASSERT_OK(database);
  EXPECT_EQ(pragma(*database, "synchronous"), "1");
}

TEST_F(SqliteTest, FilesAreReadableByTheirOwnerOnly) {
  const mode_t before = ::umask(0);
  {
    Database database = create();
    ASSERT_OK(database.execute("CREATE TABLE t (a)"));
    for (const char* name : {"a.db", "a.db-wal", "a.db-shm"}) {
      EXPECT_EQ(mode_of(folder_.file(name)), 0600u) << name;
    }
  }
  ::umask(before);
}

TEST_F(SqliteTest, TheLogIsFoldedInOnCloseOnlyIfAsked) {
  { ASSERT_OK(create().execute("CREATE TABLE t (a)")); }
  EXPECT_FALSE(folder_.exists("a.db-wal"));
  OpenOptions options = options_of(OpenMode::kReadWrite);
  options.checkpoint_on_close = false;
  {
    auto database = Database::open(folder_.file("a.db"), options);
    ASSERT_OK(database);
    ASSERT_OK(database->execute("INSERT INTO t VALUES (1)"));
  }
  EXPECT_GT(std::filesystem::file_size(folder_.file("a.db-wal")), 0u);
  auto database = Database::open(folder_.file("a.db"), options);
  ASSERT_OK(database);
  EXPECT_EQ(*database->integer("SELECT count(*) FROM t"), 1);
  ASSERT_OK(database->checkpoint());
  EXPECT_EQ(std::filesystem::file_size(folder_.file("a.db-wal")), 0u);
}

TEST_F(SqliteTest, AMissingFileIsCreatedOnlyWhenAsked) {
  EXPECT_EQ(refusal("none.db", OpenMode::kReadOnly).code, ErrorCode::kNotFound);
  EXPECT_EQ(refusal("none.db", OpenMode::kReadWrite).code, ErrorCode::kNotFound);
  EXPECT_EQ(refusal("no/folder/none.db", OpenMode::kCreate).code, ErrorCode::kNotFound);
  EXPECT_FALSE(folder_.exists("none.db"));
}

TEST_F(SqliteTest, ReadOnlyMeansReadOnly) {
  { ASSERT_OK(create().execute("CREATE TABLE t (a)")); }
  auto database = Database::open(folder_.file("a.db"), options_of(OpenMode::kReadOnly));
  ASSERT_OK(database);
  const auto written = database->execute("INSERT INTO t VALUES (1)");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::kIo);
  EXPECT_THAT(written.error().line(), HasSubstr("permissions"));
}

TEST_F(SqliteTest, WhatIsNotAPlainFileIsRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo(folder_.file("fifo").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir(folder_.file("folder").c_str(), 0700), 0);
  { create("target.db"); }
  ASSERT_EQ(::symlink(folder_.file("target.db").c_str(), folder_.file("link").c_str()), 0);
  ASSERT_EQ(::symlink(folder_.file("nowhere").c_str(), folder_.file("dangling").c_str()), 0);
  for (const OpenMode mode : {OpenMode::kReadOnly, OpenMode::kReadWrite, OpenMode::kCreate}) {
    EXPECT_THAT(refusal("fifo", mode).line(), HasSubstr("a FIFO"));
    EXPECT_THAT(refusal("folder", mode).line(), HasSubstr("a directory"));
    EXPECT_THAT(refusal("link", mode).line(), HasSubstr("a symbolic link"));
    EXPECT_THAT(refusal("dangling", mode).line(), HasSubstr("a symbolic link"));
  }
  EXPECT_FALSE(folder_.exists("nowhere"));
}

TEST_F(SqliteTest, AFolderThatIsALinkIsFollowed) {
  ASSERT_EQ(::mkdir(folder_.file("real").c_str(), 0700), 0);
  ASSERT_EQ(::symlink(folder_.file("real").c_str(), folder_.file("alias").c_str()), 0);
  { create("alias/a.db"); }
  EXPECT_TRUE(folder_.exists("real/a.db"));
}

TEST_F(SqliteTest, NamesThatSqliteReadsSpeciallyAreJustNames) {
  const std::string before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  for (const char* name : {":memory:", "file:x.db?mode=memory", "a?vfs=none#b.db"}) {
    EXPECT_OK(Database::open(name, options_of(OpenMode::kCreate)));
    EXPECT_TRUE(folder_.exists(name)) << name;
  }
  std::filesystem::current_path(before);
}

TEST_F(SqliteTest, AWriterThatWaitsTooLongIsToldWhichFileIsBusy) {
  Database first = create();
  auto second = Database::open(folder_.file("a.db"), options_of(OpenMode::kReadWrite));
  ASSERT_OK(second);
  auto held = Transaction::begin(first);
  ASSERT_OK(held);
  const auto refused = Transaction::begin(*second);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
  EXPECT_THAT(refused.error().line(), HasSubstr(folder_.file("a.db")));
  EXPECT_THAT(refused.error().line(), HasSubstr("try again"));
}

TEST_F(SqliteTest, AnExclusiveConnectionIsAlone) {
  OpenOptions options = options_of(OpenMode::kReadWrite);
  options.exclusive = true;
  {
    Database idle = create();
    ASSERT_OK(idle.execute("CREATE TABLE t (a)"));
    auto alone = Database::open(folder_.file("a.db"), options);
    ASSERT_FALSE(alone.ok()) << "somebody has it open, if only idly";
    EXPECT_EQ(alone.error().code, ErrorCode::kBusy);
  }
  auto alone = Database::open(folder_.file("a.db"), options);
  ASSERT_OK(alone);
  EXPECT_EQ(refusal("a.db", OpenMode::kReadWrite).code, ErrorCode::kBusy);
}

TEST_F(SqliteTest, WhatIsNotADatabaseIsCorrupt) {
  folder_.write("text.db", std::string(5000, 'x'));
  EXPECT_EQ(refusal("text.db", OpenMode::kReadOnly).code, ErrorCode::kCorrupt);
  EXPECT_EQ(refusal("text.db", OpenMode::kCreate).code, ErrorCode::kCorrupt);
  EXPECT_EQ(folder_.read("text.db"), std::string(5000, 'x'));
}

TEST_F(SqliteTest, ADiskThatIsFullSaysSo) {
  Database database = create();
  ASSERT_OK(database.execute("CREATE TABLE t (a); PRAGMA max_page_count=10"));
  const auto full = database.execute("INSERT INTO t VALUES (zeroblob(100000))");
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().code, ErrorCode::kIo);
  EXPECT_THAT(full.error().line(), HasSubstr("disk space"));
}

}  // namespace
}  // namespace knapsack::sqlite
