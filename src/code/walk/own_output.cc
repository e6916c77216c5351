#include "code/walk/own_output.h"

#include "core/paths.h"

namespace knapsack::code {

bool is_own_output(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return false;  // the graph has a folder of its own
  const std::string_view name = path.substr(slash + 1);
  if (!name.ends_with(".json")) return false;
  if (name == "context_pack.latest.json" || name == "request_context.latest.json") return true;
  const std::string_view above = path.substr(0, slash);
  const std::string_view folder = base_name(above);
  return (folder == "context_packs" && name.starts_with("context_pack.")) ||
         (folder == "request_context_packs" && name.starts_with("request_context."));
}

}  // namespace knapsack::code
