// Retrieval with a model behind a real socket: one that agrees, one that refuses everything, and every way in
// which it can fail.
#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <map>

#include "engine/support_workspace.h"
#include "model/chat/batches.h"
#include "support/model_server.h"
#include "support/repository_git.h"

namespace knapsack {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using testing::Misbehaviour;
using testing::ModelServer;
using ::testing::Not;
using testing::now_seconds;
using testing::ReceivedChat;
using testing::RetrievalWorkspace;
using testing::shown_files;
using testing::shows_file;
using Json = nlohmann::json;

constexpr const char* kTask = "fix `Judge` in src/stages/judge.cc: opinions get lost";
constexpr const char* kKey = "sk-very-secret-key-0123456789";

// The ids that a prompt lists.
std::vector<int> ids_in(const ReceivedChat& chat) {
  std::vector<int> ids;
  const size_t list = chat.user.find("CANDIDATES\n");
  if (list == std::string::npos) return ids;
  for (size_t at = chat.user.find("\nid ", list); at != std::string::npos;
       at = chat.user.find("\nid ", at + 1)) {
    ids.push_back(std::stoi(chat.user.substr(at + 4)));
  }
  return ids;
}

std::string answer(const ReceivedChat& chat, const std::string& of_files, const std::string& of_parts) {
  if (chat.user.find("CANDIDATES\n") == std::string::npos) {
    return R"({"intent": "Keep the opinions", "files": ["src/stages/runner.cc"], "symbols": ["run_stages"], "concepts": []})";
  }
  const bool files = chat.schema.dump().find("irrelevant") != std::string::npos;
  Json verdicts = Json::array();
  for (const int id : ids_in(chat)) {
    verdicts.push_back({{"id", id}, {"verdict", files ? of_files : of_parts}, {"reason", "said the model"}});
  }
  return Json{{"verdicts", verdicts}}.dump();
}
std::string agree(const ReceivedChat& chat) {
  return answer(chat, "relevant", "primary");
}
std::string refuse(const ReceivedChat& chat) {
  return answer(chat, "irrelevant", "excluded");
}

class RetrieveModel : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    workspace_ = new RetrievalWorkspace();
    workspace_->environment["KNAPSACK_MODEL_KEY"] = kKey;
    workspace_->copy_source({"src/stages"});
    workspace_->index();
  }
  static void TearDownTestSuite() {
    delete workspace_;
    workspace_ = nullptr;
  }

  static RetrieveRequest request(const std::string& url, const std::string& task_id) {
    RetrieveRequest made = RetrievalWorkspace::request(kTask, 30'000, 6'000);
    made.no_model = false;
    made.model = "test-model";
    made.base_url = url;
    made.task_id = task_id;
    made.settings["model.deadline"] = "2s";
    return made;
  }
  static std::vector<Decision> decisions(const RetrieveReply& reply) {
    return *workspace_->ledger()->decisions_of(*reply.run);
  }
  static std::vector<std::string> seeds(const RetrieveReply& reply) {
    std::vector<std::string> found;
    for (const auto& row : decisions(reply)) {
      if (row.stage == "scope" && row.section == "seed") found.push_back(row.title);
    }
    return found;
  }
  static std::vector<ModelCall> calls(const RetrieveReply& reply) {
    return *workspace_->ledger()->model_calls_of(*reply.run);
  }

  static RetrievalWorkspace* workspace_;
};
RetrievalWorkspace* RetrieveModel::workspace_ = nullptr;

TEST_F(RetrieveModel, ThatAgreesMakesAnOrdinaryPacketAndIsOnRecord) {
  for (const bool openai : {false, true}) {
    ModelServer server(agree);
    const RetrieveReply reply = workspace_->retrieve(
        request(openai ? server.openai_url() : server.base_url(), openai ? "agree-1" : "agree-2"));
    EXPECT_EQ(reply.packet.status, RunStatus::kOk) << ::testing::PrintToString(reply.packet.warnings);
    EXPECT_TRUE(reply.packet.warnings.empty());
    EXPECT_TRUE(shows_file(reply, "src/stages/judge.cc"));
    const auto rows = calls(reply);
    EXPECT_EQ(rows.size(), static_cast<size_t>(server.requests()));
    std::set<std::string> stages;
    for (const ModelCall& call : rows) {
      stages.insert(call.stage);
      EXPECT_EQ(call.model, "test-model");
      EXPECT_EQ(call.outcome, "ok");
      EXPECT_GT(call.prompt_tokens, 0);
      EXPECT_GT(call.latency_micros, 0);
      EXPECT_FALSE(call.request.empty() || call.response.empty());
    }
    EXPECT_EQ(stages, (std::set<std::string>{"understand", "scope", "precision"}));
  }
}

TEST_F(RetrieveModel, ThatRefusesEverythingTakesNoSeedAway) {
  ModelServer server(refuse);
  const RetrieveReply reply = workspace_->retrieve(request(server.base_url(), "refuse"));
  EXPECT_EQ(reply.packet.status, RunStatus::kOk) << "an opinion is no failure";
  const auto found = seeds(reply);
  EXPECT_THAT(found, ::testing::Contains("src/stages/judge.cc"));
  EXPECT_THAT(shown_files(reply), IsSupersetOf(found));
  for (const auto& row : decisions(reply)) {
    if (row.stage != "scope") continue;
    EXPECT_EQ(row.included, row.section == "seed") << row.title;
    EXPECT_THAT(row.reason, HasSubstr("model: irrelevant, said the model"));
  }
  bool kept = false;
  for (const auto& row : decisions(reply)) {
    kept = kept || (row.stage == "precision" && row.title.ends_with("Judge") && row.included);
  }
  EXPECT_TRUE(kept) << "the symbol that the task names stays";
}

TEST_F(RetrieveModel, ThatNamesWhatNobodyAskedAboutAddsNothing) {
  ModelServer server([](const ReceivedChat& chat) {
    if (ids_in(chat).empty()) {
      return std::string(
          R"({"intent": "x", "files": ["/etc/passwd", "../../secret", "nowhere.py"], "symbols": ["no_such"], "concepts": []})");
    }
    const std::string word =
        chat.schema.dump().find("irrelevant") != std::string::npos ? "irrelevant" : "excluded";
    Json verdicts = Json::array();
    for (const int64_t id : {int64_t{-5}, int64_t{0}, int64_t{100'000}, INT64_MAX}) {
      verdicts.push_back({{"id", id}, {"verdict", word}, {"reason", ""}});
    }
    return Json{{"verdicts", verdicts}}.dump();
  });
  const RetrieveReply reply = workspace_->retrieve(request(server.base_url(), "unknown-ids"));
  const RetrieveReply rules = workspace_->retrieve(RetrievalWorkspace::request(kTask, 30'000, 6'000));
  EXPECT_EQ(reply.packet.status, RunStatus::kDegraded) << "nothing useful was said about any candidate";
  EXPECT_EQ(shown_files(reply), shown_files(rules));
  EXPECT_THAT(reply.output, Not(HasSubstr("passwd")));
}

TEST_F(RetrieveModel, ThatFailsInAnyWayCostsOpinionsAndNeverThePacket) {
  const RetrieveReply rules = workspace_->retrieve(RetrievalWorkspace::request(kTask, 30'000, 6'000));
  const auto wanted = seeds(rules);
  const std::vector<std::pair<Misbehaviour, std::string>> ways = {
      {Misbehaviour::kSlow, "slow"},
      {Misbehaviour::kDrip, "drip"},
      {Misbehaviour::kDripHeaders, "drip-headers"},
      {Misbehaviour::kCutBody, "cut"},
      {Misbehaviour::kStatus500, "500"},
      {Misbehaviour::kStatus429, "429"},
      {Misbehaviour::kStatus401, "401"},
      {Misbehaviour::kWrongSchema, "schema"},
      {Misbehaviour::kHugeBody, "huge-body"},
      {Misbehaviour::kHugeHeaders, "huge-headers"},
      {Misbehaviour::kRedirectToSelf, "redirect"},
      {Misbehaviour::kRedirectElsewhere, "elsewhere"},
      {Misbehaviour::kNotJson, "page"},
      {Misbehaviour::kEmptyBody, "empty"},
      {Misbehaviour::kLengthTooLong, "long"},
      {Misbehaviour::kClosesAtOnce, "closes"},
      {Misbehaviour::kDeepJson, "deep"},
      {Misbehaviour::kNotUtf8, "not-utf8"},
      {Misbehaviour::kEchoesKey, "echo"}};
  for (const auto& [how, name] : ways) {
    SCOPED_TRACE(name);
    ModelServer server(agree);
    server.misbehave(how);
    const double began = now_seconds();
    const RetrieveReply reply = workspace_->retrieve(request(server.openai_url(), "fails-" + name));
    // The deadline, a tenth of it, and room for a busy machine to do the rest.
    EXPECT_LT(now_seconds() - began, 2.0 * 1.1 + 3);
    EXPECT_EQ(reply.packet.status, RunStatus::kDegraded);
    EXPECT_FALSE(reply.packet.warnings.empty());
    EXPECT_THAT(shown_files(reply), IsSupersetOf(wanted));
    EXPECT_EQ(reply.output, rules.output) << "what rules alone would have said";
    ASSERT_FALSE(calls(reply).empty());
    std::string all = reply.output + ::testing::PrintToString(reply.notices);
    for (const ModelCall& call : calls(reply)) {
      EXPECT_NE(call.outcome, "ok");
      all += call.request + call.response;
    }
    EXPECT_THAT(all, Not(HasSubstr(kKey)));
  }
}

TEST_F(RetrieveModel, ThatRecoversIsAskedAgainUnderTheSameTaskId) {
  ModelServer server(agree);
  server.misbehave(Misbehaviour::kStatus500, 1);
  EXPECT_EQ(workspace_->retrieve(request(server.base_url(), "recovers")).packet.status, RunStatus::kDegraded);
  const RetrieveReply again = workspace_->retrieve(request(server.base_url(), "recovers"));
  EXPECT_EQ(again.packet.status, RunStatus::kOk);
  const int asked = server.requests();
  EXPECT_EQ(workspace_->retrieve(request(server.base_url(), "recovers")).output, again.output);
  EXPECT_EQ(server.requests(), asked) << "what was answered once is kept";
}

TEST_F(RetrieveModel, NeverSeesAPromptThatItsWindowWouldCut) {
  for (const uint64_t window : {1200, 3000, 8000}) {
    ModelServer server(agree);
    RetrieveRequest wanted = request(server.base_url(), fmt::format("window-{}", window));
    wanted.context_window = window;
    wanted.reserved_tokens = 200;
    wanted.settings["model.deadline"] = "20s";
    const RetrieveReply reply = workspace_->retrieve(wanted);
    EXPECT_GE(server.requests(), window < 8000 ? 4 : 2) << "long lists come in parts";
    for (const ReceivedChat& chat : server.received()) {
      EXPECT_LE(model::count_tokens(chat.system) + model::count_tokens(chat.user), window);
    }
    EXPECT_LE(reply.packet.used, window - 200);
  }
}

TEST_F(RetrieveModel, AWindowThatHoldsNoQuestionAtAllIsRefusedBeforeSending) {
  ModelServer server(agree);
  RetrieveRequest wanted = request(server.base_url(), "tiny-window");
  wanted.context_window = 300;
  wanted.reserved_tokens = 0;
  const RetrieveReply reply = workspace_->retrieve(wanted);
  EXPECT_EQ(server.requests(), 0);
  EXPECT_EQ(reply.packet.status, RunStatus::kDegraded);
  EXPECT_TRUE(shows_file(reply, "src/stages/judge.cc"));
}

TEST_F(RetrieveModel, TheKeyIsSentAndStandsNowhereElse) {
  ModelServer server(agree);
  const RetrieveReply reply = workspace_->retrieve(request(server.openai_url(), "key"));
  ASSERT_FALSE(server.received().empty());
  EXPECT_EQ(server.received().front().authorization, std::string("Bearer ") + kKey);
  std::string everything = reply.output;
  for (const ModelCall& call : calls(reply)) everything += call.request + call.response;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(workspace_->folder().file(".knapsack"))) {
    if (entry.is_regular_file()) {
      everything += workspace_->folder().read(
          ".knapsack/" +
          std::filesystem::relative(entry.path(), workspace_->folder().file(".knapsack")).string());
    }
  }
  EXPECT_THAT(everything.find(kKey), std::string::npos);
}

TEST_F(RetrieveModel, ThatIsCutOffKeepsItsVerdictsAndIsAskedAboutTheRest) {
  std::atomic<int> cuts = 0;
  ModelServer server([&](const ReceivedChat& chat) {
    std::string text = agree(chat);
    // As a server does that stops at its limit: in the middle of a word.
    if (ids_in(chat).size() > 8 && cuts++ < 2) text.resize(text.size() / 2);
    return text;
  });
  RetrieveRequest wanted = request(server.base_url(), "cut-off");
  wanted.settings["model.deadline"] = "20s";
  const RetrieveReply reply = workspace_->retrieve(wanted);
  EXPECT_GE(cuts, 1);
  EXPECT_EQ(reply.packet.status, RunStatus::kOk) << ::testing::PrintToString(reply.packet.warnings);
  for (const auto& row : decisions(reply)) {
    if (row.stage == "scope" && row.included && row.candidate_id.starts_with("file:")) {
      EXPECT_THAT(row.reason, HasSubstr("model: relevant")) << row.title;
    }
  }
  bool partial = false;
  for (const ModelCall& call : calls(reply)) partial = partial || call.outcome == "partial";
  EXPECT_TRUE(partial) << "the ledger tells";
}

TEST_F(RetrieveModel, WhatItExcludedIsNotShownBecauseThereIsRoom) {
  constexpr const char* kExcludedName = "place_of";
  ModelServer server([&](const ReceivedChat& chat) {
    if (ids_in(chat).empty()) return agree(chat);
    const bool files = chat.schema.dump().find("irrelevant") != std::string::npos;
    Json verdicts = Json::array();
    for (const int id : ids_in(chat)) {
      const size_t line = chat.user.find(fmt::format("\nid {}: ", id));
      const std::string text = chat.user.substr(line, chat.user.find('\n', line + 1) - line);
      const bool out = !files && text.find(std::string(".") + kExcludedName + " in ") != std::string::npos;
      verdicts.push_back({{"id", id}, {"verdict", files ? "relevant" : out ? "excluded" : "primary"}});
    }
    return Json{{"verdicts", verdicts}}.dump();
  });
  RetrieveRequest wanted = request(server.base_url(), "excluded");
  wanted.task = "fix the verdicts of `Judge`: reasons and places of the answers are mixed up";
  wanted.context_window = 120000;
  wanted.reserved_tokens = 0;
  wanted.fill = true;
  wanted.settings["model.deadline"] = "20s";
  const RetrieveReply reply = workspace_->retrieve(wanted);
  bool excluded = false;
  for (const auto& row : decisions(reply))
    excluded = excluded || (row.stage == "precision" && row.title.ends_with(kExcludedName) && !row.included);
  EXPECT_THAT(reply.output, Not(HasSubstr("std::optional<size_t> place_of(const Json& id")));
  EXPECT_TRUE(excluded) << "the model was asked about it and left it out";
}

TEST_F(RetrieveModel, IsShownWhatTheCodeSaysAndAskedAboutWhatTheBudgetCanUse) {
  std::map<uint64_t, size_t> asked;
  for (const uint64_t window : {2000, 60'000}) {
    ModelServer server(agree);
    RetrieveRequest wanted = request(server.base_url(), fmt::format("samples-{}", window));
    wanted.context_window = window;
    wanted.settings["model.deadline"] = "20s";
    wanted.reserved_tokens = 1000;
    workspace_->retrieve(wanted);
    std::string prompts;
    for (const ReceivedChat& chat : server.received()) {
      asked[window] += ids_in(chat).size();
      prompts += chat.user;
    }
    EXPECT_THAT(prompts, HasSubstr("begins: // Judge: a model's opinion on a list of candidates"))
        << "the first lines of a file";
  }
  EXPECT_LT(asked[2000], asked[60'000]) << "1,000 tokens cannot show all of them";
}

}  // namespace
}  // namespace knapsack
