#include "engine/recipes/pack/pack_assembly.h"

#include <algorithm>

#include "engine/least_budget.h"
#include "packet/assembly/not_read.h"

namespace knapsack {

PackAssembly::PackAssembly(const std::vector<PacketSection>& sections, const Renderer& renderer,
                           const Budget& largest, const std::set<std::string>& named)
    : renderer_(renderer), memory_(*largest.counter), named_(named) {
  const uint64_t limit = largest.tokens * largest.counter->units_per_token();
  for (const PacketSection& section : sections) pieces_.push_back(price(section, renderer_, memory_, limit));
}

bool PackAssembly::shows_named_files(const Packet& packet) const {
  for (const PacketSection& section : packet.sections) {
    if (section.kind != SectionKind::kNamed) continue;
    return std::all_of(section.items.begin(), section.items.end(), [&](const PacketItem& item) {
      return item.shown || !item.candidate.dropped.empty() || !named_.contains(item.candidate.title);
    });
  }
  return true;
}

std::string PackAssembly::assemble_within(Packet& packet) {
  std::string bytes = assemble(packet, pieces_, renderer_, memory_);
  for (const PreambleKind kind : {PreambleKind::kTask, PreambleKind::kReadOrder, PreambleKind::kNotRead}) {
    const auto shortened = std::find_if(packet.preambles.begin(), packet.preambles.end(),
                                        [&](const PacketPreamble& each) { return each.kind == kind; });
    while (bytes.empty() || !shows_named_files(packet)) {
      if (shortened == packet.preambles.end() || shortened->lines.empty()) break;
      shortened->lines.resize(shortened->lines.size() / 2);
      bytes = assemble(packet, pieces_, renderer_, memory_);
    }
  }
  std::vector<std::string>& rules = packet.preambles.front().lines;
  while (bytes.empty() && !rules.empty()) {
    rules.resize(rules.size() / 2);
    bytes = assemble(packet, pieces_, renderer_, memory_);
  }
  return bytes;
}

uint64_t PackAssembly::least_budget(const Packet& packet) {
  return least_budget_above(packet.budget, [&](uint64_t budget) {
    Packet trial = packet;
    trial.budget = budget;
    trial.margin = 0;
    const std::string bytes = assemble_within(trial);
    return shows_something(trial, bytes);
  });
}

bool shows_something(const Packet& packet, const std::string& bytes) {
  if (bytes.empty()) return false;
  for (const PacketSection& section : packet.sections) {
    for (const PacketItem& item : section.items)
      if (item.shown) return true;
  }
  return std::any_of(packet.preambles.begin(), packet.preambles.end(), [](const PacketPreamble& each) {
    return each.kind != PreambleKind::kTask && !each.lines.empty();
  });
}

}  // namespace knapsack
