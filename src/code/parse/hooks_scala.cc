// Scala writes an import's path as a run of siblings: `import a.b.{c, d => e, _}, f.g`.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "code/parse/hooks.h"
#include "code/parse/node_text.h"

namespace knapsack::code {
namespace {

std::string_view field_text(TSNode node, std::string_view field, std::string_view bytes) {
  const TSNode child = ts_node_child_by_field_name(node, field.data(), static_cast<uint32_t>(field.size()));
  return ts_node_is_null(child) ? std::string_view() : text_of(child, bytes);
}

void add_selector(TSNode selector, std::string_view bytes, Import& import) {
  const std::string_view kind = ts_node_type(selector);
  if (kind == "namespace_wildcard") {
    import.is_wildcard = true;
  } else if (kind == "arrow_renamed_identifier" || kind == "as_renamed_identifier") {
    import.names.push_back({std::string(field_text(selector, "name", bytes)),
                            std::string(field_text(selector, "alias", bytes))});
  } else if (kind == "identifier") {
    import.names.push_back({std::string(text_of(selector, bytes)), ""});
  }
}

// `import a.b.C` names C of a.b, as a list in braces would.
void close(Import& import, std::vector<Import>& imports) {
  if (import.names.empty() && !import.is_wildcard) {
    const size_t dot = import.module.rfind('.');
    if (dot != std::string::npos) {
      import.names.push_back({import.module.substr(dot + 1), ""});
      import.module.resize(dot);
    }
  }
  if (!import.module.empty()) imports.push_back(import);
  import.module.clear();
  import.names.clear();
  import.is_wildcard = false;
}

bool expand_scala_import(TSNode root, std::string_view bytes, std::vector<Import>& imports) {
  Import import;
  import.line = ts_node_start_point(root).row + 1;
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool more = ts_tree_cursor_goto_first_child(&cursor);
  for (; more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    const TSNode child = ts_tree_cursor_current_node(&cursor);
    const std::string_view kind = ts_node_type(child);
    if (kind == ",") {
      close(import, imports);
    } else if (kind == "namespace_selectors") {
      for (uint32_t i = 0; i < ts_node_named_child_count(child); ++i) {
        add_selector(ts_node_named_child(child, i), bytes, import);
      }
    } else if (kind == "identifier") {
      if (!import.module.empty()) import.module += '.';
      import.module += text_of(child, bytes);
    } else {
      add_selector(child, bytes, import);
    }
  }
  ts_tree_cursor_delete(&cursor);
  close(import, imports);
  return true;
}

}  // namespace

const LanguageHooks kScalaHooks = {.expand_import = expand_scala_import};

}  // namespace knapsack::code
