// The eight gate criteria of retrieval, each on a generated repository with known answers and on this
// project's own repository.
#include <algorithm>
#include <map>
#include <set>

#include "engine/engine.h"
#include "scenarios/support_little_shop.h"
#include "scenarios/support_retrieval.h"
#include "stages/stage_context.h"
#include "store/ledger/session.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

using nlohmann::json;
using testing::answer_of;
using ::testing::Contains;
using testing::files_of;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using testing::Outcome;
using testing::packet_of;
using testing::refine_words;
using testing::retrieve_words;
using testing::run_measured;
using testing::TestRepository;

struct KnownAnswers {
  std::string task;
  std::string seed;                                            // the file that the task names
  std::string symbol;                                          // the symbol that it names
  std::vector<std::pair<std::string, std::string>> relatives;  // direct neighbours and how they hang together
  std::string unrelated;                                       // a file that only a refinement brings in
};

const std::map<std::string, KnownAnswers>& known_answers() {
  static const std::map<std::string, KnownAnswers> known = {
      {"Shop",
       {"`Cart.total` in src/shop/cart.py rounds wrong",
        "src/shop/cart.py",
        "Cart.total",
        {{"src/shop/prices.py", "imported by src/shop/cart.py"},
         {"tests/test_cart.py", "imports src/shop/cart.py"}},
        "cmd/main.go"}},
      {"OwnRepository",
       {"`Judge::classify` in src/stages/judge.cc loses opinions",
        "src/stages/judge.cc",
        "Judge.classify",
        {{"src/stages/judge.h", "imported by src/stages/judge.cc"},
         {"src/model/chat/batches.h", "imported by src/stages/judge.cc"}},
        "src/cli/commands/prune.cc"}}};
  return known;
}

// Made once: indexing the larger one takes a while.
const TestRepository& repository(const std::string& name) {
  static std::map<std::string, std::unique_ptr<TestRepository>> made;
  auto& place = made[name];
  if (place) return *place;
  place = std::make_unique<TestRepository>();
  if (name == "Shop") {
    testing::write_little_shop(*place);
    testing::write_generated(*place, 120);
    place->commit("Begin the shop");
  } else {
    testing::copy_own_repository(*place);
  }
  testing::index_report(place->path());
  return *place;
}

class RetrieveGate : public ::testing::TestWithParam<std::string> {
 protected:
  const TestRepository& made_ = repository(GetParam());
  const KnownAnswers& known_ = known_answers().at(GetParam());

  std::vector<std::string> words(const std::string& id, const std::string& window = "16000") const {
    return retrieve_words(known_.task, {"--task-id", id, "--no-index"}, window);
  }
  Explanation explain_latest() const {
    EngineOptions options;
    options.folder = made_.path();
    auto engine = Engine::open(options);
    EXPECT_OK(engine);
    auto explanation = (*engine)->explain("latest");
    EXPECT_OK(explanation);
    return *std::move(explanation);
  }
  std::string session_value(const std::string& id, const char* key) const {
    auto session = Session::open(made_.file(".knapsack/sessions"), id);
    EXPECT_OK(session);
    return session->get(key)->value_or("");
  }
  stages::StageContext final_context(const std::string& id) const {
    auto context = stages::context_from_json(session_value(id, kFinalContext));
    EXPECT_OK(context);
    return *std::move(context);
  }
};

TEST_P(RetrieveGate, OneRetrievalRunsEndToEnd) {
  for (const std::string format : {"md", "prompt", "json"}) {
    auto all = words("end-to-end");
    all.insert(all.end(), {"--format", format, "-v"});
    const Outcome outcome = run_measured(all, made_.path());
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(known_.seed));
    EXPECT_THAT(outcome.err, HasSubstr("packet: "));
    EXPECT_EQ(run_measured(all, made_.path()).out, outcome.out) << "same bytes twice";
  }
}

TEST_P(RetrieveGate, TwoSeedFilesAreAlwaysInScope) {
  for (const std::string window : {"10", "120", "16000"}) {
    answer_of(words("seeds", window), made_.path());
    const auto context = final_context("seeds");
    ASSERT_FALSE(context.files.empty());
    EXPECT_EQ(context.files[0].path, known_.seed);
    for (const auto& file : context.files) {
      EXPECT_TRUE(file.kept || file.tier != stages::ScopeTier::kSeed) << file.path;
    }
    const std::string out = answer_of(words("seeds", window), made_.path());
    EXPECT_TRUE(window == "10" || out.find(known_.seed) != std::string::npos) << out;
  }
}

TEST_P(RetrieveGate, ThreeExpansionIncludesTheDirectNeighboursOfSeeds) {
  answer_of(words("neighbours"), made_.path());
  const auto context = final_context("neighbours");
  for (const auto& [path, relation] : known_.relatives) {
    const auto file =
        std::find_if(context.files.begin(), context.files.end(),
                     [&wanted = path](const stages::ScopedFile& each) { return each.path == wanted; });
    ASSERT_NE(file, context.files.end()) << path;
    EXPECT_TRUE(file->kept);
    EXPECT_THAT(file->relations, Contains(relation));
  }
  auto filled = words("neighbours", "100000");
  filled.emplace_back("--fill");  // they are far from the task's words, and whoever wants them says so
  const auto files = files_of(packet_of(filled, made_.path()));
  // The first of them; how many of the others there is room for depends on how much the task needs.
  EXPECT_THAT(files, Contains(known_.relatives.front().first));
}

TEST_P(RetrieveGate, FourTheBudgetIsAlwaysRespected) {
  for (const std::string counter : {"chars4", "bytes4", "cl100k", "o200k"}) {
    for (const std::string format : {"md", "prompt"}) {
      for (const std::string window : {"1", "30", "47", "90", "500", "4000", "40000"}) {
        auto all = words("budget", window);
        all.insert(all.end(), {"--format", format, "--tokenizer", counter});
        const std::string out = answer_of(all, made_.path());
        EXPECT_LE((*find_token_counter(counter))->count(out), std::stoull(window))
            << counter << " " << format;
      }
    }
  }
}

TEST_P(RetrieveGate, FiveTheOutputIsCoherentAndActionable) {
  const json packet = packet_of(words("coherent", "12000"), made_.path());
  EXPECT_EQ(packet.at("title"), "Context for: " + known_.task);
  EXPECT_EQ(packet.at("status"), "ok");
  EXPECT_EQ(packet.at("budget"), 12000);
  EXPECT_LE(packet.at("used").get<int>(), 12000);
  EXPECT_GT(packet.at("used").get<int>(), 250)
      << "a budget is there to be used, though not for names that say nothing of the task";
  ASSERT_FALSE(packet.at("files").empty());
  EXPECT_EQ(packet.at("files")[0].at("path"), known_.seed) << "what the task names comes first";
  std::set<std::string> shown;
  for (const json& file : packet.at("files")) {
    const std::string path = file.at("path");
    EXPECT_TRUE(shown.insert(path).second) << path << " comes twice";
    std::vector<std::string> lines;
    const std::string bytes = made_.folder().read(path);
    for (size_t at = 0; at < bytes.size();) {
      const size_t end = std::min(bytes.find('\n', at), bytes.size() - 1);
      lines.push_back(bytes.substr(at, end + 1 - at));
      at = end + 1;
    }
    size_t behind = 0;
    for (const json& part : file.at("parts")) {
      const size_t first = part.at("first_line"), last = part.at("last_line");
      EXPECT_GT(first, behind) << path << ": parts are in order and do not overlap";
      behind = last;
      std::string expected;
      for (size_t line = first; line <= last; ++line) expected += lines.at(line - 1);
      if (bytes.find("[redacted") == std::string::npos && part.at("text") != expected) {
        EXPECT_THAT(part.at("text").get<std::string>(), HasSubstr("[redacted")) << path << ":" << first;
      }
    }
    for (const json& signature : file.at("signatures")) {
      EXPECT_LE(signature.at("line").get<size_t>(), lines.size());
    }
  }
  bool body = false;
  for (const json& section : packet.at("sections")) {
    for (const json& item : section.at("items")) {
      body =
          body || (item.at("title").get<std::string>().ends_with(known_.symbol) && item.at("form") == "full");
    }
  }
  EXPECT_TRUE(body) << "the symbol that the task names is there in full";
  for (const json& edge : packet.at("edges")) {
    EXPECT_TRUE(shown.contains(edge.at("from")) && shown.contains(edge.at("to"))) << edge;
  }
}

TEST_P(RetrieveGate, SixTheLedgerHasADecisionForEveryFileOfEveryTier) {
  answer_of(words("ledger"), made_.path());
  const auto context = final_context("ledger");
  const Explanation explanation = explain_latest();
  std::map<std::string, const Decision*> scope;
  std::set<std::string> parts;
  for (const Decision& row : explanation.decisions) {
    if (row.stage == "scope") {
      EXPECT_TRUE(scope.emplace(row.title, &row).second) << row.title;
    }
    if (row.stage == "precision") parts.insert(row.candidate_id);
  }
  EXPECT_EQ(scope.size(), context.files.size());
  std::set<int> tiers;
  for (const auto& file : context.files) {
    ASSERT_TRUE(scope.contains(file.path)) << file.path;
    const Decision& row = *scope.at(file.path);
    tiers.insert(row.tier);
    EXPECT_EQ(row.tier, static_cast<int>(file.tier));
    EXPECT_EQ(row.included, file.kept);
    EXPECT_FALSE(row.reason.empty()) << file.path;
  }
  EXPECT_THAT(tiers, IsSupersetOf({1, 2}));
  for (const auto& symbol : context.symbols)
    EXPECT_TRUE(parts.contains("symbol:" + symbol.path + "#" + symbol.name));
  const json request = json::parse(explanation.run.record.request_json);
  EXPECT_EQ(request.at("context_window"), 16000) << "the effective budget is stored with the run";
  EXPECT_EQ(request.at("reserved_tokens"), 0);
  EXPECT_EQ(explanation.run.record.budget, 16000);
}

TEST_P(RetrieveGate, SevenTheSessionHasTheStateOfTheTask) {
  const json packet = packet_of(words("session"), made_.path());
  EXPECT_EQ(packet.at("task_id"), "session");
  const json progress = json::parse(session_value("session", kStageProgress));
  EXPECT_EQ(progress,
            json::parse(R"([{"stage":"scope","status":"done"},{"stage":"precision","status":"done"}])"));
  for (const std::string stage : {"scope", "precision"}) {
    EXPECT_OK(stages::context_from_json(session_value("session", stage_output_key(stage).c_str())));
  }
  EXPECT_EQ(session_value("session", stage_output_key("precision").c_str()),
            session_value("session", kFinalContext));
  EXPECT_FALSE(final_context("session").symbols.empty());
}

TEST_P(RetrieveGate, EightARefinementOfTheSameTaskGivesAnUpdatedPacketWithinItsBudget) {
  const json before = packet_of(words("refined", "360"), made_.path());
  EXPECT_THAT(files_of(before), ::testing::Not(Contains(known_.unrelated)));
  made_.write(".knapsack/request.json",
              R"({"reason": "who calls it?", "missing_files": [")" + known_.unrelated + "\"]}");
  const json after =
      packet_of(refine_words("refined", ".knapsack/request.json", {"--no-index"}), made_.path());
  EXPECT_EQ(after.at("task_id"), before.at("task_id"));
  EXPECT_NE(after.at("run_id"), before.at("run_id"));
  EXPECT_THAT(files_of(after), Contains(known_.unrelated));
  EXPECT_THAT(files_of(after), Contains(known_.seed));
  EXPECT_LE(after.at("used").get<int>(), 360);
  EXPECT_EQ(after.at("budget"), 360);
  EXPECT_EQ(final_context("refined").requested.size(), 1);
}

INSTANTIATE_TEST_SUITE_P(Repositories, RetrieveGate, ::testing::Values("Shop", "OwnRepository"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace knapsack
