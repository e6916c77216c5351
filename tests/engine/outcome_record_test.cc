// What the ledger keeps of a run and of its outcome may be anybody's bytes: what is of another type counts as missing.
#include "engine/outcome/outcome_record.h"

#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(OutcomeRecord, OfOtherTypesIsReadAsFarAsItGoes) {
  const auto files = parse_changes(
      R"({"files":[{"path":1,"kind":[],"packed":"yes","named_by":7,"lines":{"a":1},"changed_lines":-1,)"
      R"("shown_lines":0.5,"compared":1,"why":{}},"src/a.cc",{"path":"src/b.cc","changed_lines":4}]})");
  ASSERT_THAT(files, SizeIs(2));
  EXPECT_EQ(files[0].path, "");
  EXPECT_EQ(files[0].change, FileChangeKind::kModified);
  EXPECT_FALSE(files[0].packed || files[0].compared);
  EXPECT_EQ(files[0].changed_lines + files[0].shown_lines, 0u);
  EXPECT_THAT(files[0].named_by, IsEmpty());
  EXPECT_EQ(files[1].path, "src/b.cc");
  EXPECT_EQ(files[1].changed_lines, 4u);
}

TEST(ShownContent, OfOtherTypesIsReadAsFarAsItGoes) {
  const ShownContent shown =
      parse_shown(R"({"files":{"a.cc":{"id":5,"lines":"all"},"b.cc":{"id":"x","lines":[[1,2]]},"c.cc":null},)"
                  R"("named":{"notes":[1,"d.cc"],"memory":"e.cc","graph":null}})");
  ASSERT_THAT(shown.files, SizeIs(2));
  EXPECT_EQ(shown.files.at("a.cc").id, "");
  EXPECT_THAT(shown.files.at("a.cc").lines, IsEmpty());
  EXPECT_EQ(shown.files.at("b.cc").id, "x");
  EXPECT_THAT(shown.named.at("notes"), ElementsAre("d.cc"));
}

}  // namespace
}  // namespace knapsack
