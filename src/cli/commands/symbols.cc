#include "cli/code_command.h"

namespace knapsack::cli {
namespace {

std::string symbols_text(const code::SymbolsView& view, const CodeArguments& arguments) {
  if (view.symbols.empty()) {
    return fmt::format("No symbol is called {}.{}\n", safe(view.name),
                       view.similar.empty() ? "" : " Did you mean " + safe(view.similar) + "?");
  }
  std::string out;
  size_t shown = 0;
  for (const auto& line : view.symbols) {
    if (shown == arguments.limit) break;
    ++shown;
    const auto& symbol = line.row.symbol;
    out += fmt::format("{}:{}-{}  {} {}  ({} tokens)\n", safe(line.path), symbol.start_line, symbol.end_line,
                       to_string(symbol.kind), bold(safe(symbol.qualified_name)),
                       grouped(line.row.tokens.o200k));
    if (!symbol.signature.empty()) out += fmt::format("    {}\n", safe(symbol.signature));
  }
  return out + cut_line(shown, view.symbols.size());
}

Json symbol_json(const code::SymbolLine& line) {
  const auto& symbol = line.row.symbol;
  return {{"path", line.path},
          {"kind", to_string(symbol.kind)},
          {"name", symbol.name},
          {"qualified_name", symbol.qualified_name},
          {"start_line", symbol.start_line},
          {"end_line", symbol.end_line},
          {"signature", symbol.signature},
          {"docstring", symbol.docstring},
          {"test", symbol.is_test},
          {"exported", symbol.is_exported},
          {"declaration", symbol.is_declaration},
          {"tokens", {{"cl100k", line.row.tokens.cl100k}, {"o200k", line.row.tokens.o200k}}}};
}

}  // namespace

void add_symbols(Command program, Shared& shared) {
  auto arguments = std::make_shared<CodeArguments>();
  const Command command = add_code_command<code::SymbolsView>(
      program, shared, "symbols", "Find where a function, class or other name is defined", "NAME",
      "A name, optionally with its parents: Cart.total, shop::Cart::total",
      [](Engine& engine, const CodeArguments& asked) {
        return engine.symbols(asked.subject, asked.revision);
      },
      symbols_text,
      [](const code::SymbolsView& view) {
        Json symbols = Json::array();
        for (const auto& line : view.symbols) symbols.push_back(symbol_json(line));
        return Json{{"name", view.name}, {"symbols", symbols}, {"similar", view.similar}};
      },
      arguments);
  command.footer(
      "Examples:\n"
      "  knapsack symbols parse_config\n"
      "  knapsack symbols Cart.total --format json");
}

}  // namespace knapsack::cli
