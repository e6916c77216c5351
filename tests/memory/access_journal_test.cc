#include "memory/tree/access_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "core/files/memory_file_system.h"
#include "memory/tree/catalogue.h"
#include "support/support.h"

namespace knapsack::memory {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

const std::string kFirst = "facts/2026-11-15/a.md";
const std::string kSecond = "facts/2026-11-15/b \xFF%20.md";  // bytes that a line must not hold as they are

Timestamp at(int64_t second) {
  return Timestamp::from_seconds(1'700'000'000 + second);
}

class AccessJournal : public ::testing::Test {
 protected:
  void SetUp() override {
    files_.put("/memory/" + kFirst, "---\nid: a\naccessCount: 5\n---\nFirst\n");
    files_.put("/memory/" + kSecond, "Second\n");
  }
  TreeWriter writer() { return std::move(*TreeWriter::open(files_, "/memory", false)); }
  uint64_t count_of(const std::string& path) {
    const auto catalogue = Catalogue::open(files_, {"/memory", "/state", true, false});
    EXPECT_TRUE(catalogue.ok());
    const Memory* memory = catalogue->find(path);
    return memory == nullptr ? 0 : memory->access_count;
  }
  std::string bytes_of(const std::string& path) { return *files_.read("/memory/" + path, 1 << 20); }

  MemoryFileSystem files_;
};

TEST_F(AccessJournal, CountsBeforeAnythingIsFolded) {
  TreeWriter tree = writer();
  ASSERT_OK(record_accesses(tree, std::vector{kFirst, kSecond}, at(1)));
  ASSERT_OK(record_accesses(tree, std::vector{kFirst}, at(2)));
  EXPECT_EQ(count_of(kFirst), 7U);
  EXPECT_EQ(count_of(kSecond), 1U);
  EXPECT_EQ(bytes_of(kFirst), "---\nid: a\naccessCount: 5\n---\nFirst\n");
  const auto catalogue = Catalogue::open(files_, {"/memory", "/state", true, false});
  EXPECT_EQ(catalogue->find(kFirst)->last_accessed, at(2));
}

TEST_F(AccessJournal, FoldsCountsIntoTheFiles) {
  TreeWriter tree = writer();
  ASSERT_OK(record_accesses(tree, std::vector{kFirst, kSecond}, at(1)));
  ASSERT_OK(record_accesses(tree, std::vector{kFirst}, at(2)));
  EXPECT_TRUE(*fold_accesses(tree, 1, 10));
  EXPECT_EQ(bytes_of(kFirst), "---\nid: a\naccessCount: 7\nlastAccessed: 2023-11-14T22:13:22Z\n---\nFirst\n");
  EXPECT_EQ(count_of(kFirst), 7U);
  EXPECT_EQ(count_of(kSecond), 1U);
  EXPECT_FALSE(*fold_accesses(tree, 1, 10));
  ASSERT_OK(record_accesses(tree, std::vector{kFirst}, at(3)));
  EXPECT_EQ(count_of(kFirst), 8U);
}

TEST_F(AccessJournal, WaitsUntilThereIsEnoughToFoldAndThenFoldsAFew) {
  TreeWriter tree = writer();
  ASSERT_OK(record_accesses(tree, std::vector{kFirst, kSecond}, at(1)));
  EXPECT_FALSE(*fold_accesses(tree, 3, 10));
  EXPECT_TRUE(*fold_accesses(tree, 2, 1));
  EXPECT_THAT(bytes_of(kFirst), HasSubstr("accessCount: 6"));
  EXPECT_EQ(bytes_of(kSecond), "Second\n");
  EXPECT_EQ(count_of(kSecond), 1U);
}

TEST_F(AccessJournal, KeepsTheCountsOfAFileThatItCannotChange) {
  files_.put("/memory/" + kFirst, "---\nid: [a\n---\nFirst\n");
  TreeWriter tree = writer();
  ASSERT_OK(record_accesses(tree, std::vector{kFirst, kSecond}, at(1)));
  ASSERT_OK(fold_accesses(tree, 1, 10));
  EXPECT_EQ(bytes_of(kFirst), "---\nid: [a\n---\nFirst\n");
  EXPECT_EQ(count_of(kFirst), 1U);
  EXPECT_EQ(count_of(kSecond), 1U);
}

TEST_F(AccessJournal, PassesOverDamagedLinesAndGoesOnAfterTheLastGoodOne) {
  TreeWriter tree = writer();
  ASSERT_OK(record_accesses(tree, std::vector{kFirst}, at(1)));
  ASSERT_OK(record_accesses(tree, std::vector{kFirst}, at(2)));
  const std::string whole = bytes_of(std::string(kJournalFile));
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    files_.put("/memory/" + std::string(kJournalFile), whole.substr(0, cut));
    ASSERT_OK(record_accesses(tree, std::vector{kFirst}, at(3)));
    const uint64_t count = count_of(kFirst);
    EXPECT_GE(count, 6U) << cut;
    EXPECT_LE(count, 8U) << cut;
  }
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    files_.put("/memory/" + std::string(kJournalFile), damaged);
    EXPECT_GE(count_of(kFirst), 5U) << i;
    EXPECT_LE(count_of(kFirst), 7U) << i;
  }
}

TEST_F(AccessJournal, KilledAtAnyCallCountsEachAccessOnce) {
  for (uint64_t call = 1; call < 200; ++call) {
    files_ = MemoryFileSystem();
    SetUp();
    TreeWriter tree = writer();
    ASSERT_OK(record_accesses(tree, std::vector{kFirst, kSecond}, at(1)));
    ASSERT_OK(record_accesses(tree, std::vector{kFirst}, at(2)));
    files_.crash_at(call, {ErrorCode::kIo, "killed", ""});
    const auto folded = fold_accesses(tree, 1, 10);
    const bool reached = files_.calls() >= call;
    files_.fail_at(UINT64_MAX, {});
    EXPECT_EQ(count_of(kFirst), 7U) << "right after a kill at call " << call;
    EXPECT_EQ(count_of(kSecond), 1U) << "right after a kill at call " << call;
    TreeWriter next = writer();
    ASSERT_OK(record_accesses(next, std::vector{kFirst}, at(3)));
    EXPECT_EQ(count_of(kFirst), 8U) << "after a kill at call " << call;
    ASSERT_OK(fold_accesses(next, 1, 10));
    EXPECT_EQ(count_of(kFirst), 8U) << "folded after a kill at call " << call;
    EXPECT_EQ(count_of(kSecond), 1U) << "folded after a kill at call " << call;
    if (!reached) return;
  }
  FAIL() << "folding two files took more calls than expected";
}

TEST_F(AccessJournal, OfAStrangerLeadsNowhere) {
  files_.put("/outside.md", "---\naccessCount: 1\n---\nNot ours\n");
  TreeWriter tree = writer();
  ASSERT_OK(record_accesses(tree, std::vector<std::string>{"../outside.md", "/outside.md", kFirst}, at(1)));
  ASSERT_OK(fold_accesses(tree, 1, 10));
  EXPECT_EQ(count_of(kFirst), 6U);
  EXPECT_EQ(*files_.read("/outside.md", 1000), "---\naccessCount: 1\n---\nNot ours\n");
}

TEST_F(AccessJournal, StaysSmallHoweverOftenMemoriesAreRecalled) {
  TreeWriter tree = writer();
  const std::vector<std::string> many(2000, kFirst);
  for (int i = 0; i < 12; ++i) ASSERT_OK(record_accesses(tree, many, at(i)));
  EXPECT_LT(bytes_of(std::string(kJournalFile)).size(), kCompactFromBytes);
  EXPECT_EQ(count_of(kFirst), 5U + 24000U);
}

// Real processes, killed while they record and fold.
TEST(AccessJournalKilled, LosesNoAcknowledgedAccessAndCountsNoneTwice) {
  const int kills = 250 / testing::cases_divisor();
  TemporaryFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 4; ++i) {
    paths.push_back(fmt::format("facts/2026-11-15/m{}.md", i));
    folder.write("memory/" + paths.back(), fmt::format("---\nid: m{}\n---\nText {}\n", i, i));
  }
  std::mt19937 random(3);
  uint64_t acknowledged = 0;
  for (int i = 0; i < kills; ++i) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto files = make_disk_file_system();
      while (true) {
        {
          auto tree = TreeWriter::open(*files, folder.file("memory"), true);
          if (!tree.ok() || !record_accesses(*tree, paths, at(i)).ok()) ::_exit(1);
          if (::write(ends[1], "x", 1) != 1) ::_exit(1);
          if (!fold_accesses(*tree, 1, 3).ok()) ::_exit(1);
        }
      }
    }
    ::close(ends[1]);
    ::usleep(random() % 30'000);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child gave up";
    char byte = 0;
    while (::read(ends[0], &byte, 1) == 1) ++acknowledged;
    ::close(ends[0]);
  }
  ASSERT_GT(acknowledged, 0U);
  const auto files = make_disk_file_system();
  const auto catalogue = Catalogue::open(*files, {folder.file("memory"), folder.file("state"), true, true});
  ASSERT_OK(catalogue);
  EXPECT_THAT(catalogue->warnings(), ::testing::IsEmpty());
  ASSERT_EQ(catalogue->memories().size(), paths.size());
  for (const Memory& memory : catalogue->memories()) {
    EXPECT_GE(memory.access_count, acknowledged);
    EXPECT_LE(memory.access_count, acknowledged + static_cast<uint64_t>(kills)) << "counted twice";
    EXPECT_EQ(memory.text, "Text " + memory.id.substr(1));
  }
}

}  // namespace
}  // namespace knapsack::memory
