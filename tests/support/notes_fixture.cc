#include "support/notes_fixture.h"

#include <fmt/format.h>

#include <array>

namespace knapsack::testing {
namespace {

constexpr std::array kWords = {
    "cache",     "index",   "retry",   "socket",   "parser", "ledger",      "budget",      "token",
    "migration", "schema",  "thread",  "deadline", "commit", "merge",       "branch",      "snapshot",
    "query",     "ranking", "packet",  "render",   "память", "очередь",     "ошибка",      "решение",
    "запрос",    "缓存",    "索引",    "naïve",    "emoji🎒", "parseConfig", "HTTPServer2", "snake_case_name",
    "the",       "and",     "because", "when",     "не",     "или"};

class NotesMaker {
 public:
  NotesMaker(std::mt19937& random, const NotesShape& shape) : random_(random), shape_(shape) {}

  NotesFixture run() {
    add("CONSTITUTION.md", constitution());
    add("TASKS.md", tasks());
    const int themed_conventions = shape_.themes ? shape_.conventions / 3 : 0;
    add("CONVENTIONS.md", conventions(shape_.conventions - themed_conventions));
    if (themed_conventions > 0) add("conventions/style.md", conventions(themed_conventions));
    entries("dec", "DECISIONS.md", "decisions/", shape_.decisions, notes_.decisions);
    entries("lrn", "LEARNINGS.md", "learnings/", shape_.learnings, notes_.learnings);
    add("ARCHITECTURE.md", "# Architecture\n\nOne program, seven steps.\n");
    add("GLOSSARY.md", "# Glossary\n\n<!-- nothing yet -->\n");
    return std::move(notes_);
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  std::string word() { return kWords[static_cast<size_t>(pick(0, static_cast<int>(kWords.size()) - 1))]; }

  std::string words(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i == 0 ? "" : " ") + word();
    return text;
  }

  // Words broken into lines, each but the first behind `indent`; sometimes the indentation is lost.
  std::string wrapped(int count, const std::string& indent) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      if (i > 0) text += i % 9 == 0 ? "\n" + (chance(10) && shape_.messy ? std::string() : indent) : " ";
      text += word();
    }
    return text;
  }

  std::string never(const std::string& kind) {
    notes_.never.push_back(fmt::format("never{}{}", kind, notes_.never.size()));
    return notes_.never.back();
  }

  FixtureEntry name(const std::string& kind, size_t number) {
    return {fmt::format("{}{:04}", kind, number), fmt::format("end{}{:04}", kind, number), false};
  }

  int body_words() { return pick(1, std::max(2, shape_.words * (chance(5) ? 4 : 2))); }

  std::string date() { return fmt::format("{:04}-{:02}-{:02}", pick(2024, 2026), pick(1, 12), pick(1, 28)); }
  std::string stamp() {
    return fmt::format("{}-{:02}{:02}{:02}", date(), pick(0, 23), pick(0, 59), pick(0, 59));
  }

  std::string mess() {
    if (!shape_.messy || !chance(15)) return "";
    switch (pick(0, 3)) {
      case 0:
        return fmt::format("\n<!-- a comment\n- [ ] {}\n## [2026-01-01] {}\n-->\n", never("comment"),
                           never("comment"));
      case 1:
        return fmt::format(
            "\n<!-- INDEX:START -->\n| Date | Title |\n|---|---|\n| 2026-01-01 | {} |\n<!-- INDEX:END -->\n",
            never("index"));
      case 2:
        return "\n---\n";
      default:
        return "\n\n\n";
    }
  }

  std::string fenced_fakes(const std::string& text) { return fmt::format("\n```markdown\n{}\n```\n", text); }

  std::string constitution() {
    std::string text = "# Constitution\n\nThese rules are inviolable.\n\n## Safety\n\n";
    for (int i = 0; i < shape_.rules; ++i) {
      notes_.rules.push_back(name("rule", notes_.rules.size()));
      const char* box = i % 5 == 3 ? "[x]" : "[ ]";
      text += fmt::format("- {} {} {} {}\n", box, notes_.rules.back().first, wrapped(pick(1, 25), "  "),
                          notes_.rules.back().last);
      if (i % 4 == 2) text += "\n## More\n\n";
    }
    return text;
  }

  std::string tasks() {
    std::string text = "# Tasks\n\n<!--\n- [ ] " + never("legend") + "\n-->\n\n## Phase 1\n\n";
    text += fenced_fakes("- [ ] " + never("fence"));
    for (int i = 0; i < shape_.tasks; ++i) {
      if (chance(15)) text += fmt::format("- [{}] {} done long ago\n", chance(50) ? "x" : "-", never("done"));
      if (chance(10)) text += fmt::format("\n## Phase {}\n\n", i);
      notes_.tasks.push_back(name("tsk", notes_.tasks.size()));
      const FixtureEntry& task = notes_.tasks.back();
      text += fmt::format("{} [ ] {} {}", chance(20) ? "*" : "-", task.first, wrapped(body_words(), "  "));
      if (chance(30)) text += fmt::format(" #priority:high #added:{}", stamp());
      if (chance(20)) text += fmt::format("\n    - [ ] sub {}\n    - [x] sub {}", words(3), words(2));
      if (chance(10)) text += "\n\n  a second paragraph " + words(4);
      text += "\n  " + task.last + "\n" + mess();
    }
    return text;
  }

  std::string conventions(int count) {
    std::string text = "# Conventions\n\n## Naming\n\n";
    for (int i = 0; i < count; ++i) {
      notes_.conventions.push_back(name("cnv", notes_.conventions.size()));
      const FixtureEntry& convention = notes_.conventions.back();
      text += fmt::format("- {} {}", convention.first, wrapped(pick(1, shape_.words), "  "));
      if (chance(20)) text += "\n  - nested " + words(4);
      text += "\n  " + convention.last + "\n" + mess();
    }
    return text;
  }

  std::string entry(const std::string& kind, std::vector<FixtureEntry>& list) {
    list.push_back(name(kind, list.size()));
    FixtureEntry& made = list.back();
    const std::string title = made.first + " " + words(pick(1, 8));
    std::string text;
    switch (pick(0, 3)) {
      case 0:
        text = fmt::format("## [{}] {}\n\n", stamp(), title);
        break;
      case 1:
        text = fmt::format("## [{}] {}\n", date(), title);
        break;
      case 2:
        text = fmt::format("### [{}] {}\n\n", stamp(), title);
        break;
      default:
        text = fmt::format("### {}\n\n**Discovered**: {}\n\n", title, date());
    }
    if (chance(12)) {
      made.superseded = true;
      constexpr std::array kSpellings = {"~~Superseded by a later one~~", "**Status**: Superseded by another",
                                         "**Status**: Deprecated", "> **Superseded** by [2026-01-01]"};
      text += std::string(kSpellings[static_cast<size_t>(pick(0, 3))]) + "\n\n";
    } else if (chance(30)) {
      text += chance(50) ? "**Status**: Accepted\n\n" : "**Status**: Accepted | Superseded | Deprecated\n\n";
    }
    text += wrapped(body_words(), "") + "\n\nThis was never superseded in running text: " + words(2) + "\n";
    if (shape_.messy && chance(10))
      text += fmt::format("\n```md\n## [2026-01-01] an example {}\n- [ ] x\n```\n", words(2));
    if (chance(20)) text += "\n#### A heading of its own\n\n- a\n- b\n";
    return text + "\n" + made.last + "\n\n---\n\n" + mess();
  }

  void entries(const std::string& kind, const std::string& root, const std::string& folder, int count,
               std::vector<FixtureEntry>& list) {
    std::string text = "# Notes\n\n<!-- INDEX:START -->\n- " + never("index") + "\n<!-- INDEX:END -->\n\n";
    text += fmt::format("<!-- format:\n## [YYYY-MM-DD] {}\n-->\n\n", never("legend"));
    const int themed = shape_.themes ? count / 3 : 0;
    for (int i = 0; i < count - themed; ++i) text += entry(kind, list);
    if (themed > 0)
      text += "## Themes\n\n- storage — how things are kept → [storage](" + folder + "storage.md)\n";
    add(root, text);
    if (themed == 0) return;
    std::string theme = "# storage\n\n";
    for (int i = 0; i < themed; ++i) theme += entry(kind, list);
    add(folder + "storage.md", theme);
  }

  void add(const std::string& file, std::string text) {
    if (shape_.messy && chance(40)) {
      std::string with_returns;
      for (const char c : text) with_returns += c == '\n' ? std::string("\r\n") : std::string(1, c);
      text = with_returns;
    }
    if (shape_.messy && chance(40)) text = "\xEF\xBB\xBF" + text;
    // A paragraph among conventions is one of them, and on a page without entries an entry.
    const bool is_list = file.starts_with("CONVENTIONS") || file.starts_with("conventions/");
    const bool has_entries =
        text.find("\n## [2") != std::string::npos || text.find("\n### ") != std::string::npos;
    const bool is_entries = file.starts_with("DEC") || file.starts_with("LEARN") || file.starts_with("dec") ||
                            file.starts_with("learn");
    if (shape_.messy && chance(50) && !is_list && (has_entries || !is_entries))
      text += "\n \xff\xfe\xc3 \x1b[31m\n";
    notes_.files.emplace_back(file, std::move(text));
  }

  std::mt19937& random_;
  const NotesShape& shape_;
  NotesFixture notes_;
};

}  // namespace

NotesFixture make_notes(std::mt19937& random, const NotesShape& shape) {
  return NotesMaker(random, shape).run();
}

NotesFixture make_large_notes() {
  std::mt19937 random(19);
  return make_notes(random, {.rules = 24,
                             .tasks = 250,
                             .conventions = 80,
                             .decisions = 110,
                             .learnings = 150,
                             .words = 75,
                             .messy = true,
                             .themes = true});
}

}  // namespace knapsack::testing
