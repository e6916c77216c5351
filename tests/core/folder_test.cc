#include "core/files/folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <functional>

#include "core/files/memory_file_system.h"
#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using testing::TemporaryFolder;

// The same small tree in both forms; what follows holds for both.
void with_both(const std::function<void(const Folder&)>& check) {
  const TemporaryFolder disk;
  disk.write("b", "12345");
  disk.write("a/inner", "x");
  ASSERT_EQ(::symlink("a", disk.file("link").c_str()), 0);
  ASSERT_EQ(::mkfifo(disk.file("pipe").c_str(), 0600), 0);
  const auto on_disk = make_disk_file_system()->open_folder(disk.path());
  ASSERT_OK(on_disk);
  check(**on_disk);

  MemoryFileSystem memory;
  memory.put("/w/b", "12345");
  memory.put("/w/a/inner", "x");
  memory.put_link("/w/link", "a");
  memory.put_kind("/w/pipe", FileKind::kOther);
  const auto in_memory = memory.open_folder("/w");
  ASSERT_OK(in_memory);
  check(**in_memory);
}

TEST(Folder, ListsWhatItHoldsSorted) {
  with_both([](const Folder& folder) {
    const auto entries = folder.entries(4);
    ASSERT_OK(entries);
    std::vector<std::string> names;
    std::vector<FileKind> kinds;
    for (const auto& entry : *entries) {
      names.push_back(entry.name);
      kinds.push_back(entry.info.kind);
    }
    EXPECT_THAT(names, ElementsAre("a", "b", "link", "pipe"));
    EXPECT_THAT(kinds,
                ElementsAre(FileKind::kDirectory, FileKind::kRegular, FileKind::kSymlink, FileKind::kOther));
    EXPECT_EQ((*entries)[1].info.size, 5u);
    const auto fewer = folder.entries(3);
    ASSERT_FALSE(fewer.ok());
    EXPECT_EQ(fewer.error().code, ErrorCode::kLimit);
  });
}

TEST(Folder, EntersFoldersOnly) {
  with_both([](const Folder& folder) {
    const auto inside = folder.enter("a");
    ASSERT_OK(inside);
    EXPECT_EQ(*(*inside)->read("inner", 10), "x");
    for (const char* name : {"b", "link", "pipe"}) {
      const auto entered = folder.enter(name);
      ASSERT_FALSE(entered.ok()) << name;
      EXPECT_EQ(entered.error().code, ErrorCode::kIo) << name;
    }
    EXPECT_EQ(folder.enter("nothing").error().code, ErrorCode::kNotFound);
    EXPECT_EQ(*folder.link_target("link"), "a");
  });
}

TEST(Folder, ReadsRegularFilesWithinTheLimit) {
  with_both([](const Folder& folder) {
    EXPECT_EQ(*folder.read("b", 5), "12345");
    EXPECT_EQ(folder.read("b", 4).error().code, ErrorCode::kLimit);
    for (const char* name : {"a", "link", "pipe"})
      EXPECT_EQ(folder.read(name, 10).error().code, ErrorCode::kIo) << name;
    EXPECT_EQ(folder.read("nothing", 10).error().code, ErrorCode::kNotFound);
    EXPECT_EQ(*read_beneath(folder, "a/inner", 10), "x");
    EXPECT_FALSE(read_beneath(folder, "link/inner", 10).ok());
  });
}

TEST(Folder, NoNameLeadsOut) {
  with_both([](const Folder& folder) {
    for (const std::string& name : {std::string(), std::string("."), std::string(".."),
                                    std::string("a/inner"), std::string("/etc"), std::string("b\0", 2)}) {
      EXPECT_EQ(folder.info(name).error().code, ErrorCode::kUsage) << name;
      EXPECT_EQ(folder.enter(name).error().code, ErrorCode::kUsage) << name;
      EXPECT_EQ(folder.read(name, 10).error().code, ErrorCode::kUsage) << name;
      EXPECT_EQ(folder.link_target(name).error().code, ErrorCode::kUsage) << name;
    }
  });
}

}  // namespace
}  // namespace knapsack
