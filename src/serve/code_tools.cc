// The tools that ask the code index: get_symbol and get_file_outline. Paths and names of a repository are
// any bytes; what is not UTF-8 is replaced when the reply is written.
#include <fmt/format.h>

#include <algorithm>

#include "core/escape.h"
#include "serve/call.h"
#include "serve/reply_fit.h"
#include "serve/schema.h"
#include "text/utf8.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kSymbolTokens = 6'000;
constexpr uint64_t kOutlineTokens = 6'000;
constexpr uint64_t kListedUses = 20;
constexpr uint64_t kMostListedUses = 1'000;

// A line of the text, and what stands for it in the structured list that it belongs to.
struct Row {
  std::string text;
  const char* list = nullptr;  // null: in no list
  Json entry;
};

std::string clean(std::string_view text) {
  return replace_invalid_utf8(escape_control(text));
}

Row definition_row(const code::CardDefinition& definition) {
  const code::Symbol& symbol = definition.symbol.row.symbol;
  const std::string path = clean(definition.symbol.path);
  std::string text = fmt::format("{} {}  {}:{}-{}\n", to_string(symbol.kind), clean(symbol.qualified_name),
                                 path, symbol.start_line, symbol.end_line);
  if (definition.source.empty() && !symbol.signature.empty())
    text += fmt::format("    {}\n", clean(symbol.signature));
  return {std::move(text),
          "definitions",
          {{"path", path}, {"line", symbol.start_line}, {"name", clean(symbol.qualified_name)}}};
}

void add_uses(std::vector<Row>& rows, const char* list, const char* heading,
              const std::vector<code::CardUse>& uses, size_t limit) {
  if (uses.empty()) return;
  for (size_t i = 0; i < std::min(uses.size(), limit); ++i) {
    const code::CardUse& use = uses[i];
    const std::string path = clean(use.path);
    const std::string name = clean(use.name);
    std::string text = i == 0 ? fmt::format("{} ({}):\n", heading, uses.size()) : "";
    text += fmt::format("  {}:{}{}{}{}\n", path, use.line, name.empty() ? "" : "  ", name,
                        use.count > 1 ? fmt::format(" ×{}", use.count) : "");
    rows.push_back({std::move(text), list, {{"path", path}, {"line", use.line}, {"name", name}}});
  }
}

// The source goes last, a line a row: of a long one the end is left out first.
void add_source(std::vector<Row>& rows, const code::CardDefinition& definition) {
  const code::Symbol& symbol = definition.symbol.row.symbol;
  uint32_t number = symbol.start_line;
  std::string_view left = definition.source;
  while (!left.empty()) {
    const size_t end = std::min(left.find('\n'), left.size());
    std::string text = number == symbol.start_line
                           ? fmt::format("Source of {}:\n", clean(symbol.qualified_name))
                           : std::string();
    text += fmt::format("{} {}\n", number, replace_invalid_utf8(left.substr(0, end)));
    rows.push_back({std::move(text), nullptr, {}});
    left.remove_prefix(std::min(end + 1, left.size()));
    ++number;
  }
}

// Of all rows the first `shown`; the lists are there even when they are empty.
ToolReply reply_of(const Call& call, const std::vector<Row>& rows, size_t shown,
                   const std::vector<const char*>& lists, Json fields) {
  for (const char* list : lists) fields[list] = Json::array();
  std::string text;
  for (size_t i = 0; i < shown; ++i) {
    text += rows[i].text;
    if (rows[i].list != nullptr) fields[rows[i].list].push_back(rows[i].entry);
  }
  fields["left_out"] = rows.size() - shown;
  if (shown < rows.size()) text += fmt::format("{} lines are left out.\n", rows.size() - shown);
  return make_reply(call, std::move(text), std::move(fields));
}

Result<ToolReply> get_symbol(const Call& call) {
  KNAPSACK_CHECK(call.refresh_index());
  KNAPSACK_TRY(const code::SymbolCard card, call.engine.symbol_card(call.text("name")));
  if (card.definitions.empty() && card.callers.empty() && card.tests.empty()) {
    return Error{
        ErrorCode::kNotFound, fmt::format("nothing is called {}", clean(card.name)),
        card.similar.empty() ? "search for it" : fmt::format("did you mean {}?", clean(card.similar))};
  }
  const size_t limit = call.whole("limit");
  std::vector<Row> rows;
  for (size_t i = 0; i < std::min(card.definitions.size(), limit); ++i)
    rows.push_back(definition_row(card.definitions[i]));
  add_uses(rows, "callers", "Callers", card.callers, limit);
  add_uses(rows, "callees", "Callees", card.callees, limit);
  add_uses(rows, "tests", "Tests", card.tests, limit);
  for (const code::CardDefinition& definition : card.definitions) add_source(rows, definition);
  return fit_rows(call, rows.size(), [&](size_t shown) {
    return reply_of(call, rows, shown, {"definitions", "callers", "callees", "tests"}, Json::object());
  });
}

std::vector<Row> outline_rows(const code::OutlineView& view) {
  std::vector<Row> rows;
  std::vector<size_t> depth(view.symbols.size(), 0);
  for (size_t i = 0; i < view.symbols.size(); ++i) {
    const code::Symbol& symbol = view.symbols[i].symbol;
    if (symbol.parent >= 0 && static_cast<size_t>(symbol.parent) < i)
      depth[i] = depth[static_cast<size_t>(symbol.parent)] + 1;
    const std::string shown = clean(symbol.signature.empty() ? symbol.name : symbol.signature);
    rows.push_back({fmt::format("{:{}}{}-{} {} {}\n", "", depth[i] * 2, symbol.start_line, symbol.end_line,
                                to_string(symbol.kind), shown),
                    "symbols",
                    {{"name", clean(symbol.qualified_name)}, {"line", symbol.start_line}}});
  }
  return rows;
}

Result<ToolReply> get_file_outline(const Call& call) {
  KNAPSACK_CHECK(call.refresh_index());
  KNAPSACK_TRY(const code::OutlineView view, call.engine.outline(call.text("path")));
  std::vector<Row> rows = outline_rows(view);
  const std::string heading = fmt::format("{}  {}, {} lines, {} tokens{}\n", clean(view.path),
                                          view.language.empty() ? view.file_class : view.language, view.lines,
                                          view.tokens.o200k, rows.empty() ? ", no symbols" : "");
  rows.insert(rows.begin(), {heading, nullptr, {}});
  const Json fields = {{"path", clean(view.path)}, {"language", view.language}, {"lines", view.lines}};
  return fit_rows(call, rows.size(),
                  [&](size_t shown) { return reply_of(call, rows, shown, {"symbols"}, fields); });
}

}  // namespace

std::vector<ToolEntry> code_tools() {
  using namespace schema;
  const Json place = object({{"path", any_text()}, {"line", any_whole()}, {"name", any_text()}});
  return {
      {{"get_symbol", "Look up a symbol",
        "A function, class or other name: where it is defined, who calls it, what it calls, its tests, its "
        "source.",
        object({{"name!", text(kMostNameCharacters, "With its parents where that helps: Cart.total")},
                {"limit", whole(1, kMostListedUses, kListedUses, "Rows of each list")},
                {"max_tokens", max_tokens(kSymbolTokens)}}),
        object({{"workspace!", any_text()},
                {"definitions!", rows(place)},
                {"callers", any_list()},
                {"callees", any_list()},
                {"tests", any_list()},
                {"left_out", any_whole()},
                {"text!", any_text()}})},
       get_symbol},
      {{"get_file_outline", "Outline a file", "What a file defines, line by line, with signatures.",
        object({{"path!", text(kMostNameCharacters, "Or its last components")},
                {"max_tokens", max_tokens(kOutlineTokens)}}),
        object({{"workspace!", any_text()},
                {"path!", any_text()},
                {"language", any_text()},
                {"lines", any_whole()},
                {"symbols!", rows(object({{"name", any_text()}, {"line", any_whole()}}))},
                {"left_out", any_whole()},
                {"text!", any_text()}})},
       get_file_outline},
  };
}

}  // namespace knapsack::serve
