#include "core/files/memory_file_system.h"
#include "support/support.h"

namespace knapsack {
namespace {

// One contract, two forms: every expectation runs on the disk and in memory.
class LargeFile : public ::testing::TestWithParam<bool> {
 protected:
  LargeFile() {
    if (GetParam()) {
      files_ = make_disk_file_system();
      path_ = folder_.path();
    } else {
      files_ = std::make_unique<MemoryFileSystem>();
      path_ = "/folder";
      EXPECT_OK(files_->make_directory(path_));
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    const auto entries = files_->list(path_);
    for (const auto& entry : *entries) names.push_back(entry.name);
    return names;
  }

  testing::TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_;
  std::string path_;
};

TEST_P(LargeFile, IsSeenOnlyOnceItIsCommitted) {
  const std::string target = join_path(path_, "big");
  auto file = files_->create(path_);
  ASSERT_OK(file);
  ASSERT_OK((*file)->append("first "));
  ASSERT_OK((*file)->append("second"));
  EXPECT_FALSE(files_->info(target).ok());
  ASSERT_OK((*file)->commit(target));
  file->reset();
  EXPECT_THAT(names(), ::testing::ElementsAre("big"));
  const auto mapped = files_->map(target);
  ASSERT_OK(mapped);
  EXPECT_EQ((*mapped)->bytes(), "first second");
}

TEST_P(LargeFile, LeavesNothingBehindWhenItIsDropped) {
  {
    auto file = files_->create(path_);
    ASSERT_OK(file);
    ASSERT_OK((*file)->append("never seen"));
  }
  EXPECT_THAT(names(), ::testing::IsEmpty());
}

TEST_P(LargeFile, KeepsItsMappedBytesWhenTheNameGoes) {
  const std::string target = join_path(path_, "big");
  ASSERT_OK(files_->replace(target, "kept"));
  const auto mapped = files_->map(target);
  ASSERT_OK(mapped);
  ASSERT_OK(files_->remove(target));
  EXPECT_EQ((*mapped)->bytes(), "kept");
}

TEST_P(LargeFile, MapsAnEmptyFileAndRefusesWhatIsNotAFile) {
  const std::string target = join_path(path_, "empty");
  ASSERT_OK(files_->replace(target, ""));
  const auto mapped = files_->map(target);
  ASSERT_OK(mapped);
  EXPECT_EQ((*mapped)->bytes(), "");
  EXPECT_FALSE(files_->map(join_path(path_, "missing")).ok());
  EXPECT_FALSE(files_->map(path_).ok());
}

INSTANTIATE_TEST_SUITE_P(, LargeFile, ::testing::Values(true, false),
                         [](const auto& form) { return form.param ? "OnDisk" : "InMemory"; });

}  // namespace
}  // namespace knapsack
