// Which files of a folder are memories, and in which order they are told.
#include "memory/tree/tree.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/support.h"

namespace knapsack::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MemoryTree, SeveralThreadsTellTheSameInTheSameOrder) {
  const testing::TemporaryFolder folder;
  for (int day = 0; day < 300; ++day)
    for (int file = 0; file <= day % 3; ++file)
      folder.write(fmt::format("facts/d{:03}/m{}.md", day, file), "A memory\n");
  // In the order of names a folder comes before the file of its name, in that of paths behind it.
  folder.write("facts/d007.md", "A memory beside the folder of its name\n");
  folder.write("namespaces/work/facts/d001/m0.md", "Of work\n");
  for (const char* name : {"facts/d100/link.md", "facts/d250/link.md"})
    std::filesystem::create_symlink("m0.md", folder.file(name));
  const auto files = make_disk_file_system();
  const auto one = walk_tree(*files, folder.path(), "", TreeThreads::kOne);
  const auto several = walk_tree(*files, folder.path(), "", TreeThreads::kSeveral);
  ASSERT_OK(one);
  ASSERT_OK(several);
  ASSERT_EQ(one->files.size(), 602U);
  ASSERT_EQ(several->files.size(), one->files.size());
  for (size_t i = 0; i < one->files.size(); ++i) {
    EXPECT_EQ(several->files[i].path, one->files[i].path);
    EXPECT_EQ(several->files[i].name_space, one->files[i].name_space);
    EXPECT_TRUE(i == 0 || one->files[i - 1].path < one->files[i].path) << one->files[i].path;
  }
  EXPECT_THAT(one->warnings, ElementsAre(HasSubstr("facts/d100/link.md"), HasSubstr("facts/d250/link.md")));
  EXPECT_EQ(several->warnings, one->warnings);
}

}  // namespace
}  // namespace knapsack::memory
