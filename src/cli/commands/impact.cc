#include "cli/code_command.h"

namespace knapsack::cli {
namespace {

std::string impact_text(const code::ImpactView& view, const CodeArguments& arguments) {
  if (view.definitions.empty()) {
    return fmt::format("Nothing is called {}.{}\n", safe(view.name),
                       view.similar.empty() ? "" : " Did you mean " + safe(view.similar) + "?");
  }
  std::string out;
  for (const auto& line : view.definitions) {
    out += fmt::format("{}:{}  {} {}\n", safe(line.path), line.row.symbol.name_line,
                       to_string(line.row.symbol.kind), safe(line.row.symbol.qualified_name));
  }
  size_t shown = 0, tests = 0;
  uint32_t distance = 0;
  for (const auto& line : view.users) {
    if (line.is_test) {
      ++tests;
      continue;
    }
    if (shown == arguments.limit) continue;
    if (line.distance != distance) {
      distance = line.distance;
      out += bold(distance == 1 ? "Uses it" : fmt::format("{} uses away", distance)) + "\n";
    }
    ++shown;
    out += fmt::format("  {}:{}  {}{}  ({:.0f} %)\n", safe(line.path), line.line,
                       line.name.empty() ? "at the top" : safe(line.name),
                       line.distance > 1 ? " uses " + safe(line.of) : "", line.confidence * 100);
  }
  if (view.users.empty()) out += "Nothing in the repository uses it.\n";
  out += cut_line(shown, view.users.size() - tests);
  if (tests > 0) out += bold("Tests that reach it") + "\n";
  shown = 0;
  for (const auto& line : view.users) {
    if (!line.is_test || shown == arguments.limit) continue;
    ++shown;
    out += fmt::format("  {}:{}  {}\n", safe(line.path), line.line, safe(line.name));
  }
  out += cut_line(shown, tests);
  if (!view.importers.empty()) out += bold("Imports its file") + "\n";
  shown = 0;
  for (const auto& line : view.importers) {
    if (shown == arguments.limit) break;
    ++shown;
    out += fmt::format("  {}\n", safe(line.path));
  }
  out += cut_line(shown, view.importers.size());
  if (view.is_cut) out += "It is used through more places than were followed: ask with less --depth.\n";
  return out;
}

Json impact_json(const code::ImpactView& view) {
  Json definitions = Json::array(), users = Json::array(), importers = Json::array();
  for (const auto& line : view.definitions) {
    definitions.push_back({{"path", line.path},
                           {"line", line.row.symbol.name_line},
                           {"qualified_name", line.row.symbol.qualified_name}});
  }
  for (const auto& line : view.users) {
    users.push_back({{"path", line.path},
                     {"line", line.line},
                     {"name", line.name},
                     {"uses", line.of},
                     {"distance", line.distance},
                     {"confidence", line.confidence},
                     {"test", line.is_test}});
  }
  for (const auto& line : view.importers) importers.push_back(line.path);
  return {{"name", view.name},        {"definitions", definitions}, {"users", users},
          {"imported_by", importers}, {"cut", view.is_cut},         {"similar", view.similar}};
}

}  // namespace

void add_impact(Command program, Shared& shared) {
  auto arguments = std::make_shared<CodeArguments>();
  arguments->depth = 3;
  Command command = add_code_command<code::ImpactView>(
      program, shared, "impact", "Show what a change to a function, class or other name affects", "NAME",
      "A name, or one with its parents (Cart.total)",
      [](Engine& engine, const CodeArguments& asked) {
        return engine.impact(asked.subject, asked.depth, asked.revision);
      },
      impact_text, impact_json, arguments);
  command.footer(
      "Examples:\n"
      "  knapsack impact Cart.total\n"
      "  knapsack impact parse_config --depth 1     only direct uses");
  command.add_option("--depth", arguments->depth, "Maximum distance in uses (default 3)")
      .between(1, 100)
      .type_name("N");
}

}  // namespace knapsack::cli
