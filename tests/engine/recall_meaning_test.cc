// Recall by words and meaning: a real server of vectors that may be gone, late or wrong, and memories that
// must not come back through their vectors.
#include "engine/recipes/memory/recall_meaning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/support_workspace.h"
#include "support/embedding_server.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class RecallMeaningTest : public ::testing::Test {
 protected:
  void SetUp() override {
    memory("facts/2026-11-01/garage.md", "The automobile stands behind the house.");
    memory("facts/2026-11-02/tea.md", "Tea is bought in March.");
    workspace_.environment["KNAPSACK_MODEL_TIMEOUT"] = "2s";
    workspace_.index(1);
  }

  void memory(const std::string& name, const std::string& text, const std::string& keys = "") const {
    const std::string id = std::filesystem::path(name).stem();
    workspace_.folder().write(
        ".knapsack/memory/" + name,
        "---\nid: " + id + "\ncreated: 2026-11-01T10:00:00Z\n" + keys + "---\n" + text + "\n");
  }
  static RecallRequest asking(const std::string& prompt, const EmbeddingServer& server) {
    RecallRequest request = asking(prompt);
    request.embed_model = "test-embed";
    request.embed_url = server.base_url();
    return request;
  }
  static RecallRequest asking(const std::string& prompt) {
    RecallRequest request;
    request.prompt = prompt;
    return request;
  }
  RecallReply recall(const RecallRequest& request) {
    auto reply = workspace_.engine().recall(request);
    EXPECT_OK(reply);
    return reply.ok() ? *std::move(reply) : RecallReply();
  }
  static std::vector<std::string> shown(const RecallReply& reply) {
    std::vector<std::string> ids;
    for (const PacketSection& section : reply.packet.sections) {
      for (const PacketItem& item : section.items) {
        if (item.shown) ids.push_back(item.candidate.id);
      }
    }
    return ids;
  }
  static const Candidate& candidate(const RecallReply& reply, const std::string& id) {
    for (const PacketSection& section : reply.packet.sections) {
      for (const PacketItem& item : section.items) {
        if (item.candidate.id == id) return item.candidate;
      }
    }
    static const Candidate none;
    return none;
  }

  RetrievalWorkspace workspace_;
};

TEST_F(RecallMeaningTest, FindsWhatSharesNoWordAndSaysHow) {
  EXPECT_THAT(shown(recall(asking("vehicle"))), IsEmpty());
  const EmbeddingServer server(512);
  RecallRequest request = asking("vehicle", server);
  request.explain = true;
  const auto reply = recall(request);
  EXPECT_EQ(reply.packet.status, RunStatus::kOk);
  ASSERT_FALSE(shown(reply).empty());
  EXPECT_EQ(shown(reply).front(), "garage");
  const Candidate& found = candidate(reply, "garage");
  EXPECT_THAT(found.provenance,
              ElementsAre(HasSubstr("rank 1 by meaning in the default namespace, cosine 0.")));
  ASSERT_GE(found.score.components.size(), 2U);
  EXPECT_EQ(found.score.components[0].name, "words");
  EXPECT_EQ(found.score.components[0].value, 0);
  EXPECT_EQ(found.score.components[1].name, "meaning");
  EXPECT_GT(found.score.components[1].value, 0.2);
  EXPECT_THAT(reply.output, HasSubstr("words +0.000 meaning +0."));
}

TEST_F(RecallMeaningTest, BothSearchesCountAndEachSettingChangesTheOrder) {
  // By words "bill" comes first, which has the word itself; by meaning "fleet", which is about nothing else.
  memory("facts/2026-11-03/bill.md", "car car slow tea house moon");
  memory("facts/2026-11-04/fleet.md", "vehicle");
  const EmbeddingServer server(512);
  RecallRequest request = asking("car", server);
  request.settings["recall.recency_weight"] = "0";
  const auto order = [&](const std::string& weight, const std::string& fusion) {
    request.settings["search.vector_weight"] = weight;
    request.settings["search.fusion"] = fusion;
    return shown(recall(request));
  };
  EXPECT_EQ(order("0", "sum").front(), "bill");
  EXPECT_EQ(order("1", "sum").front(), "fleet");
  EXPECT_EQ(order("0", "rrf").front(), "bill");
  EXPECT_EQ(order("1", "rrf").front(), "fleet");
}

TEST_F(RecallMeaningTest, WithoutAModelNothingChangesAndNothingIsWritten) {
  const auto reply = recall(asking("where is the automobile?"));
  EXPECT_EQ(reply.packet.status, RunStatus::kOk);
  EXPECT_EQ(candidate(reply, "garage").score.components.front().name, "search");
  EXPECT_FALSE(workspace_.folder().exists(".knapsack/vectors"));
}

TEST_F(RecallMeaningTest, OnlyNewMemoriesAreEmbeddedAndSearchSharesTheVectors) {
  const EmbeddingServer server;
  recall(asking("vehicle", server));
  const size_t first = server.texts().size();
  EXPECT_EQ(first, 4U) << "the fixed text, the prompt and two memories";
  recall(asking("vehicle", server));
  EXPECT_EQ(server.texts().size(), first + 2) << "the fixed text and the prompt";
  SearchRequest search;
  search.query = "vehicle";
  search.sources = {"memory"};
  search.embed_model = "test-embed";
  search.embed_url = server.base_url();
  ASSERT_OK(workspace_.engine().search(search));
  EXPECT_EQ(server.texts().size(), first + 4) << "search finds the vectors of recall";
  memory("facts/2026-11-05/new.md", "A fast car.");
  EXPECT_THAT(shown(recall(asking("vehicle", server))), Contains("new"));
  EXPECT_EQ(server.texts().size(), first + 7);
}

TEST_F(RecallMeaningTest, AcknowledgementsAndASearchThatIsOffAskNobody) {
  const EmbeddingServer server;
  recall(asking("thanks", server));
  RecallRequest off = asking("vehicle", server);
  off.settings["recall.search_enabled"] = "false";
  recall(off);
  EXPECT_EQ(server.requests(), 0);
}

TEST_F(RecallMeaningTest, WhatMayNotBeRecalledDoesNotReturnThroughItsVector) {
  const EmbeddingServer server(512);
  memory("facts/2026-11-03/car-a.md", "vehicle one");
  memory("facts/2026-11-03/car-b.md", "vehicle two");
  memory("facts/2026-11-03/car-c.md", "vehicle three");
  memory("facts/2026-11-03/car-d.md", "vehicle four");
  memory("facts/2026-11-03/car-e.md", "vehicle five");
  memory("facts/2026-11-03/car-f.md", "vehicle six");
  const auto before = recall(asking("automobile", server));
  EXPECT_THAT(shown(before), Contains("car-f")) << "all of them have vectors now";
  memory("facts/2026-11-03/car-a.md", "vehicle one", "status: superseded\nsupersededBy: car-f\n");
  memory("facts/2026-11-03/car-b.md", "vehicle two", "expiresAt: 2026-11-10T00:00:00Z\n");
  memory("facts/2026-11-03/car-c.md", "vehicle three", "status: forgotten\n");
  memory("facts/2026-11-03/car-d.md", "vehicle four", "status: quarantined\n");
  memory("facts/2026-11-03/car-e.md", "vehicle five", "valid_at: 2027-01-01\n");
  memory("namespaces/other/facts/2026-11-03/car-g.md", "vehicle seven");
  memory("archive/car-h.md", "vehicle eight");
  memory("artifacts/2026-11-03/car-i.md", "vehicle one", "sourceMemoryId: car-a\n");
  for (const char* mode : {"full", "graph_mode"}) {
    RecallRequest request = asking("automobile", server);
    request.mode = mode;
    request.settings["recall.verbatim_artifacts"] = "true";
    request.settings["recall.max_results"] = "100";
    const auto ids = shown(recall(request));
    EXPECT_THAT(ids, Contains("car-f"));
    for (const char* id : {"car-a", "car-b", "car-c", "car-d", "car-e", "car-g", "car-h", "car-i"})
      EXPECT_THAT(ids, Not(Contains(HasSubstr(id)))) << mode;
  }
  for (const std::string& text : server.texts()) {
    EXPECT_THAT(text, Not(HasSubstr("seven"))) << "not even sent";
    EXPECT_THAT(text, Not(HasSubstr("eight")));
  }
  RecallRequest past = asking("automobile", server);
  past.as_of = "2026-11-05";
  EXPECT_THAT(shown(recall(past)), Contains("car-b")) << "then it had not expired";
}

TEST_F(RecallMeaningTest, EachNamespaceIsRepresented) {
  for (int i = 0; i < 60; ++i)
    memory("facts/2026-11-03/own" + std::to_string(i) + ".md", "automobile " + std::to_string(i));
  memory("namespaces/shared/facts/2026-11-03/theirs.md", "a car among much else that is said of houses");
  const EmbeddingServer server(256);
  const auto ids = shown(recall(asking("vehicle", server)));
  ASSERT_GE(ids.size(), 2U);
  EXPECT_THAT(ids, Contains("shared/theirs"));
}

TEST_F(RecallMeaningTest, AServerThatIsGoneOrWrongLeavesWordsAndSaysSo) {
  const auto by_words = shown(recall(asking("where is the automobile?")));
  ASSERT_THAT(by_words, ElementsAre("garage"));
  for (const EmbeddingFault fault :
       {EmbeddingFault::kSlow, EmbeddingFault::kStatus500, EmbeddingFault::kFewerVectors,
        EmbeddingFault::kOtherDimensions, EmbeddingFault::kNotANumber, EmbeddingFault::kNullNumber,
        EmbeddingFault::kZeros, EmbeddingFault::kCutBody, EmbeddingFault::kNotJson,
        EmbeddingFault::kClosesAtOnce}) {
    for (const int after : {0, 1}) {  // the prompt's own vector, those of the memories
      if (fault == EmbeddingFault::kOtherDimensions && after == 0)
        continue;  // seen as that of the fixed text
      std::filesystem::remove_all(workspace_.folder().file(".knapsack/vectors"));
      EmbeddingServer server;
      server.misbehave(fault, 1'000'000, after);
      const auto begin = std::chrono::steady_clock::now();
      const auto reply = recall(asking("where is the automobile?", server));
      const auto took = std::chrono::steady_clock::now() - begin;
      EXPECT_EQ(reply.packet.status, RunStatus::kDegraded) << static_cast<int>(fault) << ' ' << after;
      EXPECT_THAT(reply.packet.warnings, Contains(HasSubstr("recalled by words only: ")))
          << static_cast<int>(fault);
      EXPECT_EQ(shown(reply), by_words) << static_cast<int>(fault);
      EXPECT_EQ(candidate(reply, "garage").score.components.front().name, "search");
      EXPECT_LT(took, kMeaningTime + std::chrono::seconds(2)) << static_cast<int>(fault);
    }
  }
}

TEST_F(RecallMeaningTest, AServerThatCannotBeReachedLeavesWords) {
  std::string url;
  {
    const EmbeddingServer server;
    url = server.base_url();
  }
  RecallRequest request = asking("where is the automobile?");
  request.embed_model = "m";
  request.embed_url = url;
  const auto reply = recall(request);
  EXPECT_EQ(reply.packet.status, RunStatus::kDegraded);
  EXPECT_THAT(shown(reply), ElementsAre("garage"));
  EXPECT_THAT(reply.notices, Contains(HasSubstr("recalled by words only")));
}

TEST_F(RecallMeaningTest, AModelNeedsANameAndAnAddress) {
  RecallRequest request = asking("automobile");
  request.embed_model = "m";
  const auto half = recall(request);
  EXPECT_EQ(half.packet.status, RunStatus::kDegraded);
  EXPECT_THAT(half.packet.warnings, Contains(HasSubstr("`embed_model` and `embed_url`")));
  request.embed_url = "ftp://nowhere";
  const auto refused = workspace_.engine().recall(request);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
}

TEST_F(RecallMeaningTest, AModelThatChangedIsNeverMixedWithWhatItWas) {
  EmbeddingServer server(512);
  recall(asking("vehicle", server));
  const size_t texts = server.texts().size();
  server.change_model(7);
  EXPECT_EQ(shown(recall(asking("vehicle", server))).front(), "garage");
  EXPECT_EQ(server.texts().size(), 2 * texts) << "everything was embedded again";
}

TEST_F(RecallMeaningTest, SecretsAreNotSentAndAPurgeTakesTheVectorsToo) {
  const std::string secret = "AKIAIOSFODNN7EXAMPLE";
  memory("facts/2026-11-03/key.md", "The car's key is " + secret + ".");
  const EmbeddingServer server;
  recall(asking("vehicle " + secret, server));
  for (const std::string& text : server.texts()) EXPECT_THAT(text, Not(HasSubstr(secret)));
  const auto files = [&] {
    size_t count = 0;
    for (const auto& each :
         std::filesystem::recursive_directory_iterator(workspace_.folder().file(".knapsack/vectors")))
      count += each.is_regular_file() ? 1 : 0;
    return count;
  };
  EXPECT_EQ(files(), 1U);
  ForgetRequest purge;
  purge.id = "key";
  purge.purge = true;
  ASSERT_OK(workspace_.engine().forget(purge));
  EXPECT_EQ(files(), 0U);
}

TEST_F(RecallMeaningTest, ANarrowRequestDoesNotCostTheOthersTheirVectors) {
  for (int i = 0; i < 1'200; ++i)
    memory("facts/2026-11-03/m" + std::to_string(i) + ".md", "car number " + std::to_string(i));
  memory("namespaces/small/facts/2026-11-03/one.md", "a vehicle");
  const EmbeddingServer server(16);
  recall(asking("automobile", server));
  RecallRequest narrow = asking("automobile", server);
  narrow.settings["memory.namespace"] = "small";
  recall(narrow);
  const size_t texts = server.texts().size();
  recall(asking("automobile", server));
  EXPECT_EQ(server.texts().size(), texts + 2) << "the fixed text and the prompt";
}

TEST_F(RecallMeaningTest, TheSameRequestGivesTheSameBytes) {
  const EmbeddingServer server;
  for (const char* format : {"md", "json", "prompt"}) {
    RecallRequest request = asking("vehicle tea", server);
    request.format = format;
    request.explain = true;
    request.dry_run = true;  // accesses change scores
    EXPECT_EQ(recall(request).output, recall(request).output);
  }
}

}  // namespace
}  // namespace knapsack
