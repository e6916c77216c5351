// The tools of the memory tree: recall_memory, remember, forget.
#include <fmt/format.h>

#include "serve/call.h"
#include "serve/packet_reply.h"
#include "serve/reply_fit.h"
#include "serve/schema.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kRecallTokens = 4'000;

Result<ToolReply> recall_memory(const Call& call) {
  RecallRequest request;
  request.prompt = call.text("prompt");
  request.mode = call.text("mode");
  request.as_of = call.text("as_of");
  request.settings["recall.tokenizer"] = kReplyCounter;
  return fit_budget(call, [&](uint64_t budget, bool for_real) -> Result<Draft> {
    request.settings["recall.max_tokens"] = std::to_string(budget);
    request.dry_run = !for_real;
    KNAPSACK_TRY(const RecallReply reply, call.engine.recall(request));
    return packet_draft(call, reply, {{"mode", reply.mode}});
  });
}

Result<ToolReply> remember(const Call& call) {
  RememberRequest request;
  request.text = call.text("text");
  request.category = call.text("category");
  request.importance = call.number("importance");
  request.tags = call.list("tags");
  request.supersedes = call.list("supersedes");
  KNAPSACK_TRY(const RememberReply reply, call.engine.remember(request));
  std::string told = reply.duplicate
                         ? fmt::format("{} says this already; nothing was written.", reply.id)
                         : fmt::format("Remembered as {} ({}) in {}.", reply.id, reply.category, reply.path);
  for (const std::string& id : reply.superseded) told += fmt::format(" It replaces {}.", id);
  return make_reply(call, std::move(told),
                    {{"id", reply.id},
                     {"path", reply.path},
                     {"category", reply.category},
                     {"duplicate", reply.duplicate},
                     {"warnings", shown_warnings(reply.notices)}});
}

Result<ToolReply> forget(const Call& call) {
  ForgetRequest request;
  request.id = call.text("id");
  request.purge = call.flag("purge");
  KNAPSACK_TRY(const ForgetReply reply, call.engine.forget(request));
  std::string told = request.purge ? fmt::format("{} is deleted ({} files).", reply.id, reply.purged.size())
                                   : fmt::format("{} is not recalled any more.", reply.id);
  return make_reply(call, std::move(told), {{"id", reply.id}, {"purged", reply.purged}});
}

}  // namespace

std::vector<ToolEntry> memory_tools() {
  using namespace schema;
  Json recalled = packet_schema();
  recalled["properties"]["mode"] = any_text();
  recalled["required"].push_back("mode");
  return {
      {{"recall_memory", "Recall memories",
        "What was remembered that a prompt needs: lessons, preferences, decisions, facts.",
        object({{"prompt!", text(kMostTextCharacters)},
                {"mode", one_of({"auto", "no_recall", "minimal", "full", "graph_mode"}, "auto")},
                {"as_of", text(kMostNameCharacters, "A date: 2026-11-15")},
                {"max_tokens", max_tokens(kRecallTokens)}}),
        std::move(recalled)},
       recall_memory},
      {.tool = {.name = "remember",
                .title = "Remember something",
                .description = "Keeps one fact, lesson, decision or preference for later sessions. Write it "
                               "so that it can be understood alone; never a secret.",
                .input_schema = object({{"text!", text(kMostTextCharacters)},
                                        {"category", text(kMostNameCharacters, "Default: by its words")},
                                        {"tags", text_list(kMostListItems, 100)},
                                        {"importance", share()},
                                        {"supersedes", text_list(kMostListItems, kMostNameCharacters,
                                                                 "Ids of memories that it replaces")}}),
                .output_schema = object({{"workspace!", any_text()},
                                         {"id!", any_text()},
                                         {"path!", any_text()},
                                         {"category", any_text()},
                                         {"duplicate", any_flag()},
                                         {"warnings", texts()},
                                         {"text!", any_text()}}),
                .read_only = false},
       .run = remember},
      {.tool = {.name = "forget",
                .title = "Forget a memory",
                .description = "Marks a memory so that it is not recalled any more; purge deletes its file.",
                .input_schema = object({{"id!", text(kMostNameCharacters)}, {"purge", flag(false)}}),
                .output_schema = object({{"workspace!", any_text()},
                                         {"id!", any_text()},
                                         {"purged", texts()},
                                         {"text!", any_text()}}),
                .read_only = false,
                .destructive = true},
       .run = forget},
  };
}

}  // namespace knapsack::serve
