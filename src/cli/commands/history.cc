#include "cli/code_command.h"

namespace knapsack::cli {

std::string commit_text(const code::CommitLine& line) {
  return fmt::format("  {}  {}  {}  ({}){}\n", line.id.substr(0, 10),
                     format_rfc3339(Timestamp::from_seconds(line.time)).substr(0, 10), safe(line.subject),
                     safe(line.author), line.path.empty() ? "" : " as " + safe(line.path));
}

Json commit_json(const code::CommitLine& line) {
  return {{"id", line.id},
          {"time", format_rfc3339(Timestamp::from_seconds(line.time))},
          {"author", line.author},
          {"subject", line.subject},
          {"path", line.path}};
}

namespace {

std::string history_text(const code::HistoryView& view, const CodeArguments& arguments) {
  std::string out =
      bold(fmt::format("{}: {} of the last {}", safe(view.path), counted(view.commits.size(), "change"),
                       counted(view.searched, "commit"))) +
      "\n";
  size_t shown = 0;
  for (const auto& line : view.commits) {
    if (shown == arguments.limit) break;
    ++shown;
    out += commit_text(line);
  }
  out += cut_line(shown, view.commits.size());
  return out + co_change_text(view.co_changes, arguments);
}

}  // namespace

void add_history(Command program, Shared& shared) {
  auto arguments = std::make_shared<CodeArguments>();
  arguments->limit = 20;
  const Command command = add_code_command<code::HistoryView>(
      program, shared, "history", "Show the commits that changed a file, and what changed with it", "FILE",
      "A path, or enough of its end to be unique",
      [](Engine& engine, const CodeArguments& asked) {
        return engine.history(asked.subject, asked.revision);
      },
      history_text,
      [](const code::HistoryView& view) {
        Json commits = Json::array();
        for (const auto& line : view.commits) commits.push_back(commit_json(line));
        return Json{{"path", view.path},
                    {"searched", view.searched},
                    {"commits", commits},
                    {"co_changes", co_change_json(view.co_changes)}};
      },
      arguments);
  command.footer(
      "Examples:\n"
      "  knapsack history src/cart.py\n"
      "  knapsack history cart.py --limit 5");
}

}  // namespace knapsack::cli
