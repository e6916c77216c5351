// Engine::map: what a repository is made of, without a task, within a budget.
#include <fmt/format.h>

#include "code/ask/repository_map.h"
#include "code/parse/source_text.h"
#include "core/escape.h"
#include "engine/engine_state.h"
#include "text/secrets/redact.h"
#include "text/tokens/token_counter.h"
#include "text/unicode/visible_text.h"

namespace knapsack {
namespace {

// Of one file, so that a map shows more than its largest files.
constexpr size_t kMaxMapped = 12;
constexpr size_t kMaxSignature = 120;  // bytes

// Cut where no secret is any more, and with nothing in it that a terminal would obey.
std::string shown_signature(std::string signature) {
  redact_secrets(signature);
  const std::string_view kept = code::cut_utf8(signature, kMaxSignature);
  return visible_text(kept) + (kept.size() < signature.size() ? "…" : "");
}

std::string lines_of_file(const std::string& path, const std::vector<code::MapLine>& lines) {
  std::string text = fmt::format("\n{}\n", escape_control(path));
  for (size_t i = 0; i < std::min(lines.size(), kMaxMapped); ++i) {
    text += fmt::format("{}{}: {}\n", lines[i].depth == 0 ? "  " : "    ", lines[i].line,
                        shown_signature(lines[i].text));
  }
  if (lines.size() > kMaxMapped) text += fmt::format("  … and {} more\n", lines.size() - kMaxMapped);
  return text;
}

}  // namespace

Result<MapReply> CodeRecipes::map(const MapRequest& request) {
  KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(request.tokenizer));
  if (request.refresh) {
    IndexOptions options;
    options.progress = request.progress;
    KNAPSACK_TRY(const auto refreshed, state_->refresh_index(options));
    if (!refreshed.problem.empty()) state_->options.log.write(LogLevel::kWarning, refreshed.problem);
  }
  KNAPSACK_TRY(const auto index, state_->code_index(request.revision));
  if (const std::string lacking = index->incomplete(); !lacking.empty())
    state_->options.log.write(LogLevel::kWarning, lacking);
  KNAPSACK_TRY(const auto files, code::weigh_files(*index));
  MapReply reply;
  std::string body;
  const auto headed = [&](size_t shown) {
    return fmt::format("# Map: {} of {} files, most depended on first\n{}", shown, files.size(), body);
  };
  reply.files = files.size();
  // Files in their order until the first that has no room: a larger budget shows the same and more. Counted by pieces,
  // which the whole may exceed by a little. A map of no file says nothing, so the first one must fit.
  std::vector<size_t> ends = {0};
  uint64_t used = counter->count(headed(files.size()));
  for (const code::MapFile& each : files) {
    KNAPSACK_TRY(const auto lines, code::map_lines(*index, each.file));
    if (lines.empty()) continue;
    const std::string text = lines_of_file(index->file(each.file).name, lines);
    used += counter->count(text);
    if (used > request.budget && ends.size() > 1) break;
    body += text;
    ends.push_back(body.size());
  }
  while (ends.size() > 2 && counter->count(headed(ends.size() - 1)) > request.budget) {
    ends.pop_back();
    body.resize(ends.back());
  }
  reply.shown = ends.size() - 1;
  if (const uint64_t least = counter->count(headed(reply.shown)); least > request.budget) {
    return Error{ErrorCode::kUsage, fmt::format("a map does not fit {} tokens", request.budget),
                 fmt::format("give `budget` {} or more", least)};
  }
  reply.text = headed(reply.shown);
  reply.used = counter->count(reply.text);
  return reply;
}

}  // namespace knapsack
