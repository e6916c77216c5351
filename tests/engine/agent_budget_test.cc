// The promises of the notes packet, on folders whose content is known apart from our reader.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/files/memory_file_system.h"
#include "engine/engine.h"
#include "store/ledger/ledger.h"
#include "support/notes_fixture.h"
#include "support/real_ledger.h"
#include "support/support.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

using testing::FixtureEntry;
using testing::NotesFixture;

constexpr const char* kNow = "2026-11-15T08:00:00Z";

class NotesWorkspace {
 public:
  explicit NotesWorkspace(const NotesFixture& notes) : files_(std::make_shared<MemoryFileSystem>()) {
    files_->put_kind("/work/.git", FileKind::kDirectory);
    for (const auto& [name, bytes] : notes.files) files_->put("/work/.context/" + name, bytes);
  }

  // All of it, by an engine of its own.
  AgentReply agent(uint64_t budget, const std::string& counter, const std::string& format,
                   const std::string& task = "") {
    const auto engine = open();
    auto reply = engine->agent(request(budget, counter, format, task));
    EXPECT_TRUE(reply.ok()) << reply.error().line();
    return std::move(*reply);
  }

  // The same packet of what was read once; reading costs more than all the rest.
  AgentReply packed(uint64_t budget, const std::string& counter, const std::string& format,
                    const std::string& task) {
    if (!engine_) engine_ = open();
    auto& gathered = gathered_[{format, task}];
    if (!gathered) {
      auto made = engine_->gather_notes(request(budget, counter, format, task));
      EXPECT_TRUE(made.ok()) << made.error().line();
      gathered = std::move(*made);
    }
    auto reply = gathered->assemble({budget, *find_token_counter(counter)});
    EXPECT_TRUE(reply.ok()) << reply.error().line();
    return std::move(*reply);
  }

 private:
  std::unique_ptr<Engine> open() const {
    EngineParts parts;
    parts.files = files_;
    EngineOptions options;
    options.folder = "/work";
    options.now = *parse_rfc3339(kNow);
    return std::move(*Engine::open(options, parts));
  }
  static AgentRequest request(uint64_t budget, const std::string& counter, const std::string& format,
                              const std::string& task) {
    AgentRequest request;
    request.settings = {{"notes.budget", fmt::format("{}", budget)}, {"notes.tokenizer", counter}};
    request.format = format;
    request.dry_run = true;
    request.task = task;
    return request;
  }

  std::shared_ptr<MemoryFileSystem> files_;
  std::unique_ptr<Engine> engine_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<GatheredNotes>> gathered_;
};

// The words of an output, cut at everything that is not a letter or digit.
std::set<std::string> words_in(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::move(word));
      word.clear();
    }
  }
  return words;
}

// In JSON "\n" before a word would read as one more letter of it.
std::string plain_text(const std::string& output, const std::string& format) {
  if (format != "json") return output;
  std::string text;
  const auto json = nlohmann::json::parse(output);
  for (const char* key :
       {"read_order", "constitution", "tasks", "conventions", "decisions", "learnings", "summaries"}) {
    EXPECT_TRUE(json.at(key).is_array()) << key;
    for (const auto& element : json.at(key)) text += element.get<std::string>() + "\n";
  }
  return text;
}

uint64_t omitted_in(const std::string& output, const std::string& format) {
  if (format == "json") return nlohmann::json::parse(output).at("omitted_count").get<uint64_t>();
  const size_t at = output.find(" | Left out ");
  return at == std::string::npos ? 0 : std::stoull(output.substr(at + 12));
}

void check_packet(const NotesFixture& notes, const AgentReply& reply, uint64_t budget,
                  const std::string& counter_name, const std::string& format) {
  const TokenCounter& counter = **find_token_counter(counter_name);
  const std::string& output = reply.output;
  const uint64_t counted = counter.count(output);
  EXPECT_EQ(counted, reply.packet.used);
  const std::string text = plain_text(output, format);
  const auto words = words_in(text);
  for (const auto& rule : notes.rules) {
    EXPECT_TRUE(words.count(rule.first) && words.count(rule.last)) << "rule lost: " << rule.first;
  }
  for (const auto& word : notes.never) EXPECT_FALSE(words.count(word)) << word << " is no entry";
  uint64_t missing = 0, reduced = 0;
  for (const auto* list : {&notes.tasks, &notes.conventions, &notes.decisions, &notes.learnings}) {
    for (const FixtureEntry& entry : *list) {
      missing += words.count(entry.first) ? 0 : 1;
      reduced += words.count(entry.first) && !words.count(entry.last) ? 1 : 0;
    }
  }
  EXPECT_EQ(missing, omitted_in(output, format)) << "every entry is shown, noted or counted";
  EXPECT_EQ(missing, reply.packet.omitted_count());
  // A short task without its tags still ends with its last word.
  EXPECT_LE(reduced, reply.packet.reduced_count());
  if (reply.packet.over_budget) {
    EXPECT_GT(counted, budget);
    EXPECT_EQ(missing, notes.entries()) << "over budget means exactly what must always be shown";
    EXPECT_EQ(text.find("Also noted"), std::string::npos);
  } else {
    EXPECT_LE(counted, budget);
  }
}

TEST(AgentBudget, HoldsOnALargeMessyFolderForEveryBudgetFormatAndCounter) {
  const NotesFixture notes = testing::make_large_notes();
  NotesWorkspace workspace(notes);
  for (const std::string counter : {"chars4", "bytes4", "cl100k", "o200k"}) {
    for (const std::string format : {"md", "json"}) {
      for (const uint64_t budget : {0, 100, 500, 1000, 2000, 4000, 8000, 20000, 60000, 1000000}) {
        if (testing::cases_divisor() > 1 && budget > 8000) continue;
        SCOPED_TRACE(fmt::format("{} {} {}", counter, format, budget));
        const AgentReply reply = workspace.agent(budget, counter, format);
        check_packet(notes, reply, budget, counter, format);
        EXPECT_TRUE(budget > 0 || reply.packet.over_budget);
        if (budget == 1000000) {
          EXPECT_EQ(reply.packet.omitted_count() + reply.packet.reduced_count(), 0);
        }
        EXPECT_EQ(reply.output, workspace.agent(budget, counter, format).output) << "same bytes twice";
      }
    }
  }
}

TEST(AgentBudget, HoldsInTenThousandRandomCases) {
  std::mt19937 random(2026);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const std::vector<std::string> counters = token_counter_names();
  const int folders = 500 / testing::cases_divisor();
  constexpr int kBudgets = 20;
  int over = 0, reduced = 0, whole = 0;
  for (int f = 0; f < folders; ++f) {
    testing::NotesShape shape{.rules = pick(0, 6),
                              .tasks = pick(0, 14),
                              .conventions = pick(0, 10),
                              .decisions = pick(0, 12),
                              .learnings = pick(0, 12),
                              .words = pick(2, 20),
                              .messy = pick(0, 3) > 0,
                              .themes = pick(0, 2) == 0};
    const NotesFixture notes = testing::make_notes(random, shape);
    NotesWorkspace workspace(notes);
    for (int b = 0; b < kBudgets; ++b) {
      const auto budget = static_cast<uint64_t>(pick(0, pick(0, 1) == 0 ? 500 : 4000));
      const std::string counter = counters[static_cast<size_t>(pick(0, 3))];
      const std::string format = pick(0, 1) == 0 ? "md" : "json";
      SCOPED_TRACE(fmt::format("folder {} budget {} {} {}", f, budget, counter, format));
      const std::string task = pick(0, 3) == 0 ? "make the parser resume after an ошибка in the ledger" : "";
      const AgentReply reply = workspace.packed(budget, counter, format, task);
      check_packet(notes, reply, budget, counter, format);
      if (b % 5 == 0) {
        EXPECT_EQ(reply.output, workspace.agent(budget, counter, format, task).output);
      }
      over += reply.packet.over_budget;
      reduced += !reply.packet.over_budget && reply.packet.omitted_count() + reply.packet.reduced_count() > 0;
      whole += reply.packet.omitted_count() + reply.packet.reduced_count() == 0;
      if (::testing::Test::HasFailure()) return;
    }
  }
  // The cases must reach every kind of answer, or the test above proves little.
  EXPECT_GT(over, folders / 3);
  EXPECT_GT(reduced, folders * 3);
  EXPECT_GT(whole, folders * 2);
}

TEST(AgentBudget, LeavesNoRoomThatAnOmittedTitleWouldFit) {
  std::mt19937 random(77);
  for (int n = 0; n < 300 / testing::cases_divisor(); ++n) {
    const NotesFixture notes = testing::make_notes(random, {.tasks = 12, .decisions = 12, .learnings = 12});
    NotesWorkspace workspace(notes);
    const uint64_t budget = 300 + static_cast<uint64_t>(n) * 7;
    const AgentReply reply = workspace.agent(budget, "bytes4", "md");
    if (reply.packet.over_budget) continue;
    uint64_t smallest = UINT64_MAX;
    for (const auto& section : reply.packet.sections) {
      for (const auto& item : section.items) {
        if (!item.shown && item.candidate.dropped.empty()) smallest = std::min(smallest, item.tokens);
      }
    }
    // Sizes are rounded up to whole tokens one by one, so the sum may exceed the true one by one token.
    if (smallest == UINT64_MAX) continue;
    EXPECT_GE(reply.packet.used + smallest + 1, budget) << n;
  }
}

}  // namespace
}  // namespace knapsack
