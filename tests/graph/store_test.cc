// Changes survive a crash at every call to the file system, and nobody sees half of one.
#include "graph/store/store.h"

#include <set>

#include "graph/support_graph.h"
#include "support/counting_files.h"
#include "support/real_ledger.h"
#include "support/support.h"

namespace knapsack {
namespace {

using nlohmann::json;
using testing::GraphWorkspace;
using ::testing::HasSubstr;

const Error kKilled{ErrorCode::kIo, "killed", ""};

size_t lines_in(const GraphWorkspace& work, const std::string& file) {
  const auto bytes = work.files->read("/work/graphs/" + file, UINT64_MAX);
  return bytes.ok() ? static_cast<size_t>(std::count(bytes->begin(), bytes->end(), '\n')) : 0;
}

void expect_valid(const GraphWorkspace& work, const std::string& where) {
  const auto report = work.engine()->graph_validate({});
  ASSERT_OK(report);
  for (const auto& finding : report->findings) {
    EXPECT_FALSE(finding.error) << where << ": " << finding.file << ":" << finding.line << " "
                                << finding.reason;
  }
}

bool pending(const GraphWorkspace& work) {
  return work.bytes().count("/work/graphs/pending.json") > 0;
}

GraphPackRequest clarify_request() {
  GraphPackRequest request;
  request.request = "implement the zeppelin";
  request.apply_clarify_task = true;
  request.format = "json";
  return request;
}

TEST(GraphClarify, KilledAtEveryCallEndsWithOneTaskAndOneCommitRow) {
  uint64_t calls = 0;
  std::set<size_t> tasks_after_the_kill;
  for (uint64_t nth = 1;; ++nth) {
    GraphWorkspace work;
    work.add({{"id", "KG-FACT-1"}});
    work.files->crash_at(nth, kKilled);
    const auto killed = work.try_pack(clarify_request());
    calls = work.files->calls();
    work.files->fail_at(0, kKilled);
    const bool finished = calls < nth;
    const std::string where = "killed at call " + std::to_string(nth);
    expect_valid(work, where);
    tasks_after_the_kill.insert(lines_in(work, "tg_nodes.jsonl"));
    const auto again = work.try_pack(clarify_request());
    ASSERT_OK(again);
    expect_valid(work, where);
    EXPECT_EQ(lines_in(work, "tg_nodes.jsonl"), 1U) << where;
    EXPECT_EQ(lines_in(work, "post_response_commits.jsonl"), 1U) << where;
    const auto pack = json::parse(again->output);
    const auto task = json::parse(*work.files->read("/work/graphs/tg_nodes.jsonl", UINT64_MAX));
    EXPECT_EQ(pack["clarify_applied_task_id"], task["id"]) << where;
    const auto commit =
        json::parse(*work.files->read("/work/graphs/post_response_commits.jsonl", UINT64_MAX));
    const auto latest = json::parse(*work.files->read("/work/graphs/context_pack.latest.json", UINT64_MAX));
    EXPECT_EQ(latest["commit_id"], commit["commit_id"]) << where;
    EXPECT_TRUE(work.files->info("/work/graphs/" + commit["context_pack_path"].get<std::string>()).ok())
        << where;
    EXPECT_FALSE(work.files->info("/work/graphs/pending.json").ok()) << where;
    if (finished) {
      EXPECT_TRUE(killed.ok());
      break;
    }
    ASSERT_LT(nth, 500U);
  }
  EXPECT_GT(calls, 15U);
  EXPECT_EQ(tasks_after_the_kill, (std::set<size_t>{0, 1}))
      << "kills before and after the point of no return";
}

TEST(GraphClarify, APowerFailureAtEveryCallEndsWithOneTaskAndOneCommitRow) {
  using Torn = MemoryFileSystem::Torn;
  size_t came_back = 0;
  for (const Torn torn : {Torn::kHalf, Torn::kNothing, Torn::kZeros, Torn::kAll}) {
    for (uint64_t nth = 1;; ++nth) {
      GraphWorkspace work;
      work.add({{"id", "KG-FACT-1"}});
      work.files->leave_of_append(torn);
      work.files->crash_at(nth, kKilled);
      (void)work.try_pack(clarify_request()).ok();
      const bool finished = work.files->calls() < nth;
      work.files->fail_at(0, kKilled);
      const bool was_pending = pending(work);
      work.files->lose_power();
      came_back += pending(work) && !was_pending ? 1 : 0;
      const std::string where = "power lost at call " + std::to_string(nth);
      expect_valid(work, where);
      ASSERT_OK(work.try_pack(clarify_request()));
      expect_valid(work, where);
      EXPECT_EQ(lines_in(work, "tg_nodes.jsonl"), 1U) << where;
      EXPECT_EQ(lines_in(work, "post_response_commits.jsonl"), 1U) << where;
      EXPECT_EQ(work.bytes().at("/work/graphs/tg_nodes.jsonl").find('\0'), std::string::npos) << where;
      if (finished) break;
      ASSERT_LT(nth, 500U);
    }
  }
  EXPECT_GT(came_back, 0U) << "the removal of pending.json was never lost";
}

// Every state in which a run can be killed, from the first call to the last.
TEST(GraphClarify, WritesTheTaskThenThePackThenTheLatestPackAndTheCommitRowLast) {
  std::vector<std::string> states;
  for (uint64_t nth = 1;; ++nth) {
    GraphWorkspace work;
    work.add({{"id", "KG-FACT-1"}});
    work.files->leave_of_append(MemoryFileSystem::Torn::kNothing);
    work.files->crash_at(nth, kKilled);
    (void)work.try_pack(clarify_request()).ok();
    const bool finished = work.files->calls() < nth;
    work.files->fail_at(0, kKilled);
    const auto bytes = work.bytes();
    const bool has_pack = std::any_of(bytes.begin(), bytes.end(), [](const auto& file) {
      return file.first.starts_with("/work/graphs/context_packs/");
    });
    std::string state;
    state += lines_in(work, "tg_nodes.jsonl") > 0 ? 't' : '-';
    state += has_pack ? 'p' : '-';
    state += bytes.count("/work/graphs/context_pack.latest.json") > 0 ? 'l' : '-';
    state += lines_in(work, "post_response_commits.jsonl") > 0 ? 'c' : '-';
    if (states.empty() || states.back() != state) states.push_back(state);
    if (finished) break;
    ASSERT_LT(nth, 500U);
  }
  EXPECT_EQ(states, (std::vector<std::string>{"----", "t---", "tp--", "tpl-", "tplc"}));
}

TEST(GraphClarify, ACallThatFailsWithoutAKillIsFinishedByTheNextCommand) {
  for (uint64_t nth = 1;; ++nth) {
    GraphWorkspace work;
    work.add({{"id", "KG-FACT-1"}});
    work.files->fail_at(nth, {ErrorCode::kIo, "no space left", ""});
    (void)work.try_pack(clarify_request()).ok();
    const bool finished = work.files->calls() < nth;
    work.files->fail_at(0, kKilled);
    ASSERT_OK(work.try_pack(clarify_request()));
    expect_valid(work, "failed at call " + std::to_string(nth));
    EXPECT_EQ(lines_in(work, "tg_nodes.jsonl"), 1U) << nth;
    EXPECT_EQ(lines_in(work, "post_response_commits.jsonl"), 1U) << nth;
    if (finished) break;
  }
}

// A disk that gives back a pack other than the one that was written.
class ForgetfulFiles final : public testing::CountingFiles {
 public:
  Result<std::string> read(const std::string& path, uint64_t max_bytes) const override {
    auto bytes = CountingFiles::read(path, max_bytes);
    if (bytes.ok() && path.find("/context_packs/") != std::string::npos) bytes->resize(bytes->size() / 2);
    return bytes;
  }
};

TEST(GraphClarify, ReplacesNothingWhereThePackDoesNotHoldWhatWasWritten) {
  const testing::TemporaryFolder folder;
  folder.write(".git/HEAD", "ref: refs/heads/main\n");
  const std::string latest = R"({"commit_id": "CM-0"})";
  folder.write("graphs/context_pack.latest.json", latest);
  for (const char* file :
       {"kg_nodes.jsonl", "rg_nodes.jsonl", "tg_nodes.jsonl", "post_response_commits.jsonl"})
    folder.write(std::string("graphs/") + file, "");
  EngineOptions options;
  options.folder = folder.path();
  const auto engine =
      Engine::open(options, {std::make_shared<ForgetfulFiles>(), nullptr, testing::make_real_ledger()});
  ASSERT_OK(engine);
  const auto reply = (*engine)->graph_pack(clarify_request());
  ASSERT_FALSE(reply.ok());
  EXPECT_THAT(reply.error().line(), HasSubstr("does not hold what was written to it"));
  EXPECT_EQ(folder.read("graphs/context_pack.latest.json"), latest);
  EXPECT_EQ(folder.read("graphs/post_response_commits.jsonl"), "");
}

TEST(GraphClarify, IsSuggestedOnlyAndWrittenOnlyWhenToldTo) {
  GraphWorkspace work;
  auto request = clarify_request();
  request.apply_clarify_task = false;
  const auto before = work.bytes();
  const auto pack = json::parse(work.try_pack(request)->output);
  EXPECT_EQ(pack["clarify_suggestion"]["title"], "Clarify: implement the zeppelin");
  EXPECT_FALSE(pack.contains("clarify_applied_task_id"));
  EXPECT_EQ(work.bytes().at("/work/graphs/tg_nodes.jsonl"), before.at("/work/graphs/tg_nodes.jsonl"));
  request.suggest_clarify = false;
  EXPECT_FALSE(json::parse(work.try_pack(request)->output).contains("clarify_suggestion"));
  request.apply_clarify_task = true;
  request.intent = "explain";
  EXPECT_FALSE(json::parse(work.try_pack(request)->output).contains("clarify_applied_task_id"));
}

TEST(GraphClarify, TheSameRequestInOtherSpacingMakesNoSecondTask) {
  GraphWorkspace work;
  auto request = clarify_request();
  ASSERT_OK(work.try_pack(request));
  request.request = "  implement\nthe   zeppelin ";
  ASSERT_OK(work.try_pack(request));
  EXPECT_EQ(lines_in(work, "tg_nodes.jsonl"), 1U);
  request.request = "implement the airship";
  ASSERT_OK(work.try_pack(request));
  EXPECT_EQ(lines_in(work, "tg_nodes.jsonl"), 2U);
}

TEST(GraphPut, KilledAtEveryCallIsThereWholeOrNotAtAll) {
  const std::string nodes = R"([{"id":"KG-FACT-1","type":"fact","title":"A"},{"id":"TG-TASK-1","title":"B",
    "inputs":{"kg_refs":["KG-FACT-1"]}},{"id":"RG-DEC-1","title":"C"}])";
  std::set<size_t> seen;
  for (uint64_t nth = 1;; ++nth) {
    GraphWorkspace work;
    work.files->crash_at(nth, kKilled);
    const auto put = work.engine()->graph_put({{}, nodes});
    const bool finished = work.files->calls() < nth;
    work.files->fail_at(0, kKilled);
    const auto report = work.engine()->graph_validate({});
    ASSERT_OK(report);
    EXPECT_EQ(report->errors, 0U) << nth;
    const size_t all = report->knowledge + report->decisions + report->tasks;
    EXPECT_TRUE(all == 0 || all == 3) << nth << ": " << all;
    EXPECT_EQ(report->commits, all / 3) << nth;
    if (put.ok()) {
      EXPECT_EQ(all, 3U) << "acknowledged, and gone";
    }
    seen.insert(all);
    if (finished) break;
  }
  EXPECT_EQ(seen, (std::set<size_t>{0, 3}));
}

TEST(GraphPut, FillsInWhatIsMissingAndKeepsWhatItDoesNotKnow) {
  GraphWorkspace work;
  const auto put = work.engine()->graph_put(
      {{}, R"({"type":"fact","title":"The sky is blue","x_unknown":{"b":[1,2.5,null],"a":"é"}})"});
  ASSERT_OK(put);
  ASSERT_EQ(put->nodes.size(), 1U);
  EXPECT_THAT(put->nodes[0].id, ::testing::StartsWith("KG-FACT-"));
  EXPECT_EQ(put->nodes[0].id.size(), std::string("KG-FACT-").size() + 26);
  const std::string line = work.bytes().at("/work/graphs/kg_nodes.jsonl");
  EXPECT_THAT(line, HasSubstr(R"("x_unknown":{"a":"é","b":[1,2.5,null]})"));
  const json node = json::parse(line);
  EXPECT_EQ(node["rev"], 1);
  EXPECT_EQ(node["created_at"], testing::kGraphNow);
  EXPECT_EQ(node["links"], json::array());
  EXPECT_EQ(line, node.dump() + "\n") << "keys sorted, one line";
}

TEST(GraphPut, NumbersRevisionsOnWhateverIsThere) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}, {"rev", 4}});
  work.add_line("kg_nodes.jsonl",
                R"({"id":"KG-FACT-2","title":"no rev","updated_at":"2030-01-01T00:00:00Z"})");
  const auto put = work.engine()->graph_put({{},
                                             "{\"id\":\"KG-FACT-1\",\"type\":\"fact\",\"title\":\"x\"}\n{"
                                             "\"id\":\"KG-FACT-1\",\"type\":\"fact\",\"title\":\"y\"}\n"
                                             "{\"id\":\"KG-FACT-2\",\"type\":\"fact\",\"title\":\"z\"}\n"});
  ASSERT_OK(put);
  EXPECT_EQ(put->nodes[0].rev, 5);
  EXPECT_EQ(put->nodes[1].rev, 6);
  EXPECT_EQ(put->nodes[2].rev, 2);
  EXPECT_EQ(json::parse(work.engine()->graph_show({{}, "KG-FACT-2"})->json)["title"], "z")
      << "a put is the latest revision even where dates decide and lie in the future";
}

TEST(GraphPut, RefusesAllOfItForOneBadNode) {
  const std::pair<const char*, const char*> rows[] = {
      {R"({"id":"XX-1","title":"x"})", "does not begin with KG-, RG- or TG-"},
      {R"({"title":"x"})", "neither an id nor a known type"},
      {R"({"id":"TG-TASK-1"})", "has no title"},
      {R"({"id":"KG-1","title":"x","type":"rumour"})", "has no type of entity, fact"},
      {R"({"id":"TG-TASK-1","title":"x","status":"nearly"})",
       "has \"status\" that is none of backlog, ready"},
      {R"({"id":"RG-DEC-1","title":"x","outcome":{"status":"done"}})",
       "none of proposed, accepted, rejected, superseded"},
      {R"({"id":"TG-TASK-1","title":"x","tags":"y"})", "has \"tags\" that is not a list of texts"},
      {R"({"id":"TG-TASK-1","title":"x","rev":7})", "has another rev than 1"},
      {R"({"id":"TG-TASK-1","title":"x","updated_at":"now"})", "has no updated_at of the form"},
      {R"({"id":"TG-TASK-1","title":"x","dependencies":["TG-TASK-9"]})",
       "refers to TG-TASK-9, which is not in the graph"},
      {R"([{"id":"TG-TASK-1","title":"x","dependencies":["TG-TASK-2"]},{"id":"TG-TASK-2","title":"x","dependencies":["TG-TASK-1"]}])",
       "wait for each other in a circle: TG-TASK-"},
      {R"({"id":"TG-TASK-1","title":"x","dependencies":["TG-TASK-1"]})",
       "task TG-TASK-1 would wait for itself"},
      {R"({"id":"TG-TASK-1","title":"x","blocks":["TG-TASK-1"]})", "task TG-TASK-1 would wait for itself"},
      {"not json", "line 1 is not a JSON object"},
      {"", "no node was given"},
      {"[]", "no node was given"},
      {"{\"id\":\"TG-TASK-1\",\"title\":\"x\"}\n[1]\n", "line 2 is not a JSON object"},
  };
  for (const auto& [given, says] : rows) {
    GraphWorkspace work;
    const auto before = work.bytes();
    const auto put = work.engine()->graph_put({{}, given});
    ASSERT_FALSE(put.ok()) << given;
    EXPECT_THAT(put.error().line(), HasSubstr(says));
    EXPECT_EQ(put.error().code, ErrorCode::kUsage);
    EXPECT_EQ(work.bytes(), before) << given;
  }
  GraphWorkspace work;
  const auto deep = work.engine()->graph_put({{}, std::string(100'000, '[') + std::string(100'000, ']')});
  EXPECT_THAT(deep.error().line(), HasSubstr("nested deeper than 64"));
}

TEST(GraphPut, GoesOnBehindALastLineWithoutLineFeed) {
  GraphWorkspace work;
  work.files->put("/work/graphs/kg_nodes.jsonl", R"({"id":"KG-FACT-1","title":"by hand"})");
  ASSERT_OK(work.engine()->graph_put({{}, R"({"id":"KG-FACT-2","type":"fact","title":"x"})"}));
  EXPECT_EQ(work.engine()->graph_validate({})->knowledge, 2U);
}

TEST(GraphPending, OfAStrangerLeadsNowhereAndOverwritesNothing) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}});
  const auto before = work.bytes();
  const json change = {{"version", 1},
                       {"commit_id", "CM-1"},
                       {"pack_path", "../../evil.json"},
                       {"pack", "{}"},
                       {"nodes", json::array()},
                       {"commit", {{"file", "post_response_commits.jsonl"}, {"at", 0}, {"bytes", "x\n"}}}};
  work.files->put("/work/graphs/pending.json", change.dump());
  EXPECT_THAT(work.engine()->graph_put({{}, R"({"id":"TG-TASK-1","title":"x"})"}).error().line(),
              HasSubstr("pending.json"));
  json inside = change;
  inside["pack_path"] = "context_packs/context_pack.x.json";
  inside["nodes"] = {
      {{"file", "kg_nodes.jsonl"}, {"at", 0}, {"bytes", "{\"id\":\"KG-FACT-2\",\"title\":\"y\"}\n"}}};
  work.files->put("/work/graphs/pending.json", inside.dump());
  ASSERT_OK(work.engine()->graph_put({{}, R"({"id":"TG-TASK-1","title":"x"})"}));
  EXPECT_THAT(work.bytes().at("/work/graphs/kg_nodes.jsonl"),
              ::testing::StartsWith(before.at("/work/graphs/kg_nodes.jsonl")));
}

TEST(GraphPending, OfAnotherShapeIsNamedAndChangesNothing) {
  for (const char* pending :
       {R"({"version":"x"})", R"({"version":[1]})", R"({"version":null})", R"(["version"])", "7"}) {
    GraphWorkspace work;
    work.add({{"id", "KG-FACT-1"}});
    work.files->put("/work/graphs/pending.json", pending);
    EXPECT_THAT(work.engine()->graph_put({{}, R"({"id":"TG-TASK-1","title":"x"})"}).error().line(),
                HasSubstr("pending.json"))
        << pending;
    EXPECT_THAT(work.engine()->graph_validate({}).error().line(), HasSubstr("pending.json")) << pending;
  }
}

TEST(GraphPack, WritesTheRequestPackAndNothingElse) {
  GraphWorkspace work;
  work.add({{"id", "TG-TASK-1"}});
  const auto before = work.bytes();
  GraphPackRequest request;
  request.request = "continue TG-TASK-1";
  ASSERT_OK(work.try_pack(request));
  auto after = work.bytes();
  ASSERT_EQ(after.count("/work/graphs/request_context.latest.json"), 1U);
  const json pack = json::parse(after["/work/graphs/request_context.latest.json"]);
  EXPECT_EQ(pack["request_seq"], 1);
  const std::string copy = "/work/graphs/request_context_packs/request_context.20261115T080000Z." +
                           pack["request_id"].get<std::string>() + ".json";
  EXPECT_EQ(after[copy], after["/work/graphs/request_context.latest.json"]);
  after.erase(copy);
  after.erase("/work/graphs/request_context.latest.json");
  EXPECT_EQ(after, before);
  ASSERT_OK(work.try_pack(request));
  EXPECT_EQ(json::parse(work.bytes().at("/work/graphs/request_context.latest.json"))["request_seq"], 2);
}

TEST(GraphPack, DryRunWritesNothingAtAll) {
  GraphWorkspace work;
  work.add({{"id", "KG-FACT-1"}});
  auto request = clarify_request();
  request.dry_run = true;
  const auto before = work.bytes();
  const auto reply = work.try_pack(request);
  ASSERT_OK(reply);
  EXPECT_EQ(work.bytes(), before);
  EXPECT_FALSE(reply->run.has_value());
  EXPECT_TRUE(work.ledger->list_runs({})->empty());
}

}  // namespace
}  // namespace knapsack
