// C, C++ and C#, which have a preprocessor. C and C++ wrap the declared name in declarators: `int (*handlers[4])(void)`, `char&
// ns::Buffer::at(size_t)`.
#include <string_view>

#include "code/parse/hooks.h"
#include "code/parse/node_text.h"

namespace knapsack::code {
namespace {

// Through pointers, references, arrays, parentheses and attributes to the identifier.
DeclaredName find_name(TSNode declarator, std::string_view bytes) {
  DeclaredName declared;
  TSNode node = declarator;
  const uint32_t start = ts_node_start_byte(declarator);
  uint32_t qualifier_start = UINT32_MAX;
  while (!ts_node_is_null(node)) {
    const std::string_view kind = ts_node_type(node);
    if (kind == "qualified_identifier") {
      if (qualifier_start == UINT32_MAX) qualifier_start = ts_node_start_byte(node);
      node = field(node, "name");
    } else if (kind == "identifier" || kind == "field_identifier" || kind == "type_identifier" ||
               kind == "operator_name" || kind == "destructor_name" || kind == "operator_cast" ||
               kind == "primitive_type") {
      declared.node = node;
      break;
    } else if (kind == "template_function" || kind == "template_method") {
      node = field(node, "name");
    } else if (const TSNode inner = field(node, "declarator"); !ts_node_is_null(inner)) {
      node = inner;
    } else {
      const uint32_t count = ts_node_named_child_count(node);
      TSNode next = {};
      for (uint32_t i = 0; i < count && ts_node_is_null(next); ++i) {
        const TSNode child = ts_node_named_child(node, i);
        const std::string_view child_kind = ts_node_type(child);
        const bool is_name = child_kind.ends_with("declarator") || child_kind.ends_with("identifier") ||
                             child_kind == "operator_name" || child_kind == "destructor_name";
        if (is_name) next = child;
      }
      node = next;
    }
  }
  if (!ts_node_is_null(declared.node) && qualifier_start != UINT32_MAX && qualifier_start >= start) {
    declared.qualifier = bytes.substr(qualifier_start, ts_node_start_byte(declared.node) - qualifier_start);
  }
  return declared;
}

bool blank_for_c(std::string_view bytes, std::string& blanked) {
  const bool has_macros = blank_c_macros(bytes, blanked);
  if (!has_macros) blanked.assign(bytes);
  return blank_choices(blanked, false) || has_macros;
}

// Its grammar knows directives around statements and members only.
bool blank_for_csharp(std::string_view bytes, std::string& blanked) {
  blanked.assign(bytes);
  return blank_choices(blanked, true);
}

}  // namespace

const LanguageHooks kCHooks = {.find_name = find_name, .blank_unknown = blank_for_c, .has_directives = true};
const LanguageHooks kCSharpHooks = {.blank_unknown = blank_for_csharp, .has_directives = true};

}  // namespace knapsack::code
