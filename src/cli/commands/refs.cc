#include "cli/code_command.h"

namespace knapsack::cli {
namespace {

std::string refs_text(const code::RefsView& view, const CodeArguments& arguments) {
  if (view.definitions.empty() && view.uses.empty()) {
    return fmt::format("Nothing is called {}, and nothing refers to it.{}\n", safe(view.name),
                       view.similar.empty() ? "" : " Did you mean " + safe(view.similar) + "?");
  }
  std::string out = bold("Defined in") + "\n";
  size_t shown = 0;
  for (const auto& line : view.definitions) {
    if (shown == arguments.limit) break;
    ++shown;
    out += fmt::format("  {}:{}  {} {}\n", safe(line.path), line.row.symbol.name_line,
                       to_string(line.row.symbol.kind), safe(line.row.symbol.qualified_name));
  }
  if (view.definitions.empty()) out += "  no file of the repository\n";
  out += cut_line(shown, view.definitions.size());
  out += bold(fmt::format("Used in {}", counted(view.uses.size(), "place"))) + "\n";
  shown = 0;
  for (const auto& line : view.uses) {
    if (shown == arguments.limit) break;
    ++shown;
    out +=
        fmt::format("  {}:{}  {}{}{}{}", safe(line.path), line.line,
                    line.enclosing.empty() ? "at the top" : "in " + safe(line.enclosing),
                    line.count > 1 ? " ×" : "", line.count > 1 ? grouped(line.count) : "",
                    line.qualifier.empty() ? ""
                                           : " as " + safe(line.qualifier) + "." +
                                                 safe(view.name.substr(view.name.find_last_of(".:#") + 1)));
    if (line.confidence > 0) {
      out += fmt::format("  → {} {} ({:.0f} %, {})", safe(line.target_path), safe(line.target_name),
                         line.confidence * 100, line.reason);
    }
    out += "\n";
  }
  return out + cut_line(shown, view.uses.size());
}

Json refs_json(const code::RefsView& view) {
  Json definitions = Json::array(), uses = Json::array();
  for (const auto& line : view.definitions) {
    definitions.push_back({{"path", line.path},
                           {"line", line.row.symbol.name_line},
                           {"kind", to_string(line.row.symbol.kind)},
                           {"qualified_name", line.row.symbol.qualified_name}});
  }
  for (const auto& line : view.uses) {
    Json each = {{"path", line.path},           {"line", line.line},
                 {"count", line.count},         {"kind", to_string(line.kind)},
                 {"qualifier", line.qualifier}, {"enclosing", line.enclosing}};
    if (line.confidence > 0) {
      each["means"] = {{"path", line.target_path},
                       {"qualified_name", line.target_name},
                       {"confidence", line.confidence},
                       {"reason", line.reason}};
    }
    uses.push_back(std::move(each));
  }
  return {{"name", view.name}, {"definitions", definitions}, {"uses", uses}, {"similar", view.similar}};
}

}  // namespace

void add_refs(Command program, Shared& shared) {
  auto arguments = std::make_shared<CodeArguments>();
  Command command = add_code_command<code::RefsView>(
      program, shared, "refs", "Find the uses of a name and which definition each refers to", "NAME",
      "A name; add its parents (Cart.total) for the uses of that definition only",
      [](Engine& engine, const CodeArguments& asked) { return engine.refs(asked.subject, asked.revision); },
      refs_text, refs_json, arguments);
  command.footer(
      "Examples:\n"
      "  knapsack refs parse_config\n"
      "  knapsack refs Cart.total --limit 200");
  add_also(command, shared);
}

}  // namespace knapsack::cli
