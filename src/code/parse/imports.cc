#include <string>
#include <utility>

#include "code/parse/extractor.h"
#include "code/parse/hooks.h"
#include "code/parse/node_text.h"
#include "code/parse/source_text.h"

namespace knapsack::code {
namespace {

ImportKind import_kind_of(Role role) {
  switch (role) {
    case Role::kInclude:
      return ImportKind::kInclude;
    case Role::kRequire:
      return ImportKind::kRequire;
    case Role::kUse:
      return ImportKind::kUse;
    case Role::kDynamic:
      return ImportKind::kDynamic;
    default:
      return ImportKind::kImport;
  }
}

std::string plain(TSNode node, std::string_view bytes) {
  std::string_view text = unquote(text_of(node, bytes));
  if (text.starts_with(':')) text.remove_prefix(1);  // a Ruby symbol
  return std::string(text);
}

}  // namespace

bool is_import_role(Role role) {
  return role == Role::kImport || role == Role::kInclude || role == Role::kRequire || role == Role::kUse ||
         role == Role::kDynamic;
}

void add_imports(const Language& language, std::span<const Capture> captures, std::string_view bytes,
                 std::vector<Import>& imports) {
  Import import;
  std::vector<Import> found;
  bool is_relative = false;
  bool has_module = false;
  // Names may be captured before their module (`import {a} from "m"`), so they gather in `import` until the
  // end.
  const auto close = [&] {
    if (has_module && !import.module.empty()) found.push_back(import);
    import.module.clear();
    import.alias.clear();
    has_module = false;
  };
  for (const Capture& capture : captures) {
    if (is_import_role(capture.role)) {
      import.kind = import_kind_of(capture.role);
      import.line = line_of(capture.node);
      const auto* const hooks = language.hooks;
      if (hooks != nullptr && hooks->expand_import != nullptr &&
          hooks->expand_import(capture.node, bytes, imports)) {
        return;
      }
    } else if (capture.role == Role::kImportModule) {
      if (has_module) close();
      import.module = plain(capture.node, bytes);
      import.is_relative =
          import.module.starts_with('.') || (!language.relative_import_ending.empty() &&
                                             import.module.ends_with(language.relative_import_ending));
      has_module = true;
    } else if (capture.role == Role::kImportName) {
      import.names.push_back({plain(capture.node, bytes), ""});
    } else if (capture.role == Role::kImportAlias) {
      std::string& alias = import.names.empty() ? import.alias : import.names.back().alias;
      alias = plain(capture.node, bytes);
    } else if (capture.role == Role::kImportWildcard) {
      import.is_wildcard = true;
    } else if (capture.role == Role::kImportRelative) {
      is_relative = true;
    }
  }
  close();
  for (Import& one : found) {
    one.is_relative = one.is_relative || is_relative;
    imports.push_back(std::move(one));
  }
}

}  // namespace knapsack::code
