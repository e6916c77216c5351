// What the commands that ask the code index share: their options, and running one.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.h"
#include "cli/numbers.h"
#include "core/escape.h"

namespace knapsack::cli {

struct CodeArguments {
  std::string subject;  // a name or a file
  std::string revision;
  std::string format = "md";
  size_t limit = 50;
  uint32_t depth = 1;
};

using Json = nlohmann::ordered_json;

inline std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// "… and 12 more (--limit 62 shows them)", or nothing.
inline std::string cut_line(size_t shown, size_t all) {
  return all <= shown ? "" : fmt::format("  … and {} more (--limit {})\n", grouped(all - shown), all);
}

// A name from a repository on a person's terminal.
inline std::string safe(std::string_view text) {
  return escape_control(text);
}

// Parts of the answers of several commands.
std::string co_change_text(const std::vector<code::CoChangeLine>& lines, const CodeArguments& arguments);
Json co_change_json(const std::vector<code::CoChangeLine>& lines);
std::string commit_text(const code::CommitLine& line);
Json commit_json(const code::CommitLine& line);

inline std::string_view subject_word(std::string_view subject) {
  return subject == "FILE" ? "path" : "name";
}

// Adds a command that asks the index and prints the answer. `subject` names its argument; null for none.
template <class View>
Command add_code_command(Command program, Shared& shared, const std::string& name,
                         const std::string& description, const char* subject, const std::string& subject_help,
                         std::function<Result<View>(Engine&, const CodeArguments&)> ask,
                         std::function<std::string(const View&, const CodeArguments&)> as_text,
                         std::function<Json(const View&)> as_json,
                         const std::shared_ptr<CodeArguments>& arguments) {
  Command command = add_command(program, shared, name, description, [=, &shared] {
    if (subject != nullptr && arguments->subject.empty())
      return fail({ErrorCode::kUsage, fmt::format("the {} is empty", subject_word(subject)), "give one"});
    auto engine = open_engine(shared);
    if (!engine.ok()) return fail(engine.error());
    const auto view = ask(**engine, *arguments);
    if (!view.ok()) return fail(view.error());
    const auto printed =
        print(arguments->format == "json" ? json_text(as_json(*view)) : as_text(*view, *arguments));
    return printed.ok() ? 0 : fail(printed.error());
  });
  if (subject != nullptr) {
    command.add_option(subject, arguments->subject, subject_help).required().type_name("");
  }
  command.add_option("--rev", arguments->revision, "Ask about a commit that was indexed with `index --rev`")
      .type_name("COMMIT");
  add_repository(command, shared);
  command.add_option("--format", arguments->format, "md or json (default md)")
      .one_of({"md", "json"})
      .type_name("FORMAT");
  command.add_option("--limit", arguments->limit, "Lines to show per list (default 50; json has all)")
      .between(1, 1'000'000)
      .type_name("N");
  return command;
}

}  // namespace knapsack::cli
