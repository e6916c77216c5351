// VisibleRenderer: another renderer, with every byte that it gives made visible (text/unicode/visible_text.h). Pure; any thread.
// Private to packet/render/.
#pragma once

#include <string>

#include "packet/render/renderer.h"

namespace knapsack {

// A renderer of text whose every byte goes through visible_text(). Prices are those of the marks.
class VisibleRenderer final : public Renderer {
 public:
  explicit VisibleRenderer(const Renderer& inner) : inner_(inner) {}

  std::string join(const Packet& packet, std::span<const SectionPieces> pieces) const override;
  std::string item(const PacketSection& section, const Candidate& candidate, size_t form) const override;
  std::string section_frame(const PacketSection& section) const override;
  std::string noted_frame() const override;
  std::string group_frame(const CandidateGroup& group) const override;
  std::string omission_line(uint64_t count) const override;

 private:
  const Renderer& inner_;
};

}  // namespace knapsack
