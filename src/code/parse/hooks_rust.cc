// Rust nests what it imports: `use a::{b, c::{self, d as e}, f::*}`. Items in macros are in item_macros.cc.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "code/parse/hooks.h"
#include "code/parse/node_text.h"

namespace knapsack::code {
namespace {

std::string join(const std::string& prefix, std::string_view path) {
  return prefix.empty() ? std::string(path) : prefix + "::" + std::string(path);
}

class UseTree {
 public:
  UseTree(std::string_view bytes, uint32_t line, std::vector<Import>& imports)
      : bytes_(bytes), line_(line), first_(imports.size()), imports_(imports) {}

  // An explicit stack, because braces nest as deep as the input likes.
  void read(TSNode argument) {
    std::vector<Pending> pending = {{argument, ""}};
    while (!pending.empty()) {
      const Pending one = std::move(pending.back());
      pending.pop_back();
      const std::string_view kind = ts_node_type(one.node);
      if (kind == "use_list" || kind == "scoped_use_list") {
        const TSNode path = field(one.node, "path");
        const std::string prefix =
            ts_node_is_null(path) ? one.prefix : join(one.prefix, text_of(path, bytes_));
        const TSNode list = kind == "use_list" ? one.node : field(one.node, "list");
        // Last first, so that names come off the stack in the order in which they stand.
        for (uint32_t i = ts_node_named_child_count(list); i-- > 0;) {
          pending.push_back({ts_node_named_child(list, i), prefix});
        }
      } else if (kind == "use_wildcard") {
        const TSNode path = ts_node_named_child(one.node, 0);
        const std::string_view text = ts_node_is_null(path) ? "" : text_of(path, bytes_);
        module(text.empty() ? one.prefix : join(one.prefix, text)).is_wildcard = true;
      } else if (kind == "use_as_clause") {
        add(one.prefix, text_of(field(one.node, "path"), bytes_), text_of(field(one.node, "alias"), bytes_));
      } else if (!kind.ends_with("comment")) {
        add(one.prefix, text_of(one.node, bytes_), "");
      }
    }
  }

 private:
  struct Pending {
    TSNode node;
    std::string prefix;
  };

  void add(const std::string& prefix, std::string_view path, std::string_view alias) {
    const std::string full = join(prefix, path);
    const size_t last = full.rfind("::");
    if (last == std::string::npos) {
      Import& import = module(full);
      import.alias = alias;
    } else {
      module(full.substr(0, last)).names.push_back({full.substr(last + 2), std::string(alias)});
    }
  }

  // The import of this module that this declaration already has, or a new one.
  Import& module(const std::string& path) {
    for (size_t i = first_; i < imports_.size(); ++i) {
      if (imports_[i].module == path) return imports_[i];
    }
    Import import;
    import.kind = ImportKind::kUse;
    import.module = path;
    import.line = line_;
    import.is_relative =
        path == "self" || path == "super" || path.starts_with("self::") || path.starts_with("super::");
    imports_.push_back(std::move(import));
    return imports_.back();
  }

  std::string_view bytes_;
  uint32_t line_;
  size_t first_;
  std::vector<Import>& imports_;
};

bool expand_import(TSNode root, std::string_view bytes, std::vector<Import>& imports) {
  if (std::string_view(ts_node_type(root)) != "use_declaration") return false;
  const TSNode argument = field(root, "argument");
  if (!ts_node_is_null(argument)) UseTree(bytes, ts_node_start_point(root).row + 1, imports).read(argument);
  return true;
}

}  // namespace

const LanguageHooks kRustHooks = {.expand_import = expand_import, .open_macros = open_item_macros};

}  // namespace knapsack::code
