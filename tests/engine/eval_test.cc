// Figures, tasks, repositories and whole evaluations on small repositories whose answers are known.
#include "engine/eval/eval.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/eval/eval_answers.h"
#include "engine/eval/eval_repositories.h"
#include "support/repository_git.h"
#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

EvalAnswer answer(std::vector<uint32_t> ranks) {
  EvalAnswer one;
  one.ranks = std::move(ranks);
  return one;
}

double value(const FigureTable& table, const std::string& name) {
  for (const auto& [each, figure] : table.figures) {
    if (each == name) return figure.value;
  }
  ADD_FAILURE() << "no figure " << name;
  return -1;
}

TEST(EvalMetrics, CountWhatIsAmongTheFirstOnes) {
  const EvalAnswer answers[] = {answer({1, 7}), answer({0, 2}), answer({3}), answer({0})};
  const EvalAnswer* all[] = {&answers[0], &answers[1], &answers[2], &answers[3]};
  const size_t ks[] = {1, 5, 10};
  const FigureTable table = measure(all, ks);
  EXPECT_EQ(table.tasks, 4U);
  EXPECT_DOUBLE_EQ(value(table, "hit@1"), 0.25);
  EXPECT_DOUBLE_EQ(value(table, "hit@5"), 0.75);
  EXPECT_DOUBLE_EQ(value(table, "acc@1"), 0);
  EXPECT_DOUBLE_EQ(value(table, "acc@5"), 0.25) << "the third alone has all it needs";
  EXPECT_DOUBLE_EQ(value(table, "acc@10"), 0.5);
  EXPECT_DOUBLE_EQ(value(table, "recall@5"), (0.5 + 0.5 + 1 + 0) / 4);
  EXPECT_DOUBLE_EQ(value(table, "mrr"), (1 + 0.5 + 1.0 / 3) / 4);
}

TEST(EvalMetrics, IntervalsHoldTheValueAndAreTheSameEveryTime) {
  std::vector<EvalAnswer> answers;
  for (uint32_t i = 0; i < 50; ++i) answers.push_back(answer({i % 3 == 0 ? 1U : 9U}));
  std::vector<const EvalAnswer*> all;
  for (const EvalAnswer& one : answers) all.push_back(&one);
  const size_t ks[] = {1};
  const Figure first = measure(all, ks).figures[0].second;
  const Figure again = measure(all, ks).figures[0].second;
  EXPECT_LT(first.low, first.value);
  EXPECT_GT(first.high, first.value);
  // 1.96 standard errors of 17 in 50 are 13 points.
  EXPECT_NEAR(first.high - first.low, 0.26, 0.06);
  EXPECT_EQ(first.low, again.low);
  EXPECT_EQ(first.high, again.high);
}

TEST(EvalMetrics, APercentileIsOneOfTheValues) {
  EXPECT_EQ(percentile({}, 0.5), 0);
  EXPECT_EQ(percentile({5}, 0.95), 5);
  EXPECT_EQ(percentile({4, 1, 3, 2}, 0.5), 2);
  EXPECT_EQ(percentile({4, 1, 3, 2}, 0.95), 4);
}

constexpr const char* kRow = R"({"id":"a","repo":"o/n","base_commit":"c","query":"q","gold_files":["x.py"]})";

TEST(EvalTasks, AreReadLineByLine) {
  const auto tasks = parse_eval_tasks(std::string("\n") + kRow + "\r\n\n", "tasks.jsonl");
  ASSERT_OK(tasks);
  ASSERT_EQ(tasks->size(), 1U);
  EXPECT_EQ(tasks->front().repository, "o/n");
  EXPECT_THAT(tasks->front().gold_files, ElementsAre("x.py"));
}

TEST(EvalTasks, ABadRowIsNamedByItsLine) {
  struct Case {
    std::string row, says;
  };
  const Case cases[] = {
      {"{", "line 2: not valid JSON"},
      {"[]", "line 2: not a JSON object"},
      {R"({"id":"b"})", "line 2: \"repo\" is missing"},
      {R"({"id":7,"repo":"o/n"})", "line 2: \"id\" must be a string"},
      {R"({"id":"b","repo":"","base_commit":"c","query":"q","gold_files":["x"]})",
       "line 2: \"repo\" is empty"},
      {R"({"id":"b","repo":"o","base_commit":"c","query":"q","gold_files":[]})",
       "line 2: \"gold_files\" is empty"},
      {R"({"id":"b","repo":"o","base_commit":"c","query":"q","gold_files":[1]})",
       "line 2: \"gold_files\" must be a list of strings"},
      {kRow, "line 2: the id \"a\" is that of line 1 as well"},
  };
  for (const Case& one : cases) {
    const auto tasks = parse_eval_tasks(std::string(kRow) + "\n" + one.row, "tasks.jsonl");
    ASSERT_FALSE(tasks.ok()) << one.row;
    EXPECT_EQ(tasks.error().code, ErrorCode::kUsage);
    EXPECT_THAT(tasks.error().what, HasSubstr(one.says));
  }
  EXPECT_FALSE(parse_eval_tasks("\n \n", "tasks.jsonl").ok());
}

TEST(EvalFromGit, TellsReleasesRevertsAndBotsByTheirWords) {
  for (const char* release :
       {"v1.2.3", "1.2", "Release 1.2.3", "Bump version to 2.0.0", "chore(release): 3.1.4",
        "Prepare release v4", "chore: bump to 1.2.3", "Update changelog"}) {
    EXPECT_TRUE(is_release_subject(release)) << release;
  }
  for (const char* other : {"Fix a crash in 1.2.3", "Release the lock before waiting", "Support TLS 1.3",
                            "Tag values as strings", "Cut long lines"}) {
    EXPECT_FALSE(is_release_subject(other)) << other;
  }
  EXPECT_TRUE(is_revert_subject("Revert \"Round down\""));
  EXPECT_FALSE(is_revert_subject("Add a revert button"));
  EXPECT_TRUE(is_bot_name("dependabot[bot]"));
  EXPECT_TRUE(is_bot_name("pre-commit-ci"));
  EXPECT_FALSE(is_bot_name("Abbott Smith"));
  EXPECT_EQ(without_trailers("Fix\n\nWhy: it broke\nSigned-off-by: A <a@b>\nCo-authored-by: B <b@c>\n"),
            "Fix\n\nWhy: it broke");
}

class Evaluations : public ::testing::Test {
 protected:
  void SetUp() override {
    repository_.write("src/cart.py", "def total(items):\n    return sum(items)\n");
    repository_.write("src/tax.py", "def levy(price):\n    return price * 2\n");
    repository_.write("tests/test_cart.py", "def test_total():\n    pass\n");
    repository_.write("README.md", "The shop.\n");
    first_ = repository_.commit("Begin the shop");
    repository_.write("src/cart.py", "def total(items):\n    return round(sum(items))\n");
    repository_.write("tests/test_cart.py", "def test_total():\n    assert True\n");
    second_ = repository_.commit("Round the total of a cart\n\nSigned-off-by: Somebody <s@example.com>");
  }
  EvalRequest request() {
    EvalRequest request;
    request.workspace = std::filesystem::canonical(repository_.path());
    request.work_folder = work_.file("work");
    request.from_git = 10;
    request.jobs = 1;
    return request;
  }
  std::string task_line(const std::string& id, const std::string& query, const std::string& gold) const {
    return R"({"id":")" + id + R"(","repo":"shop","base_commit":")" + first_ + R"(","query":")" + query +
           R"(","gold_files":[")" + gold + "\"]}\n";
  }
  EvalReport evaluated(const EvalRequest& request) {
    auto report = evaluate(*files_, request);
    EXPECT_OK(report);
    return report.ok() ? *std::move(report) : EvalReport();
  }

  TestRepository repository_;
  TemporaryFolder work_;
  std::string first_, second_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
};

TEST_F(Evaluations, MakeTasksOfCommitsAndLeaveOutWhatSaysNothing) {
  const auto commit = [&](const std::string& message, const std::string& path, const std::string& text) {
    repository_.write(path, text);
    return repository_.commit(message);
  };
  commit("v1.2.3", "src/cart.py", "a = 1\n");
  commit("Revert \"Round\"", "src/cart.py", "a = 2\n");
  commit("Words only", "README.md", "The other shop.\n");
  commit("A new file", "src/new.py", "a = 3\n");
  repository_.git({"checkout", "-q", "-b", "side", first_});
  commit("Tax on the side", "src/tax.py", "a = 4\n");
  repository_.git({"checkout", "-q", "main"});
  repository_.git({"merge", "-q", "--no-ff", "-m", "Merge the side", "side"});
  commit("Test the cart again", "tests/test_cart.py", "a = 5\n");
  repository_.git({"-c", "user.name=dependabot[bot]", "commit", "-q", "--allow-empty", "-m", "Nothing"});
  const auto tasks = tasks_from_history(std::filesystem::canonical(repository_.path()).string(), "shop", 10);
  ASSERT_OK(tasks);
  std::vector<std::string> queries;
  for (const EvalTask& task : *tasks) queries.push_back(task.query);
  EXPECT_THAT(queries, ElementsAre("Test the cart again", "Tax on the side", "Round the total of a cart"));
  EXPECT_THAT((*tasks)[0].gold_files, ElementsAre("tests/test_cart.py")) << "nothing else was changed";
  EXPECT_THAT((*tasks)[2].gold_files, ElementsAre("src/cart.py")) << "the source, not its test";
  EXPECT_EQ((*tasks)[2].base_commit, first_);
}

TEST_F(Evaluations, FindTheFileThatACommitChangedWithoutKnowingTheCommit) {
  EvalRequest asked = request();
  asked.methods = {"full", "lexical", "fts5"};
  const EvalReport report = evaluated(asked);
  ASSERT_EQ(report.methods.size(), 3U);
  EXPECT_EQ(report.tasks, 1U);
  ASSERT_EQ(report.methods[0].answers.size(), 1U);
  EXPECT_THAT(report.methods[0].answers[0].ranks, ElementsAre(1));
  for (const EvalMethodReport& method : report.methods) {
    EXPECT_THAT(method.answers.at(0).ranks, ElementsAre(::testing::Gt(0U))) << method.method;
  }
  EXPECT_EQ(report.methods[0].answers[0].groups.at("language"), "python");
  EXPECT_FALSE(std::filesystem::exists(repository_.file(".knapsack"))) << "the repository is only read";
  EXPECT_THAT(eval_report_markdown(report, false), HasSubstr("| full | 1 | 100.0 (100.0–100.0)"));
  EXPECT_THAT(eval_report_json(report), HasSubstr("\"by repository\""));
}

TEST_F(Evaluations, UseTheAnswersOfAnEarlierRunForTheSameQuestionOnly) {
  work_.write("tasks.jsonl", task_line("a", "levy", "src/tax.py") + task_line("b", "total", "src/cart.py"));
  EvalRequest asked = request();
  asked.from_git = 0;
  asked.tasks_file = work_.file("tasks.jsonl");
  asked.answers_file = work_.file("report.json.answers.jsonl");
  EXPECT_EQ(evaluated(asked).reused, 0U);
  const EvalReport again = evaluated(asked);
  EXPECT_EQ(again.reused, 2U);
  EXPECT_THAT(again.methods[0].answers[1].ranks, ElementsAre(1));
  // What a crash or somebody's editor leaves of a line is found anew.
  const std::string kept = work_.read("report.json.answers.jsonl");
  work_.write("report.json.answers.jsonl", kept.substr(0, kept.size() - 30));
  EXPECT_EQ(evaluated(asked).reused, 1U);
  asked.constants["code.ranking.title"] = 2;
  EXPECT_EQ(evaluated(asked).reused, 0U) << "another ranking";
  EXPECT_EQ(evaluated(asked).reused, 2U);
  asked.program = "another build";
  EXPECT_EQ(evaluated(asked).reused, 0U) << "another program";
}

TEST_F(Evaluations, SetTasksAsideThatNoSourceFileAnswers) {
  work_.write("tasks.jsonl", task_line("a", "shop", "README.md") + task_line("b", "levy", "src/tax.py"));
  EvalRequest asked = request();
  asked.from_git = 0;
  asked.tasks_file = work_.file("tasks.jsonl");
  const EvalReport report = evaluated(asked);
  EXPECT_EQ(report.tasks, 2U);
  EXPECT_EQ(report.count_set_aside(), 1U);
}

TEST_F(Evaluations, SetTasksAsideWhoseRepositoryOrCommitIsMissing) {
  EvalRequest asked = request();
  asked.from_git = 0;
  asked.tasks_file = work_.file("tasks.jsonl");
  const std::string there = task_line("a", "levy", "src/tax.py");
  const auto with = [&](const std::string& key, const std::string& value) {
    auto json = nlohmann::json::parse(there);
    json["id"] = key + value;
    json[key] = value;
    return json.dump() + "\n";
  };
  const std::string gone = with("base_commit", std::string(40, '1'));
  work_.write("tasks.jsonl", there + gone);
  const EvalReport report = evaluated(asked);
  EXPECT_EQ(report.tasks, 2U);
  EXPECT_EQ(report.methods[0].answers.size(), 1U);
  EXPECT_THAT(report.set_aside, ElementsAre(::testing::Pair(HasSubstr("lacks the commit"), 1U)));
  EXPECT_THAT(eval_report_markdown(report, false), HasSubstr("1 task set aside: "));
  // Of several repositories one is there.
  asked.repositories = std::filesystem::path(repository_.path()).parent_path().string();
  const std::string name = std::filesystem::path(repository_.path()).filename().string();
  work_.write("tasks.jsonl", with("repo", name) + with("repo", "nobody/nowhere"));
  EXPECT_THAT(evaluated(asked).set_aside, ElementsAre(::testing::Pair(HasSubstr("nobody/nowhere"), 1U)));
  // Where nothing is left to measure, that is an error.
  work_.write("tasks.jsonl", with("repo", "nobody/nowhere"));
  EXPECT_FALSE(evaluate(*files_, asked).ok());
}

TEST_F(Evaluations, LookIntoThePacketOfEachBudget) {
  EvalRequest asked = request();
  asked.budgets = {1, 4000};
  const EvalReport report = evaluated(asked);
  const auto& packet = report.methods[0].answers[0].packet;
  EXPECT_DOUBLE_EQ(packet.at("lines@1"), 0) << "nothing fits";
  EXPECT_DOUBLE_EQ(packet.at("lines@4000"), 1) << "the line that the commit changed";
  EXPECT_DOUBLE_EQ(packet.at("whole@4000"), 1);
  EXPECT_GT(packet.at("precision@4000"), 0.4) << "and little else";
  EXPECT_DOUBLE_EQ(packet.at("function acc@1"), 1);
  EXPECT_GT(report.methods[0].answers[0].amounts.at("tokens@4000"), 0);
  EXPECT_THAT(eval_report_markdown(report, false),
              HasSubstr("| budget | lines | whole | code | any | F1 | tokens |\n"));
  EXPECT_THAT(eval_report_markdown(report, true),
              HasSubstr("| budget | lines | whole | code | any | F1 | tokens | precision | files |\n"));
}

TEST_F(Evaluations, KnowTheLinesThatACommitChanged) {
  const auto tasks = tasks_from_history(std::filesystem::canonical(repository_.path()).string(), "shop", 10);
  ASSERT_OK(tasks);
  ASSERT_EQ(tasks->size(), 1U);
  const auto& lines = tasks->front().gold_lines;
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines.at("src/cart.py"), (std::vector<LineRange>{{2, 2}}));
}

TEST_F(Evaluations, ReadChangedLinesAndRefuseOthers) {
  const auto with = [&](const std::string& lines) {
    return parse_eval_tasks(
        R"({"id":"a","repo":"r","base_commit":"c","query":"q","gold_files":["x"],"gold_lines":)" + lines +
            "}\n",
        "t");
  };
  const auto read = with(R"({"x": [[3, 4], [9, 9]]})");
  ASSERT_OK(read);
  EXPECT_EQ(read->front().gold_lines.at("x"), (std::vector<LineRange>{{3, 4}, {9, 9}}));
  for (const char* wrong :
       {"[]", R"({"x": 3})", R"({"x": [[1]]})", R"({"x": [["1", 2]]})", R"({"x": [[-1, 2]]})"})
    EXPECT_FALSE(with(wrong).ok()) << wrong;
}

TEST_F(Evaluations, NameWhatTheyCannotUse) {
  EvalRequest asked = request();
  asked.methods = {"magic"};
  EXPECT_THAT(evaluate(*files_, asked).error().what, HasSubstr("unknown method 'magic'"));
  asked = request();
  asked.constants["magic"] = 1;
  EXPECT_THAT(evaluate(*files_, asked).error().what, HasSubstr("no constant 'magic'"));
}

TEST_F(Evaluations, FindRepositoriesUnderTheirUsualNames) {
  const TemporaryFolder mirrors;
  for (const char* name : {"owner+plain", "owner/nested", "bare/repo"}) {
    std::filesystem::create_directories(mirrors.file(name));
    repository_.git({"clone", "-q", "--bare", repository_.path(), mirrors.file(name)});
  }
  const auto end_of = [&](const std::string& name) {
    const auto found = find_repository(*files_, mirrors.path(), name);
    return found.ok() ? found->substr(found->find(mirrors.path().substr(1)) + mirrors.path().size() - 1)
                      : found.error().what;
  };
  EXPECT_EQ(end_of("owner/plain"), "/owner+plain");
  EXPECT_EQ(end_of("owner/nested"), "/owner/nested");
  EXPECT_EQ(end_of("anybody/bare"), "/bare/repo");
  EXPECT_THAT(end_of("owner/missing"), HasSubstr("has no repository owner+missing"));
  EXPECT_THAT(end_of("../owner+plain"), HasSubstr("does not name a repository"));
  const auto all = list_repositories(*files_, mirrors.path());
  ASSERT_OK(all);
  EXPECT_THAT(*all, ElementsAre("bare", "owner+plain", "owner/nested"));
}

}  // namespace
}  // namespace knapsack
