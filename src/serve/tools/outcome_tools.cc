// The tool that says what came of a packet.
#include <fmt/format.h>

#include "serve/call.h"
#include "serve/reply_fit.h"
#include "serve/schema.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kOutcomeTokens = 2'000;

Result<ToolReply> keep_outcome(const Call& call) {
  OutcomeRequest request;
  request.run = call.text("run");
  request.commit = call.text("commit");
  request.files = call.list("files");
  request.missing = call.text("missing");
  if (call.arguments.contains("useful")) request.useful = call.flag("useful");
  KNAPSACK_TRY(const OutcomeReply reply, call.engine.outcome(request));
  const std::string& run = reply.runs.back().record.run_id;
  std::vector<std::string> lines;
  size_t packed = 0, changed = 0;
  for (const OutcomeFile& file : reply.files) {
    if (file.change == FileChangeKind::kAdded) continue;
    ++changed;
    packed += file.packed ? 1 : 0;
    if (!file.packed) lines.push_back(fmt::format("left out: {} ({})\n", file.path, file.why));
  }
  const std::string heading =
      reply.knows_changes ? fmt::format("Kept. {} of {} changed files were in the packet.\n", packed, changed)
                          : std::string("Kept.\n");
  return fit_rows(call, lines.size(), [&](size_t shown) {
    std::string text = heading;
    for (size_t i = 0; i < shown; ++i) text += lines[i];
    return make_reply(
        call, std::move(text),
        {{"run", run}, {"packed", packed}, {"changed", changed}, {"left_out", lines.size() - shown}});
  });
}

}  // namespace

std::vector<ToolEntry> outcome_tools() {
  using namespace schema;
  return {
      {.tool =
           {.name = "outcome",
            .title = "Say what came of a packet",
            .description =
                "Use it after a task: keeps what was changed since pack, so that packing can be measured. "
                "Without commit or files it looks at the work tree.",
            .input_schema = object(
                {{"run", {{"type", "string"}, {"default", "latest"}, {"maxLength", kMaxNameCharacters}}},
                 {"commit", text(kMaxNameCharacters, "Or a range A..B")},
                 {"files", text_list(kMaxListItems, kMaxNameCharacters)},
                 {"useful", {{"type", "boolean"}}},
                 {"missing", text(kMaxTextCharacters, "What the packet lacked")},
                 {"max_tokens", max_tokens(kOutcomeTokens)}}),
            .output_schema = object({{"workspace!", any_text()},
                                     {"run!", any_text()},
                                     {"packed", any_whole()},
                                     {"changed", any_whole()},
                                     {"left_out", any_whole()},
                                     {"text!", any_text()}}),
            .read_only = false},
       .run = keep_outcome},
  };
}

}  // namespace knapsack::serve
