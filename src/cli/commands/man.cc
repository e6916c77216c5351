// `knapsack man`: manual pages, made from the parser.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/parser_view.h"
#include "core/ascii.h"
#include "core/nearest.h"
#include "core/utf8.h"

namespace knapsack::cli {
namespace {

// Text for roff: nothing in it is an instruction, and every character is what it looks like. Characters
// outside ASCII become names, so that no program that formats the page has to guess an encoding.
std::string roff(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!ascii::is_above(text[i])) {
      switch (text[i]) {
        case '\\':
          out += "\\e";
          break;
        case '-':
          out += "\\-";
          break;
        case '\'':
          out += "\\(aq";
          break;
        case '`':
          out += "\\(ga";
          break;
        case '~':
          out += "\\(ti";
          break;
        case '^':
          out += "\\(ha";
          break;
        case '"':
          out += "\\(dq";
          break;
        default:
          if (text[i] == '.' && (out.empty() || out.back() == '\n')) out += "\\&";
          out += text[i];
      }
      continue;
    }
    const DecodedCodePoint decoded = decode_code_point(text.substr(i));
    i += decoded.size - 1;
    out += fmt::format("\\[u{:04X}]", static_cast<uint32_t>(decoded.value));
  }
  return out;
}

std::string page_name(const CommandView& command) {
  return command.path.empty() ? "knapsack" : fmt::format("knapsack-{}", fmt::join(command.path, "-"));
}

std::vector<std::string> split(std::string_view text, std::string_view at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(at), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + at.size(), text.size()));
  }
  return parts;
}

// As it stands, line by line.
std::string verbatim(std::string_view text) {
  return ".EX\n" + roff(text) + "\n.EE\n";
}

// A paragraph of a footer: columns stay as they are, sentences flow.
std::string paragraph(const std::string& text) {
  if (text.starts_with(" ") || text.find("\n ") != std::string::npos) return ".PP\n" + verbatim(text);
  return ".PP\n" + roff(text) + "\n";
}

struct Sections {
  std::string description, examples, exit_status;
};

Sections sections_of(const std::string& footer) {
  Sections sections;
  for (const std::string& part : split(footer, "\n\n")) {
    const size_t line = std::min(part.find('\n'), part.size());
    const std::string_view first = std::string_view(part).substr(0, line);
    if (first == "Examples:" || first == "Example:" || first == "Start here:") {
      sections.examples += verbatim(std::string_view(part).substr(std::min(line + 1, part.size())));
    } else if (part.starts_with("Exit codes: ")) {
      sections.exit_status += roff(part.substr(std::string_view("Exit codes: ").size())) + "\n";
    } else {
      sections.description += paragraph(part);
    }
  }
  return sections;
}

std::string synopsis(const CommandView& command) {
  std::string out = fmt::format(".B knapsack{}{}\n", command.path.empty() ? "" : " ", roff(command.words()));
  if (!command.commands.empty()) return out + ".I COMMAND\n";
  for (const OptionView& option : command.options) {
    if (!option.names.empty()) continue;
    const std::string name = option.value.empty() ? option.positional : option.value;
    out += fmt::format("{}\n", option.required ? ".I " + roff(name) : ".RI [ " + roff(name) + " ]");
  }
  return out + ".RI [ options ]\n";
}

std::string options_section(const CommandView& command) {
  std::string out;
  for (const OptionView& option : command.options) {
    std::vector<std::string> names;
    for (const std::string& name : option.names) names.push_back("\\fB" + roff(name) + "\\fR");
    const std::string shown = names.empty() ? "" : fmt::format("{}", fmt::join(names, ", "));
    const std::string value = names.empty() && option.value.empty() ? option.positional : option.value;
    out += fmt::format(".TP\n{}{}{}\n{}\n", shown, shown.empty() || value.empty() ? "" : " ",
                       value.empty() ? "" : "\\fI" + roff(value) + "\\fR", roff(option.description));
  }
  return out;
}

std::string commands_section(const CommandView& command) {
  std::string out;
  for (const CommandView& each : command.commands)
    out += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(page_name(each)), roff(each.description));
  return out;
}

constexpr std::string_view kFiles = R"(.TP
\fIknapsack.toml\fR
Settings of the workspace; \fBknapsack config\fR lists all of them.
.TP
\fI.knapsack/\fR
The code index, the ledger of all runs and what else is kept between them. Ignored by git; may be removed.
)";
constexpr std::string_view kEnvironment = R"(.TP
\fBKNAPSACK_SECTION_KEY\fR
Any setting: KNAPSACK_PACK_BUDGET is pack.budget.
.TP
\fBKNAPSACK_LOG\fR
What \fBknapsack hook\fR says on standard error: debug, info, warning or error. Nothing when unset.
.TP
\fBNO_COLOR\fR
No colour, whatever the terminal can do.
)";

std::string page(const CommandView& command) {
  const Sections sections = sections_of(command.footer);
  std::string upper = page_name(command);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) { return ascii::upper(c); });
  std::string out =
      fmt::format(".TH {} 1 \"\" \"knapsack {}\" \"User Commands\"\n", roff(upper), Engine::version());
  out += fmt::format(".SH NAME\n{} \\- {}\n", roff(page_name(command)), roff(command.description));
  out += ".SH SYNOPSIS\n" + synopsis(command);
  const auto section = [&](const char* name, const std::string& text) {
    if (!text.empty()) out += fmt::format(".SH {}\n{}", name, text);
  };
  section("DESCRIPTION", sections.description);
  section("COMMANDS", commands_section(command));
  section("OPTIONS", options_section(command));
  section("EXAMPLES", sections.examples);
  section("EXIT STATUS", sections.exit_status);
  if (command.path.empty()) {
    section("FILES", std::string(kFiles));
    section("ENVIRONMENT", std::string(kEnvironment));
  } else {
    section("SEE ALSO", ".BR knapsack (1)\n");
  }
  return out;
}

int print_man(Command program, const std::vector<std::string>& words, bool list) {
  const CommandView view = program.view();
  std::vector<std::string> names;
  const std::string wanted = words.empty() ? "knapsack" : fmt::format("knapsack-{}", fmt::join(words, "-"));
  std::string out;
  for (const CommandView* command : all_commands(view)) {
    names.push_back(page_name(*command));
    if (list) out += names.back() + "\n";
    if (!list && (names.back() == wanted || "knapsack-" + names.back() == wanted)) out = page(*command);
  }
  if (out.empty()) {
    return fail(
        {ErrorCode::kUsage, fmt::format("unknown command '{}'", fmt::join(words, " ")),
         fmt::format("the nearest page is {}; `knapsack man --list` has all", nearest_name(wanted, names))});
  }
  const auto printed = print(out);
  return printed.ok() ? 0 : fail(printed.error());
}

}  // namespace

void add_man(Command program, Shared& shared) {
  struct Options {
    std::vector<std::string> words;
    bool list = false;
  };
  auto options = std::make_shared<Options>();
  Command command = program.add_subcommand("man", "Print the manual page of a command");
  command.callback([program, &shared, options] {
    shared.chosen = [program, options] { return print_man(program, options->words, options->list); };
  });
  command
      .add_option("COMMAND", options->words,
                  "The command, or the name of its page (default: knapsack itself)")
      .type_name("");
  command.add_flag("--list", options->list, "Print the names of all pages");
  command.footer(
      "`cmake --install` puts the pages where man finds them.\n\n"
      "Examples:\n"
      "  knapsack man graph put | man -l -\n"
      "  knapsack man --list");
}

}  // namespace knapsack::cli
