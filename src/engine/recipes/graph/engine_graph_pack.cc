// Engine::graph_pack: one request answered from the graph.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "core/blanks.h"
#include "engine/gathering.h"
#include "engine/recipes/graph/graph_context_pack.h"
#include "engine/recipes/graph/graph_document.h"
#include "engine/recipes/graph/graph_recipe.h"
#include "graph/store/node_check.h"
#include "graph/store/put.h"
#include "packet/budget.h"
#include "text/parse_json.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"
#include "text/unicode/visible_text.h"

namespace knapsack {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr size_t kMaxRequestBytes = 1U << 20U;

Result<IntentChoice> choose_intent(const std::string& name, const std::string& request) {
  if (name == "auto") return classify_intent(request);
  const auto intent = parse_intent(name);
  if (!intent) {
    return Error{ErrorCode::kUsage, fmt::format("unknown intent '{}'", name),
                 "choose auto, plan, execute, explain, debug or research"};
  }
  return given_intent(*intent);
}

// The number and time of the request before this one. A file that cannot be read counts as none.
PriorRequest prior_request(const GraphSession& session) {
  PriorRequest prior;
  const auto bytes =
      session.files().read(join_path(session.folder, graph::kLatestRequestFile), graph::kMaxPackBytes);
  if (!bytes.ok() || graph::is_nested_too_deep(*bytes)) return prior;
  const json pack = parse_json(*bytes);
  if (!pack.is_object()) return prior;
  if (const auto seq = pack.find("request_seq"); seq != pack.end() && seq->is_number_integer()) {
    prior.seq = std::max<int64_t>(0, seq->get<int64_t>());
  }
  if (const auto at = pack.find("generated_at"); at != pack.end() && at->is_string()) {
    if (const auto time = parse_rfc3339(at->get_ref<const std::string&>()); time.ok()) prior.at = *time;
  }
  return prior;
}

// Writes the task that asks for what is missing, unless it is there. Under the lock.
Status apply_clarification(GraphSession& session, const RequestIdentity& identity, GraphAnswer& answer,
                           Timestamp now) {
  choose_clarify_task(session.index, answer.clarification, answer.request);
  answer.applied_task_id = answer.clarification.task_id;
  const auto known = session.index.find(answer.applied_task_id);
  if (known && session.index.node(*known).exists()) return ok_status();
  const std::string node =
      clarify_node(answer.clarification, answer.request).dump(-1, ' ', false, json::error_handler_t::replace);
  KNAPSACK_TRY(const auto nodes, plan_put(session.files(), session.view, session.index, node, now));
  json shown = json::array();
  for (const auto& each : nodes) redact_json(shown.emplace_back(parse_json(each.line)));
  KNAPSACK_TRY(graph::Change change,
               plan_change(session.files(), session.view, nodes, shown,
                           {"clarify", "a clarify task was put", identity.id, identity.seq}, now));
  KNAPSACK_CHECK(add_graph_state(session, shown, now, change));
  KNAPSACK_CHECK(make_change(session.files(), session.folder, change));
  answer.applied_commit_id = change.commit_id;
  return session.read(GraphSession::Access::kWrite);
}

Status write_request_pack(const GraphSession& session, const RequestIdentity& identity, Timestamp now,
                          const std::string& bytes) {
  FileSystem& files = session.files();
  const std::string folder = join_path(session.folder, graph::kRequestsFolder);
  KNAPSACK_CHECK(graph::ensure_folder(files, folder));
  const std::string name = fmt::format("request_context.{}.{}.json", graph::file_time(now), identity.id);
  KNAPSACK_CHECK(files.replace(join_path(folder, name), bytes));
  return files.replace(join_path(session.folder, graph::kLatestRequestFile), bytes);
}

class GraphRun : public GatheringRun<GraphPackRequest, GraphPackReply> {
 public:
  using GatheringRun::GatheringRun;

  // Chooses the nodes that answer the request; writes the task that asks for what is missing, where that is wanted.
  Status read() {
    const SettingFileCache::Request once(state_.setting_files);
    KNAPSACK_CHECK(prepare());
    const bool writes = !request_.dry_run && (request_.keep_copy || request_.apply_clarify_task);
    if (writes) KNAPSACK_CHECK(session_->lock());
    KNAPSACK_CHECK(session_->read(writes ? GraphSession::Access::kWrite : GraphSession::Access::kRead));
    timer_.done("read");
    prior_ = prior_request(*session_);
    KNAPSACK_TRY(answer_, answer_graph_request(*session_, question_, prior_, now_));
    timer_.done("select");
    identity_.seq = prior_.seq + 1;
    identity_.id = "RQ-" + graph::ulid(now_, fmt::format("{}\n{}", identity_.seq, question_.request));
    KNAPSACK_CHECK(clarify());
    KNAPSACK_TRY(parts_, read_graph_parts(*session_, answer_));
    return ok_status();
  }

  Result<GraphPackReply> assemble(const Budget& budget) override {
    GraphPackReply reply = begun();
    StepTimer timer(reply.times, state_.options.log);
    GraphPacket made = make_graph_packet(*session_, answer_, parts_, *renderer_, budget, now_);
    timer.done("pack");
    describe(made.packet, reply.times);  // gives the packet the id of its run
    if (is_json() || keeps_copy()) reply.document = document_of(made);
    reply.output = is_json() ? reply.document : std::move(made.bytes);
    reply.packet = std::move(made.packet);
    tell_warnings(reply);
    reply.request_id = identity_.id;
    reply.clarify_task_id = answer_.applied_task_id;
    return reply;
  }

  Status keep(GraphPackReply& reply) override {
    if (request_.dry_run) return ok_status();
    StepTimer timer(reply.times, state_.options.log);
    const RunRecord run = describe(reply.packet, reply.times);
    if (keeps_copy()) {
      if (const Status written = write_request_pack(*session_, identity_, now_, reply.document);
          !written.ok()) {
        reply.notices.push_back(
            "the packet is complete, but its copy in the graph's folder is not written: " +
            written.error().line());
      }
      timer.done("write");
    }
    KNAPSACK_TRY(reply.run, state_.record(run, decisions_of(reply.packet), {}, reply.output, reply.notices));
    timer.done("ledger");
    return ok_status();
  }

  Budget own_budget() const { return {request_.budget.value_or(kMaxBudget), counter_}; }

 private:
  // JSON is about the packet, whose text is then that of Markdown.
  bool is_json() const { return request_.format == "json"; }
  bool keeps_copy() const { return request_.keep_copy && !request_.dry_run; }

  std::string document_of(const GraphPacket& made) const {
    ordered_json described = graph_document(*session_, answer_, made, identity_);
    make_visible(described);
    return described.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  }

  Status prepare() {
    if (is_blank_text(request_.request)) {
      return Error{ErrorCode::kUsage, "the request is empty", "give the request in `request_text`"};
    }
    if (request_.request.size() > kMaxRequestBytes) {
      return Error{ErrorCode::kUsage, fmt::format("the request has more than {} bytes", kMaxRequestBytes),
                   "shorten the request"};
    }
    question_.request = replace_invalid_utf8(request_.request);  // packs are JSON, which holds no other bytes
    redact_secrets(question_.request);
    KNAPSACK_TRY(question_.intent, choose_intent(request_.intent, question_.request));
    question_.commit_id = request_.commit_id;
    question_.suggest_clarify = request_.suggest_clarify;
    KNAPSACK_TRY(renderer_, find_renderer(is_json() ? "md" : request_.format));
    KNAPSACK_TRY(GraphSession session, GraphSession::open(state_, request_.settings));
    session_.emplace(std::move(session));
    KNAPSACK_TRY(counter_, find_token_counter(session_->settings.graph_tokenizer));
    timer_.done("settings");
    return ok_status();
  }

  Status clarify() {
    const bool wants_task = request_.apply_clarify_task && !answer_.critical_reasons.empty() &&
                            answer_.intent.intent != TaskIntent::kExplain;
    if (!wants_task) return ok_status();
    if (request_.dry_run) {
      notices_.emplace_back("a dry run: the clarify task is not written");
      return ok_status();
    }
    GraphAnswer applied = answer_;
    KNAPSACK_CHECK(apply_clarification(*session_, identity_, applied, now_));
    // The packet shows the graph with the task in it, and still says what was missing.
    KNAPSACK_TRY(answer_, answer_graph_request(*session_, question_, prior_, now_));
    answer_.applied_task_id = applied.applied_task_id;
    answer_.applied_commit_id = applied.applied_commit_id;
    timer_.done("clarify");
    return ok_status();
  }

  RunRecord describe(Packet& packet, const std::vector<StepTime>& times) const {
    const ordered_json asked = {{"request", question_.request},
                                {"intent", request_.intent},
                                {"commit_id", request_.commit_id.value_or("")},
                                {"budget", request_.budget ? std::to_string(packet.budget) : ""},
                                {"format", request_.format},
                                {"request_seq", identity_.seq},
                                {"graphs_dir", session_->shown_as}};
    return describe_run(
        {"graph pack", asked, session_->settings, state_.workspace.path, fingerprint(session_->index), now_},
        packet, times);
  }

  GraphQuestion question_;
  std::optional<GraphSession> session_;
  PriorRequest prior_;
  GraphAnswer answer_;
  GraphParts parts_;
  RequestIdentity identity_;
};

}  // namespace

Result<GraphPackReply> GraphRecipes::graph_pack(const GraphPackRequest& request) {
  return run_whole<GraphRun>(*state_, request);
}

Result<std::unique_ptr<GatheredGraph>> GraphRecipes::gather_graph(const GraphPackRequest& request) {
  return run_gathering<GraphRun>(*state_, request);
}

}  // namespace knapsack
