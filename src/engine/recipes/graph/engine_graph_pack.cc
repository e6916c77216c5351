// Engine::graph_pack: one request answered from the graph.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/recipes/graph/graph_context_pack.h"
#include "engine/recipes/graph/graph_document.h"
#include "engine/recipes/graph/graph_recipe.h"
#include "engine/run_record.h"
#include "graph/store/node_check.h"
#include "graph/store/put.h"
#include "packet/budget.h"
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
  const json pack = json::parse(*bytes, nullptr, false);
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
  for (const auto& each : nodes) redact_json(shown.emplace_back(json::parse(each.line)));
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

}  // namespace

Result<GraphPackReply> GraphRecipes::graph_pack(const GraphPackRequest& request) {
  const SettingFileCache::Request once(state_->setting_files);
  GraphPackReply reply;
  StepTimer timer(reply.times, state_->options.log);
  const Timestamp now = state_->clock->now();
  if (request.request.find_first_not_of(" \t\r\n") == std::string::npos) {
    return Error{ErrorCode::kUsage, "the request is empty", "say what is wanted with `request_text`"};
  }
  if (request.request.size() > kMaxRequestBytes) {
    return Error{ErrorCode::kUsage, fmt::format("the request has more than {} bytes", kMaxRequestBytes),
                 "say what is wanted in fewer words"};
  }
  GraphQuestion question;
  question.request = replace_invalid_utf8(request.request);  // packs are JSON, which holds no other bytes
  redact_secrets(question.request);
  KNAPSACK_TRY(question.intent, choose_intent(request.intent, question.request));
  question.commit_id = request.commit_id;
  question.suggest_clarify = request.suggest_clarify;
  const uint64_t budget = request.budget.value_or(kMaxBudget);
  // JSON is about the packet, whose text is then that of Markdown.
  const bool as_json = request.format == "json";
  KNAPSACK_TRY(const Renderer* renderer, find_renderer(as_json ? "md" : request.format));
  KNAPSACK_TRY(GraphSession session, GraphSession::open(*state_, request.settings));
  KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(session.settings.graph_tokenizer));
  timer.done("settings");

  const bool writes = !request.dry_run && (request.keep_copy || request.apply_clarify_task);
  if (writes) KNAPSACK_CHECK(session.lock());
  const auto access = writes ? GraphSession::Access::kWrite : GraphSession::Access::kRead;
  KNAPSACK_CHECK(session.read(access));
  timer.done("read");
  const PriorRequest prior = prior_request(session);
  KNAPSACK_TRY(GraphAnswer answer, answer_graph_request(session, question, prior, now));
  timer.done("select");

  RequestIdentity identity;
  identity.seq = prior.seq + 1;
  identity.id = "RQ-" + graph::ulid(now, fmt::format("{}\n{}", identity.seq, question.request));
  const bool wants_task = request.apply_clarify_task && !answer.critical_reasons.empty() &&
                          answer.intent.intent != TaskIntent::kExplain;
  if (wants_task && request.dry_run) {
    reply.notices.emplace_back("a dry run: the clarify task is not written");
  } else if (wants_task) {
    GraphAnswer applied = answer;
    KNAPSACK_CHECK(apply_clarification(session, identity, applied, now));
    // The packet shows the graph with the task in it, and still says what was missing.
    KNAPSACK_TRY(GraphAnswer again, answer_graph_request(session, question, prior, now));
    again.applied_task_id = applied.applied_task_id;
    again.applied_commit_id = applied.applied_commit_id;
    answer = std::move(again);
    timer.done("clarify");
  }

  KNAPSACK_TRY(GraphPacket made, make_graph_packet(session, answer, *renderer, *counter, budget, now));
  timer.done("pack");
  const RunRecord run =
      describe_run({"graph pack",
                    ordered_json{{"request", question.request},
                                 {"intent", request.intent},
                                 {"commit_id", request.commit_id.value_or("")},
                                 {"budget", request.budget ? std::to_string(*request.budget) : ""},
                                 {"format", request.format},
                                 {"request_seq", identity.seq},
                                 {"graphs_dir", session.shown_as}},
                    session.settings, state_->workspace.path, fingerprint(session.index), now},
                   made.packet, reply.times);
  ordered_json described = graph_document(session, answer, made, identity);
  make_visible(described);
  const std::string document = described.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  reply.output = as_json ? document : std::move(made.bytes);
  if (!request.dry_run) {
    if (request.keep_copy) {
      const auto written = write_request_pack(session, identity, now, document);
      if (!written.ok()) {
        reply.notices.push_back(
            "the packet is complete, but its copy in the graph's folder is not written: " +
            written.error().line());
      }
      timer.done("write");
    }
    KNAPSACK_TRY(reply.run, state_->record(run, decisions_of(made.packet), {}, reply.output, reply.notices));
    timer.done("ledger");
  }
  for (const auto& warning : made.packet.warnings) reply.notices.push_back(warning);
  reply.request_id = identity.id;
  reply.clarify_task_id = answer.applied_task_id;
  reply.packet = std::move(made.packet);
  return reply;
}

}  // namespace knapsack
