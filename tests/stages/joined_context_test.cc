// What several repositories found, as one context.
#include "stages/joined_context.h"

#include "support/support.h"

namespace knapsack::stages {
namespace {

TEST(JoinedContext, OnlyOurOwnWordsAboutFilesNameTheRepository) {
  ScopedFile file;
  file.path = "cart.py";
  file.relations = {"imports money.py", "imported by shop.py", "changed in 3 commits with tax.py",
                    "named by decision \"squash commits with care\""};
  StageContext context;
  context.files.push_back(file);
  const StageContext joined = join_contexts({{"", 1, {}}, {"lib", 0.5, context}}, {});
  ASSERT_EQ(joined.files.size(), 1U);
  EXPECT_EQ(joined.files[0].path, "lib:cart.py");
  EXPECT_EQ(joined.files[0].relations,
            (std::vector<std::string>{"imports lib:money.py", "imported by lib:shop.py",
                                      "changed in 3 commits with lib:tax.py",
                                      "named by decision \"squash commits with care\""}));
}

}  // namespace
}  // namespace knapsack::stages
