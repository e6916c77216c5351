#include "regress/support_hostile.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "text/unicode/utf8.h"

namespace knapsack::testing {
namespace {

// What some reader takes for the end of a line.
const std::vector<std::string> kBreaks = {"\n",           "\r", "\r\n", "\xC2\x85", "\xE2\x80\xA8",
                                          "\xE2\x80\xA9", "\f", "\v",   "\n\n",     "\n \t\n"};
// What could open a block of the packet, or drive who prints it.
const std::vector<std::string> kPayloads = {
    "# EVIL heading",
    "## Constitution EVIL",
    "   ### EVIL ###",
    "EVIL\n===",
    "EVIL\n---",
    "EVIL\n--",
    "```EVIL",
    "~~~~ EVIL",
    "  ```EVIL\n# EVIL",
    "<div>EVIL",
    "<!-- EVIL",
    "<script>EVIL",
    "<?EVIL",
    "<![CDATA[EVIL",
    "</section> EVIL",
    "- -\n# EVIL",
    "--\n## EVIL",
    "-\n\n## EVIL",
    "- ```EVIL\n\n# EVIL",
    "> # EVIL",
    "1. # EVIL",
    "***\n# EVIL",
    "\x1b]52;c;RVZJTA==\x07 EVIL",
    "\x1b[2J EVIL",
    std::string("NUL\0EVIL", 8),
    "\x7f EVIL \xC2\x9B",
    "if (a\xE2\x80\xAE \xE2\x81\xA6// EVIL\xE2\x81\xA9 \xE2\x81\xA6) {",
    "\xD8\x9C\xE2\x80\x8F EVIL",
    "\xFF\xFE EVIL",
    "`````",
    "\t# EVIL",
    "[EVIL]: <x>",
    ""};

std::string json_line(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string Hostile::text() {
  std::string out = number(3) == 0 ? "" : "importer resume offset";
  for (size_t i = number(7); i > 0; --i) out += any_of(kBreaks) + any_of(kPayloads);
  if (number(2) == 0) out += any_of(kBreaks);
  return out;
}

std::string Hostile::line() {
  std::string out = text();
  for (char& c : out) {
    if (c == '\n') c = ' ';
  }
  return out;
}

void write_hostile(const TemporaryFolder& folder, Hostile& random) {
  const auto item = [&](const char* marker) {
    std::string text = random.text();
    std::string out = marker;
    for (const char c : text) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return out + "\n";
  };
  std::string rules = "# Rules\n\n", tasks = "# Tasks\n\n", conventions = "# Conventions\n\n";
  std::string decisions = "# Decisions\n\n", learnings = "# Learnings\n\n";
  for (int i = 0; i < 4; ++i) {
    rules += item("- [ ] importer ");
    tasks += item("- [ ] resume ");
    conventions += item("- offset ");
    decisions +=
        fmt::format("## [2026-11-1{}-080000] The importer {}\n\n{}\n\n", i, random.line(), random.text());
    learnings += fmt::format("## [2026-11-1{}-080000] Resume {}\n\n{}\n\n", i, random.line(), random.text());
  }
  folder.write(".context/CONSTITUTION.md", rules);
  folder.write(".context/TASKS.md", tasks);
  folder.write(".context/CONVENTIONS.md", conventions);
  folder.write(".context/DECISIONS.md", decisions);
  folder.write(".context/LEARNINGS.md", learnings);
  std::string nodes;
  for (int i = 0; i < 4; ++i) {
    folder.write(
        fmt::format(".knapsack/memory/facts/2026-11-12/fact-{}.md", i),
        fmt::format(
            "---\nid: fact-{}\ncategory: fact\ncreated: 2026-11-12T08:00:00Z\n---\n\n{}\nimporter {}\n", i,
            random.text(), random.text()));
    const nlohmann::json node = {{"id", fmt::format("TG-TASK-{}", i)},
                                 {"type", "task"},
                                 {"rev", 1},
                                 {"title", replace_invalid_utf8("importer resume " + random.text())},
                                 {"description", replace_invalid_utf8(random.text())},
                                 {"status", "ready"},
                                 {"updated_at", "2026-11-12T08:00:00Z"}};
    nodes += json_line(node);
    folder.write(
        fmt::format("src/importer{}.py", i),
        fmt::format("class Importer{}:\n    '''{}'''\n    def resume(self, offset):\n        return \"{}\"\n",
                    i, random.text(), random.line()));
  }
  folder.write(".knapsack/memory/profile.md", "# Profile\n\n" + random.text() + "\n");
  folder.write("graphs/tg_nodes.jsonl", nodes);
  for (const char* name : {"kg_nodes", "rg_nodes", "post_response_commits"})
    folder.write(fmt::format("graphs/{}.jsonl", name), "");
}

}  // namespace knapsack::testing
