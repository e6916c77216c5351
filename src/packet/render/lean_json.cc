#include <fmt/format.h>

#include "packet/render/group_view.h"
#include "packet/render/renderer.h"
#include "text/json_text.h"
#include "text/unicode/visible_text.h"

namespace knapsack {
namespace {

std::string quoted_text(std::string_view text) {
  return needs_marks(text) ? json_string(visible_text(text)) : json_string(text);
}

// One element a line: as few bytes as JSON allows without becoming a single line that nobody can read.
class LeanJsonRenderer final : public Renderer {
 public:
  std::string item(const PacketSection& section, const Candidate& candidate, size_t form) const override {
    if (candidate.group) return parts(*candidate.group, view_form(*candidate.group, candidate.forms[form]));
    const std::string& text = candidate.forms[form].text;
    return (is_noted(section, form) ? quoted_text(fmt::format("{}: {}", candidate.kind, text))
                                    : quoted_text(text))
        .append(",\n");
  }

  // An empty list is printed too, so the first item only brings its line breaks.
  std::string section_frame(const PacketSection& /*section*/) const override { return "[\n"; }
  std::string noted_frame() const override { return "[\n"; }
  std::string group_frame(const CandidateGroup& group) const override {
    return fmt::format("{{\"file\": {},\n\"parts\": [\n]}},\n", quoted_text(group.id));
  }
  std::string omission_line(uint64_t /*count*/) const override { return ""; }

  std::string join(const Packet& packet, std::span<const SectionPieces> pieces) const override {
    std::string out = "{\n";
    out += fmt::format("\"generated\": {},\n", quoted_text(format_rfc3339(packet.generated)));
    // As wide as "false": the word itself must not bring a packet back under its budget.
    out += fmt::format("\"budget\": {},\n\"tokens_used\": {},\n\"over_budget\": {},\n", packet.budget,
                       packet.used, packet.over_budget ? " true" : "false");
    for (const auto& preamble : packet.preambles) {
      std::string elements;
      for (const auto& line : preamble.lines) elements += quoted_text(line) + ",\n";
      append_list(out, to_string(preamble.kind), elements);
    }
    if (!packet.groups.empty()) append_list(out, "files", files(packet));
    std::string noted;
    for (size_t s = 0; s < packet.sections.size(); ++s) {
      std::string shown;
      for_each_shown(packet.sections[s], [&](size_t item, size_t form) {
        if (packet.sections[s].items[item].candidate.group) return;
        (is_noted(packet.sections[s], form) ? noted : shown) += pieces[s][item][form].text;
      });
      append_list(out, packet.sections[s].key, shown);
    }
    append_list(out, "summaries", noted);
    if (packet.behind_stop > 0) out += fmt::format("\"behind_stop\": {},\n", packet.behind_stop);
    return out += fmt::format("\"omitted_count\": {},\n\"instruction\": {}\n}}\n", packet.omitted_count(),
                              quoted_text(packet.instruction));
  }

 private:
  // Lines as they stand in the file, and signatures by their line.
  static std::string parts(const CandidateGroup& group, const GroupView& view) {
    std::string out;
    for (const LineRange range : view.ranges) {
      out += fmt::format("{{\"lines\": \"{}-{}\", \"text\": {}}},\n", range.first, range.last,
                         quoted_text(group.lines(range)));
    }
    for (const OutlineLine& line : view.outline) {
      out += fmt::format("{{\"line\": {}, \"signature\": {}}},\n", line.line, quoted_text(line.text));
    }
    return out;
  }

  static std::string files(const Packet& packet) {
    const auto views = view_groups(packet);
    std::string out;
    for (size_t g = 0; g < views.size(); ++g) {
      if (!views[g].shown) continue;
      std::string shown = parts(*packet.groups[g], views[g]);
      if (!shown.empty()) shown.resize(shown.size() - 2);
      out += fmt::format("{{\"file\": {},\n\"parts\": [\n{}]}},\n", quoted_text(packet.groups[g]->id), shown);
    }
    return out;
  }

  // Every element ends with ",\n"; the last one's comma is one too many.
  static void append_list(std::string& out, std::string_view key, std::string_view elements) {
    if (elements.empty()) {
      out += fmt::format("\"{}\": [],\n", key);
      return;
    }
    elements.remove_suffix(2);
    out += fmt::format("\"{}\": [\n", key);
    out.append(elements).append("\n],\n");
  }
};

}  // namespace

const Renderer& lean_json_renderer() {
  static const LeanJsonRenderer renderer;
  return renderer;
}

}  // namespace knapsack
