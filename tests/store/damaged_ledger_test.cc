// What is not a sound ledger is never used, never overwritten and never in the way for long.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "core/files/memory_file_system.h"
#include "store/ledger/ledger_schema.h"
#include "store/ledger/sqlite_ledger.h"
#include "store/sqlite/damaged.h"
#include "support/support.h"
#include "support_rows.h"

namespace knapsack {
namespace {

using namespace testing;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr const char* kMoved = "raw.db.damaged-20261115T120000Z";

class DamagedLedger : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Ledger>> open() { return open_ledger(folder_.path(), *files_, clock_); }

  void fill(int runs = 20) {
    auto ledger = open();
    ASSERT_OK(ledger);
    for (int i = 0; i < runs; ++i) {
      ASSERT_OK((*ledger)->append_run(sample_run("run" + std::to_string(i)), sample_decisions(30),
                                      sample_calls(2)));
    }
  }
  void empty_folder() {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::filesystem::remove_all(entry.path());
    }
  }
  void fold_log_in() {
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kReadWrite;
    auto database = sqlite::Database::open(folder_.file("raw.db"), options);
    ASSERT_OK(database);
    ASSERT_OK(database->checkpoint());
  }
  // Asks the ledger everything and says how that ended.
  Status use() {
    KNAPSACK_TRY(const auto ledger, open());
    KNAPSACK_TRY(const auto runs, ledger->list_runs({.limit = 1000}));
    for (const StoredRun& run : runs) {
      KNAPSACK_CHECK(ledger->decisions_of(run.key.sequence));
      KNAPSACK_CHECK(ledger->model_calls_of(run.key.sequence));
    }
    KNAPSACK_CHECK(ledger->find_run("latest"));
    KNAPSACK_CHECK(ledger->append_run(sample_run("more"), sample_decisions(100), sample_calls(1)));
    return ok_status();
  }
  void expect_moved_and_started_afresh(const Status& refused, const std::string& bytes) {
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(refused.error().line(), HasSubstr(folder_.file("raw.db")));
    EXPECT_THAT(refused.error().line(), HasSubstr("moved to " + folder_.file(kMoved)));
    EXPECT_THAT(refused.error().next, HasSubstr("the next run starts a new ledger"));
    EXPECT_EQ(folder_.read(kMoved), bytes);
    auto ledger = open();
    ASSERT_OK(ledger);
    EXPECT_TRUE((*ledger)->list_runs({})->empty());
    EXPECT_OK((*ledger)->append_run(sample_run("afresh"), {}, {}));
  }

  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
  FixedClock clock_{noon(15)};
};

TEST_F(DamagedLedger, WithAGarbageHeaderIsMovedAside) {
  fill();
  fold_log_in();
  std::string bytes = folder_.read("raw.db");
  bytes.replace(0, 32, std::string(32, 'x'));
  folder_.write("raw.db", bytes);
  expect_moved_and_started_afresh(use(), bytes);
}

TEST_F(DamagedLedger, ThatIsNoDatabaseAtAllIsMovedAside) {
  const std::string bytes = "these are my notes, please keep them\n";
  folder_.write("raw.db", bytes);
  expect_moved_and_started_afresh(use(), bytes);
}

TEST_F(DamagedLedger, ThatWasCutShortIsMovedAside) {
  fill();
  fold_log_in();
  const std::string whole = folder_.read("raw.db");
  for (const size_t size : {size_t{60}, size_t{100}, size_t{5000}, whole.size() / 2, whole.size() - 4096}) {
    empty_folder();
    const std::string bytes = whole.substr(0, size);
    folder_.write("raw.db", bytes);
    expect_moved_and_started_afresh(use(), bytes);
  }
}

TEST_F(DamagedLedger, WhoseDatabaseIsEmptyButWhoseLogIsNotKeepsTheLog) {
  fill();
  const std::string log = folder_.read("raw.db-wal");
  ASSERT_GT(log.size(), 10000u);
  for (const bool removed : {false, true}) {
    empty_folder();
    folder_.write("raw.db-wal", log);
    if (!removed) folder_.write("raw.db", "");
    const Status refused = use();
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(folder_.read(std::string(kMoved) + "-wal"), log) << "SQLite would have thrown it away";
    EXPECT_EQ(folder_.exists(kMoved), !removed);
    EXPECT_FALSE(folder_.exists("raw.db-wal"));
    EXPECT_OK((*open())->append_run(sample_run("afresh"), {}, {}));
  }
}

TEST_F(DamagedLedger, WithAnyPageOverwrittenIsNoticedOrUnharmed) {
  fill(8);
  fold_log_in();
  const std::string whole = folder_.read("raw.db");
  size_t noticed = 0;
  for (size_t page = 0; page * 4096 < whole.size(); ++page) {
    empty_folder();
    std::string bytes = whole;
    bytes.replace(page * 4096, 4096, std::string(4096, '\xee'));
    folder_.write("raw.db", bytes);
    const Status used = use();
    if (used.ok()) continue;
    ++noticed;
    EXPECT_EQ(used.error().code, ErrorCode::kCorrupt) << used.error().line();
    EXPECT_EQ(folder_.read(kMoved).substr(0, 4096), bytes.substr(0, 4096));
    EXPECT_OK((*open())->append_run(sample_run("afresh"), {}, {}));
  }
  EXPECT_GT(noticed, whole.size() / 4096 / 2);
}

TEST_F(DamagedLedger, WithAnyByteFlippedNeverMakesUsFallOver) {
  fill(3);
  const std::string beginning = folder_.read("raw.db"), log = folder_.read("raw.db-wal");
  fold_log_in();
  const std::string whole = folder_.read("raw.db");
  std::mt19937 random(20261115);
  for (int round = 0; round < 80; ++round) {
    empty_folder();
    const bool in_log = round % 3 == 0;
    std::string database = in_log ? beginning : whole, flipped_log = log;
    std::string& victim = in_log ? flipped_log : database;
    // The first page, which rules the rest, is hit as often as all the others.
    const size_t at = random() % (round % 2 == 0 ? victim.size() : 4096);
    victim[at] = static_cast<char>(victim[at] ^ (1 << random() % 8));
    folder_.write("raw.db", database);
    if (in_log) folder_.write("raw.db-wal", flipped_log);
    const Status used = use();
    if (used.ok()) continue;
    // kIo: the version or the owner was hit, and a newer or a foreign database must not be touched. A log
    // ends for SQLite where its checksums end to fit, so runs behind that point are not found.
    EXPECT_THAT(used.error().code, AnyOf(ErrorCode::kCorrupt, in_log ? ErrorCode::kNotFound : ErrorCode::kIo))
        << used.error().line();
  }
}

TEST_F(DamagedLedger, LosesATableAndIsMovedAside) {
  fill(1);
  {
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kReadWrite;
    auto database = sqlite::Database::open(folder_.file("raw.db"), options);
    ASSERT_OK(database);
    ASSERT_OK(database->execute("ALTER TABLE decisions RENAME TO other"));
  }
  const std::string bytes = folder_.read("raw.db");
  expect_moved_and_started_afresh(use(), bytes);
}

TEST_F(DamagedLedger, ThatWouldRunSomethingWhenARowIsWrittenIsMovedAside) {
  fill(1);
  {
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kReadWrite;
    auto database = sqlite::Database::open(folder_.file("raw.db"), options);
    ASSERT_OK(database);
    // One that never ends would make the first run that is written hang.
    ASSERT_OK(database->execute("CREATE TRIGGER theirs BEFORE INSERT ON runs BEGIN SELECT 1; END"));
  }
  const std::string bytes = folder_.read("raw.db");
  const Status refused = use();
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().line(), HasSubstr("it holds theirs"));
  expect_moved_and_started_afresh(refused, bytes);
}

TEST_F(DamagedLedger, MetByPruneIsMovedAsideToo) {
  fill();
  fold_log_in();
  std::string bytes = folder_.read("raw.db");
  // The last quarter, where rows are and the schema is not: opening finds nothing wrong.
  for (size_t at = bytes.size() / 16384 * 12288; at < bytes.size(); ++at) bytes[at] = '\xee';
  folder_.write("raw.db", bytes);
  auto ledger = open();
  ASSERT_OK(ledger);
  const auto pruned = (*ledger)->prune(noon(1));
  ASSERT_FALSE(pruned.ok());
  expect_moved_and_started_afresh(pruned.error(), bytes);
}

TEST_F(DamagedLedger, IsNeverMovedOverAnotherFile) {
  for (const char* text : {"first", "second", "third"}) {
    folder_.write("raw.db", text);
    EXPECT_EQ(use().error().code, ErrorCode::kCorrupt);
  }
  EXPECT_EQ(folder_.read(kMoved), "first");
  EXPECT_EQ(folder_.read(std::string(kMoved) + "-2"), "second");
  EXPECT_EQ(folder_.read(std::string(kMoved) + "-3"), "third");
}

TEST_F(DamagedLedger, ThatOthersHaveOpenIsLeftUntilTheyAreGone) {
  fill();
  fold_log_in();
  SqliteLedger other(folder_.file("raw.db"), *files_, clock_);
  ASSERT_OK(other.open());
  std::string bytes = folder_.read("raw.db");
  for (size_t page = 1; page * 4096 < bytes.size(); ++page) bytes.replace(page * 4096, 4096, 4096, '\xee');
  folder_.write("raw.db", bytes);
  SqliteLedger ours(folder_.file("raw.db"), *files_, clock_, {std::chrono::milliseconds(50), "", ""});
  const auto refused = ours.list_runs({});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(refused.error().next, HasSubstr("close the other processes"));
  EXPECT_FALSE(folder_.exists(kMoved));
}

TEST(SetAside, MovesTheDatabaseBeforeItsLog) {
  // Whatever call fails, what is left is whole or has lost its database, which is noticed; never its log
  // alone.
  for (uint64_t nth = 1;; ++nth) {
    MemoryFileSystem files;
    files.put("/s/raw.db", "database");
    files.put("/s/raw.db-wal", "log");
    files.fail_at(nth, {ErrorCode::kIo, "the disk is gone", ""});
    const bool done = set_aside(files, "/s/raw.db", noon(15)).ok();
    files.fail_at(0, {});
    if (files.info("/s/raw.db").ok()) {
      EXPECT_TRUE(files.info("/s/raw.db-wal").ok()) << "a database without its log, failed at " << nth;
    }
    if (done) {
      EXPECT_EQ(*files.read("/s/raw.db.damaged-20261115T120000Z", 100), "database");
      EXPECT_EQ(*files.read("/s/raw.db.damaged-20261115T120000Z-wal", 100), "log");
      EXPECT_FALSE(files.info("/s/raw.db-wal").ok());
      break;
    }
    ASSERT_LT(nth, 20u);
  }
}

class NotALedger : public DamagedLedger {
 protected:
  void expect_refused_untouched(const std::string& word) {
    const auto before = names();
    for (int twice = 0; twice < 2; ++twice) {
      const Status refused = use();
      ASSERT_FALSE(refused.ok());
      EXPECT_EQ(refused.error().code, ErrorCode::kIo) << refused.error().line();
      EXPECT_THAT(refused.error().line(), HasSubstr(word));
      EXPECT_FALSE(refused.error().next.empty());
    }
    EXPECT_EQ(names(), before);
  }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    const auto entries = files_->list(folder_.path());
    for (const DirectoryEntry& entry : *entries) {
      if (entry.name != "raw.db.lock") found.push_back(entry.name);
    }
    return found;
  }
};

TEST_F(NotALedger, ADirectoryIsRefused) {
  ASSERT_EQ(::mkdir(folder_.file("raw.db").c_str(), 0700), 0);
  expect_refused_untouched("a directory");
}

TEST_F(NotALedger, AFifoIsRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo(folder_.file("raw.db").c_str(), 0600), 0);
  expect_refused_untouched("a FIFO");
}

TEST_F(NotALedger, ALinkIsRefused) {
  TemporaryFolder elsewhere;
  elsewhere.write("theirs", "precious");
  ASSERT_EQ(::symlink(elsewhere.file("theirs").c_str(), folder_.file("raw.db").c_str()), 0);
  expect_refused_untouched("a symbolic link");
  EXPECT_EQ(elsewhere.read("theirs"), "precious");
}

TEST_F(NotALedger, ADanglingLinkIsRefused) {
  TemporaryFolder elsewhere;
  ASSERT_EQ(::symlink(elsewhere.file("nothing").c_str(), folder_.file("raw.db").c_str()), 0);
  expect_refused_untouched("a symbolic link");
  EXPECT_FALSE(elsewhere.exists("nothing"));
}

TEST_F(NotALedger, TheDatabaseOfAnotherProgramIsRefused) {
  {
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kCreate;
    auto database = sqlite::Database::open(folder_.file("raw.db"), options);
    ASSERT_OK(database);
    ASSERT_OK(database->execute("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)"));
  }
  const std::string before = folder_.read("raw.db");
  const Status refused = use();
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().line(), HasSubstr("another program"));
  EXPECT_EQ(folder_.read("raw.db"), before);
}

TEST_F(NotALedger, ANewerLedgerIsRefused) {
  fill(1);
  {
    sqlite::OpenOptions options;
    options.mode = sqlite::OpenMode::kReadWrite;
    auto database = sqlite::Database::open(folder_.file("raw.db"), options);
    ASSERT_OK(database);
    ASSERT_OK(database->execute("PRAGMA user_version=99"));
  }
  const Status refused = use();
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().line(), HasSubstr("newer knapsack"));
  EXPECT_TRUE(folder_.exists("raw.db"));
  EXPECT_FALSE(folder_.exists(kMoved));
}

enum class Plant { kFifo, kLink, kFolder };

bool plant(Plant what, const std::string& path, const std::string& target) {
  switch (what) {
    case Plant::kFifo:
      return ::mkfifo(path.c_str(), 0600) == 0;
    case Plant::kLink:
      return ::symlink(target.c_str(), path.c_str()) == 0;
    case Plant::kFolder:
      break;
  }
  return ::mkdir(path.c_str(), 0700) == 0;
}

// The files beside raw.db could be planted as well; none may be followed, waited for or make us fall over.
TEST_F(NotALedger, NothingPlantedBesideItIsFollowedOrWaitedFor) {
  TemporaryFolder elsewhere;
  elsewhere.write("theirs", "precious");
  for (const char* ending : {"-wal", "-shm", "-journal", ".lock", ".pruning", ".pruned"}) {
    for (const Plant what : {Plant::kFifo, Plant::kLink, Plant::kFolder}) {
      SCOPED_TRACE(std::string(ending) + " " + std::to_string(static_cast<int>(what)));
      empty_folder();
      fill(1);
      fold_log_in();
      const std::string path = folder_.file(std::string("raw.db") + ending);
      std::filesystem::remove(path);
      ASSERT_TRUE(plant(what, path, elsewhere.file("theirs")));
      const Status used = use();
      if (!used.ok()) {
        EXPECT_NE(used.error().code, ErrorCode::kInternal) << used.error().line();
      }
      const auto ledger = open();
      const auto pruned = ledger.ok() ? (*ledger)->prune(noon(1)) : ledger.error();
      if (!pruned.ok()) {
        EXPECT_NE(pruned.error().code, ErrorCode::kInternal) << pruned.error().line();
      }
      EXPECT_EQ(elsewhere.read("theirs"), "precious");
    }
  }
}

}  // namespace
}  // namespace knapsack
