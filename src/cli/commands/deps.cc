#include "cli/code_command.h"

namespace knapsack::cli {
namespace {

std::string links(const char* title, const std::vector<code::LinkLine>& lines,
                  const CodeArguments& arguments) {
  if (lines.empty()) return "";
  std::string out = bold(fmt::format("{} ({})", title, grouped(lines.size()))) + "\n";
  size_t shown = 0;
  for (const auto& line : lines) {
    if (shown == arguments.limit) break;
    ++shown;
    out += "  " + safe(line.path);
    if (line.distance > 1) out += fmt::format("  {} steps away", line.distance);
    if (line.confidence > 0 && line.confidence < 0.995F)
      out += fmt::format("  {:.0f} %", line.confidence * 100);
    out += "\n";
  }
  return out + cut_line(shown, lines.size());
}

std::string deps_text(const code::DepsView& view, const CodeArguments& arguments) {
  std::string out = bold(safe(view.path)) + "\n";
  out += links("imports", view.imports, arguments);
  out += links("imported by", view.importers, arguments);
  out += links("uses by name", view.uses, arguments);
  out += links("used by name in", view.used_by, arguments);
  out += links("farther away", view.farther, arguments);
  out += links("tested by", view.tests, arguments);
  out += links("tests", view.subjects, arguments);
  out += co_change_text(view.co_changes, arguments);
  const bool nothing =
      view.imports.empty() && view.importers.empty() && view.uses.empty() && view.used_by.empty();
  if (nothing && view.finds_by_name) {
    out +=
        "  no imports or uses were found; this language resolves names without imports, so try\n"
        "  `knapsack refs NAME`\n";
  } else if (nothing) {
    out += "  imports no file of this repository, and no file imports it\n";
  }
  return out;
}

Json links_json(const std::vector<code::LinkLine>& lines) {
  Json json = Json::array();
  for (const auto& line : lines) {
    json.push_back({{"path", line.path}, {"confidence", line.confidence}, {"distance", line.distance}});
  }
  return json;
}

}  // namespace

std::string co_change_text(const std::vector<code::CoChangeLine>& lines, const CodeArguments& arguments) {
  if (lines.empty()) return "";
  std::string out = bold(fmt::format("changed together with ({})", grouped(lines.size()))) + "\n";
  size_t shown = 0;
  for (const auto& line : lines) {
    if (shown == arguments.limit) break;
    ++shown;
    out += fmt::format("  {}  {} (weight {:.1f})\n", safe(line.path), counted(line.count, "commit"),
                       line.weight);
  }
  return out + cut_line(shown, lines.size());
}

Json co_change_json(const std::vector<code::CoChangeLine>& lines) {
  Json json = Json::array();
  for (const auto& line : lines) {
    json.push_back({{"path", line.path}, {"count", line.count}, {"weight", line.weight}});
  }
  return json;
}

void add_deps(Command program, Shared& shared) {
  auto arguments = std::make_shared<CodeArguments>();
  Command command = add_code_command<code::DepsView>(
      program, shared, "deps", "Show what a file imports, who imports it, its tests and what changes with it",
      "FILE", "A path, or enough of its end to be unique",
      [](Engine& engine, const CodeArguments& asked) {
        return engine.deps(asked.subject, asked.depth, asked.revision);
      },
      deps_text,
      [](const code::DepsView& view) {
        return Json{{"path", view.path},
                    {"imports", links_json(view.imports)},
                    {"imported_by", links_json(view.importers)},
                    {"uses", links_json(view.uses)},
                    {"used_by", links_json(view.used_by)},
                    {"farther", links_json(view.farther)},
                    {"tested_by", links_json(view.tests)},
                    {"tests", links_json(view.subjects)},
                    {"co_changes", co_change_json(view.co_changes)}};
      },
      arguments);
  command.footer(
      "Examples:\n"
      "  knapsack deps src/cart.py\n"
      "  knapsack deps cart.py --depth 3");
  add_also(command, shared);
  command.add_option("--depth", arguments->depth, "Maximum distance in imports (default 1)")
      .between(1, 100)
      .type_name("N");
}

}  // namespace knapsack::cli
