// The tools that answer with a packet: pack, retrieve_code, refine_context, project_notes.
#include <fmt/format.h>

#include "serve/call.h"
#include "serve/packet_reply.h"
#include "serve/schema.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kPackTokens = 8'000;
constexpr uint64_t kCodeTokens = 6'000;
constexpr uint64_t kNotesTokens = 4'000;
constexpr const char* kFillMeaning = "Go on where code stops being close to the task, up to max_tokens";

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ","));
}

Result<ToolReply> pack_context(const Call& call) {
  PackRequest request;
  request.task = call.text("task");
  request.sources = joined(call.list("sources"));
  request.fill = call.flag("fill");
  if (call.arguments.contains("diff")) request.diff = call.text("diff");
  request.settings["pack.tokenizer"] = kReplyCounter;
  request.settings["pack.budget"] = std::to_string(call.max_tokens());
  request.progress = call.index_progress();
  request.stop = call.caller.stop;
  KNAPSACK_TRY(const auto gathered, call.engine.gather_pack(request));
  return fit_gathered(call, *gathered);
}

Json task_id(const RetrieveReply& reply) {
  return {{"task_id", reply.packet.task_id}};
}

Result<ToolReply> retrieve_code(const Call& call) {
  RetrieveRequest request;
  request.task = call.text("task");
  request.stages = "scope,precision";
  request.fill = call.flag("fill");
  request.reserved_tokens = 0;
  request.no_model = true;
  request.settings["code.tokenizer"] = kReplyCounter;
  request.progress = call.index_progress();
  request.stop = call.caller.stop;
  request.context_window = std::max<uint64_t>(1, call.max_tokens());
  KNAPSACK_TRY(const auto gathered, call.engine.gather_retrieval(request));
  return fit_gathered<RetrieveReply>(call, *gathered, task_id);
}

Result<ToolReply> refine_context(const Call& call) {
  RefineRequest request;
  request.task_id = call.text("task_id");
  Json missing = Json::object();
  for (const auto& [name, value] : call.arguments.items()) {
    if (name != "task_id" && name != "max_tokens" && name != "test_output") missing[name] = value;
  }
  request.test_output = call.text("test_output");
  if (request.test_output.empty() || !missing.empty())
    request.request_json = missing.dump(-1, ' ', false, Json::error_handler_t::replace);
  request.settings["code.tokenizer"] = kReplyCounter;
  request.progress = call.index_progress();
  request.stop = call.caller.stop;
  request.budget = std::max<uint64_t>(1, call.max_tokens());
  KNAPSACK_TRY(const auto gathered, call.engine.gather_refinement(request));
  return fit_gathered<RetrieveReply>(call, *gathered, task_id);
}

Result<ToolReply> project_notes(const Call& call) {
  AgentRequest request;
  request.task = call.text("task");
  request.settings["notes.tokenizer"] = kReplyCounter;
  request.settings["notes.budget"] = std::to_string(call.max_tokens());
  KNAPSACK_TRY(const auto gathered, call.engine.gather_notes(request));
  return fit_gathered(call, *gathered);
}

}  // namespace

std::vector<ToolEntry> pack_tools() {
  using namespace schema;
  const Json task = text(kMaxTextCharacters);
  const Json names = text_list(kMaxListItems, kMaxNameCharacters);
  return {
      {{"pack", "Pack context for a task",
        "Start every task here: one packet with what it needs of this workspace's code, notes, memories and "
        "task graph, best first, within max_tokens. Not for looking up one name: read is cheaper.",
        object(
            {{"task!", text(kMaxTextCharacters, "In words; name files, symbols and errors")},
             {"sources",
              {{"type", "array"}, {"items", one_of({"code", "notes", "memory", "graph"})}, {"maxItems", 4}}},
             {"fill", flag(false, kFillMeaning)},
             {"diff",
              text(kMaxNameCharacters,
                   "A commit, e.g. HEAD: also pack what changed since, its users and tests, for a review")},
             {"max_tokens", max_tokens(kPackTokens, "Limit for the whole serialised reply")}}),
        packet_schema()},
       pack_context},
      {{"retrieve_code", "Retrieve code for a task",
        "Only the code a task needs, with a task_id for refine_context. Otherwise use pack.",
        object(
            {{"task!", task}, {"fill", flag(false, kFillMeaning)}, {"max_tokens", max_tokens(kCodeTokens)}}),
        packet_schema(true)},
       retrieve_code},
      {{"refine_context", "Add what a packet lacked",
        "The packet of an earlier retrieve_code again, with what it lacked put first. Use it when you can "
        "name "
        "what is missing.",
        object({{"task_id!", text(kMaxNameCharacters)},
                {"reason", text(kMaxTextCharacters)},
                {"missing_files", names},
                {"missing_symbols", names},
                {"missing_tests", names},
                {"error_signatures", names},
                {"test_output", text(kMaxTextCharacters, "What a failing test run printed")},
                {"max_tokens", max_tokens(kCodeTokens)}}),
        packet_schema(true)},
       refine_context},
      {{"project_notes", "Read the project notes",
        "Rules, open tasks, conventions, decisions and learnings of .context/. pack has the ones that a task "
        "needs; use this for all of them.",
        object({{"task", task}, {"max_tokens", max_tokens(kNotesTokens)}}), packet_schema()},
       project_notes},
  };
}

}  // namespace knapsack::serve
