// `knapsack search` as people run it.
#include <nlohmann/json.hpp>

#include "support/embedding_server.h"
#include "support/repository_git.h"
#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SearchScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write(".git/HEAD", "ref: refs/heads/main\n");
    folder_.write(".context/LEARNINGS.md",
                  "# Learnings\n\n## [2026-01-05] Retries need jitter\n\nAll clients came back at once.\n");
    folder_.write("m/facts/2026-01-01/retry.md",
                  "---\nid: retry\ncreated: 2026-01-01T10:00:00Z\n---\nThe retry policy is three tries.\n");
  }
  ProgramResult search(std::vector<std::string> arguments, const std::string& input = "",
                       const std::map<std::string, std::string>& environment = {}) const {
    std::vector<std::string> all = {"search", "--memory-dir", "m", "--now", "2026-11-15T12:00:00Z"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run_program(all, folder_.path(), environment, input);
  }

  TemporaryFolder folder_;
};

TEST_F(SearchScenario, PrintsOneLineAndAnExcerptForEachResult) {
  const auto result = search({"retry policy"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, StartsWith("1. memory  retry  The retry policy is three tries."));
  EXPECT_THAT(result.out, HasSubstr("2. notes  .context/LEARNINGS.md:3  Retries need jitter"));
}

TEST_F(SearchScenario, JsonHasEveryPartOfEveryScore) {
  const auto result = search({"-", "--format", "json", "--rerank"}, "retry policy");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["status"], "ok");
  EXPECT_EQ(json["mode"], "hybrid") << "memories are compared by the encoder as well";
  EXPECT_EQ(json["rerank"], true);
  EXPECT_EQ(json["found"], 2);
  const auto& first = json["results"][0];
  EXPECT_EQ(first["id"], "retry");
  EXPECT_EQ(first["source"], "memory");
  EXPECT_EQ(first["path"], "m/facts/2026-01-01/retry.md");
  double sum = 0;
  for (const auto& part : first["components"]) sum += part.get<double>();
  EXPECT_DOUBLE_EQ(sum, first["score"].get<double>());
}

TEST_F(SearchScenario, TheRunIsListedAndCanBeExplained) {
  ASSERT_EQ(search({"retry policy"}).exit_code, 0);
  const std::string listed = run_program({"runs"}, folder_.path()).out;
  EXPECT_THAT(listed, HasSubstr("search"));
  const auto shown = run_program({"explain", "latest", "--expect", "retry"}, folder_.path());
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("retry was kept at stage search: rank 1 at retry"));
  ASSERT_EQ(search({"retry policy", "--dry-run"}).exit_code, 0);
  EXPECT_EQ(run_program({"runs"}, folder_.path()).out, listed) << "that one left nothing";
}

TEST_F(SearchScenario, AMissingSourceThatWasAskedForIsNamed) {
  const auto result = search({"retry", "--source", "graph"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "Nothing matches.\n");
  EXPECT_THAT(result.err, HasSubstr("`knapsack graph init` creates one"));
}

TEST_F(SearchScenario, WrongWordsAreRefusedWithOneLine) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"retry", "--source", "wiki"},
           {"retry", "--mode", "fuzzy"},
           {"retry", "--limit", "0"},
           {"retry", "--limit", "5000"},
           {"-retry"},
           {"--", "-retry"},
           {},
           {"retry", "--mode", "vec"},
           {"retry", "--fusion", "average"},
           {"retry", "--embed-model", "m", "--embed-url", "ftp://elsewhere"}}) {
    const auto result = search(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST_F(SearchScenario, ASettingOfTheFileDecidesAndAFlagOverrules) {
  folder_.write("knapsack.toml", "[search]\nrerank = true\n");
  EXPECT_THAT(search({"retry", "--explain"}).out, HasSubstr("rerank on"));
  EXPECT_THAT(search({"retry", "--explain", "--no-rerank"}).out, HasSubstr("rerank off"));
  folder_.write("knapsack.toml", "[search]\nvectors = \"cloud\"\n");
  EXPECT_EQ(search({"retry"}).exit_code, 2);
}

TEST_F(SearchScenario, MeaningComesFromAServerAndIsKept) {
  const EmbeddingServer server;
  const std::vector<std::string> model = {"--embed-model", "m", "--embed-url", server.openai_url()};
  std::vector<std::string> arguments = {"retry policy", "--explain"};
  arguments.insert(arguments.end(), model.begin(), model.end());
  const auto first = search(arguments);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, StartsWith("mode hybrid"));
  EXPECT_THAT(first.out, HasSubstr("meaning"));
  EXPECT_TRUE(folder_.exists(".knapsack/vectors/memory"));
  const int requests = server.requests();
  EXPECT_EQ(search(arguments).out, first.out);
  EXPECT_EQ(server.requests(), requests + 1);
}

TEST_F(SearchScenario, ASlowServerDoesNotHoldTheAnswer) {
  EmbeddingServer server;
  server.misbehave(EmbeddingFault::kSlow);
  const auto result =
      search({"retry policy", "--strict", "--embed-model", "m", "--embed-url", server.base_url()}, "",
             {{"KNAPSACK_MODEL_TIMEOUT", "1s"}});
  EXPECT_EQ(result.exit_code, 1) << "--strict";
  EXPECT_THAT(result.out, StartsWith("1. memory  retry"));
  EXPECT_THAT(result.err, HasSubstr("searched by words only"));
}

TEST(SearchOfCode, IndexesARepositoryThatHasNoIndex) {
  const TestRepository repository;
  repository.write("shop/auth.py", "def digest_auth(challenge):\n    return challenge\n");
  repository.commit("all");
  const auto found = run_program({"search", "--strict", "digest auth"}, repository.path());
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_THAT(found.out, StartsWith("1. code  shop/auth.py:1"));
}

TEST(SearchOfCode, ThatCannotBeIndexedIsSaidAndIsDegraded) {
  const TestRepository repository;
  repository.write("shop/auth.py", "def digest_auth(challenge):\n    return challenge\n");
  repository.commit("all");
  repository.write(".knapsack", "a file in the place of the folder");
  const auto result = run_program({"search", "--strict", "digest auth"}, repository.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("Nothing matches.\n  incomplete: code: "));
  EXPECT_THAT(result.err, HasSubstr("code is left out: "));
}

TEST(SearchOfCode, InAFolderThatIsNoRepositoryNeedsAnIndex) {
  const TemporaryFolder folder;
  folder.write("auth.py", "def digest_auth(challenge):\n    return challenge\n");
  const auto result = run_program({"search", "digest auth"}, folder.path());
  EXPECT_EQ(result.out, "Nothing matches.\n");
  EXPECT_THAT(result.err, HasSubstr("no code is indexed here: run `knapsack index`"));
}

TEST_F(SearchScenario, AFolderWithNothingInItIsSearchedAndStaysAsItWas) {
  const TemporaryFolder empty;
  empty.write(".git/HEAD", "ref: refs/heads/main\n");
  const auto result = run_program({"search", "anything"}, empty.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "Nothing matches.\n");
  EXPECT_FALSE(empty.exists(".knapsack"));
}

}  // namespace
}  // namespace knapsack
