// What a model said of a content: kept by content, replaced, and gone when its content is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "code/index/curated_writer.h"
#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

code::BlobFacts blob_of(const std::string& hash) {
  code::BlobFacts facts;
  facts.hash = hash;
  facts.language = "python";
  return facts;
}

code::FileMetadata metadata_for(const std::string& hash, const std::string& purpose) {
  return {hash,       "model",         1'800'000'000'000'000, purpose, "shop",
          "commerce", {"cart", "жук"}, {"Cart", ""},          "none"};
}

class StoredMetadata : public ::testing::Test {
 protected:
  Status in_transaction(const std::function<Status(code::CuratedWriter&)>& work) {
    KNAPSACK_TRY(code::CuratedWriter writer, code::CuratedWriter::open(*files_, folder_.path(), {}));
    return writer.transaction([&] { return work(writer); });
  }
  std::vector<code::FileMetadata> stored() {
    auto reader = code::Curated::open(*files_, folder_.path());
    EXPECT_OK(reader);
    auto rows = reader->file_metadata();
    EXPECT_OK(rows);
    return rows.ok() ? *rows : std::vector<code::FileMetadata>();
  }

  testing::TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
  const std::string one_ = std::string(20, '\1');
  const std::string two_ = std::string(19, '\0') + "\2";
};

TEST_F(StoredMetadata, ComesBackAsItWasGivenAndIsReplacedByContent) {
  ASSERT_OK(in_transaction([&](code::CuratedWriter& writer) -> Status {
    KNAPSACK_CHECK(writer.put_file_metadata(metadata_for(one_, "old")));
    KNAPSACK_CHECK(writer.put_file_metadata(metadata_for(two_, "other")));
    return writer.put_file_metadata(metadata_for(one_, "new"));
  }));
  EXPECT_THAT(stored(), ElementsAre(metadata_for(two_, "other"), metadata_for(one_, "new")));
}

TEST_F(StoredMetadata, StaysAsLongAsABlobHasItsContentAndNoLonger) {
  int64_t blob = 0;
  ASSERT_OK(in_transaction([&](code::CuratedWriter& writer) -> Status {
    KNAPSACK_TRY(blob, writer.add_blob(blob_of(one_)));
    KNAPSACK_CHECK(writer.put_file_metadata(metadata_for(one_, "kept")));
    KNAPSACK_CHECK(writer.put_file_metadata(metadata_for(two_, "lost")));
    return writer.remove_lost_metadata();
  }));
  EXPECT_THAT(stored(), ElementsAre(metadata_for(one_, "kept")));
  // The same content, learnt anew.
  ASSERT_OK(in_transaction([&](code::CuratedWriter& writer) -> Status {
    KNAPSACK_TRY(blob, writer.add_blob(blob_of(one_), blob));
    return writer.remove_lost_metadata();
  }));
  EXPECT_THAT(stored(), ElementsAre(metadata_for(one_, "kept")));
  ASSERT_OK(in_transaction([&](code::CuratedWriter& writer) -> Status {
    KNAPSACK_CHECK(writer.remove_blob(blob));
    return writer.remove_lost_metadata();
  }));
  EXPECT_THAT(stored(), IsEmpty());
}

}  // namespace
}  // namespace knapsack
