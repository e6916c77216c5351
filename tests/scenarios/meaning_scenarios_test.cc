// The encoder as people meet it: recall that needs no word in common, and the command that makes vectors.
#include <nlohmann/json.hpp>

#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::HasSubstr;
using ::testing::Not;

class MeaningScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write(".git/HEAD", "ref: refs/heads/main\n");
    memory("2026-11-01", "plumber", "The plumber said the pipe in the cellar is leaking.");
    memory("2026-11-02", "backup", "The database is copied to the archive at night.");
    memory("2026-11-03", "train", "Trains to the coast leave at nine.");
  }
  void memory(const std::string& day, const std::string& id, const std::string& text) {
    folder_.write(".knapsack/memory/facts/" + day + "/" + id + ".md",
                  "---\nid: " + id + "\ncreated: " + day + "T10:00:00Z\n---\n" + text + "\n");
  }
  ProgramResult run(const std::vector<std::string>& arguments) const {
    const auto result = run_program(arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  TemporaryFolder folder_;
};

constexpr char kWater[] = "Why is there water on the basement floor?";

TEST_F(MeaningScenario, RecallNeedsNoWordInCommon) {
  EXPECT_THAT(run({"recall", kWater}).out, HasSubstr("plumber"));
  EXPECT_THAT(run({"recall", kWater, "--no-meaning"}).out, Not(HasSubstr("plumber")));
}

TEST_F(MeaningScenario, ThePacketSaysWhetherMeaningWasAsked) {
  const auto model = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"recall", kWater, "--format", "json"};
    words.insert(words.end(), more.begin(), more.end());
    return nlohmann::json::parse(run(words).out)["meaning"]["model"];
  };
  EXPECT_EQ(model({}), "e5-small-v2");
  EXPECT_TRUE(model({"--no-meaning"}).is_null());
}

TEST_F(MeaningScenario, EmbedMakesWhatIsMissingAndStatusCountsIt) {
  for (int i = 0; i < 30; ++i)
    memory("2026-10-01", "many" + std::to_string(i), "Parcel " + std::to_string(i));
  EXPECT_THAT(run({"recall", "trains to the coast"}).err,
              HasSubstr("33 of 33 memories are found by words only"));
  EXPECT_THAT(run({"embed"}).out, HasSubstr("33 of 33 memories have a vector by e5-small-v2"));
  EXPECT_EQ(run({"recall", "trains to the coast"}).err, "");
  EXPECT_THAT(run({"status"}).out, HasSubstr("33 of 33 memories have a vector"));
  EXPECT_THAT(run_program({"doctor"}, folder_.path()).out, HasSubstr("e5-small-v2"));
  EXPECT_THAT(run({"embed", "--no-meaning"}).out, HasSubstr("Meaning is off"));
}

}  // namespace
}  // namespace knapsack
