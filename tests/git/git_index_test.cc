#include "git/index.h"
#include "git/repository.h"
#include "support/repository_git.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::split_nul;
using testing::TestRepository;

GitRepository open_index_or_die(const std::string& path) {
  auto opened = GitRepository::open(path);
  if (!opened.ok() || !*opened) throw std::runtime_error("cannot open " + path);
  return std::move(**opened);
}

TEST(GitIndex, ReadsEveryVersionOfTheIndex) {
  const TestRepository made;
  for (int i = 0; i < 50; ++i) made.write("dir" + std::to_string(i % 7) + "/file" + std::to_string(i), "x");
  made.write("bad\xffname\n", "x");
  made.write("intent", "x");
  made.git({"add", "."});
  made.git({"reset", "-q", "intent"});
  for (const std::string version : {"2", "3", "4"}) {
    made.git({"update-index", "--index-version", version});
    if (version != "2") made.git({"add", "-N", "intent"});  // needs the extended flags of version 3
    const auto tracked = open_index_or_die(made.path()).tracked_files();
    ASSERT_OK(tracked);
    EXPECT_EQ(tracked->files(), split_nul(made.git({"ls-files", "-z"}))) << version;
    EXPECT_TRUE(tracked->any_below("dir3"));
    EXPECT_FALSE(tracked->any_below("dir"));
    EXPECT_TRUE(tracked->contains("dir3/file3"));
    EXPECT_FALSE(tracked->contains("dir3"));
  }
}

// An index of version 4 in which `count` entries repeat the name of the first.
std::string index_of_repeats(size_t name_length, uint32_t count) {
  const auto number = [](uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFFU);
    return bytes;
  };
  const std::string before_mode(24, '\0'), after_mode(34, '\0');
  const std::string entry = before_mode + number(0100644) + after_mode;
  std::string index = "DIRC" + number(4) + number(count);
  for (uint32_t i = 0; i < count; ++i) {
    index += entry + '\0';
    if (i == 0) index += std::string(name_length, 'n');
    index += '\0';
  }
  return index + std::string(20, 'c');
}

TEST(GitIndex, NamesThatNoFileCanHaveAreDamage) {
  const auto longest = parse_index_entries(index_of_repeats(4096, 3), "index");
  ASSERT_OK(longest);
  EXPECT_EQ(longest->size(), 3U);
  EXPECT_EQ(longest->back().path.size(), 4096U);
  const auto too_long = parse_index_entries(index_of_repeats(4097, 1), "index");
  ASSERT_FALSE(too_long.ok());
  EXPECT_EQ(too_long.error().code, ErrorCode::kCorrupt);
}

TEST(GitIndex, NamesThatAreHugeTogetherAreDamage) {
  constexpr uint32_t kEnough = 70'000;  // 287 MB of names from 4.5 MB
  const auto huge = parse_index_entries(index_of_repeats(4096, kEnough), "index");
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.error().code, ErrorCode::kCorrupt);
}

TEST(GitIndex, AConflictedPathIsTrackedOnce) {
  const TestRepository made;
  const std::string blob = made.git({"hash-object", "-w", "--stdin"}, "x").substr(0, 40);
  made.git({"update-index", "--index-info"},
           "100644 " + blob + " 1\tf\n100644 " + blob + " 2\tf\n100644 " + blob + " 3\tf\n");
  EXPECT_THAT(open_index_or_die(made.path()).tracked_files()->files(), ElementsAre("f"));
}

TEST(GitIndex, WithASplitIndexTheFilesOfHeadCountAsTracked) {
  const TestRepository made;
  made.write("a", "1");
  made.write("b/c", "2");
  made.commit("one");
  made.git({"update-index", "--split-index"});
  made.write("d", "3");
  made.git({"add", "d"});
  std::string note;
  const auto tracked = open_index_or_die(made.path()).tracked_files(&note);
  ASSERT_OK(tracked);
  EXPECT_THAT(tracked->files(), ElementsAre("a", "b/c"));
  EXPECT_THAT(note, HasSubstr("split index"));
}

TEST(GitIndex, ASparseIndexIsRead) {
  const TestRepository made;
  made.write("kept/a", "1");
  made.write("left/out/b", "2");
  made.write("top", "3");
  made.commit("one");
  made.git({"sparse-checkout", "set", "--cone", "--sparse-index", "kept"});
  const auto tracked = open_index_or_die(made.path()).tracked_files();
  ASSERT_OK(tracked);
  EXPECT_THAT(tracked->files(), ElementsAre("kept/a", "top"));
}

}  // namespace
}  // namespace knapsack
