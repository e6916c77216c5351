// Refinement: what was missing is found, within the budget, in the session of the task.
#include "engine/engine.h"
#include "scenarios/support_little_shop.h"
#include "scenarios/support_retrieval.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

using nlohmann::json;
using testing::answer_of;
using ::testing::Contains;
using testing::files_of;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using testing::packet_of;
using testing::refine_words;
using testing::retrieve_words;
using testing::run_measured;
using testing::TestRepository;

class Refine : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_little_shop(made_);
    testing::write_generated(made_, 60);
    made_.write("tests/test_money.py", "def test_sum_of_cents():\n    assert 1 + 2 == 3\n");
    for (int i = 0; i < 30; ++i) {
      made_.write("many/part" + std::to_string(i) + "/setup.py", "def install_everything():\n    pass\n");
    }
    made_.commit("Begin the shop");
    testing::index_report(made_.path());
  }
  // The first packet of the task, with room for little.
  json first(const std::string& window = "900", const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"--task-id", "cart", "--no-index"};
    words.insert(words.end(), more.begin(), more.end());
    return packet_of(retrieve_words("`Cart.total` in src/shop/cart.py rounds wrong", words, window),
                     made_.path());
  }
  std::vector<std::string> words(const json& request) {
    made_.write(".knapsack/request.json", request.dump());
    return refine_words("cart", ".knapsack/request.json", {"--no-index"});
  }
  json refine(const json& request) { return packet_of(words(request), made_.path()); }

  static std::vector<std::string> shown_symbols(const json& packet) {
    std::vector<std::string> titles;
    for (const json& section : packet.at("sections")) {
      for (const json& item : section.at("items")) {
        const std::string title = item.at("title");
        if (item.at("kind") == "symbol") titles.push_back(title.substr(title.rfind('.') + 1));
      }
    }
    return titles;
  }
  // Of more than signatures.
  static std::vector<std::string> files_with_code(const json& packet) {
    std::vector<std::string> paths;
    for (const json& file : packet.at("files"))
      if (!file.at("parts").empty()) paths.push_back(file.at("path"));
    return paths;
  }

  TestRepository made_;
};

TEST_F(Refine, AddsEveryFileSymbolAndTestThatCanBeFound) {
  const json before = first();
  const std::vector<std::string> missing = {"cmd/main.go", "src/stack.c", "pkg/money/add.go",
                                            "tests/test_money.py"};
  for (const std::string& path : missing) EXPECT_THAT(files_with_code(before), Not(Contains(path)));
  const json after = refine({{"reason", "what calls it?"},
                             {"missing_files", {"cmd/main.go", "stack.c"}},
                             {"missing_symbols", {"Add", "push"}},
                             {"missing_tests", {"test_sum_of_cents"}}});
  EXPECT_THAT(files_of(after), IsSupersetOf(missing));
  EXPECT_THAT(files_of(after), Contains("src/shop/cart.py"));
  EXPECT_THAT(shown_symbols(after), IsSupersetOf({"Add", "push", "test_sum_of_cents"}));
  EXPECT_TRUE(after.at("warnings").empty()) << after.at("warnings");
  EXPECT_EQ(after.at("status"), "ok");
  EXPECT_LE(after.at("used").get<int>(), 900);
}

TEST_F(Refine, NamesWhatItCannotFindWithASuggestion) {
  first();
  const json after = refine({{"missing_files", {"src/shop/crat.py", "cmd/main.go"}},
                             {"missing_symbols", {"price_off"}},
                             {"missing_tests", {"test_totl"}}});
  EXPECT_THAT(files_of(after), Contains("cmd/main.go"));
  const std::string warnings = after.at("warnings").dump();
  EXPECT_THAT(warnings, HasSubstr("nothing is called src/shop/crat.py; did you mean src/shop/cart.py?"));
  EXPECT_THAT(warnings, HasSubstr("nothing is called price_off; did you mean price_of?"));
  EXPECT_THAT(warnings, HasSubstr("nothing is called test_totl; did you mean test_total?"));
  const auto shown = run_measured(words({{"missing_files", {"a\x1b[31mb"}}}), made_.path());
  EXPECT_THAT(shown.err, HasSubstr("nothing is called a\\x1b[31mb"));
}

TEST_F(Refine, ANameThatFitsEverywhereIsNotTakenForAllOfThem) {
  first();
  const json after = refine({{"missing_files", {"setup.py"}}, {"missing_symbols", {"install_everything"}}});
  const std::string warnings = after.at("warnings").dump();
  EXPECT_THAT(warnings, HasSubstr("setup.py fits 30 places: name more of its path"));
  EXPECT_THAT(warnings, HasSubstr("install_everything fits 30 places: name more of its qualified name"));
  EXPECT_THAT(files_of(refine({{"missing_files", {"part7/setup.py"}}})), Contains("many/part7/setup.py"));
}

TEST_F(Refine, RequestsAddUp) {
  first("2000");
  refine({{"missing_files", {"cmd/main.go"}}});
  refine({{"missing_symbols", {"push"}}});
  const json after = refine({{"missing_tests", {"tests/test_money.py"}}});
  EXPECT_THAT(files_of(after),
              IsSupersetOf({"cmd/main.go", "src/stack.c", "tests/test_money.py", "src/shop/cart.py"}));
}

TEST_F(Refine, AStackTraceMakesItsFilesSeeds) {
  first();
  const std::string trace =
      "Traceback (most recent call last):\n  File \"/srv/app/src/shop/prices.py\", line 2, in price_of\n"
      "    return item.price\nAttributeError: 'NoneType' object has no attribute 'price'\n";
  const json after = refine({{"error_signatures", {trace}}});
  EXPECT_THAT(files_of(after), Contains("src/shop/prices.py"));
  bool frame = false;
  for (const json& section : after.at("sections")) {
    for (const json& item : section.at("items")) {
      frame = frame || item.at("provenance").dump().find("frame 1 of the stack trace") != std::string::npos;
    }
  }
  EXPECT_TRUE(frame);
  // Asking for the same again changes nothing, and what comes later does not forget it.
  EXPECT_EQ(refine({{"error_signatures", {trace}}}).at("files"), after.at("files"));
  EXPECT_THAT(files_of(refine({{"missing_files", {"cmd/main.go"}}})),
              IsSupersetOf({"src/shop/prices.py", "cmd/main.go"}));
}

TEST_F(Refine, KeepsTheBudgetAndItsCounter) {
  first("260", {"--tokenizer", "o200k"});
  auto all = words({{"missing_files", {"cmd/main.go", "src/stack.c", "web/index.ts"}}});
  const json packet = packet_of(all, made_.path());
  EXPECT_EQ(packet.at("tokenizer"), "o200k") << "the counter is part of the budget";
  for (const std::string format : {"md", "prompt"}) {
    auto printed = all;
    printed.insert(printed.end(), {"--format", format});
    EXPECT_LE((*find_token_counter("o200k"))->count(answer_of(printed, made_.path())), 260);
  }
}

TEST_F(Refine, IsTheSameTaskAndBothRunsCanBeExplained) {
  const json before = first();
  const json after = refine({{"missing_files", {"cmd/main.go"}}});
  EXPECT_EQ(before.at("task_id"), "cart");
  EXPECT_EQ(after.at("task_id"), "cart");
  EngineOptions options;
  options.folder = made_.path();
  auto engine = Engine::open(options);
  ASSERT_OK(engine);
  const auto runs = (*engine)->runs(10);
  ASSERT_OK(runs);
  ASSERT_EQ(runs->size(), 2);
  for (const auto& [run, command] :
       std::vector<std::pair<json, std::string>>{{before, "retrieve"}, {after, "refine"}}) {
    const auto explanation = (*engine)->explain(run.at("run_id").get<std::string>());
    ASSERT_OK(explanation);
    EXPECT_EQ(explanation->run.record.command, command);
    EXPECT_EQ(explanation->run.record.task_id, "cart");
    EXPECT_FALSE(explanation->decisions.empty());
  }
}

TEST_F(Refine, ThePlainRetrievalStillGivesItsOwnPacket) {
  const json before = first();
  refine({{"missing_files", {"cmd/main.go"}}});
  EXPECT_EQ(first(), before);
}

TEST_F(Refine, StartsOverBehindAPlainRetrieval) {
  first();
  refine({{"missing_files", {"src/stack.c"}},
          {"error_signatures",
           {"  File \"/srv/app/src/shop/prices.py\", line 2, in price_of\nValueError: bad\n"}}});
  first();
  const json after = refine({{"missing_files", {"cmd/main.go"}}});
  EXPECT_EQ(after.dump().find("of the stack trace"), std::string::npos);
  EXPECT_EQ(after.dump().find("src/stack.c\",\"language"), std::string::npos);
}

TEST_F(Refine, ReadsItsRequestFromStandardInput) {
  first();
  const auto result = testing::run_program(refine_words("cart", "-", {"--no-index"}), made_.path(), {},
                                           R"({"missing_files": ["cmd/main.go"]})");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("## cmd/main.go"));
}

}  // namespace
}  // namespace knapsack
