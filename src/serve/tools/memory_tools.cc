// The tools of the memory tree: recall, remember, forget, memory_feedback.
#include <fmt/format.h>

#include "serve/call.h"
#include "serve/packet_reply.h"
#include "serve/reply_fit.h"
#include "serve/schema.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kRecallTokens = 2'000;

Result<ToolReply> recall_memory(const Call& call) {
  RecallRequest request;
  request.prompt = call.text("prompt");
  request.mode = call.text("mode");
  request.as_of = call.text("as_of");
  request.history = call.flag("history");
  request.settings["recall.tokenizer"] = kReplyCounter;
  request.settings["recall.max_tokens"] = std::to_string(call.max_tokens());
  KNAPSACK_TRY(const auto gathered, call.engine.gather_recall(request));
  return fit_gathered<RecallReply>(call, *gathered, [](const RecallReply& reply) {
    return Json{{"mode", reply.mode}};
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
  std::vector<std::string> contradicted;
  for (const ContradictedMemory& each : reply.contradicts) {
    contradicted.push_back(each.id);
    told += fmt::format(
        " {} may no longer hold: \"{}\" ({}). If so, remember the same text with supersedes [\"{}\"].",
        each.id, each.title, each.because, each.id);
  }
  return make_reply(call, std::move(told),
                    {{"id", reply.id},
                     {"path", reply.path},
                     {"category", reply.category},
                     {"duplicate", reply.duplicate},
                     {"contradicts", contradicted},
                     {"warnings", shown_warnings(reply.notices)}});
}

// The only memory that an id means, or the list that words give: then nothing is changed.
struct Meant {
  std::string path;  // empty: the list
  std::string list;
  std::vector<std::string> ids;
};
Result<Meant> memory_meant(const Call& call) {
  KNAPSACK_TRY(const MemoryMatchReply reply, call.engine.memory_matches({{}, call.text("id")}));
  Meant meant;
  if (reply.exact) {
    meant.path = reply.rows.front().path;
    return meant;
  }
  meant.list = "No memory has this id; these hold the words. Call again with the id of one:";
  for (const MemoryRow& row : reply.rows) {
    meant.ids.push_back(row.id);
    meant.list += fmt::format("\n- {}: {}", row.id, row.title);
  }
  return meant;
}

Result<ToolReply> memory_feedback(const Call& call) {
  KNAPSACK_TRY(const Meant meant, memory_meant(call));
  if (meant.path.empty()) return make_reply(call, meant.list, {{"id", ""}, {"candidates", meant.ids}});
  KNAPSACK_TRY(const FeedbackReply reply, call.engine.feedback({{}, meant.path, call.flag("useful")}));
  return make_reply(call,
                    fmt::format("{}: {} useful, {} not useful.", reply.id, reply.useful, reply.not_useful),
                    {{"id", reply.id}, {"candidates", std::vector<std::string>()}});
}

Result<ToolReply> forget(const Call& call) {
  KNAPSACK_TRY(const Meant meant, memory_meant(call));
  if (meant.path.empty()) {
    return make_reply(call, meant.list,
                      {{"id", ""}, {"purged", std::vector<std::string>()}, {"candidates", meant.ids}});
  }
  ForgetRequest request;
  request.id = meant.path;
  request.purge = call.flag("purge");
  KNAPSACK_TRY(const ForgetReply reply, call.engine.forget(request));
  std::string told = request.purge ? fmt::format("{} is deleted ({} files).", reply.id, reply.purged.size())
                                   : fmt::format("{} is not recalled any more.", reply.id);
  return make_reply(call, std::move(told),
                    {{"id", reply.id}, {"purged", reply.purged}, {"candidates", std::vector<std::string>()}});
}

}  // namespace

std::vector<ToolEntry> memory_tools() {
  using namespace schema;
  Json recalled = packet_schema();
  recalled["properties"]["mode"] = any_text();
  recalled["required"].push_back("mode");
  return {
      {{"recall", "Recall memories",
        "What was remembered that answers a question about people, preferences, decisions or facts. Not for "
        "code: use pack or search.",
        object({{"prompt!", text(kMaxTextCharacters)},
                {"mode", one_of({"auto", "no_recall", "minimal", "full", "graph_mode"}, "auto")},
                {"as_of", text(kMaxNameCharacters, "A date: 2026-11-15")},
                {"history", flag(false)},
                {"max_tokens", max_tokens(kRecallTokens)}}),
        std::move(recalled)},
       recall_memory},
      {.tool = {.name = "remember",
                .title = "Remember something",
                .description =
                    "Keeps one fact, lesson, decision or preference that a later session should know. "
                    "Write it so that it can be understood alone; no secrets, nothing the code says.",
                .input_schema = object({{"text!", text(kMaxTextCharacters)},
                                        {"category", text(kMaxNameCharacters, "Default: by its words")},
                                        {"tags", text_list(kMaxListItems, 100)},
                                        {"importance", share()},
                                        {"supersedes", text_list(kMaxListItems, kMaxNameCharacters,
                                                                 "Ids of memories that it replaces")}}),
                .output_schema = object({{"workspace!", any_text()},
                                         {"id!", any_text()},
                                         {"path!", any_text()},
                                         {"category", any_text()},
                                         {"duplicate", any_flag()},
                                         {"contradicts", texts()},
                                         {"warnings", texts()},
                                         {"text!", any_text()}}),
                .read_only = false},
       .run = remember},
      {.tool = {.name = "forget",
                .title = "Forget a memory",
                .description =
                    "Takes a wrong memory out of every recall; purge deletes its file. For a changed fact "
                    "use remember with supersedes.",
                .input_schema = object(
                    {{"id!", text(kMaxNameCharacters, "Or words: gives a list")}, {"purge", flag(false)}}),
                .output_schema = object({{"workspace!", any_text()},
                                         {"id!", any_text()},
                                         {"purged", texts()},
                                         {"candidates", texts()},
                                         {"text!", any_text()}}),
                .read_only = false,
                .destructive = true},
       .run = forget},
      {.tool = {.name = "memory_feedback",
                .title = "Judge a memory",
                .description =
                    "Says whether a recalled memory was of use. Only after you used or rejected it.",
                .input_schema = object(
                    {{"id!", text(kMaxNameCharacters, "Or words: gives a list")}, {"useful!", flag(true)}}),
                .output_schema = object({{"workspace!", any_text()},
                                         {"id!", any_text()},
                                         {"candidates", texts()},
                                         {"text!", any_text()}}),
                .read_only = false},
       .run = memory_feedback},
  };
}

}  // namespace knapsack::serve
