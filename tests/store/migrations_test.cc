#include "store/sqlite/migrations.h"

#include <thread>

#include "support/support.h"

namespace knapsack::sqlite {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

constexpr const char* kVersions[] = {
    "CREATE TABLE one (a)",
    "CREATE TABLE two (a); INSERT INTO two SELECT a FROM one",
    "CREATE TABLE three (a); INSERT INTO no_such_table VALUES (1)",
};

Schema schema_of(size_t versions) {
  return {"shelf", 0x51515151, std::span(kVersions).first(versions)};
}

class Migrations : public ::testing::Test {
 protected:
  Database open() {
    OpenOptions options;
    options.mode = OpenMode::kCreate;
    auto database = Database::open(folder_.file("a.db"), options);
    EXPECT_OK(database);
    return *std::move(database);
  }
  int64_t version(Database& database) { return *database.integer("PRAGMA user_version"); }

  TemporaryFolder folder_;
};

TEST_F(Migrations, BringANewFileToTheNewestVersion) {
  Database database = open();
  ASSERT_OK(migrate(database, schema_of(2)));
  EXPECT_EQ(version(database), 2);
  EXPECT_EQ(*database.integer("PRAGMA application_id"), 0x51515151);
  EXPECT_EQ(*database.integer("SELECT count(*) FROM two"), 0);
}

TEST_F(Migrations, CarryOlderDataForward) {
  {
    Database database = open();
    ASSERT_OK(migrate(database, schema_of(1)));
    ASSERT_OK(database.execute("INSERT INTO one VALUES (7)"));
  }
  Database database = open();
  ASSERT_OK(migrate(database, schema_of(2)));
  EXPECT_EQ(*database.integer("SELECT a FROM two"), 7);
  ASSERT_OK(migrate(database, schema_of(2)));  // once is enough
  EXPECT_EQ(*database.integer("SELECT count(*) FROM two"), 1);
}

TEST_F(Migrations, ThatFailLeaveTheVersionBefore) {
  Database database = open();
  EXPECT_FALSE(migrate(database, schema_of(3)).ok());
  EXPECT_EQ(version(database), 2);
  EXPECT_EQ(*database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'three'"), 0);
}

TEST_F(Migrations, RefuseANewerDatabase) {
  Database database = open();
  ASSERT_OK(migrate(database, schema_of(2)));
  const auto refused = migrate(database, schema_of(1));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kIo) << "it is not damaged and must not be set aside";
  EXPECT_THAT(refused.error().line(), HasSubstr("newer knapsack"));
  EXPECT_THAT(refused.error().line(), HasSubstr("upgrade"));
}

// The owner and the version are two reads; a migration that lands between them must not make the file look
// like another program's.
TEST_F(Migrations, OfOneNewFileByManyAtOnceAllSucceed) {
  for (int round = 0; round < 60; ++round) {
    const std::string path = folder_.file(std::to_string(round) + ".db");
    std::vector<std::thread> others;
    for (int other = 0; other < 4; ++other) {
      others.emplace_back([&path] {
        OpenOptions options;
        options.mode = OpenMode::kCreate;
        auto database = Database::open(path, options);
        ASSERT_OK(database);
        ASSERT_OK(migrate(*database, schema_of(2)));
      });
    }
    for (std::thread& other : others) other.join();
  }
}

TEST_F(Migrations, RefuseTheDatabaseOfAnotherProgram) {
  Database database = open();
  for (const char* foreign : {"PRAGMA application_id=5", "PRAGMA application_id=0; CREATE TABLE theirs (a)",
                              "DROP TABLE theirs; PRAGMA user_version=3"}) {
    ASSERT_OK(database.execute(foreign));
    const auto refused = migrate(database, schema_of(1));
    ASSERT_FALSE(refused.ok()) << foreign;
    EXPECT_EQ(refused.error().code, ErrorCode::kIo);
    EXPECT_THAT(refused.error().line(), HasSubstr("another program"));
    EXPECT_EQ(*database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'one'"), 0);
  }
}

TEST_F(Migrations, RefuseAVersionThatCannotBe) {
  Database database = open();
  for (const char* version : {"0", "-1"}) {
    ASSERT_OK(
        database.execute(std::string("PRAGMA application_id=0x51515151; PRAGMA user_version=") + version));
    const auto refused = migrate(database, schema_of(1));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  }
}

// A repository can bring a database along: what is in the place of a table, or hangs on one, would run.
TEST_F(Migrations, RefuseWhatNoVersionMakes) {
  constexpr const char* kForEver =
      "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
  int number = 0;
  for (const std::string& planted :
       {std::string("CREATE TRIGGER t BEFORE INSERT ON one BEGIN SELECT (") + kForEver + "); END",
        std::string("DROP TABLE two; CREATE VIEW two AS ") + kForEver, std::string("CREATE TABLE theirs (a)"),
        std::string("CREATE INDEX by_a ON one (abs(a))"),
        std::string("ALTER TABLE one ADD COLUMN b DEFAULT 7"),
        std::string("DROP TABLE one; CREATE TABLE one (a CHECK (length(hex(zeroblob(1000))) > 0))")}) {
    const std::string path = folder_.file(std::to_string(++number) + ".db");
    OpenOptions options;
    options.mode = OpenMode::kCreate;
    options.when_damaged = "make it again";
    auto database = Database::open(path, options);
    ASSERT_OK(database);
    ASSERT_OK(migrate(*database, schema_of(2)));
    ASSERT_OK(check_schema(*database, schema_of(2)));
    ASSERT_OK(database->execute(planted));
    for (const auto& refused : {migrate(*database, schema_of(2)), check_schema(*database, schema_of(2))}) {
      ASSERT_FALSE(refused.ok()) << planted;
      EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
      EXPECT_THAT(refused.error().line(), HasSubstr("not as knapsack creates it"));
      EXPECT_EQ(refused.error().next, "make it again");
    }
  }
}

constexpr const char* kGrowing[] = {
    "CREATE TABLE one (\n  a INTEGER PRIMARY KEY AUTOINCREMENT,\n  b TEXT NOT NULL UNIQUE\n) STRICT;",
    "ALTER TABLE one ADD COLUMN c TEXT NOT NULL DEFAULT '{}';\nCREATE INDEX by_c ON one (c);",
    "ALTER TABLE one ADD COLUMN d INTEGER;",
};

TEST_F(Migrations, KnowWhatTheyMadeThemselves) {
  for (size_t from = 1; from <= 3; ++from) {
    const std::string path = folder_.file(std::to_string(from) + ".db");
    OpenOptions options;
    options.mode = OpenMode::kCreate;
    auto database = Database::open(path, options);
    ASSERT_OK(database);
    for (size_t versions = from; versions <= 3; ++versions) {
      const Schema schema{"shelf", 0x51515151, std::span(kGrowing).first(versions)};
      ASSERT_OK(migrate(*database, schema));
      EXPECT_OK(check_schema(*database, schema));
    }
    EXPECT_EQ(*database->integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'"), 1);
  }
}

}  // namespace
}  // namespace knapsack::sqlite
