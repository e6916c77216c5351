// The store of vectors when calls of the file system fail, when the process dies at any of them, and when it
// is killed by the system: what was acknowledged is there, what is there is right, and nothing is left over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <thread>

#include "core/files/memory_file_system.h"
#include "search/support_vectors.h"
#include "support/support.h"

namespace knapsack::search {
namespace {

using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

constexpr char kRoot[] = "/vectors";
constexpr uint32_t kTexts = 60;
constexpr uint32_t kBatch = 3;  // twenty files: more than are kept, so they are joined
constexpr int kKills = 100;

const std::vector<VectorUnit>& units() {
  static const auto made = units_up_to(kTexts);
  return made;
}

Status add_batch(VectorStore& store, uint32_t from) {
  std::vector<float> vectors;
  std::vector<std::string_view> hashes;
  for (uint32_t unit = from; unit < std::min(from + kBatch, kTexts); ++unit) {
    if (store.holds(units()[unit].hash)) continue;
    const auto vector = vector_of(text_of(unit));
    vectors.insert(vectors.end(), vector.begin(), vector.end());
    hashes.push_back(units()[unit].hash);
  }
  return hashes.empty() ? ok_status() : store.add(hashes, vectors);
}

// Everything that a search does to a store. `acknowledged` gets what add() said is on disk.
Status work(FileSystem& files, std::set<uint32_t>& acknowledged) {
  KNAPSACK_TRY(auto store, VectorStore::open(files, kRoot, space_of("m"), {false}));
  for (uint32_t from = 0; from < kTexts; from += kBatch) {
    KNAPSACK_CHECK(add_batch(store, from));
    for (uint32_t unit = from; unit < from + kBatch; ++unit) acknowledged.insert(unit);
  }
  KNAPSACK_CHECK(store.tidy(hashes_of(units())));
  return ok_status();
}

// The units that the store holds, each of which it must find by its own vector.
std::set<uint32_t> held_by(VectorStore& store) {
  std::set<uint32_t> held;
  for (const VectorUnit& unit : units()) {
    if (!store.holds(unit.hash)) continue;
    held.insert(unit.unit);
    const std::vector<VectorUnit> alone = {unit};
    const auto found = store.nearest(alone, vector_of(text_of(unit.unit)), 1);
    EXPECT_EQ(found.size(), 1U);
    EXPECT_NEAR(found.front().score, 1, 1e-5);
  }
  return held;
}

class VectorStoreFaults : public ::testing::Test {
 protected:
  static MemoryFileSystem fresh() {
    MemoryFileSystem files;
    EXPECT_OK(files.make_directory(kRoot));
    return files;
  }
  static uint64_t calls_of_work() {
    MemoryFileSystem files = fresh();
    const uint64_t before = files.calls();
    std::set<uint32_t> acknowledged;
    EXPECT_OK(work(files, acknowledged));
    return files.calls() - before;
  }
  static void expect_sound(MemoryFileSystem& files, const std::set<uint32_t>& acknowledged, uint64_t call) {
    files.fail_at(0, {});
    auto store = VectorStore::open(files, kRoot, space_of("m"), {false});
    ASSERT_OK(store);
    EXPECT_THAT(held_by(*store), IsSupersetOf(acknowledged)) << "call " << call;
    std::set<uint32_t> again;
    EXPECT_OK(work(files, again));
    auto finished = VectorStore::open(files, kRoot, space_of("m"), {false});
    ASSERT_OK(finished);
    EXPECT_EQ(held_by(*finished).size(), kTexts) << "call " << call;
  }
};

TEST_F(VectorStoreFaults, ACallThatFailsCostsNothingThatWasAcknowledged) {
  const uint64_t calls = calls_of_work();
  ASSERT_GT(calls, 60U);
  size_t failed = 0;
  for (uint64_t call = 1; call <= calls; ++call) {
    MemoryFileSystem files = fresh();
    files.fail_at(call, {ErrorCode::kIo, "no space left on device", ""});
    std::set<uint32_t> acknowledged;
    failed += work(files, acknowledged).ok() ? 0 : 1;
    expect_sound(files, acknowledged, call);
  }
  EXPECT_EQ(failed, calls) << "no failure is passed over in silence";
}

TEST_F(VectorStoreFaults, AProcessThatDiesAtAnyCallLeavesAStoreThatOpensAndGoesOn) {
  const uint64_t calls = calls_of_work();
  for (const bool power : {false, true}) {
    for (uint64_t call = 1; call <= calls; ++call) {
      MemoryFileSystem files = fresh();
      files.crash_at(call, {ErrorCode::kIo, "killed", ""});
      std::set<uint32_t> acknowledged;
      EXPECT_FALSE(work(files, acknowledged).ok());
      if (power) files.lose_power();
      expect_sound(files, acknowledged, call);
    }
  }
}

TEST_F(VectorStoreFaults, WhatAKilledWriterLeftIsSweptAtTheNextOpen) {
  MemoryFileSystem files = fresh();
  std::set<uint32_t> acknowledged;
  ASSERT_OK(work(files, acknowledged));
  const std::string folder = join_path(kRoot, VectorStore::folder_of(space_of("m")));
  files.put(join_path(folder, ".new.abc123"), "half a file");
  files.put(join_path(folder, "notes.txt"), "somebody else's");
  ASSERT_OK(VectorStore::open(files, kRoot, space_of("m")));
  EXPECT_FALSE(files.info(join_path(folder, ".new.abc123")).ok());
  EXPECT_OK(files.info(join_path(folder, "notes.txt")));
}

TEST_F(VectorStoreFaults, DiscardingTakesNoFileButItsOwn) {
  const testing::TemporaryFolder folder;
  const auto files = make_disk_file_system();
  const std::string own = VectorStore::folder_of(space_of("m"));
  std::filesystem::create_directories(folder.file(".knapsack/vectors/memory"));
  const std::string root = folder.file(".knapsack/vectors/memory");
  auto store = VectorStore::open(*files, root, space_of("m"), {true});
  ASSERT_OK(store);
  const auto vector = vector_of("a");
  ASSERT_OK(store->add({std::string(32, 'a')}, vector));
  folder.write(".knapsack/vectors/memory/" + own + "/.new.abc123", "half a file");
  folder.write(".knapsack/vectors/memory/" + own + "/notes.txt", "somebody else's");
  folder.write(".knapsack/vectors/memory/Documents/thesis.txt", "somebody else's");
  ASSERT_OK(VectorStore::discard(*files, root));
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.is_regular_file()) left.insert(entry.path().filename());
  EXPECT_THAT(left, ::testing::ElementsAre("notes.txt", "thesis.txt"));
}

TEST_F(VectorStoreFaults, NothingIsDiscardedOrMadeBehindALink) {
  const testing::TemporaryFolder folder, elsewhere;
  const auto files = make_disk_file_system();
  const std::string theirs =
      "memory/" + VectorStore::folder_of(space_of("m")) + "/" + std::string(32, 'a') + ".vectors";
  elsewhere.write(theirs, "of another workspace");
  std::filesystem::create_directory(folder.file(".knapsack"));
  std::filesystem::create_directory_symlink(elsewhere.path(), folder.file(".knapsack/vectors"));
  const std::string root = folder.file(".knapsack/vectors/memory");
  const Status discarded = VectorStore::discard(*files, root);
  ASSERT_FALSE(discarded.ok());
  EXPECT_THAT(discarded.error().line(),
              ::testing::HasSubstr(folder.file(".knapsack/vectors") + " is a symbolic link"));
  EXPECT_FALSE(VectorStore::open(*files, root, space_of("m"), {true}).ok());
  EXPECT_FALSE(VectorStore::open(*files, root, space_of("another"), {true}).ok());
  EXPECT_EQ(elsewhere.read(theirs), "of another workspace");
}

TEST_F(VectorStoreFaults, WhatAnotherProcessIsWritingIsLeftAlone) {
  const testing::TemporaryFolder folder;
  const auto files = make_disk_file_system();
  ASSERT_OK(VectorStore::open(*files, folder.path(), space_of("m"), {true}));
  const std::string own = VectorStore::folder_of(space_of("m"));
  folder.write(own + "/.new.abc123", "in the making");
  {
    const auto writer =
        FileLock::acquire_folder(folder.file(own), FileLock::Mode::kShared, std::chrono::milliseconds(0));
    ASSERT_OK(writer);
    ASSERT_OK(VectorStore::open(*files, folder.path(), space_of("m"), {true}));
    EXPECT_TRUE(folder.exists(own + "/.new.abc123"));
  }
  ASSERT_OK(VectorStore::open(*files, folder.path(), space_of("m"), {true}));
  EXPECT_FALSE(folder.exists(own + "/.new.abc123"));
}

// Adds everything again and again to a store that is emptied in between, and says what is on disk.
[[noreturn]] void write_until_killed(const std::string& root, int out) {
  const auto files = make_disk_file_system();
  auto store = VectorStore::open(*files, root, space_of("m"), {true});
  if (!store.ok()) ::_exit(1);
  for (uint32_t from = 0; from < kTexts; from += kBatch) {
    if (!add_batch(*store, from).ok() || !store->tidy(hashes_of(units())).ok()) ::_exit(2);
    const auto done = static_cast<char>(from);
    if (::write(out, &done, 1) != 1) ::_exit(3);
  }
  ::_exit(0);
}

TEST_F(VectorStoreFaults, KilledAHundredTimesItLosesNothingAndLeavesNothing) {
  int killed = 0;
  for (int round = 0; round < kKills; ++round) {
    const testing::TemporaryFolder folder;
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) write_until_killed(folder.path(), ends[1]);
    ::close(ends[1]);
    // Delays between nothing and what all of it takes, in steps that fall at other places each time.
    std::this_thread::sleep_for(std::chrono::microseconds(137 * round));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    killed += WIFSIGNALED(status) ? 1 : 0;
    if (WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
    }
    std::set<uint32_t> acknowledged;
    char from = 0;
    while (::read(ends[0], &from, 1) == 1) {
      for (uint32_t unit = 0; unit < kBatch; ++unit) acknowledged.insert(static_cast<uint32_t>(from) + unit);
    }
    ::close(ends[0]);
    const auto files = make_disk_file_system();
    auto store = VectorStore::open(*files, folder.path(), space_of("m"), {true});
    ASSERT_OK(store);
    EXPECT_THAT(held_by(*store), IsSupersetOf(acknowledged));
    EXPECT_EQ(store->removed(), 0U) << "no file was half there";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
      EXPECT_FALSE(entry.path().filename().string().starts_with(kNewFilePrefix)) << entry.path();
  }
  EXPECT_GT(killed, kKills / 4) << "the delays are too long to kill anybody";
}

}  // namespace
}  // namespace knapsack::search
