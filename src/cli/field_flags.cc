#include "cli/field_flags.h"

#include <algorithm>
#include <array>

#include "engine/settings/settings.h"

namespace knapsack::cli {
namespace {

// Fields of requests that are called as their option is.
constexpr auto kFields = std::to_array<std::string_view>(
    {"also",           "as_of",   "dry_run",       "from_git",        "base_url",
     "bind",           "budget",  "budget_config", "client",          "commit_id",
     "commit",         "files",   "missing",       "promote",         "review",
     "context_window", "diff",    "embed_model",   "embed_url",       "index_deadline",
     "judge",          "limit",   "mode",          "model",           "no_meaning",
     "notes",          "port",    "request_text",  "reserved_tokens", "staged",
     "stages",         "task_id", "token_file",    "supersedes",      "to",
     "user",           "yes",     "path",          "exclude",         "no_tests"});

std::string flag_of(std::string_view field) {
  if (field == "revision") return "--rev";
  if (field == "no_model") return "--no-llm";
  if (field.find('.') != std::string_view::npos) return std::string(setting_flag(field));
  if (std::find(kFields.begin(), kFields.end(), field) == kFields.end()) return "";
  std::string flag = "--" + std::string(field);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

}  // namespace

std::string with_flags(std::string_view line) {
  std::string named;
  while (!line.empty()) {
    const size_t open = std::min(line.find('`'), line.size());
    const size_t close = line.find('`', std::min(open + 1, line.size()));
    named += line.substr(0, open);
    if (close == std::string_view::npos) return named += line.substr(open);
    const std::string flag = flag_of(line.substr(open + 1, close - open - 1));
    named += flag.empty() ? line.substr(open, close + 1 - open) : std::string_view(flag);
    line.remove_prefix(close + 1);
  }
  return named;
}

}  // namespace knapsack::cli
