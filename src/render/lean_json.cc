#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "render/renderer.h"

namespace knapsack {
namespace {

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// One element a line: as few bytes as JSON allows without becoming a single line that nobody can read.
class LeanJsonRenderer final : public Renderer {
 public:
  std::string item(const PacketSection& section, const Candidate& candidate, size_t form) const override {
    return element(section, candidate, form) + ",\n";
  }

  // An empty list is printed too, so the first item only brings its line breaks.
  std::string section_frame(const PacketSection& /*section*/) const override { return "[\n"; }
  std::string noted_frame() const override { return "[\n"; }
  std::string omission_line(uint64_t /*count*/) const override { return ""; }

  std::string render(const Packet& packet) const override {
    std::string out = "{\n";
    out += fmt::format("\"generated\": {},\n", json_string(format_rfc3339(packet.generated)));
    // As wide as "false": the word itself must not bring a packet back under its budget.
    out += fmt::format("\"budget\": {},\n\"tokens_used\": {},\n\"over_budget\": {},\n", packet.budget,
                       packet.used, packet.over_budget ? " true" : "false");
    for (const auto& preamble : packet.preambles) {
      std::vector<std::string> elements;
      for (const auto& line : preamble.lines) elements.push_back(json_string(line));
      out += list(preamble.key, elements);
    }
    std::vector<std::string> noted;
    for (const auto& section : packet.sections) {
      std::vector<std::string> shown;
      for (size_t i = 0; i < section.items.size(); ++i) {
        const PacketItem& each = section.items[section.display_order.empty() ? i : section.display_order[i]];
        if (!each.shown) continue;
        (is_noted(section, *each.shown) ? noted : shown)
            .push_back(element(section, each.candidate, *each.shown));
      }
      out += list(section.key, shown);
    }
    out += list("summaries", noted);
    return out + fmt::format("\"omitted_count\": {},\n\"instruction\": {}\n}}\n", packet.omitted_count(),
                             json_string(packet.instruction));
  }

 private:
  static std::string element(const PacketSection& section, const Candidate& candidate, size_t form) {
    const std::string& text = candidate.forms[form].text;
    return json_string(is_noted(section, form) ? fmt::format("{}: {}", candidate.kind, text) : text);
  }

  static std::string list(std::string_view key, const std::vector<std::string>& elements) {
    if (elements.empty()) return fmt::format("\"{}\": [],\n", key);
    return fmt::format("\"{}\": [\n{}\n],\n", key, fmt::join(elements, ",\n"));
  }
};

}  // namespace

const Renderer& lean_json_renderer() {
  static const LeanJsonRenderer renderer;
  return renderer;
}

}  // namespace knapsack
