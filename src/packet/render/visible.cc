#include "packet/render/visible.h"

#include "text/unicode/visible_text.h"

namespace knapsack {
namespace {

std::string marked(std::string&& text) {
  return needs_marks(text) ? visible_text(text) : std::move(text);
}

}  // namespace

std::string VisibleRenderer::join(const Packet& packet, std::span<const SectionPieces> pieces) const {
  return marked(inner_.join(packet, pieces));
}
std::string VisibleRenderer::item(const PacketSection& section, const Candidate& candidate,
                                  size_t form) const {
  return marked(inner_.item(section, candidate, form));
}
std::string VisibleRenderer::section_frame(const PacketSection& section) const {
  return marked(inner_.section_frame(section));
}
std::string VisibleRenderer::noted_frame() const {
  return inner_.noted_frame();
}
std::string VisibleRenderer::group_frame(const CandidateGroup& group) const {
  return marked(inner_.group_frame(group));
}
std::string VisibleRenderer::omission_line(uint64_t count) const {
  return inner_.omission_line(count);
}

}  // namespace knapsack
