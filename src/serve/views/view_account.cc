// A packet as a page draws it: its text, and every part with its tokens, its score and why it is (not) there.
#include <algorithm>

#include "core/run_status.h"
#include "serve/schema.h"
#include "serve/views/views.h"

namespace knapsack::serve {
namespace {

// The lines of its file that a part is, from the first to the last.
LineRange place_of(const PacketItem& item) {
  const Form& form = item.candidate.forms[item.shown.value_or(0)];
  LineRange place;
  const auto add = [&](uint32_t first, uint32_t last) {
    place.first = place.first == 0 ? first : std::min(place.first, first);
    place.last = std::max(place.last, last);
  };
  for (const LineRange& lines : form.lines) add(lines.first, lines.last);
  for (const OutlineLine& line : form.outline) add(line.line, line.line);
  return place;
}

Json part_of(const PacketSection& section, const PacketItem& item) {
  const Candidate& candidate = item.candidate;
  const LineRange place = place_of(item);
  return {{"id", candidate.id},
          {"source", to_string(candidate.source)},
          {"kind", candidate.kind},
          {"title", candidate.title},
          {"file", candidate.group ? candidate.group->id : ""},
          {"first_line", place.first},
          {"last_line", place.last},
          {"section", section.heading.empty() ? section.key : section.heading},
          {"form", item.shown ? to_string(candidate.forms[*item.shown].kind) : ""},
          {"tokens", item.tokens},
          {"full_tokens", item.full_tokens},
          {"score", candidate.score.total},
          {"components", components_of(candidate.score)},
          {"reason", item.reason.empty() ? candidate.dropped : item.reason},
          {"why", candidate.provenance}};
}

Json part_schema() {
  using namespace schema;
  const Json number = {{"type", "number"}};
  return object({{"id!", any_text()},
                 {"source!", any_text()},
                 {"kind!", any_text()},
                 {"title!", any_text()},
                 {"file!", any_text()},
                 {"first_line!", any_whole()},
                 {"last_line!", any_whole()},
                 {"section!", any_text()},
                 {"form!", any_text()},
                 {"tokens!", any_whole()},
                 {"full_tokens!", any_whole()},
                 {"score!", number},
                 {"components!", {{"type", "object"}, {"additionalProperties", number}}},
                 {"reason!", any_text()},
                 {"why!", texts()}});
}

}  // namespace

Json components_of(const Score& score) {
  Json components = Json::object();
  for (const ScoreComponent& each : score.components) components[each.name] = each.value;
  return components;
}

Json packet_account(const Packet& packet, const std::string& output, const std::vector<StepTime>& times) {
  Json parts = Json::array();
  size_t left_out = 0;
  // What is shown is never among what there is no room for here.
  for (const bool shown : {true, false}) {
    for (const PacketSection& section : packet.sections) {
      for (const PacketItem& item : section.items) {
        if (item.shown.has_value() != shown) continue;
        if (parts.size() < kMaxParts) {
          parts.push_back(part_of(section, item));
        } else {
          ++left_out;
        }
      }
    }
  }
  Json preambles = Json::array();
  for (const PacketPreamble& preamble : packet.preambles)
    preambles.push_back({{"heading", preamble.heading}, {"lines", preamble.lines}});
  Json steps = Json::array();
  for (const StepTime& time : times) steps.push_back({{"step", time.step}, {"micros", time.micros}});
  return {{"status", name_of(packet.status)},
          {"budget", packet.budget},
          {"used", packet.used},
          {"tokenizer", packet.tokenizer},
          {"over_budget", packet.over_budget},
          {"behind_stop", packet.behind_stop},
          {"generated", format_rfc3339(packet.generated)},
          {"warnings", packet.warnings},
          {"text", output},
          {"preambles", std::move(preambles)},
          {"parts", std::move(parts)},
          {"left_out", left_out},
          {"times", std::move(steps)}};
}

Json packet_account_schema() {
  using namespace schema;
  return object({{"status!", any_text()},
                 {"budget!", any_whole()},
                 {"used!", any_whole()},
                 {"tokenizer!", any_text()},
                 {"over_budget!", any_flag()},
                 {"behind_stop!", any_whole()},
                 {"generated!", any_text()},
                 {"warnings!", texts()},
                 {"text!", any_text()},
                 {"preambles!", rows(object({{"heading!", any_text()}, {"lines!", texts()}}))},
                 {"parts!", rows(part_schema())},
                 {"left_out!", any_whole()},
                 {"times!", rows(object({{"step!", any_text()}, {"micros!", any_whole()}}))}});
}

}  // namespace knapsack::serve
