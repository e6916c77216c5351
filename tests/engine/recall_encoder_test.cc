// Recall by the encoder in the program: what it finds, what it costs when it is not there, and vectors that are
// made beside everything else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/recipes/memory/memory_vectors.h"
#include "engine/support_workspace.h"
#include "store/file_lock.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kWater[] = "Why is there water on the basement floor?";

class RecallEncoderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    memory("facts/2026-11-01/plumber.md", "The plumber said the pipe in the cellar is leaking.");
    memory("facts/2026-11-02/backup.md", "The database is copied to the archive at night.");
    memory("facts/2026-11-03/train.md", "Trains to the coast leave at nine.");
    workspace_.model_file = KNAPSACK_MODEL_FILE;
    workspace_.start_embedding = [this](const std::string& workspace, const std::string& memory_folder) {
      EXPECT_EQ(memory_folder, workspace + "/.knapsack/memory");
      started_.push_back(workspace);
    };
    workspace_.open();
  }

  void memory(const std::string& name, const std::string& text) const {
    const std::string id = std::filesystem::path(name).stem();
    workspace_.folder().write(".knapsack/memory/" + name,
                              "---\nid: " + id + "\ncreated: 2026-11-01T10:00:00Z\n---\n" + text + "\n");
  }
  void many_memories() const {
    for (int i = 0; i < 40; ++i)
      memory("facts/2026-10-01/many-" + std::to_string(i) + ".md",
             "Parcel " + std::to_string(i) + " has arrived.");
  }
  RecallReply recall(const std::string& prompt, const std::string& format = "md") {
    RecallRequest request;
    request.prompt = prompt;
    request.format = format;
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
  EmbedReply embed(const EmbedRequest& request = {}) {
    auto reply = workspace_.engine().embed(request);
    EXPECT_OK(reply);
    return reply.ok() ? *reply : EmbedReply();
  }

  RetrievalWorkspace workspace_;
  std::vector<std::string> started_;
};

TEST_F(RecallEncoderTest, FindsWhatSharesNoWordWithThePrompt) {
  const RecallReply reply = recall(kWater);
  ASSERT_FALSE(shown(reply).empty());
  EXPECT_THAT(shown(reply).front(), HasSubstr("plumber"));
  EXPECT_EQ(reply.packet.status, RunStatus::kOk);
  EXPECT_THAT(started_, IsEmpty()) << "three vectors are made at once";
}

TEST_F(RecallEncoderTest, SaysWhichModelComparedAndThatWordsAloneDecided) {
  const auto meaning = nlohmann::json::parse(recall(kWater, "json").output)["meaning"];
  EXPECT_EQ(meaning["model"], "e5-small-v2");
  EXPECT_EQ(meaning["missing"], 0);
  workspace_.folder().write("knapsack.toml", "[search]\nmeaning = false\n");
  workspace_.open();
  const RecallReply reply = recall(kWater, "json");
  EXPECT_TRUE(nlohmann::json::parse(reply.output)["meaning"]["model"].is_null());
  EXPECT_THAT(shown(reply), IsEmpty());
}

TEST_F(RecallEncoderTest, RecallsNothingForAPromptThatNothingFits) {
  for (const char* prompt :
       {"What is 17 times 23?", "Explain quicksort in Python", "convert this CSV to JSON"})
    EXPECT_THAT(shown(recall(prompt)), IsEmpty()) << prompt;
}

TEST_F(RecallEncoderTest, AModelThatIsNotThereCostsMeaningAndNothingElse) {
  workspace_.model_file = workspace_.folder().file("none.model");
  workspace_.open();
  EXPECT_THAT(shown(recall("trains to the coast")), Contains(HasSubstr("train")));
  EXPECT_THAT(shown(recall(kWater)), IsEmpty());
}

TEST_F(RecallEncoderTest, AModelThatWasCutShortCostsMeaningAndALine) {
  std::filesystem::copy(KNAPSACK_MODEL_FILE, workspace_.folder().file("cut.model"));
  std::filesystem::resize_file(workspace_.folder().file("cut.model"), 1'000'000);
  workspace_.model_file = workspace_.folder().file("cut.model");
  workspace_.open();
  const RecallReply reply = recall("trains to the coast");
  EXPECT_THAT(shown(reply), Contains(HasSubstr("train")));
  EXPECT_EQ(reply.packet.status, RunStatus::kDegraded);
  EXPECT_THAT(reply.packet.warnings, Contains(HasSubstr("cut short")));
}

TEST_F(RecallEncoderTest, ManyWithoutVectorsAreLeftToTheBackground) {
  many_memories();
  const RecallReply reply = recall("trains to the coast", "json");
  EXPECT_THAT(shown(reply), Contains(HasSubstr("train")));
  EXPECT_EQ(nlohmann::json::parse(reply.output)["meaning"]["missing"], 43);
  EXPECT_THAT(reply.notices, Contains(HasSubstr("43 of 43 memories are found by words only")));
  EXPECT_THAT(started_, ElementsAre(workspace_.folder().path()));
  const EmbedReply made = embed();
  EXPECT_EQ(made.memories, 43U);
  EXPECT_EQ(nlohmann::json::parse(recall(kWater, "json").output)["meaning"]["missing"], 0);
}

TEST_F(RecallEncoderTest, EmbeddingStopsWhenAskedAndGoesOnLater) {
  many_memories();
  size_t steps = 0;
  EmbedRequest request;
  request.stop = [&] { return ++steps > 1; };
  const EmbedReply first = embed(request);
  EXPECT_GT(first.memories, 0U);
  EXPECT_LT(first.memories, 43U);
  EXPECT_EQ(embed().memories, 43U);
}

TEST_F(RecallEncoderTest, OnlyOneMakesVectorsAndNobodyWhoAnswersWaitsForIt) {
  many_memories();
  EmbedRequest request;
  size_t steps = 0;
  request.stop = [&] { return ++steps > 1; };
  embed(request);
  const auto lock = FileLock::acquire(workspace_.folder().file(".knapsack/vectors/embedding.lock"),
                                      FileLock::Mode::kExclusive, std::chrono::milliseconds(0));
  ASSERT_OK(lock);
  EXPECT_TRUE(embed().busy);
  EXPECT_THAT(shown(recall("trains to the coast")), Contains(HasSubstr("train")));
}

TEST_F(RecallEncoderTest, ANewMemoryHasItsVectorWhenItIsWritten) {
  RememberRequest request;
  request.text = "Her sister teaches geography.";
  ASSERT_OK(workspace_.engine().remember(request));
  EmbedRequest none;
  none.stop = [] { return true; };
  const EmbedReply known = embed(none);
  EXPECT_EQ(known.memories, known.total);
  EXPECT_EQ(known.total, 4U);
}

TEST_F(RecallEncoderTest, SearchAndPackUseItToo) {
  SearchRequest search;
  search.query = kWater;
  search.sources = {"memory"};
  search.dry_run = true;
  const auto found = workspace_.engine().search(search);
  ASSERT_OK(found);
  ASSERT_FALSE(found->hits.empty());
  EXPECT_THAT(found->hits.front().id, HasSubstr("plumber"));
  search.mode = "lex";
  const auto by_words = workspace_.engine().search(search);
  ASSERT_OK(by_words);
  EXPECT_THAT(by_words->hits, IsEmpty());
  PackRequest pack;
  pack.task = kWater;
  pack.sources = "memory";
  pack.dry_run = true;
  const auto packed = workspace_.engine().pack(pack);
  ASSERT_OK(packed);
  EXPECT_THAT(packed->output, HasSubstr("plumber"));
}

}  // namespace
}  // namespace knapsack
