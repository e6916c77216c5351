#include "render/renderer.h"

#include <fmt/format.h>

namespace knapsack {

bool is_noted(const PacketSection& section, size_t form) {
  return section.notes_reduced && form > 0;
}

Result<const Renderer*> find_renderer(std::string_view format) {
  if (format == "md") return &markdown_renderer();
  if (format == "json") return &lean_json_renderer();
  return Error{ErrorCode::kUsage, fmt::format("unknown format '{}'", format), "choose md or json"};
}

}  // namespace knapsack
