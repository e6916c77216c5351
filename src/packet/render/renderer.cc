#include "packet/render/renderer.h"

#include <fmt/format.h>

namespace knapsack {

SectionPieces print_pieces(const Renderer& renderer, const PacketSection& section) {
  SectionPieces pieces;
  pieces.reserve(section.items.size());
  for (const auto& item : section.items) {
    auto& forms = pieces.emplace_back(item.candidate.forms.size());
    for (size_t form = 0; form < forms.size(); ++form)
      forms[form].text = renderer.item(section, item.candidate, form);
  }
  return pieces;
}

std::string render(const Renderer& renderer, const Packet& packet) {
  std::vector<SectionPieces> pieces;
  for (const auto& section : packet.sections) pieces.push_back(print_pieces(renderer, section));
  return renderer.join(packet, pieces);
}

bool is_noted(const PacketSection& section, size_t form) {
  return section.notes_reduced && form > 0;
}

Result<const Renderer*> find_renderer(std::string_view format) {
  if (format == "md") return &markdown_renderer();
  if (format == "prompt") return &prompt_renderer();
  if (format == "json") return &lean_json_renderer();
  return Error{ErrorCode::kUsage, fmt::format("unknown format '{}'", format), "choose md, prompt or json"};
}

}  // namespace knapsack
