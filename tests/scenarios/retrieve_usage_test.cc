// The strict contract of `retrieve` and `refine`: each violation has a message of its own, exit code 2, and
// leaves nothing behind.
#include <future>

#include "scenarios/support_little_shop.h"
#include "scenarios/support_retrieval.h"

namespace knapsack {
namespace {

using testing::answer_of;
using testing::expect_refusal;
using testing::Outcome;
using testing::retrieve_words;
using testing::run_measured;
using testing::TestRepository;

class RetrieveUsage : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_little_shop(made_);
    made_.commit("Begin the shop");
  }
  void expect_line(const std::vector<std::string>& words, const std::string& line) {
    std::string shown;
    for (const auto& word : words) shown += "'" + word + "' ";
    SCOPED_TRACE(shown);
    const Outcome outcome = run_measured(words, made_.path());
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "knapsack: " + line + "\n");
  }
  // `retrieve x` with these words and nothing else.
  void expect_refused(std::vector<std::string> words, const std::string& line) {
    words.insert(words.begin(), {"retrieve", "x"});
    expect_line(words, line);
  }
  void expect_nothing_written() { EXPECT_FALSE(made_.folder().exists(".knapsack")); }

  TestRepository made_;
  const std::string whole_number_ = "give a whole number of tokens from 0 to 1000000000";
};

// A model's client that has read a packet before need not read it again.
TEST_F(RetrieveUsage, APacketForATaskIsTheSameTextWheneverItIsMade) {
  for (const char* command : {"retrieve", "pack"}) {
    for (const char* format : {"md", "prompt"}) {
      const auto at = [&](const std::string& time) {
        const Outcome outcome = run_measured(
            {command, "the total of a cart", "--budget", "2000", "--format", format, "--now", time},
            made_.path());
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return outcome.out;
      };
      EXPECT_EQ(at("2026-11-15T08:00:00Z"), at("2026-11-16T09:30:00Z")) << command << ' ' << format;
    }
  }
}

TEST_F(RetrieveUsage, ATaskAloneIsAnsweredAsPackWouldAnswer) {
  const auto answer = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"retrieve", "the total of a cart"});
    const Outcome outcome = run_measured(words, made_.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string bare = answer({});
  EXPECT_EQ(bare, answer({"--budget", "8000"}));
  made_.write("knapsack.toml", "[pack]\nbudget = 700\n");
  EXPECT_EQ(answer({}), answer({"--budget", "700"}));
  EXPECT_NE(answer({}), bare);
}

TEST_F(RetrieveUsage, StagesMustBeNamedAndKnown) {
  const std::vector<std::string> rest = {"--context-window", "1000", "--reserved-tokens", "100", "--no-llm"};
  const auto with = [&](const std::vector<std::string>& stages) {
    std::vector<std::string> words = stages;
    words.insert(words.end(), rest.begin(), rest.end());
    return words;
  };
  expect_refused(with({}), "there are no stages; give --stages scope,precision");
  expect_refused(with({"--stages", ""}), "there are no stages; give --stages scope,precision");
  expect_refused(with({"--stages", " , "}),
                 "the list of stages is empty; name at least one of scope, precision");
  expect_refused(with({"--stages", "scope,precison"}),
                 "unknown stage 'precison'; did you mean precision? The stages are scope, precision");
  expect_refused(with({"--stages", "scope,"}),
                 "unknown stage ''; did you mean scope? The stages are scope, precision");
  expect_refused(with({"--stages", "scope,precision,scope"}), "stage 'scope' is listed twice; list it once");
  for (const char* list : {"precision", "precision,scope"}) {
    expect_refused(with({"--stages", list}),
                   "stage 'precision' works on the files that 'scope' finds; list scope before it: "
                   "scope,precision");
  }
  expect_nothing_written();
}

TEST_F(RetrieveUsage, ABudgetMustBeGivenInExactlyOneForm) {
  made_.write("budget.toml", "context_window = 1000\nreserved_tokens = 100\n");
  const auto refused = [&](std::vector<std::string> words, const std::string& line) {
    words.insert(words.end(), {"--stages", "scope", "--no-llm"});
    expect_refused(words, line);
  };
  refused({}, "there is no budget; give --context-window N and --reserved-tokens N, or --budget-config FILE");
  refused({"--context-window", "1000"},
          "--context-window needs --reserved-tokens; say how many tokens the rest of the prompt takes");
  refused({"--reserved-tokens", "10"},
          "--reserved-tokens needs --context-window; say how many tokens the model sees");
  refused({"--budget-config", "budget.toml", "--context-window", "1000", "--reserved-tokens", "10"},
          "--budget-config and --context-window exclude each other; give the file or the two numbers");
  refused({"--budget-config", "budget.toml", "--context-window", "1000"},
          "--budget-config and --context-window exclude each other; give the file or the two numbers");
  refused({"--budget-config", "budget.toml", "--reserved-tokens", "10"},
          "--budget-config and --reserved-tokens exclude each other; give the file or the two numbers");
  expect_nothing_written();
}

TEST_F(RetrieveUsage, TheNumbersMustMakeSense) {
  struct Row {
    std::string window, reserved, line;
  };
  const std::vector<Row> rows = {
      {"0", "0", "--context-window must be above 0; give the number of tokens that the model sees"},
      {"-1", "0", "--context-window '-1' is negative; " + whole_number_},
      {"1000", "-1", "--reserved-tokens '-1' is negative; " + whole_number_},
      {"many", "0", "--context-window 'many' is not a token budget; " + whole_number_},
      {"8k", "0", "--context-window '8k' is not a token budget; " + whole_number_},
      {"1000", "1.5", "--reserved-tokens '1.5' is not a token budget; " + whole_number_},
      {"99999999999999999999", "0", "--context-window '99999999999999999999' is too large; " + whole_number_},
      {"1000", "1000",
       "--reserved-tokens (1000) must be below --context-window (1000); reserve less, or nothing would be "
       "left for "
       "the context"},
      {"1000", "1001",
       "--reserved-tokens (1001) must be below --context-window (1000); reserve less, or nothing would be "
       "left for "
       "the context"}};
  for (const Row& row : rows) {
    expect_refused({"--stages", "scope", "--no-llm", "--context-window=" + row.window,
                    "--reserved-tokens=" + row.reserved},
                   row.line);
  }
  expect_nothing_written();
}

TEST_F(RetrieveUsage, ABudgetFileMustHoldTheTwoNumbersAndNothingElse) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"context_window = 1000\n", "budget does not say reserved_tokens; add it"},
      {"", "budget does not say context_window; add it"},
      {R"({"context_window": 1000, "reserved_tokens": 10, "windows": 1})",
       "budget: unknown key 'windows'; did you mean 'context_window'?"},
      {R"({"context_window": "many", "reserved_tokens": 1})",
       "budget: context_window must be a whole number"},
      {"context_window = 1000.5\nreserved_tokens = 1\n", "budget: context_window must be a whole number"},
      {R"({"context_window": -5, "reserved_tokens": 1})",
       "budget: context_window '-5' is negative; " + whole_number_},
      {R"({"context_window": 0, "reserved_tokens": 0})",
       "budget: context_window must be above 0; give the number of tokens that the model sees"},
      {R"({"context_window": 5, "reserved_tokens": 5})",
       "budget: reserved_tokens (5) must be below budget: context_window (5); reserve less, or nothing would "
       "be left "
       "for the context"},
      {"{\"context_window\": ", "budget is not a JSON object; correct it"}};
  for (const auto& [text, line] : rows) {
    made_.write("budget", text);
    expect_refused({"--stages", "scope", "--no-llm", "--budget-config", "budget"}, line);
  }
  for (const std::string text : {"gar[bage", "\xff\xfe\x01"}) {
    made_.write("budget", text);
    expect_refusal(
        run_measured({"retrieve", "x", "--stages", "scope", "--no-llm", "--budget-config", "budget"},
                     made_.path()),
        2, {"knapsack: budget", "line 1", "write it as TOML or JSON"});
  }
  for (const std::string name : {"nowhere.toml", "src"}) {
    expect_refusal(run_measured({"retrieve", "x", "--stages", "scope", "--no-llm", "--budget-config", name},
                                made_.path()),
                   2, {"knapsack: --budget-config " + name + ": "});
  }
  expect_nothing_written();
}

TEST_F(RetrieveUsage, EitherAModelOrTheWordThatThereIsNone) {
  const auto refused = [&](std::vector<std::string> words, const std::string& line) {
    words.insert(words.end(), {"--stages", "scope", "--context-window", "1000", "--reserved-tokens", "100"});
    expect_refused(words, line);
  };
  refused({}, "there is no model; give --model NAME and --base-url URL, or --no-llm for rules alone");
  refused({"--no-llm", "--model", "m"}, "--no-llm and --model exclude each other; leave one of them out");
  refused({"--no-llm", "--base-url", "http://localhost:1"},
          "--no-llm and --base-url exclude each other; leave one of them out");
  refused({"--no-llm", "--model", "m", "--base-url", "http://localhost:1"},
          "--no-llm and --model exclude each other; leave one of them out");
  refused({"--model", "m"}, "--model needs --base-url; say where the model answers");
  refused({"--base-url", "http://localhost:1"},
          "--base-url needs --model; name the model; it is never guessed");
  const std::string like = "; give one like http://localhost:11434 or https://host/v1";
  refused({"--model", "m", "--base-url", "nonsense"},
          "base URL 'nonsense': must begin with http:// or https://" + like);
  refused({"--model", "m", "--base-url", "ftp://host"},
          "base URL 'ftp://host': must begin with http:// or https://" + like);
  refused({"--model", "m", "--base-url", "http://me:secret@host"},
          "the base URL contains a user name or a password; leave them out; a key goes into the environment "
          "variable "
          "KNAPSACK_MODEL_KEY");
  expect_nothing_written();
}

TEST_F(RetrieveUsage, TheTaskTheFormatAndTheIdAreChecked) {
  expect_line({"retrieve"}, "task is required; see `knapsack retrieve --help`");
  expect_line(retrieve_words(""), "the task is empty; describe the task in words");
  expect_line(retrieve_words(" \n\t "), "the task is empty; describe the task in words");
  const std::string no_text = "the task is UTF-16 or binary data, and not text in UTF-8; convert it first";
  for (const std::string& task : {std::string("\xFF\xFE\x66\0\x69\0\x78\0", 8),
                                  std::string("\xFE\xFF\x4E\x2D", 4), std::string("\x66\0\x69\0\x78\0", 6)}) {
    for (const char* command : {"pack", "retrieve"}) {
      const auto refused = testing::run_program({command, "-"}, made_.path(), {}, task);
      EXPECT_EQ(refused.exit_code, 2);
      EXPECT_EQ(refused.out, "");
      EXPECT_THAT(refused.err, ::testing::HasSubstr(no_text));
    }
  }
  expect_line(retrieve_words("x", {"--format", "xml"}), "unknown format 'xml'; choose md, prompt or json");
  expect_line(retrieve_words("x", {"--tokenizer", "words"}),
              "unknown tokenizer 'words'; use one of chars4, bytes4, cl100k, o200k");
  const std::string rule =
      " is not a task id; use at most 64 letters, digits, '.', '_' and '-', not starting with '.'";
  expect_line(retrieve_words("x", {"--task-id", "../x"}), "'../x'" + rule);
  expect_line(retrieve_words("x", {"--task-id", "a\nb"}), "'a\\nb'" + rule);
  expect_line(retrieve_words("x", {"--task-id", ""}), "--task-id is empty; name the task, or leave it out");
  expect_line(retrieve_words("x", {"--repo", ".", "--workspace", "."}),
              "--repo and --workspace mean the same; give one of them");
  expect_refusal(run_measured(retrieve_words("x", {"--repo", "nowhere"}), made_.path()), 2,
                 {"nowhere is not a folder"});
  expect_nothing_written();
}

TEST_F(RetrieveUsage, AnIdBelongsToItsTask) {
  answer_of(retrieve_words("fix the total of a cart", {"--task-id", "cart"}), made_.path());
  const std::string before = made_.folder().read(".knapsack/sessions/cart.db");
  expect_line(retrieve_words("paint it\nblue", {"--task-id", "cart"}),
              "--task-id cart belongs to another task: \"fix the total of a cart\"; choose another id, or "
              "leave it out");
  EXPECT_EQ(made_.folder().read(".knapsack/sessions/cart.db"), before);
}

TEST_F(RetrieveUsage, ATaskOfAnyBytesCanBeRepeated) {
  const std::string task = "fix \xff\xfe the \x1b[31mtotal";
  const std::string first = answer_of(retrieve_words(task, {"--task-id", "bytes"}), made_.path());
  EXPECT_EQ(first.find('\x1b'), std::string::npos) << "nothing in a heading drives the terminal";
  EXPECT_EQ(answer_of(retrieve_words(task, {"--task-id", "bytes"}), made_.path()), first);
}

TEST_F(RetrieveUsage, TheSameQuestionAskedByManyAtOnceIsAnsweredToAll) {
  const std::vector<std::string> words = retrieve_words("fix the total of a cart", {});
  const std::string alone = answer_of(words, made_.path());
  std::vector<std::future<Outcome>> askers;
  for (int asker = 0; asker < 8; ++asker) {
    askers.push_back(std::async(std::launch::async, [&] { return run_measured(words, made_.path()); }));
  }
  for (auto& asker : askers) {
    const Outcome outcome = asker.get();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, alone);
  }
}

TEST_F(RetrieveUsage, ARefinementNeedsASessionAndSomethingToAskFor) {
  expect_line({"refine"}, "--task-id is required; see `knapsack refine --help`");
  expect_line({"refine", "--task-id", "cart"},
              "--request or --from-test-output is required; see `knapsack refine --help`");
  made_.write("good.json", R"({"missing_files": ["cart.py"]})");
  expect_refusal(run_measured(testing::refine_words("cart", "good.json"), made_.path()), 1,
                 {"knapsack: there is no session of task cart; give the --task-id of an earlier retrieval"});
  expect_nothing_written();
  answer_of(retrieve_words("fix the total", {"--task-id", "cart"}), made_.path());
  const std::string before = made_.folder().read(".knapsack/sessions/cart.db");
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"no json at all",
       "the refinement request is not a JSON object; write {\"reason\": \"…\", \"missing_files\": […], "
       "\"missing_symbols\": […]}"},
      {"[]",
       "the refinement request is not a JSON object; write {\"reason\": \"…\", \"missing_files\": […], "
       "\"missing_symbols\": […]}"},
      {R"({"missing_file": ["a"]})",
       "refinement request: unknown key 'missing_file'; did you mean 'missing_files'?"},
      {R"({"missing_files": "a"})", "refinement request: missing_files must be a list of texts"},
      {R"({"missing_files": [""]})", "refinement request: missing_files must be a list of texts"},
      {R"({"missing_tests": [7]})", "refinement request: missing_tests must be a list of texts"},
      {R"({"reason": 3, "missing_files": ["a"]})", "refinement request: reason must be a text"},
      {R"({"reason": ""})", "the refinement request asks for nothing; name what is missing"},
      {R"({"missing_files": [], "missing_symbols": []})",
       "the refinement request asks for nothing; name what is missing"}};
  for (const auto& [text, line] : rows) {
    made_.write("request.json", text);
    expect_line(testing::refine_words("cart", "request.json"), line);
  }
  expect_refusal(run_measured(testing::refine_words("cart", "nowhere.json"), made_.path()), 2,
                 {"--request", "name a file, or - for standard input"});
  EXPECT_EQ(made_.folder().read(".knapsack/sessions/cart.db"), before);
}

TEST_F(RetrieveUsage, WhatIsWrongIsCalledAsItWasGiven) {
  expect_line({"retrieve", "x", "--budget", "0"},
              "--budget must be above 0; give the number of tokens that the packet may have");
  expect_line({"retrieve", "x", "--repo", "/nope"}, "/nope is not a folder; name an existing folder");
}

}  // namespace
}  // namespace knapsack
