// The tool that reads code: a file, lines of it, or what a name stands for. Paths and names of a repository are
// any bytes; what is not UTF-8 is replaced when the reply is written.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/escape.h"
#include "serve/call.h"
#include "serve/reply_fit.h"
#include "serve/schema.h"
#include "text/unicode/utf8.h"

namespace knapsack::serve {
namespace {

constexpr uint64_t kReadTokens = 6'000;
// A longer file is told by its outline; its lines are there for the asking.
constexpr size_t kMaxWholeLines = 200;
constexpr uint64_t kListedUses = 20;
constexpr uint64_t kMaxListedUses = 1'000;

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

// Lines with their numbers, a row each: of a long text the end is left out first.
void add_lines(std::vector<Row>& rows, std::string_view text, uint32_t first, uint32_t last = UINT32_MAX) {
  uint32_t number = 1;
  for (size_t at = 0; at < text.size() && number <= last; ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (number >= first)
      rows.push_back(
          {fmt::format("{} {}\n", number, replace_invalid_utf8(text.substr(at, end - at))), nullptr, {}});
    at = end + 1;
  }
}

void add_source(std::vector<Row>& rows, const code::CardDefinition& definition) {
  if (definition.source.empty()) return;
  const code::Symbol& symbol = definition.symbol.row.symbol;
  const size_t before = rows.size();
  add_lines(rows, std::string(symbol.start_line - 1, '\n') + definition.source, symbol.start_line);
  if (rows.size() > before)
    rows[before].text = fmt::format("Source of {}:\n", clean(symbol.qualified_name)) + rows[before].text;
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

// Nothing where no such thing is known.
Result<std::vector<Row>> symbol_rows(const Call& call, const std::string& name) {
  KNAPSACK_TRY(const code::SymbolCard card, call.engine.symbol_card(name));
  std::vector<Row> rows;
  const size_t limit = call.whole("limit");
  for (size_t i = 0; i < std::min(card.definitions.size(), limit); ++i)
    rows.push_back(definition_row(card.definitions[i]));
  add_uses(rows, "callers", "Callers", card.callers, limit);
  add_uses(rows, "callees", "Callees", card.callees, limit);
  add_uses(rows, "tests", "Tests", card.tests, limit);
  for (const code::CardDefinition& definition : card.definitions) add_source(rows, definition);
  if (!rows.empty()) return rows;
  return Error{ErrorCode::kNotFound, fmt::format("no file or name is called {}", clean(name)),
               card.similar.empty() ? "search for it" : fmt::format("did you mean {}?", clean(card.similar))};
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

// "src/cart.py:10-80", "src/cart.py:10" and "src/cart.py".
struct Wanted {
  std::string name;
  uint32_t first = 0, last = 0;  // 0: no lines were named

  // "src/cart.py:80-10" names no line.
  bool is_backwards() const { return last < first; }
};

Wanted wanted_of(const std::string& text) {
  Wanted wanted{text};
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return wanted;
  const char* at = text.c_str() + colon + 1;
  const char* end = text.c_str() + text.size();
  const auto first = std::from_chars(at, end, wanted.first);
  wanted.last = wanted.first;
  auto parsed = first;
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == '-')
    parsed = std::from_chars(first.ptr + 1, end, wanted.last);
  if (parsed.ec != std::errc() || parsed.ptr != end || wanted.first == 0) return {text};
  wanted.name = text.substr(0, colon);
  return wanted;
}

Result<std::vector<Row>> file_rows(const Call& call, const code::OutlineView& view, const Wanted& wanted) {
  std::vector<Row> rows;
  const std::string path = clean(view.path);
  rows.push_back(
      {fmt::format("{}  {}, {} lines, {} tokens\n", path,
                   view.language.empty() ? view.file_class : view.language, view.lines, view.tokens.o200k),
       nullptr,
       {}});
  if (wanted.first > view.lines) {
    return Error{ErrorCode::kUsage, fmt::format("{} has {} lines", path, view.lines),
                 fmt::format("name some of them: {}:1-{}", path, view.lines)};
  }
  if (wanted.first == 0 && view.lines > kMaxWholeLines && !view.symbols.empty()) {
    for (Row& row : outline_rows(view)) rows.push_back(std::move(row));
    rows.push_back({fmt::format("This is its outline; read {}:{}-{} for lines of it.\n", path,
                                view.symbols.front().symbol.start_line, view.symbols.front().symbol.end_line),
                    nullptr,
                    {}});
    return rows;
  }
  KNAPSACK_TRY(const FileText file, call.engine.file_text(view.path));
  add_lines(rows, file.text, std::max(wanted.first, 1U), wanted.last == 0 ? UINT32_MAX : wanted.last);
  return rows;
}

Result<ToolReply> read_code(const Call& call) {
  KNAPSACK_CHECK(call.refresh_index());
  const Wanted wanted = wanted_of(call.text("what"));
  const auto view = call.engine.outline(wanted.name);
  if (!view.ok() && view.error().code != ErrorCode::kNotFound) return view.error();
  if (view.ok() && wanted.is_backwards()) {
    return Error{ErrorCode::kUsage, fmt::format("lines {}-{} are an empty range", wanted.first, wanted.last),
                 fmt::format("name the first line before the last: {}:{}-{}", clean(view->path), wanted.last,
                             wanted.first)};
  }
  // A name with a slash is a path: what is nearest to it says more than a symbol would.
  if (!view.ok() && (wanted.first > 0 || wanted.name.find('/') != std::string::npos)) return view.error();
  KNAPSACK_TRY(const std::vector<Row> rows,
               view.ok() ? file_rows(call, *view, wanted) : symbol_rows(call, wanted.name));
  return fit_rows(call, rows.size(), [&](size_t shown) {
    return reply_of(call, rows, shown, {"definitions", "callers", "callees", "tests", "symbols"},
                    Json::object());
  });
}

}  // namespace

std::vector<ToolEntry> code_tools() {
  using namespace schema;
  const Json place = object({{"path", any_text()}, {"line", any_whole()}, {"name", any_text()}});
  return {
      {{"read", "Read code",
        "A file (a long one as its outline), lines of it, or a symbol with its source, callers, callees and "
        "tests. "
        "Use it when you know the name; to find out what matters use pack, to find a name use search.",
        object({{"what!", text(kMaxNameCharacters, "src/cart.py, src/cart.py:10-80 or Cart.total")},
                {"limit", whole(1, kMaxListedUses, kListedUses, "Callers, callees and tests")},
                {"max_tokens", max_tokens(kReadTokens)}}),
        object({{"workspace!", any_text()},
                {"definitions!", rows(place)},
                {"callers", any_list()},
                {"callees", any_list()},
                {"tests", any_list()},
                {"symbols", rows(object({{"name", any_text()}, {"line", any_whole()}}))},
                {"left_out", any_whole()},
                {"text!", any_text()}})},
       read_code},
  };
}

}  // namespace knapsack::serve
