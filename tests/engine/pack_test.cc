// One packet from all sources, on a workspace that has all four.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "engine/support_workspace.h"
#include "packet/render/renderer.h"
#include "support/repository_words.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::RetrievalWorkspace;

class Pack : public ::testing::Test {
 protected:
  void SetUp() override {
    write_code();
    write_notes();
    write_memories();
    write_graph();
    workspace_.index();
  }
  void write_code() const {
    folder().write("src/importer.py",
                   "from src.rows import Row\n\n\nclass Importer:\n    def resume(self, offset):\n"
                   "        return Row(offset)\n\n\ndef unrelated():\n    return 'nothing'\n");
    folder().write("src/rows.py",
                   "class Row:\n    def __init__(self, offset):\n        self.offset = offset\n");
    folder().write("src/checkpoint.py", "def save_checkpoint(path):\n    return path\n");
    folder().write("AGENTS.md", "Run the tests first.\n");
    folder().write("src/AGENTS.md", "The importer is delicate.\n");
  }
  void write_notes() const {
    folder().write(".context/CONSTITUTION.md", "# Constitution\n\n- [ ] Never lose a row\n");
    folder().write(".context/TASKS.md", "# Tasks\n\n- [ ] Make the importer resume after a crash\n");
    folder().write(".context/CONVENTIONS.md", "# Conventions\n\n- Offsets are in bytes\n");
    folder().write(
        ".context/DECISIONS.md",
        "# Decisions\n\n## [2026-11-10-080000] The importer resumes from a checkpoint\n\n"
        "**Decision**: The importer calls `save_checkpoint` in src/checkpoint.py after a crash.\n\n"
        "## [2026-11-11-080000] Colours are warm\n\n**Decision**: Buttons are orange.\n");
  }
  void write_memories() const {
    folder().write(".knapsack/memory/facts/2026-11-12/fact-1.md",
                   "---\nid: fact-1\ncategory: fact\ncreated: 2026-11-12T08:00:00Z\n---\n\n"
                   "The importer crashed last week in src/rows.py because an offset was negative\n");
    folder().write(".knapsack/memory/profile.md", "# Profile\n\n- Prefers small commits\n");
  }
  void write_graph() const {
    folder().write("graphs/kg_nodes.jsonl", "");
    folder().write("graphs/rg_nodes.jsonl", "");
    folder().write(
        "graphs/tg_nodes.jsonl",
        "{\"id\":\"TG-TASK-RESUME\",\"type\":\"task\",\"rev\":1,\"title\":\"Importer resumes after a "
        "crash\",\"status\":\"ready\",\"updated_at\":\"2026-11-12T08:00:00Z\"}\n");
    folder().write("graphs/post_response_commits.jsonl", "");
  }
  const testing::TemporaryFolder& folder() const { return workspace_.folder(); }

  PackReply packed(const std::string& task, const std::string& budget = "8000",
                   const std::string& format = "md", const std::string& sources = "") {
    PackRequest request;
    request.task = task;
    request.format = format;
    request.sources = sources;
    request.settings["pack.budget"] = budget;
    auto reply = workspace_.engine().pack(request);
    EXPECT_OK(reply);
    return reply.ok() ? *std::move(reply) : PackReply();
  }
  static const PacketItem* find(const PackReply& reply, const std::string& id) {
    for (const PacketSection& section : reply.packet.sections) {
      for (const PacketItem& item : section.items) {
        if (item.candidate.id == id) return &item;
      }
    }
    return nullptr;
  }

  // What was left out would not have fitted.
  static void expect_nothing_small_is_missing(const PackReply& reply) {
    const uint64_t left = reply.packet.budget - reply.packet.used;
    for (const PacketSection& section : reply.packet.sections) {
      for (const PacketItem& item : section.items) {
        if (item.shown || !item.reason.starts_with("out of budget")) continue;
        EXPECT_GT(item.tokens + kFrameTokens, left) << item.candidate.id << "\n" << reply.output;
      }
    }
  }
  static constexpr uint64_t kFrameTokens = 16;  // of a heading that the item would have brought with it

  RetrievalWorkspace workspace_;
  const std::string task_ = "make the importer resume after a crash";
};

TEST_F(Pack, HasSomethingOfEverySourceInTheOrderOfReading) {
  const std::string out = packed(task_).output;
  size_t at = 0;
  for (const char* part :
       {"Never lose a row", "## This Task", "## Read First", "## src/importer.py",
        "Make the importer resume after a crash", "resumes from a checkpoint", "Prefers small commits",
        "an offset was negative", "Importer resumes after a crash"}) {
    const size_t found = out.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << " is missing or comes too early in\n" << out;
    at = found;
  }
}

TEST_F(Pack, NamesInstructionFilesNearestToTheTaskFirstAndDoesNotRepeatThem) {
  const std::string out = packed(task_).output;
  const size_t near = out.find("- src/AGENTS.md");
  ASSERT_NE(near, std::string::npos) << out;
  EXPECT_LT(near, out.find("- AGENTS.md"));
  EXPECT_THAT(out, Not(HasSubstr("The importer is delicate")));
}

TEST_F(Pack, ADecisionPullsInTheFileThatItNamesAndAMemoryIsRaisedByIts) {
  const PackReply reply = packed(task_);
  const PacketItem* pulled = find(reply, "file:src/checkpoint.py");
  ASSERT_NE(pulled, nullptr);
  EXPECT_TRUE(pulled->shown.has_value());
  EXPECT_THAT(pulled->candidate.provenance,
              Contains(HasSubstr("named by decision \"The importer resumes from a checkpoint\"")));
  const PacketItem* memory = find(reply, "fact-1");
  ASSERT_NE(memory, nullptr);
  EXPECT_THAT(memory->candidate.provenance, Contains("names src/rows.py, which the task needs"));
}

TEST_F(Pack, ShowsNotesAndMemoriesOnceAndNotAsFilesToo) {
  folder().write("graphs/kg_nodes.jsonl", "");
  folder().write(".knapsack/memory/facts/2026-11-13/fact-2.md",
                 "---\nid: fact-2\ncreated: 2026-11-13T08:00:00Z\n---\n\nOffsets are in bytes\n");
  const PackReply reply = packed("the offsets of the importer are in bytes");
  EXPECT_THAT(reply.output, Not(HasSubstr("## .context/")));
  const PacketItem* repeated = find(reply, "fact-2");
  ASSERT_NE(repeated, nullptr);
  EXPECT_THAT(repeated->candidate.dropped, HasSubstr("says the same as"));
  const size_t first = reply.output.find("Offsets are in bytes");
  EXPECT_EQ(reply.output.find("Offsets are in bytes", first + 1), std::string::npos);
}

TEST_F(Pack, GivesTheSameBytesTwice) {
  for (const char* format : {"md", "prompt", "json"}) {
    SCOPED_TRACE(format);
    EXPECT_EQ(packed(task_, "3000", format).output, packed(task_, "3000", format).output);
  }
}

TEST_F(Pack, AnAbsentSourceCostsNothingAndASourceCanBeLeftOut) {
  const PackReply code = packed(task_, "8000", "md", "code");
  EXPECT_THAT(code.packet.warnings, IsEmpty());
  EXPECT_EQ(code.packet.status, RunStatus::kOk);
  EXPECT_THAT(code.output, Not(HasSubstr("Never lose a row")));
  std::filesystem::remove_all(folder().file("graphs"));
  std::filesystem::remove_all(folder().file(".knapsack/memory"));
  std::filesystem::remove_all(folder().file(".context"));
  const PackReply alone = packed(task_);
  EXPECT_THAT(alone.packet.warnings, IsEmpty());
  EXPECT_EQ(alone.packet.status, RunStatus::kOk);
  EXPECT_THAT(alone.output, HasSubstr("class Importer"));
}

TEST_F(Pack, ABrokenSourceDegradesAndSaysSo) {
  std::filesystem::remove(folder().file(".context/DECISIONS.md"));
  ASSERT_EQ(::mkfifo(folder().file(".context/DECISIONS.md").c_str(), 0600), 0);
  const PackReply reply = packed(task_);
  EXPECT_EQ(reply.packet.status, RunStatus::kDegraded);
  EXPECT_THAT(reply.packet.warnings,
              Contains(HasSubstr("DECISIONS.md is a FIFO, socket or device, not a regular file")));
  EXPECT_THAT(reply.output, HasSubstr("class Importer")) << "the others are there";
  EXPECT_THAT(reply.output, HasSubstr("an offset was negative"));
}

// Whichever source it is: the packet has what the three others have, and says what is wrong.
TEST_F(Pack, ABrokenSourceTakesNoOtherWithIt) {
  const struct {
    const char* path;     // a pipe takes its place
    const char* missing;  // of the packet then
  } breakages[] = {
      {".knapsack/curated.db", "class Importer"},
      {"graphs/tg_nodes.jsonl", "Importer resumes after a crash (task"},
      {".knapsack/memory/facts/2026-11-12/fact-1.md", "an offset was negative"},
      {".context/CONSTITUTION.md", "Never lose a row"},
  };
  for (const auto& broken : breakages) {
    SCOPED_TRACE(broken.path);
    const std::string path = folder().file(broken.path);
    std::filesystem::rename(path, folder().file(".knapsack/kept"));
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const PackReply reply = packed(task_);
    EXPECT_THAT(reply.output, Not(HasSubstr(broken.missing)));
    for (const auto& other : breakages) {
      if (&other == &broken) continue;
      EXPECT_THAT(reply.output, HasSubstr(other.missing));
    }
    EXPECT_EQ(reply.packet.status, RunStatus::kDegraded);
    EXPECT_THAT(reply.packet.warnings, Not(IsEmpty()));
    std::filesystem::rename(folder().file(".knapsack/kept"), path);
  }
}

TEST_F(Pack, WhatMustNotBeViolatedAndWhatTheTaskNamesAreInTheSmallestPackets) {
  size_t named = 0;
  for (uint64_t budget = 2000; budget > 40; budget = budget * 9 / 10) {
    SCOPED_TRACE(budget);
    const PackReply reply = packed("fix the colours in src/rows.py", std::to_string(budget));
    if (reply.output.empty()) continue;
    const size_t rule = reply.output.find("Never lose a row");
    // Its code, or its path where that is all that has room.
    const size_t file =
        std::min(reply.output.find("## src/rows.py"), reply.output.find(" src/rows.py: named in the task"));
    if (rule == std::string::npos) {
      EXPECT_EQ(reply.packet.status, RunStatus::kDegraded) << reply.output;
      continue;
    }
    // Nothing else of the code is there without it, and what to read gives way to it.
    for (const char* other : {"## src/importer.py", "## This Task", "## Read First"}) {
      if (reply.output.find(other) != std::string::npos) {
        ASSERT_NE(file, std::string::npos) << reply.output;
      }
    }
    if (file != std::string::npos) {
      EXPECT_LT(rule, file);
      ++named;
    }
  }
  EXPECT_GT(named, 10U);
}

TEST_F(Pack, KeepsEveryBudgetInEveryFormat) {
  std::mt19937 random(3);
  const auto counter = find_token_counter("o200k");
  ASSERT_OK(counter);
  const int tiny = 40 / testing::cases_divisor();
  size_t shown = 0;
  for (int i = 0; i < 400 / testing::cases_divisor(); ++i) {
    const uint64_t budget = i < tiny ? static_cast<uint64_t>(i) * 4 : random() % 4000;
    const char* format = i % 2 == 0 ? "md" : "prompt";
    const PackReply reply =
        packed(i % 3 == 0 ? "fix src/rows.py and `Importer.resume`" : task_, std::to_string(budget), format);
    ASSERT_LE((*counter)->count(reply.output), budget) << reply.output;
    ASSERT_EQ((*counter)->count(reply.output), reply.packet.used);
    if (!reply.output.empty()) expect_nothing_small_is_missing(reply);
    shown += reply.output.empty() ? 0 : 1;
  }
  EXPECT_GT(shown, 0U);
}

TEST_F(Pack, ShowsEverythingWhenEverythingFits) {
  const PackReply reply = packed(task_, "1000000");
  for (const PacketSection& section : reply.packet.sections) {
    for (const PacketItem& item : section.items) {
      if (!item.candidate.dropped.empty()) continue;
      EXPECT_TRUE(item.in_full()) << item.candidate.id;
    }
  }
}

TEST_F(Pack, EveryCandidateSaysWhyItWasGathered) {
  std::set<std::string> ids;
  for (const PacketSection& section : packed(task_).packet.sections) {
    for (const PacketItem& item : section.items) {
      EXPECT_THAT(item.candidate.provenance, Not(IsEmpty())) << item.candidate.id;
      EXPECT_TRUE(ids.insert(item.candidate.id).second) << item.candidate.id << " is there twice";
    }
  }
}

TEST_F(Pack, TheJsonHasWhatTheMarkdownHas) {
  const auto json = nlohmann::json::parse(packed(task_, "8000", "json").output);
  ASSERT_FALSE(json.at("preambles").empty());
  EXPECT_EQ(json["preambles"][0]["key"], "constitution");
  EXPECT_EQ(json["preambles"][0]["lines"], nlohmann::json::array({"Never lose a row"}));
  EXPECT_FALSE(json.at("files").empty());
}

TEST_F(Pack, WhatSourcesDroppedIsInTheAccount) {
  folder().write(".knapsack/memory/facts/2026-11-13/fact-old.md",
                 "---\nid: fact-old\nstatus: superseded\ncreated: 2026-11-13T08:00:00Z\n---\n\n"
                 "The importer resumes by itself after a crash\n");
  const PackReply reply = packed(task_);
  EXPECT_THAT(reply.output, Not(HasSubstr("resumes by itself")));
  const auto old = workspace_.engine().explain("latest", "fact-old");
  ASSERT_OK(old);
  EXPECT_THAT(old->answers, Contains(HasSubstr("its status is not active")));
  const auto notes = workspace_.engine().explain("latest", ".context/DECISIONS.md");
  ASSERT_OK(notes);
  EXPECT_THAT(notes->answers, Contains(HasSubstr("another source shows it")));
}

TEST_F(Pack, ASourceThatNobodyKnowsIsRefused) {
  PackRequest request;
  request.task = task_;
  request.sources = "code,mail";
  const auto reply = workspace_.engine().pack(request);
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().line(), "unknown source 'mail'; choose from code, notes, memory, graph");
}

// Whole files are priced by what was counted when they were indexed; that is what counting them now gives.
TEST_F(Pack, WholeFilesArePricedAsTheyWouldBePrinted) {
  const std::pair<const char*, std::string> odd[] = {
      {"plain", "def importer_a():\n    return 1\n"},
      {"slash", "// importer crash\nint importer_b();\n"},
      {"indented", "    importer crash\n\n"},
      {"no_end", "importer crash resume"},
      {"carriage", "importer crash\r\nresume\r\n"},
      {"wide", "\u3000importer crash \u2028 é文 дом\n"},
      {"broken", "importer crash \xff\xfe resume\n"},
      {"secret", "importer crash = 'AKIA" + std::string(16, 'Q') + "'\n"},
      {"fenced", "importer crash\n```\ncode\n````\n"},
      {"empty", ""},
  };
  for (const auto& [name, text] : odd) folder().write(fmt::format("src/importer_{}.py", name), text);
  for (const char* counter_name : {"o200k", "cl100k", "chars4"}) {
    PackRequest request;
    request.task = "the importer crash in resume";
    request.settings["pack.tokenizer"] = counter_name;
    const auto reply = workspace_.engine().pack(request);
    ASSERT_OK(reply);
    const TokenCounter& counter = **find_token_counter(counter_name);
    size_t known = 0;
    for (const PacketSection& section : reply->packet.sections) {
      for (const PacketItem& item : section.items) {
        if (!item.candidate.group) continue;
        known += item.candidate.group->known_units.empty() ? 0 : 1;
        EXPECT_EQ(item.full_tokens, counter.count(markdown_renderer().item(section, item.candidate, 0)))
            << counter_name << ' ' << item.candidate.id;
      }
    }
    EXPECT_GT(known, 5u);
  }
}

TEST_F(Pack, AnOptionInTheTaskNamesWhatIsDefinedForIt) {
  folder().write(
      "src/flags.py",
      "class MaxContext:\n    def update(self, lines, context):\n        return lines[:context]\n\n\n"
      "class MaxCount:\n    def update(self, found, limit):\n        return found[:limit]\n");
  for (const char* task :
       {"`--max-count` stops one too early", "why does --max-count stop one line too early?"}) {
    const std::string out = packed(task, "8000", "md", "code").output;
    const size_t named = out.find("class MaxCount"), other = out.find("def update(self, lines, context)");
    EXPECT_NE(named, std::string::npos) << out;
    EXPECT_TRUE(other == std::string::npos || named < other || out.find("found[:limit]") != std::string::npos)
        << out;
  }
}

TEST_F(Pack, SignaturesThatLookAlikeSayWhatTheyBelongTo) {
  std::string text =
      "def settle_postage(parcels):\n    \"\"\"Settle postage of parcels once.\"\"\"\n"
      "    return [settle(each) for each in parcels]\n";
  for (const char* name : {"Red", "Green", "Blue"})
    text += fmt::format(
        "\n\nclass {}:\n    def paint(self):\n        return 1\n\n    def {}ish(self):\n        return 1\n",
        name, name);
  folder().write("src/postage.py", text);
  const std::string out =
      packed("`settle_postage` settles the postage of parcels twice", "8000", "md", "code").output;
  EXPECT_THAT(out, HasSubstr("def paint(self) (of Blue)\n"));
  EXPECT_THAT(out, HasSubstr("def Blueish(self)\n")) << "there is one of these";
}

// Code that fills whatever it is given leaves the others what they need, with their headings.
TEST_F(Pack, CodeThatFillsTheBudgetLeavesTheOtherSourcesTheirShare) {
  for (int i = 0; i < 120; ++i)
    folder().write(
        fmt::format("src/part_{}.py", i),
        fmt::format("def importer_crash_{}(offset):\n    resume = offset + {}\n    return resume\n", i, i));
  std::set<std::string> shown;
  for (uint64_t budget = 1500; budget <= 4000; budget += 100) {
    PackRequest request;
    request.task = task_;
    request.sources = "code,memory";
    request.fill = true;
    request.settings["pack.budget"] = std::to_string(budget);
    const auto reply = workspace_.engine().pack(request);
    ASSERT_OK(reply);
    EXPECT_GT(reply->packet.used, budget * 17 / 20);  // a tenth is left free for what an estimate is off by
    EXPECT_THAT(reply->output, HasSubstr("because an offset was negative")) << budget;
    EXPECT_LT(reply->output.find("## src/part_"), reply->output.find("src/rows.py\n"))
        << "what a memory names does not come before what the task is about";
    std::set<std::string> now;
    for (int i = 0; i < 120; ++i)
      if (const std::string body = fmt::format("resume = offset + {}\n", i);
          reply->output.find(body) != std::string::npos)
        now.insert(body);
    EXPECT_TRUE(std::includes(now.begin(), now.end(), shown.begin(), shown.end())) << "less at " << budget;
    shown = std::move(now);
  }
}

// A server tries several budgets on what was gathered once; whoever packs for one of them gets the same bytes.
TEST_F(Pack, WhatIsGatheredOnceGivesThePacketOfEveryBudgetInAnyOrder) {
  PackRequest request;
  request.task = task_;
  request.settings["pack.budget"] = "8000";
  const auto gathered = workspace_.engine().gather_pack(request);
  ASSERT_OK(gathered);
  for (const char* name : {"o200k", "chars4", "o200k"}) {
    const TokenCounter* counter = *find_token_counter(name);
    for (const uint64_t budget : {8000U, 150U, 900U, 40U, 8000U, 0U, 400U}) {
      SCOPED_TRACE(fmt::format("{} {}", name, budget));
      const auto assembled = (*gathered)->assemble({budget, counter});
      ASSERT_OK(assembled);
      EXPECT_LE(counter->count(assembled->output), budget);
      PackRequest alone = request;
      alone.settings["pack.budget"] = std::to_string(budget);
      alone.settings["pack.tokenizer"] = name;
      alone.dry_run = true;
      const auto expected = workspace_.engine().pack(alone);
      ASSERT_OK(expected);
      EXPECT_EQ(assembled->output, expected->output);
      EXPECT_EQ(assembled->packet.used, expected->packet.used);
      EXPECT_FALSE(assembled->run) << "nothing is kept until keep()";
    }
  }
}

// What one source gathers gives the packet of every budget, in any order and by any counter, as if it were asked for alone.
template <class Request, class Alone, class Gather>
void expect_same_packets(Request request, const char* budget_key, const char* tokenizer_key,
                         const Gather& gather, const Alone& alone) {
  const auto gathered = gather(request);
  ASSERT_OK(gathered);
  request.dry_run = true;
  for (const char* name : {"o200k", "chars4", "o200k"}) {
    const TokenCounter* counter = *find_token_counter(name);
    for (const uint64_t budget : {2000U, 60U, 300U, 2000U, 150U}) {
      SCOPED_TRACE(fmt::format("{} {} {}", budget_key, name, budget));
      const auto assembled = (*gathered)->assemble({budget, counter});
      ASSERT_OK(assembled);
      request.settings[budget_key] = std::to_string(budget);
      request.settings[tokenizer_key] = name;
      const auto expected = alone(request, budget);
      ASSERT_OK(expected);
      EXPECT_EQ(assembled->output, expected->output);
      EXPECT_EQ(assembled->packet.used, expected->packet.used);
      EXPECT_EQ(assembled->notices, expected->notices);
      EXPECT_FALSE(assembled->run) << "nothing is kept until keep()";
    }
  }
}

TEST_F(Pack, EachSourceAloneIsGatheredOnceForEveryBudgetToo) {
  Engine& engine = workspace_.engine();
  AgentRequest notes;
  notes.task = task_;
  expect_same_packets(
      notes, "notes.budget", "notes.tokenizer", [&](const auto& asked) { return engine.gather_notes(asked); },
      [&](const auto& asked, uint64_t) { return engine.agent(asked); });
  RecallRequest recall;
  recall.prompt = task_;
  recall.mode = "full";
  expect_same_packets(
      recall, "recall.max_tokens", "recall.tokenizer",
      [&](const auto& asked) { return engine.gather_recall(asked); },
      [&](const auto& asked, uint64_t) { return engine.recall(asked); });
  GraphPackRequest graph;
  graph.request = task_;
  graph.budget = 2000;
  graph.keep_copy = false;
  // The settings of a graph's packet have its counter and no budget.
  expect_same_packets(
      graph, "recall.max_tokens", "graph.tokenizer",
      [&](const auto& asked) { return engine.gather_graph(asked); },
      [&](GraphPackRequest asked, uint64_t budget) {
        asked.settings.erase("recall.max_tokens");
        asked.budget = budget;
        return engine.graph_pack(asked);
      });
}

}  // namespace
}  // namespace knapsack
