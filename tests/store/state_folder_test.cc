#include "store/state_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/files/memory_file_system.h"
#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::HasSubstr;

mode_t permissions_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

class StateFolder : public ::testing::Test {
 protected:
  testing::TemporaryFolder workspace_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
};

TEST_F(StateFolder, IsPrivateAndIgnoredByGit) {
  const auto folder = ensure_state_folder(*files_, workspace_.path());
  ASSERT_OK(folder);
  EXPECT_EQ(*folder, workspace_.file(".knapsack"));
  EXPECT_EQ(permissions_of(*folder), 0700u);
  EXPECT_EQ(workspace_.read(".knapsack/.gitignore"), "*\n");
  EXPECT_EQ(permissions_of(*folder + "/.gitignore"), 0600u);
  EXPECT_FALSE(workspace_.exists(".knapsack/sessions")) << "created on demand only";
}

TEST_F(StateFolder, ThatExistsIsLeftAsItIs) {
  workspace_.write(".knapsack/.gitignore", "mine\n");
  ASSERT_OK(ensure_state_folder(*files_, workspace_.path()));
  ASSERT_OK(ensure_state_folder(*files_, workspace_.path()));
  EXPECT_EQ(workspace_.read(".knapsack/.gitignore"), "mine\n");
}

TEST_F(StateFolder, ThatIsALinkIsRefused) {
  testing::TemporaryFolder elsewhere;
  ASSERT_EQ(::symlink(elsewhere.path().c_str(), workspace_.file(".knapsack").c_str()), 0);
  const auto folder = ensure_state_folder(*files_, workspace_.path());
  ASSERT_FALSE(folder.ok());
  EXPECT_THAT(folder.error().line(), HasSubstr("symbolic link"));
  EXPECT_FALSE(elsewhere.exists(".gitignore"));
}

TEST_F(StateFolder, ThatIsAFileIsRefused) {
  workspace_.write(".knapsack", "precious");
  EXPECT_FALSE(ensure_state_folder(*files_, workspace_.path()).ok());
  EXPECT_EQ(workspace_.read(".knapsack"), "precious");
}

TEST_F(StateFolder, HoldsSessionsOnDemand) {
  const auto sessions = ensure_sessions_folder(*files_, workspace_.path());
  ASSERT_OK(sessions);
  EXPECT_EQ(*sessions, workspace_.file(".knapsack/sessions"));
  EXPECT_EQ(permissions_of(*sessions), 0700u);

  testing::TemporaryFolder other;
  other.write(".knapsack/sessions", "a file");
  EXPECT_FALSE(ensure_sessions_folder(*files_, other.path()).ok());
}

TEST_F(StateFolder, HasNoFolderThatIsALink) {
  testing::TemporaryFolder elsewhere;
  ASSERT_OK(ensure_state_folder(*files_, workspace_.path()));
  const std::string link = workspace_.file(".knapsack/segments");
  ASSERT_EQ(::symlink(elsewhere.path().c_str(), link.c_str()), 0);
  for (const auto& refused :
       {ensure_own_folder(*files_, link), check_own_folder(*files_, link),
        ensure_own_folder(*files_, link + "/below"), check_own_folder(*files_, link + "/below/it")}) {
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().line(), HasSubstr(link + " is a symbolic link"));
    EXPECT_THAT(refused.error().next, HasSubstr("remove the link"));
  }
  EXPECT_FALSE(elsewhere.exists("below"));
  EXPECT_OK(check_own_folder(*files_, workspace_.file(".knapsack/nothing/is_there")));
}

TEST_F(StateFolder, MayLieBehindLinksOfTheUser) {
  testing::TemporaryFolder elsewhere;
  elsewhere.write("work/a.txt", "");
  ASSERT_EQ(::symlink(elsewhere.path().c_str(), workspace_.file("way").c_str()), 0);
  ASSERT_OK(ensure_state_folder(*files_, workspace_.file("way/work")));
  ASSERT_OK(ensure_own_folder(*files_, workspace_.file("way/work/.knapsack/segments")));
  EXPECT_TRUE(elsewhere.exists("work/.knapsack/segments"));
}

TEST(StateFolderOnAFailingDisk, IsWholeAfterAnotherTry) {
  for (uint64_t nth = 1;; ++nth) {
    MemoryFileSystem files;
    files.put_kind("/work", FileKind::kDirectory);
    files.fail_at(nth, {ErrorCode::kIo, "the disk is gone", ""});
    if (ensure_state_folder(files, "/work").ok()) {
      EXPECT_GT(nth, 4u) << "every call of the first try was made to fail";
      break;
    }
    ASSERT_OK(ensure_state_folder(files, "/work"));
    EXPECT_EQ(*files.read("/work/.knapsack/.gitignore", 100), "*\n");
  }
}

}  // namespace
}  // namespace knapsack
