// Bringing memories from one folder into another: nothing is lost wherever the process dies.
#include "memory/tree/move_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/files/memory_file_system.h"
#include "memory/tree/access_journal.h"
#include "memory/tree/catalogue.h"
#include "support/support.h"

namespace knapsack::memory {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

const std::map<std::string, std::string> kTree = {
    {"profile.md", "# Profile\n\n- Likes short answers\n"},
    {"facts/2026-11-01/a.md", "---\nid: a\n---\nThe first\n"},
    {"facts/2026-11-02/b.md", "---\nid: b\n---\nThe second\n"},
    {"corrections/c.md", "---\nid: c\n---\nThe third\n"},
    {"namespaces/work/facts/2026-11-02/d.md", "Of work\n"},
    {"facts/2026-11-02/notes.txt", "not a memory, and not ours to throw away\n"}};

void put_tree(MemoryFileSystem& files, const std::string& folder) {
  for (const auto& [path, bytes] : kTree) files.put(folder + "/" + path, bytes);
}

std::string read(const MemoryFileSystem& files, const std::string& path) {
  const auto bytes = files.read(path, 1 << 20);
  return bytes.ok() ? *bytes : "";
}

void expect_moved(const MemoryFileSystem& files, const std::string& told) {
  for (const auto& [path, bytes] : kTree)
    EXPECT_EQ(read(files, "/new/" + path), bytes) << path << " " << told;
  EXPECT_FALSE(files.info("/old").ok()) << told;
}

TEST(MoveTree, AFolderGoesAsAWholeWhereNothingIsInItsPlace) {
  MemoryFileSystem files;
  put_tree(files, "/old");
  const auto moved = move_tree(files, "/old", "/new", false);
  ASSERT_OK(moved);
  EXPECT_EQ(moved->files, 4U) << "memories";
  expect_moved(files, "");
  EXPECT_EQ(move_tree(files, "/old", "/new", false)->files, 0U) << "nothing is left to do";
}

TEST(MoveTree, IntoAFolderThatHasMemoriesNothingIsOverwritten) {
  MemoryFileSystem files;
  put_tree(files, "/old");
  files.put("/new/facts/2026-11-01/a.md", "---\nid: a\n---\nAnother first\n");
  files.put("/new/facts/2026-11-02/b.md", kTree.at("facts/2026-11-02/b.md"));
  const auto moved = move_tree(files, "/old", "/new", false);
  ASSERT_OK(moved);
  ASSERT_THAT(moved->apart, SizeIs(1));
  EXPECT_THAT(read(files, "/new/facts/2026-11-01/a.md"), HasSubstr("Another first"));
  EXPECT_THAT(read(files, "/new/" + moved->apart[0]), HasSubstr("The first"));
  EXPECT_THAT(moved->apart[0], HasSubstr("archive/moved/"));
  EXPECT_FALSE(files.info("/old").ok());
}

TEST(MoveTree, WhatAKilledWriterLeftIsNoMemoryAndWhatLooksLikeItIs) {
  MemoryFileSystem files;
  put_tree(files, "/old");
  files.put("/old/facts/2026-11-02/new.api.md", "The new API answers in JSON.\n");
  files.put("/old/facts/2026-11-02/.new.AbCdEf", "half a memo");
  files.put("/new/facts/2026-11-09/z.md", "Already here\n");
  ASSERT_OK(move_tree(files, "/old", "/new", false));
  EXPECT_EQ(read(files, "/new/facts/2026-11-02/new.api.md"), "The new API answers in JSON.\n");
  EXPECT_FALSE(files.info("/new/facts/2026-11-02/.new.AbCdEf").ok());
  expect_moved(files, "");
}

TEST(MoveTree, CountedAccessesGoAlong) {
  MemoryFileSystem files;
  put_tree(files, "/old");
  files.put("/new/facts/2026-11-09/z.md", "Already here\n");
  {
    auto writer = TreeWriter::open(files, "/old", false);
    const std::vector<std::string> paths = {"facts/2026-11-01/a.md", "facts/2026-11-01/a.md",
                                            "corrections/c.md"};
    ASSERT_OK(record_accesses(*writer, paths, Timestamp::from_seconds(1'763'193'600)));
  }
  ASSERT_OK(move_tree(files, "/old", "/new", false));
  const auto catalogue = Catalogue::open(files, {"/new", "/state", true, false});
  ASSERT_OK(catalogue);
  EXPECT_EQ(catalogue->find("facts/2026-11-01/a.md")->access_count, 2U);
  EXPECT_EQ(catalogue->find("corrections/c.md")->access_count, 1U);
}

// Killed at every call of the file system, then run again.
void die_everywhere(const std::function<void(MemoryFileSystem&)>& prepare) {
  uint64_t died = 0;
  for (uint64_t nth = 1;; ++nth) {
    MemoryFileSystem files;
    put_tree(files, "/old");
    prepare(files);
    files.crash_at(nth, Error{ErrorCode::kIo, "killed", ""});
    const bool done = move_tree(files, "/old", "/new", false).ok() && files.calls() < nth;
    files.fail_at(1'000'000, Error{ErrorCode::kIo, "", ""});
    // Between the runs every file is in one of the two places.
    for (const auto& [path, bytes] : kTree) {
      EXPECT_TRUE(read(files, "/old/" + path) == bytes || read(files, "/new/" + path) == bytes)
          << path << " after call " << nth;
    }
    files.lose_power();
    ASSERT_OK(move_tree(files, "/old", "/new", false));
    expect_moved(files, "after call " + std::to_string(nth));
    if (done) break;
    ++died;
  }
  EXPECT_GT(died, 3U);
}

TEST(MoveTree, KilledAtAnyCallItLosesNothing) {
  die_everywhere([](MemoryFileSystem&) {});
  die_everywhere([](MemoryFileSystem& files) { files.put("/new/facts/2026-11-09/z.md", "Already here\n"); });
}

}  // namespace
}  // namespace knapsack::memory
