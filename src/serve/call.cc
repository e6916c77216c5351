#include "serve/call.h"

#include <fmt/format.h>

#include "text/unicode/utf8.h"
#include "text/unicode/visible_text.h"

namespace knapsack::serve {
namespace {

constexpr size_t kMaxWarnings = 4;
constexpr size_t kMaxWarningBytes = 240;

}  // namespace

std::string Call::text(const char* name) const {
  const auto found = arguments.find(name);
  return found == arguments.end() ? "" : found->get<std::string>();
}

bool Call::flag(const char* name) const {
  const auto found = arguments.find(name);
  return found != arguments.end() && found->get<bool>();
}

std::vector<std::string> Call::list(const char* name) const {
  const auto found = arguments.find(name);
  return found == arguments.end() ? std::vector<std::string>() : found->get<std::vector<std::string>>();
}

std::optional<double> Call::number(const char* name) const {
  const auto found = arguments.find(name);
  return found == arguments.end() ? std::nullopt : std::optional(found->get<double>());
}

uint64_t Call::whole(const char* name) const {
  // The schema allows 3.0 for 3.
  return static_cast<uint64_t>(arguments.at(name).get<double>());
}

std::function<void(const code::IndexProgress&)> Call::index_progress() const {
  if (!caller.progress) return {};
  return [this](const code::IndexProgress& progress) {
    caller.progress(progress.files, progress.total_files, fmt::format("indexing: {}", progress.step));
  };
}

Status Call::refresh_index() const {
  IndexOptions options;
  options.progress = index_progress();
  options.stop = caller.stop;
  const auto report = engine.index(options);
  if (report.ok()) return ok_status();
  if (caller.stop.stop_requested()) return report.error();
  // What was indexed before still answers; without any, this is the reason why nothing does.
  return engine.overview().ok() ? ok_status() : Status(report.error());
}

ToolReply make_reply(const Call& call, std::string text, Json more, std::string_view footer) {
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  text += fmt::format("({}{}workspace {})\n", footer, footer.empty() ? "" : ", ", call.workspace);
  ToolReply reply;
  reply.structured = Json{{"workspace", call.workspace}};
  for (auto& [key, value] : more.items()) reply.structured[key] = std::move(value);
  // Whatever a tool quotes: a model reads it, and clients print it.
  make_visible(reply.structured);
  reply.text = needs_marks(text) ? visible_text(text) : std::move(text);
  reply.structured["text"] = reply.text;
  return reply;
}

Json shown_warnings(const std::vector<std::string>& warnings) {
  Json shown = Json::array();
  for (const std::string& warning : warnings) {
    if (shown.size() == kMaxWarnings) {
      shown.push_back(fmt::format("and {} more", warnings.size() - kMaxWarnings));
      break;
    }
    const std::string_view start = utf8_prefix(warning, kMaxWarningBytes);
    shown.push_back(fmt::format("{}{}", start, start.size() < warning.size() ? "…" : ""));
  }
  return shown;
}

}  // namespace knapsack::serve
