#include "code/walk/notebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "code/parse/language.h"
#include "text/json_text.h"

namespace knapsack::code {
namespace {

using NotebookJson = nlohmann::json;

constexpr size_t kMaxNotebookDepth = 64;

// A string, or a list of them, each with its line feed.
std::string source_of_cell(const NotebookJson& cell) {
  const auto source = cell.find("source");
  if (source == cell.end()) return "";
  if (source->is_string()) return source->get<std::string>();
  std::string text;
  if (!source->is_array()) return text;
  for (const NotebookJson& line : *source)
    if (line.is_string()) text += line.get_ref<const std::string&>();
  return text;
}

// Each line behind `mark`, where `wanted` says so.
template <class Wanted>
void append_lines(std::string& out, std::string_view text, std::string_view mark, const Wanted& wanted) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (wanted(line)) out += mark;
    out += line;
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// "%matplotlib inline" and "!pip install": no Python.
bool is_magic(std::string_view line) {
  const size_t at = line.find_first_not_of(" \t");
  return at != std::string_view::npos && (line[at] == '%' || line[at] == '!' || line[at] == '?');
}

}  // namespace

std::optional<std::string> notebook_text(std::string_view bytes) {
  if (is_nested_deeper_than(bytes, kMaxNotebookDepth)) return std::nullopt;
  const NotebookJson notebook = NotebookJson::parse(bytes, nullptr, false);
  if (!notebook.is_object()) return std::nullopt;
  const auto cells = notebook.find("cells");
  if (cells == notebook.end() || !cells->is_array()) return std::nullopt;
  std::string text;
  size_t number = 0;
  for (const NotebookJson& cell : *cells) {
    ++number;
    if (!cell.is_object()) continue;
    const auto type = cell.find("cell_type");
    if (type == cell.end() || !type->is_string()) continue;
    const std::string source = source_of_cell(cell);
    if (*type == "code") {
      text += fmt::format("# %% cell {}\n", number);
      append_lines(text, source, "# ", is_magic);
    } else if (*type == "markdown") {
      text += fmt::format("# %% [markdown] cell {}\n", number);
      append_lines(text, source, "# ", [](std::string_view) { return true; });
    } else {
      continue;
    }
    text += '\n';
  }
  return text;
}

uint64_t most_bytes_of(std::string_view path) {
  if (path.ends_with(".ipynb")) return kMaxNotebookBytes;
  return detect_language(path, {}).has_symbols() ? kMaxCodeBytes : kMaxSourceBytes;
}

}  // namespace knapsack::code
