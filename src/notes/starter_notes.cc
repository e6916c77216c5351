#include "notes/starter_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/ascii.h"
#include "notes/instructions.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"

namespace knapsack::notes {
namespace {

// Few enough to be read and struck out in a minute.
constexpr size_t kMaxRules = 7;
constexpr size_t kMaxConventions = 12;
constexpr size_t kMaxItemCharacters = 240;
// A shorter one is a link, a name or a command.
constexpr size_t kMinItemCharacters = 20;

bool begins_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.starts_with(word); });
}

// "Never …", "Do not …", "… must never …": what has no exception.
bool is_rule(std::string_view lower) {
  if (begins_with_any(lower,
                      {"never ", "do not ", "don't ", "always ", "must ", "**never", "**do not", "**always"}))
    return true;
  for (const char* words : {" must never ", " must not ", " must always "})
    if (lower.find(words) != std::string_view::npos) return true;
  return false;
}

bool speaks_of_conventions(std::string_view heading) {
  const std::string lower = ascii::lower(heading);
  for (const char* word :
       {"style", "convention", "guideline", "test", "commit", "naming", "format", "rules", "principle"})
    if (lower.find(word) != std::string::npos) return true;
  return false;
}

// One line, without secrets.
std::string plain(std::string_view text) {
  std::string line(text.substr(0, text.find('\n')));
  redact_secrets(line);
  const std::string_view cut = first_code_points(line, kMaxItemCharacters);
  return cut.size() < line.size() ? std::string(cut) + "…" : line;
}

struct Found {
  std::vector<std::string> items;
  std::set<std::string> from;  // names of files that gave some
};

void look_into(const StarterText& source, Found& rules, Found& conventions) {
  const MarkdownLines lines = read_lines(sanitize_utf8(source.text));
  for (const ListItem& item : bullet_items({lines.data(), lines.size()})) {
    if (item.text.size() < kMinItemCharacters || item.text.find("](") != std::string::npos) continue;
    const bool rule = is_rule(ascii::lower(item.text));
    Found& found = rule ? rules : conventions;
    if (found.items.size() == (rule ? kMaxRules : kMaxConventions)) continue;
    if (!rule && (is_instruction_file(source.name) || !speaks_of_conventions(item.heading))) continue;
    const std::string line = plain(item.text);
    if (std::find(found.items.begin(), found.items.end(), line) != found.items.end()) continue;
    found.items.push_back(line);
    found.from.insert(source.name);
  }
}

// Words as people write them: no row of a table, no list of badges.
bool is_prose(const Line& line) {
  const std::string_view words = line.trimmed();
  return !line.fenced && !words.empty() && words.find('|') == std::string_view::npos &&
         !begins_with_any(words, {"#", "<", "[", "!", "-", "*", "=", ">", "`", "+", ":"});
}

// The first sentence of a README.
std::string first_sentence(const std::string& text) {
  constexpr ptrdiff_t kMinBlanks = 4;
  const MarkdownLines lines = read_lines(sanitize_utf8(text));
  std::string paragraph;
  const auto is_enough = [&] { return std::count(paragraph.begin(), paragraph.end(), ' ') >= kMinBlanks; };
  for (const Line& line : lines) {
    if (heading_of(line).level > 1) break;  // what follows is about one thing, such as how to install it
    if (is_prose(line)) {
      paragraph += (paragraph.empty() ? "" : " ") + std::string(line.trimmed());
    } else if (is_enough()) {
      break;
    } else {
      paragraph.clear();
    }
  }
  if (!is_enough()) return "";
  const size_t end = paragraph.find(". ");
  return plain(std::string_view(paragraph).substr(0, end == std::string::npos ? end : end + 1));
}

std::string listed(const Found& found) {
  std::string text;
  for (const std::string& item : found.items) text += fmt::format("- {}\n", item);
  return text;
}

std::string origin(const Found& found) {
  if (found.from.empty()) return "";
  return fmt::format(" Begun from {}; delete what does not apply.", fmt::join(found.from, ", "));
}

}  // namespace

const std::vector<std::string>& starter_sources() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names = {"README.md", "CONTRIBUTING.md", "docs/CONTRIBUTING.md",
                                      ".github/CONTRIBUTING.md"};
    names.insert(names.end(), top_instruction_files().begin(), top_instruction_files().end());
    return names;
  }();
  return kNames;
}

std::vector<StarterText> starter_notes(const std::vector<StarterText>& sources) {
  Found rules, conventions;
  for (const StarterText& source : sources) {
    look_into(source, rules, conventions);
    const std::string about = source.name == "README.md" ? first_sentence(source.text) : "";
    if (about.empty()) continue;
    conventions.items.insert(conventions.items.begin(), "What this is: " + about);
    conventions.from.insert(source.name);
  }
  return {{"CONSTITUTION.md",
           "# Constitution\n\n<!-- Rules without exception, a bullet each; every packet shows all of them." +
               origin(rules) + "\n- Never log a password\n-->\n\n" + listed(rules)},
          {"CONVENTIONS.md", "# Conventions\n\n<!-- How things are done here, a bullet each." +
                                 origin(conventions) + " -->\n\n" + listed(conventions)},
          {"TASKS.md",
           "# Tasks\n\n<!-- What is to be done, a box each: `knapsack note add task \"…\"` adds one.\n- [ ] "
           "Resume an import "
           "after a crash #priority:high\n-->\n"},
          {"DECISIONS.md",
           "# Decisions\n\n<!-- What was decided and why: `knapsack note add decision \"…\"` adds an entry. "
           "-->\n"},
          {"LEARNINGS.md",
           "# Learnings\n\n<!-- What was learnt the hard way: `knapsack note add learning \"…\"` adds an "
           "entry. -->\n"}};
}

}  // namespace knapsack::notes
