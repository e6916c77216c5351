// What of a conversation is proposed to be remembered, and how well that agrees with what a person marked.
#include "memory/capture/capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/files/memory_file_system.h"
#include "memory/capture/review.h"
#include "memory/tree/tree.h"
#include "memory/tree/write_memory.h"
#include "support/support.h"

namespace knapsack::memory {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Said {
  std::string role, text;
};

std::string claude_lines(const std::vector<Said>& turns) {
  std::string lines = "{\"type\":\"summary\",\"summary\":\"We decided nothing here at all\"}\n";
  for (const Said& turn : turns) {
    json content = turn.text;
    if (turn.role == "assistant") content = json::array({{{"type", "text"}, {"text", turn.text}}});
    lines += json({{"type", turn.role},
                   {"timestamp", "2026-11-15T08:00:00.000Z"},
                   {"message", {{"role", turn.role}, {"content", content}}}})
                 .dump() +
             "\n";
    lines +=
        json({{"type", "user"},
              {"message",
               {{"role", "user"},
                {"content", json::array({{{"type", "tool_result"}, {"content", "We decided on a tool"}}})}}}})
            .dump() +
        "\n";
  }
  return lines;
}

std::string codex_lines(const std::vector<Said>& turns) {
  std::string lines =
      json({{"type", "session_meta"}, {"payload", {{"id", "x"}, {"cwd", "/w"}}}}).dump() + "\n";
  for (const Said& turn : turns) {
    const char* kind = turn.role == "user" ? "input_text" : "output_text";
    lines += json({{"timestamp", "2026-11-15T08:00:00Z"},
                   {"type", "response_item"},
                   {"payload",
                    {{"type", "message"},
                     {"role", turn.role},
                     {"content", json::array({{{"type", kind}, {"text", turn.text}}})}}}})
                 .dump() +
             "\n";
  }
  return lines;
}

std::string plain_lines(const std::vector<Said>& turns) {
  std::string lines;
  for (const Said& turn : turns) lines += (turn.role == "user" ? "User: " : "Assistant: ") + turn.text + "\n";
  return lines;
}

std::vector<std::string> texts_of(const std::vector<Proposal>& proposals) {
  std::vector<std::string> texts;
  for (const Proposal& each : proposals) texts.push_back(each.text);
  return texts;
}

std::vector<Proposal> proposed(const std::string& user_says) {
  return propose_memories(read_transcript(plain_lines({{"user", user_says}})));
}

TEST(Capture, AgreesWithWhatAPersonMarkedInTwentyConversations) {
  const json set = json::parse(testing::read_source_file("tests/fixtures/capture/transcripts.json"));
  ASSERT_EQ(set["transcripts"].size(), 20U);
  double right = 0, made = 0, marked = 0;
  std::string wrong;
  for (const json& each : set["transcripts"]) {
    std::vector<Said> turns;
    for (const json& turn : each["turns"]) {
      std::string text = turn[1];
      if (const size_t at = text.find("{SECRET}"); at != std::string::npos)
        text.replace(at, 8, "ghp_" + std::string(36, 'A'));
      turns.push_back({turn[0], text});
    }
    for (size_t i = 0; i < each["filler"]; ++i) {
      const json& turn = set["filler"][i % set["filler"].size()];
      turns.push_back({turn[0], turn[1]});
    }
    const std::string form = each["form"];
    const std::string bytes = form == "claude"  ? claude_lines(turns)
                              : form == "codex" ? codex_lines(turns)
                                                : plain_lines(turns);
    const Transcript transcript = read_transcript(bytes);
    EXPECT_EQ(transcript.turns.size(), turns.size()) << form;
    std::set<std::string> expected;
    for (const json& mark : each["marks"]) expected.insert(normalised_hash(mark.get<std::string>()));
    marked += static_cast<double>(expected.size());
    for (const Proposal& proposal : propose_memories(transcript)) {
      ++made;
      EXPECT_THAT(proposal.text, Not(HasSubstr("ghp_"))) << "a secret never enters";
      if (expected.erase(normalised_hash(proposal.text)) > 0) {
        ++right;
      } else {
        wrong += "\n+ " + proposal.text;
      }
    }
    for (const json& mark : each["marks"]) {
      if (expected.contains(normalised_hash(mark.get<std::string>())))
        wrong += "\n- " + mark.get<std::string>();
    }
  }
  RecordProperty("precision", std::to_string(right / made));
  RecordProperty("recall", std::to_string(right / marked));
  EXPECT_GE(right / made, 0.8) << wrong;
  EXPECT_GE(right / marked, 0.7) << wrong;
}

TEST(Capture, TheSameSentenceTwiceIsOneProposal) {
  EXPECT_THAT(texts_of(proposed("We decided to use SQLite.\nwe decided to use SQLITE!")),
              ElementsAre("We decided to use SQLite."));
}

TEST(Capture, QuestionsGuessesRequestsAndCodeAreNot) {
  for (const char* text :
       {"Have we decided on SQLite?", "Maybe we will use SQLite.", "Fix the test in importer.py.",
        "```\nwe decided to use SQLite\n```", "> we decided to use SQLite", "Can you check the release?",
        "Возможно, мы решили это раньше.", "Если мы решили, то делаем."})
    EXPECT_THAT(proposed(text), IsEmpty()) << text;
}

TEST(Capture, TheAgentsOwnPlansAreNotMemories) {
  const auto transcript =
      read_transcript(plain_lines({{"assistant", "I always check the logs first. The port is 8080."},
                                   {"assistant", "The build failed because the disk was full."}}));
  EXPECT_THAT(texts_of(propose_memories(transcript)),
              ElementsAre("The build failed because the disk was full."));
}

TEST(Review, PassesOverWhatIsTooLargeAndSaysSo) {
  MemoryFileSystem files;
  files.put("/memory/review/good.md", "---\nid: good\n---\nWe keep the ledger in SQLite.\n");
  files.put("/memory/review/large.md", std::string(kMaxMemoryBytes + 1, 'x'));
  std::vector<std::string> warnings;
  const auto waiting = read_review(files, "/memory", "", &warnings);
  ASSERT_OK(waiting);
  ASSERT_EQ(waiting->size(), 1U);
  EXPECT_EQ(waiting->front().id, "good");
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("review/large.md is passed over")));

  auto writer = TreeWriter::open(files, "/memory", false);
  ASSERT_OK(writer);
  const auto catalogue = Catalogue::open(files, {"/memory", "/state", true, false});
  ASSERT_OK(catalogue);
  const auto queued = queue_proposals(*writer, *catalogue, "", proposed("We decided to use SQLite."),
                                      {"", Timestamp::from_seconds(1'763'193'600)});
  ASSERT_OK(queued);
  EXPECT_EQ(queued->added.size(), 1U);
  EXPECT_THAT(queued->warnings, ElementsAre(HasSubstr("review/large.md is passed over")));
}

TEST(Transcript, WhatIsNoTurnIsPassedOver) {
  const auto broken = read_transcript("{\"type\":\"user\"\nnot json\n{\"a\":" + std::string(100'000, '[') +
                                      "\n" + claude_lines({{"user", "Hello there"}}));
  ASSERT_EQ(broken.turns.size(), 1U);
  EXPECT_EQ(broken.turns[0].text, "Hello there");
  EXPECT_TRUE(broken.turns[0].user);
  EXPECT_GE(broken.passed_over, 3U);
  EXPECT_THAT(read_transcript("").turns, IsEmpty());
  EXPECT_THAT(read_transcript("no speaker at all\n").turns, IsEmpty());
  EXPECT_EQ(read_transcript("Пользователь: привет\nи ещё строка\nАссистент: да\n").turns.size(), 2U);
}

}  // namespace
}  // namespace knapsack::memory
