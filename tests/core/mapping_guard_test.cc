// A mapped file that is cut while somebody reads it.
#include "core/mapping_guard.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "core/files/file_system.h"
#include "support/support.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBytes = 1'000'000;

class MappingGuardTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("file", std::string(kBytes, 'x'));
    auto mapped = make_disk_file_system()->map(folder_.file("file"));
    ASSERT_OK(mapped);
    file_ = *mapped;
  }
  size_t sum() const {
    const std::string_view bytes = file_->bytes();
    return std::accumulate(bytes.begin(), bytes.end(), size_t{0});
  }

  testing::TemporaryFolder folder_;
  std::shared_ptr<const FileBytes> file_;
};

TEST_F(MappingGuardTest, WhatIsGoneReadsAsZerosAndIsTold) {
  const MappingGuard guard(file_->bytes());
  EXPECT_EQ(sum(), kBytes * 'x');
  EXPECT_FALSE(guard.cut());
  fs::resize_file(folder_.file("file"), 4'096);
  EXPECT_EQ(sum(), 4'096U * 'x');
  EXPECT_TRUE(guard.cut());
}

TEST_F(MappingGuardTest, EachKnowsOfItsOwnFileOnly) {
  const testing::TemporaryFolder other;
  other.write("whole", std::string(kBytes, 'y'));
  const auto whole = make_disk_file_system()->map(other.file("whole"));
  ASSERT_OK(whole);
  const MappingGuard first(file_->bytes());
  const MappingGuard second((*whole)->bytes());
  fs::resize_file(folder_.file("file"), 0);
  EXPECT_EQ(sum(), 0U);
  EXPECT_TRUE(first.cut());
  EXPECT_FALSE(second.cut());
}

TEST_F(MappingGuardTest, APlaceIsFreeAgainWhenItsGuardIsGone) {
  for (size_t i = 0; i < 3 * kMaxGuards; ++i) const MappingGuard passing(file_->bytes());
  const MappingGuard guard(file_->bytes());
  fs::resize_file(folder_.file("file"), 0);
  EXPECT_EQ(sum(), 0U);
  EXPECT_TRUE(guard.cut());
}

TEST_F(MappingGuardTest, WhatNobodyGuardsEndsTheProcessAsEver) {
  EXPECT_DEATH(
      {
        { const MappingGuard installs(file_->bytes()); }
        fs::resize_file(folder_.file("file"), 0);
        [[maybe_unused]] volatile size_t all = sum();
      },
      "");
}

}  // namespace
}  // namespace knapsack
