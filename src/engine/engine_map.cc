// Engine::map: what a repository is made of, without a task, within a budget.
#include <fmt/format.h>

#include "code/repository_map.h"
#include "code/source_text.h"
#include "engine/engine_state.h"
#include "text/redact.h"
#include "text/token_counter.h"

namespace knapsack {
namespace {

// Of one file, so that a map shows more than its largest files.
constexpr size_t kMostMapped = 12;
constexpr size_t kMostOfSignature = 120;  // of a signature

std::string without_tail(const std::string& signature) {
  const std::string_view kept = code::cut_utf8(signature, kMostOfSignature);
  return kept.size() == signature.size() ? signature : std::string(kept) + "…";
}

std::string file_text(const std::string& path, const std::vector<code::MapLine>& lines) {
  std::string text = fmt::format("\n{}\n", path);
  for (size_t i = 0; i < std::min(lines.size(), kMostMapped); ++i)
    text += fmt::format("{}{}: {}\n", lines[i].depth == 0 ? "  " : "    ", lines[i].line, without_tail(lines[i].text));
  if (lines.size() > kMostMapped) text += fmt::format("  … and {} more\n", lines.size() - kMostMapped);
  redact_secrets(text);
  return text;
}

}  // namespace

Result<MapReply> Engine::map(const MapRequest& request) {
  KNAPSACK_TRY(const TokenCounter* counter, find_token_counter(request.tokenizer));
  if (request.refresh) {
    IndexOptions options;
    options.progress = request.progress;
    KNAPSACK_CHECK(state_->refresh_index(options));
  }
  KNAPSACK_TRY(const auto index, state_->code_index(request.revision));
  KNAPSACK_TRY(const auto files, code::weigh_files(*index));
  MapReply reply;
  std::string body;
  const auto headed = [&](size_t shown) {
    return fmt::format("# Map: {} of {} files, what most depends on first\n{}", shown, files.size(), body);
  };
  reply.files = files.size();
  if (counter->count(headed(0)) > request.budget) {
    return Error{ErrorCode::kUsage, fmt::format("a map does not fit {} tokens", request.budget),
                 fmt::format("give --budget {} or more", counter->count(headed(0)) + 50)};
  }
  // Files in their order until the first that has no room: a larger budget shows the same and more. Counted by pieces,
  // which the whole may exceed by a little.
  std::vector<size_t> ends = {0};
  uint64_t used = counter->count(headed(files.size()));
  for (const code::MapFile& each : files) {
    KNAPSACK_TRY(const auto lines, code::map_lines(*index, each.file));
    if (lines.empty()) continue;
    const std::string text = file_text(index->file(each.file).name, lines);
    used += counter->count(text);
    if (used > request.budget) break;
    body += text;
    ends.push_back(body.size());
  }
  while (ends.size() > 1 && counter->count(headed(ends.size() - 1)) > request.budget) {
    ends.pop_back();
    body.resize(ends.back());
  }
  reply.shown = ends.size() - 1;
  reply.text = headed(reply.shown);
  reply.used = counter->count(reply.text);
  return reply;
}

}  // namespace knapsack
