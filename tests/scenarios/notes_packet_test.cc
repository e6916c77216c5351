// What the notes packet shows of a folder that is larger than its budget, section by section.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class NotesPacket : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write(".git/HEAD", "ref: refs/heads/main\n");
    folder_.write(".context/CONSTITUTION.md",
                  "- [ ] Never lose a row\n- [x] Ask first\n- [-] No force pushes\n");
    std::string tasks, conventions, decisions, learnings;
    for (int day = 10; day < 28; ++day)
      tasks += fmt::format("- [ ] Task of day {0} about a retry of the socket #added:2026-10-{0}\n  {1}\n",
                           day, std::string(200, 'x'));
    for (int i = 10; i < 40; ++i)
      conventions += fmt::format("- Convention {} {}\n", i, std::string(120, 'c'));
    for (int month = 1; month < 9; ++month) {
      decisions += fmt::format("## [2026-0{0}-01-101500] Decision {0}\n\nBody of decision {0} {1}\n\n", month,
                               std::string(300, 'd'));
      learnings += fmt::format("## [2026-0{0}-02] Learning {0}\n\nBody of learning {0} {1} {2}\n\n", month,
                               month == 2 ? "retry socket" : "", std::string(300, 'l'));
    }
    folder_.write(".context/TASKS.md", tasks + "- [x] Finished one\n");
    folder_.write(".context/CONVENTIONS.md", conventions);
    folder_.write(".context/DECISIONS.md",
                  decisions + "## [2026-09-01] Replaced\n\n~~Superseded by 8~~\n\nold body\n");
    folder_.write(".context/LEARNINGS.md", learnings);
    folder_.write(".context/ARCHITECTURE.md", "# Architecture\n\nThe inside of the architecture.\n");
    folder_.write(".context/GLOSSARY.md", "- packet: the inside of the glossary\n");
  }

  std::string agent(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "agent");
    arguments.insert(arguments.end(), {"--now", "2026-11-15T08:00:00Z"});
    const auto result = testing::run_program(arguments, folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  json packet(const std::string& budget) {
    return json::parse(agent({"--budget", budget, "--format", "json"}));
  }
  // The tokens of a section's texts, titles under "Also noted" included.
  static size_t tokens(const json& packet, const std::string& section, const std::string& kind) {
    size_t bytes = 0;
    for (const json& each : packet.at(section)) bytes += each.get<std::string>().size();
    for (const json& each : packet.at("summaries"))
      if (each.get<std::string>().starts_with(kind + ": ")) bytes += each.get<std::string>().size();
    return bytes / 4;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(NotesPacket, HoldsEverySectionWithItsBodiesWhereItFits) {
  const std::string out = agent({"--budget", "100000"});
  EXPECT_THAT(out, AllOf(HasSubstr("## Constitution (NEVER VIOLATE)\n\n- Never lose a row\n- Ask first\n- No "
                                   "force pushes\n"),
                         HasSubstr("## Current Tasks\n"), HasSubstr("## Key Conventions\n"),
                         HasSubstr("## Recent Decisions\n"), HasSubstr("## Recent Learnings\n")));
  for (int month = 1; month < 9; ++month)
    EXPECT_THAT(out, AllOf(HasSubstr(fmt::format("Body of decision {}", month)),
                           HasSubstr(fmt::format("Body of learning {}", month))));
  for (int day = 10; day < 28; ++day) EXPECT_THAT(out, HasSubstr(fmt::format("Task of day {}", day)));
  EXPECT_THAT(out, Not(HasSubstr("Finished one")));
  EXPECT_THAT(out, Not(HasSubstr("Also noted")));
  EXPECT_THAT(out, HasSubstr("### [2026-09-01] Replaced")) << "everything fits, so it does";
  EXPECT_TRUE(
      out.ends_with("Before you start, confirm that you have read this context: name the rules that "
                    "bear on your task.\n"))
      << out;
}

TEST_F(NotesPacket, WhatHasNoRoomInFullIsATitleAndTheRestIsCounted) {
  const std::string out = agent({"--budget", "1500"});
  const size_t noted = out.find("## Also noted\n");
  ASSERT_NE(noted, std::string::npos) << out;
  const std::string titles = out.substr(noted);
  EXPECT_THAT(titles, HasSubstr("- decision: [2026-06-01] Decision 6\n"));
  EXPECT_THAT(titles, HasSubstr("- learning: [2026-07-02] Learning 7\n"));
  EXPECT_THAT(titles, HasSubstr("- task: Task of day 20 about a retry of the socket"))
      << "tasks over their share are one line each";
  EXPECT_THAT(out, Not(HasSubstr("Replaced"))) << "what was superseded goes first";
  const json json_packet = packet("1500");
  EXPECT_THAT(titles, HasSubstr(fmt::format("- … and {} more\n", json_packet["omitted_count"].get<int>())));
  EXPECT_THAT(json_packet["summaries"].dump(), HasSubstr("learning: [2026-07-02] Learning 7"));
  EXPECT_LE(json_packet["tokens_used"], 1500);
}

TEST_F(NotesPacket, TasksTakeTwoFifthsAndConventionsOneFifthWhileOthersNeedTheRest) {
  const json tight = packet("1500");
  EXPECT_LE(tokens(tight, "tasks", "task"), 1500 * 4 / 10);
  EXPECT_GT(tokens(tight, "tasks", "task"), 1500 * 3 / 10);
  EXPECT_LE(tokens(tight, "conventions", "convention"), 1500 * 2 / 10);
  EXPECT_GT(tokens(tight, "conventions", "convention"), 1500 * 1 / 10);
  EXPECT_THAT(tight["tasks"].back().get<std::string>(), HasSubstr("Task of day 27")) << "the newest";
  EXPECT_THAT(tight["conventions"].front().get<std::string>(), HasSubstr("Convention 10"));
  for (const char* page : {"DECISIONS.md", "LEARNINGS.md", "CONVENTIONS.md"})
    folder_.write(std::string(".context/") + page, "");
  EXPECT_GT(tokens(packet("1500"), "tasks", "task"), 1500 * 6 / 10) << "nobody else needs it";
}

TEST_F(NotesPacket, WhatIsAboutTheTasksComesFirstThenTheNewest) {
  const json tight = packet("1500");
  std::vector<std::string> learnings;
  for (const json& each : tight["learnings"]) learnings.push_back(each.get<std::string>().substr(13, 10));
  ASSERT_GE(learnings.size(), 2U);
  EXPECT_EQ(learnings[0], "Learning 2") << "old, but about the retry of the socket";
  EXPECT_EQ(learnings[1], "Learning 8");
  EXPECT_THAT(tight["decisions"].front().get<std::string>(), HasSubstr("Decision 8"));
}

TEST_F(NotesPacket, WholeEntriesLeaveAFifthOfTheirRoomToTitlesThatNeedIt) {
  for (const char* page : {"TASKS.md", "CONVENTIONS.md", "LEARNINGS.md"})
    folder_.write(std::string(".context/") + page, "");
  std::string decisions;
  for (int i = 10; i < 25; ++i)
    decisions += fmt::format("## [2026-05-{0}] Decision {0}\n\nBody {1}\n\n", i, std::string(160, 'd'));
  folder_.write(".context/DECISIONS.md", decisions);
  const auto bytes = [](const json& list) {
    size_t sum = 0;
    for (const json& each : list) sum += each.get<std::string>().size();
    return static_cast<double>(sum);
  };
  const json tight = packet("350");
  ASSERT_FALSE(tight["decisions"].empty());
  ASSERT_GT(tight["omitted_count"], 0) << "titles need more than there is";
  EXPECT_LE(bytes(tight["decisions"]), 0.8 * (bytes(tight["decisions"]) + bytes(tight["summaries"])));
  const json wide = packet("700");
  EXPECT_EQ(wide["omitted_count"], 0);
  EXPECT_GT(bytes(wide["decisions"]), 0.8 * (bytes(wide["decisions"]) + bytes(wide["summaries"])))
      << "every title is there: what is left goes to whole entries";
}

TEST_F(NotesPacket, ArchitectureAndGlossaryAreListedAndNotExtracted) {
  const std::string out = agent({"--budget", "100000"});
  EXPECT_THAT(out, AllOf(HasSubstr("- .context/ARCHITECTURE.md\n"), HasSubstr("- .context/GLOSSARY.md\n"),
                         Not(HasSubstr("The inside of the"))));
}

TEST_F(NotesPacket, NoBudgetLeavesTheRulesTheFilesAndTheInstruction) {
  const json none = packet("0");
  EXPECT_THAT(none["constitution"], ElementsAre("Never lose a row", "Ask first", "No force pushes"));
  EXPECT_EQ(none["read_order"].size(), 7U);
  EXPECT_THAT(none["instruction"].get<std::string>(), HasSubstr("Before you start"));
  EXPECT_EQ(none["over_budget"], true);
  for (const char* section : {"tasks", "conventions", "decisions", "learnings", "summaries"})
    EXPECT_TRUE(none[section].empty()) << section;
}

TEST_F(NotesPacket, EmptyPagesAreEmptySections) {
  for (const char* page : {"TASKS.md", "CONVENTIONS.md", "DECISIONS.md", "LEARNINGS.md"})
    folder_.write(std::string(".context/") + page, "");
  const json empty = packet("8000");
  for (const char* section : {"tasks", "conventions", "decisions", "learnings", "summaries"})
    EXPECT_TRUE(empty[section].is_array() && empty[section].empty()) << section;
  EXPECT_EQ(empty["constitution"].size(), 3U);
  EXPECT_EQ(empty["over_budget"], false);
}

TEST_F(NotesPacket, SharesCanBeSetAndScoresCannot) {
  const auto config = testing::run_program({"config", "--all"}, folder_.path());
  EXPECT_THAT(config.out, AllOf(HasSubstr("notes.task_share"), HasSubstr("notes.convention_share"),
                                HasSubstr("notes.cooldown")));
  folder_.write("knapsack.toml", "[notes]\nrecency = 2\n");
  EXPECT_EQ(testing::run_program({"agent"}, folder_.path()).exit_code, 2);
}

}  // namespace
}  // namespace knapsack
