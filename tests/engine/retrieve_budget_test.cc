// The budget of a retrieval is hard: for every window, counter and format, on a real index.
#include <fmt/format.h>

#include <random>

#include "engine/support_workspace.h"
#include "support/repository_words.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

using testing::RetrievalWorkspace;
using testing::shown_files;
using testing::shows_file;

const std::vector<std::string> kCounters = {"chars4", "bytes4", "cl100k", "o200k"};

// Counted apart from what packing uses: the estimates by their definition, the exact ones over the whole
// text.
uint64_t count(const std::string& text, const std::string& counter) {
  if (counter == "bytes4") return (text.size() + 3) / 4;
  if (counter != "chars4") return (*find_token_counter(counter))->count(text);
  uint64_t characters = 0;
  for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? 0 : 1;
  return (characters + 3) / 4;
}

RetrieveRequest request(const std::string& task, uint64_t window, uint64_t reserved,
                        const std::string& counter, const std::string& format) {
  RetrieveRequest made = RetrievalWorkspace::request(task, window, reserved);
  made.settings["code.tokenizer"] = counter;
  made.format = format;
  return made;
}

class RetrieveBudget : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    workspace_ = new RetrievalWorkspace();
    write_files(*workspace_);
    workspace_->index();
  }
  static void write_files(const RetrievalWorkspace& workspace) {
    workspace.copy_source({"src/stages"});
    workspace.folder().write("web/view.ts", "export const shown = '\u20ac \U0001F392 \u0436'\n");
    workspace.folder().write("strange \"name\".py", "def strange():\n    return 1\n");
  }
  static void TearDownTestSuite() {
    delete workspace_;
    workspace_ = nullptr;
  }
  static RetrievalWorkspace* workspace_;
};
RetrievalWorkspace* RetrieveBudget::workspace_ = nullptr;

struct Task {
  std::string text;
  std::string named;  // a file that it names; empty: none
};
const std::vector<Task> kBudgetTasks = {
    {"fix src/stages/judge.cc: opinions get lost", "src/stages/judge.cc"},
    {"the fence of code in markdown must be longer than any run of backticks", ""},
    {"why does `StageContext` lose bytes of paths?", "src/stages/stage_context.h"},
    {"Traceback (most recent call last):\n  File \"/home/x/strange \"name\".py\", line 2, in strange\nE: x",
     ""},
    {"rename read_intent in src/stages/judge.cc and src/stages/runner.cc", "src/stages/runner.cc"},
    {"Ошибка в рендере: показать €", ""},
    {"zzz qqq", ""},
};

bool only_paths_of_named_files(const RetrieveReply& reply) {
  for (size_t s = 1; s < reply.packet.sections.size(); ++s) {
    for (const PacketItem& item : reply.packet.sections[s].items) {
      if (item.shown) return false;
    }
  }
  return reply.packet.sections.at(0).key == "named";
}

constexpr uint64_t kRoomForSomething = 400;

TEST_F(RetrieveBudget, HoldsInFiveThousandRandomCasesByEveryCounterInEveryFormat) {
  std::mt19937 random(20261115);
  const auto pick = [&](uint64_t low, uint64_t high) {
    return std::uniform_int_distribution<uint64_t>(low, high)(random);
  };
  const int cases = 5000 / testing::cases_divisor();
  int blank = 0, headed = 0, filled = 0;
  std::map<std::string, std::unique_ptr<GatheredRetrieval>> gathered;
  for (int n = 0; n < cases; ++n) {
    const Task& task = kBudgetTasks[pick(0, kBudgetTasks.size() - 1)];
    // A third tiny, a third small, a third up to where everything may fit.
    const uint64_t budget = n % 3 == 0 ? pick(1, 200) : n % 3 == 1 ? pick(100, 4000) : pick(1000, 60'000);
    const uint64_t reserved = pick(0, 1) == 0 ? 0 : pick(0, 100'000);
    const std::string counter = kCounters[pick(0, 3)];
    const std::string format = pick(0, 1) == 0 ? "md" : "prompt";
    SCOPED_TRACE(fmt::format("case {}: {} of {}, {} {}, {}", n, budget, budget + reserved, counter, format,
                             task.text));
    RetrieveRequest wanted = request(task.text, budget + reserved, reserved, counter, format);
    wanted.task_id = fmt::format("case-{}", &task - kBudgetTasks.data());
    // Packing is what is tested here; reading and ranking cost far more than all the rest, and most cases share them.
    const bool is_whole_run = n % 8 == 0;
    const std::string shared = wanted.task_id + counter + format;
    if (!is_whole_run) {
      wanted.stages = "scope";
      wanted.task_id = shared;  // what is gathered keeps its task
    }
    const auto retrieve = [&] {
      return is_whole_run ? workspace_->retrieve(wanted)
                          : workspace_->assemble(gathered[shared], wanted, budget);
    };
    const RetrieveReply reply = retrieve();
    const uint64_t used = count(reply.output, counter);
    ASSERT_LE(used, budget) << reply.output;
    ASSERT_EQ(used, reply.packet.used);
    ASSERT_EQ(reply.packet.budget, budget);
    ASSERT_FALSE(reply.packet.over_budget);
    const bool any = !shown_files(reply).empty();
    // A named file may be missing only while nothing but paths of named files is shown.
    if (any && !task.named.empty() && !shows_file(reply, task.named)) {
      ASSERT_TRUE(only_paths_of_named_files(reply)) << reply.output;
    }
    // Prices that differ from bytes by a little must not end with nothing at all.
    const bool has_candidates = std::any_of(reply.packet.sections.begin(), reply.packet.sections.end(),
                                            [](const PacketSection& each) { return !each.items.empty(); });
    if (budget >= kRoomForSomething && has_candidates) {
      ASSERT_TRUE(any) << reply.output;
    }
    (reply.output.empty() ? blank : any ? filled : headed) += 1;
    if (n % 25 == 0) {
      ASSERT_EQ(retrieve().output, reply.output) << "same bytes twice";
    }
    if (HasFailure()) return;
  }
  // The cases must reach every kind of answer, or the test above proves little.
  EXPECT_GT(blank, cases / 100);
  EXPECT_GT(headed, cases / 200);
  EXPECT_GT(filled, cases / 2);
}

TEST_F(RetrieveBudget, HoldsForEveryBudgetFromOneToTwoHundred) {
  for (const std::string& counter : kCounters) {
    for (const std::string format : {"md", "prompt"}) {
      bool shown = false;
      for (uint64_t budget = 1; budget <= 200; budget += budget < 80 ? 1 : 8) {
        SCOPED_TRACE(fmt::format("{} {} {}", counter, format, budget));
        RetrieveRequest wanted = request(kBudgetTasks[0].text, budget, 0, counter, format);
        wanted.task_id = "small";
        if (counter != "o200k") wanted.stages = "scope";
        const RetrieveReply reply = workspace_->retrieve(wanted);
        ASSERT_LE(count(reply.output, counter), budget) << reply.output;
        const bool now = shows_file(reply, kBudgetTasks[0].named);
        ASSERT_TRUE(now || !shown) << "a larger budget removed the named file";
        shown = now;
        ASSERT_EQ(reply.packet.status, shown_files(reply).empty() ? RunStatus::kEmpty : RunStatus::kOk);
        ASSERT_EQ(reply.packet.warnings.empty(), !shown_files(reply).empty())
            << "an answer without any file says that the budget is why";
      }
      EXPECT_TRUE(shown) << "200 tokens are enough for a path";
    }
  }
}

TEST_F(RetrieveBudget, ALargerBudgetNeverRemovesANamedFile) {
  for (const Task& task : kBudgetTasks) {
    if (task.named.empty()) continue;
    for (const std::string format : {"md", "prompt"}) {
      bool shown = false;
      for (uint64_t budget = 20; budget < 60'000; budget += 1 + budget / 3) {
        RetrieveRequest wanted = request(task.text, budget, 0, "o200k", format);
        wanted.task_id = fmt::format("larger-{}", &task - kBudgetTasks.data());
        const bool now = shows_file(workspace_->retrieve(wanted), task.named);
        ASSERT_TRUE(now || !shown) << task.named << " at " << budget;
        shown = now;
      }
      EXPECT_TRUE(shown);
    }
  }
}

TEST_F(RetrieveBudget, OfTheFullJsonIsThatOfItsContentAsMarkdown) {
  for (const uint64_t budget : {10, 60, 300, 3000, 100'000}) {
    const RetrieveReply md = workspace_->retrieve(request(kBudgetTasks[0].text, budget, 0, "o200k", "md"));
    const RetrieveReply json =
        workspace_->retrieve(request(kBudgetTasks[0].text, budget, 0, "o200k", "json"));
    EXPECT_EQ(json.packet.used, count(md.output, "o200k"));
    EXPECT_EQ(shown_files(json), shown_files(md));
  }
}

TEST_F(RetrieveBudget, WhenEverythingFitsEverythingIsThereInFull) {
  RetrievalWorkspace small;
  small.copy_source({"src/stages"});
  small.index();
  for (const std::string& counter : kCounters) {
    for (const std::string format : {"md", "prompt"}) {
      SCOPED_TRACE(counter + " " + format);
      const std::string task = "fix src/stages/judge.cc";
      RetrieveRequest wanted = request(task, 100'000'000, 0, counter, format);
      // Without the margin for estimates, so that the edge is exact.
      wanted.settings["code.safety_margin"] = "0";
      wanted.fill = true;
      const RetrieveReply all = small.retrieve(wanted);
      ASSERT_EQ(all.packet.omitted_count() + all.packet.reduced_count(), 0);
      for (const auto& file : all.packet.groups) {
        EXPECT_NE(all.output.find(file->text.substr(0, 100)), std::string::npos) << file->id;
      }
      // Exactly as much as it takes is enough: parts that overlap are paid for once.
      wanted.context_window = all.packet.used;
      const RetrieveReply exact = small.retrieve(wanted);
      EXPECT_EQ(exact.packet.omitted_count() + exact.packet.reduced_count(), 0);
      EXPECT_EQ(shown_files(exact), shown_files(all));
      wanted.context_window = all.packet.used - 30;
      const RetrieveReply less = small.retrieve(wanted);
      EXPECT_GT(less.packet.omitted_count() + less.packet.reduced_count(), 0);
      EXPECT_LE(count(less.output, counter), all.packet.used - 30);
    }
  }
}

TEST_F(RetrieveBudget, SameFilesSameBytesWhateverBuiltTheIndex) {
  RetrievalWorkspace other;
  write_files(other);
  other.index(1);
  for (const Task& task : kBudgetTasks) {
    for (const std::string format : {"md", "prompt", "json"}) {
      RetrieveRequest wanted = request(task.text, 4000, 500, "chars4", format);
      const std::string expected = workspace_->retrieve(wanted).output;
      EXPECT_EQ(expected, other.retrieve(wanted).output) << "one thread or several";
      wanted.refresh = true;
      EXPECT_EQ(expected, other.retrieve(wanted).output) << "brought up to date or not";
    }
  }
}

}  // namespace
}  // namespace knapsack
