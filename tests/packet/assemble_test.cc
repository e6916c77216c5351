// Which parts of files a packet gives up first.
#include "packet/assembly/assemble.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/support.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

// Twelve units in four files, and a number of files of which only the path can be shown.
Packet packet_of_code(size_t listed) {
  Packet packet;
  packet.title = "Context for: more";
  packet.tokenizer = "o200k";
  packet.may_be_blank = true;
  packet.sections.resize(2);
  packet.sections[0].in_order = true;
  packet.sections[1].tier = 1;
  const auto add = [&](size_t section, const std::string& id, Form form) {
    PacketItem item;
    item.candidate.id = id;
    item.candidate.group = packet.groups.back();
    item.candidate.forms = {std::move(form)};
    packet.sections[section].items.push_back(std::move(item));
  };
  const auto add_group = [&](const std::string& path, const std::string& text) {
    CandidateGroup group;
    group.id = path;
    group.text = text;
    packet.groups.push_back(make_group(std::move(group)));
  };
  for (uint32_t file = 0; file < 4; ++file) {
    std::string text;
    for (uint32_t line = 0; line < 30; ++line)
      text += fmt::format("total_{} += price_of({}) * {}\n", file, line, line);
    add_group(fmt::format("src/shop/part_{}.py", file), text);
    for (uint32_t unit = 0; unit < 3; ++unit)
      add(0, fmt::format("unit {} {}", file, unit), {FormKind::kFull, "", {{unit * 10 + 1, unit * 10 + 6}}});
  }
  for (size_t file = 0; file < listed; ++file) {
    add_group(fmt::format("src/listed/of_which_the_path_is_all_{}.py", file), "one\n");
    add(1, fmt::format("file {}", file), {FormKind::kTitle, ""});
  }
  return packet;
}

std::vector<std::string> units_within(uint64_t budget, size_t listed, size_t& paths) {
  Packet packet = packet_of_code(listed);
  packet.budget = budget;
  const TokenCounter& counter = **find_token_counter("o200k");
  UnitMemory memory(counter);
  std::vector<SectionPieces> pieces;
  for (const PacketSection& section : packet.sections)
    pieces.push_back(price(section, markdown_renderer(), memory, budget));
  const std::string bytes = assemble(packet, pieces, markdown_renderer(), memory);
  EXPECT_LE(counter.count(bytes), budget);
  std::vector<std::string> units;
  for (const PacketItem& item : packet.sections[0].items)
    if (item.shown) units.push_back(item.candidate.id);
  for (const PacketItem& item : packet.sections[1].items) paths += item.shown ? 1 : 0;
  return units;
}

// Prints more than the prices of what is shown tell.
class DearerThanPriced : public Renderer {
 public:
  std::string join(const Packet& packet, std::span<const SectionPieces> pieces) const override {
    bool any = false;
    for (const PacketSection& section : packet.sections)
      for (const PacketItem& item : section.items) any = any || item.shown;
    return markdown_renderer().join(packet, pieces) + std::string(any ? kUnpriced : 0, '.');
  }
  std::string item(const PacketSection& section, const Candidate& candidate, size_t form) const override {
    return markdown_renderer().item(section, candidate, form);
  }
  std::string section_frame(const PacketSection& section) const override {
    return markdown_renderer().section_frame(section);
  }
  std::string noted_frame() const override { return markdown_renderer().noted_frame(); }
  std::string group_frame(const CandidateGroup& group) const override {
    return markdown_renderer().group_frame(group);
  }
  std::string omission_line(uint64_t count) const override {
    return markdown_renderer().omission_line(count);
  }

 private:
  static constexpr size_t kUnpriced = 40;
};

// The sentence that ends a packet tells whether it is full, and is part of what it has used.
TEST(Assemble, WhatIsUsedIsWhatWasPrintedHoweverThePacketEnds) {
  size_t full = 0, free = 0;
  for (const char* name : {"chars4", "bytes4"}) {
    const TokenCounter& counter = **find_token_counter(name);
    for (uint64_t budget = 200; budget <= 1200; ++budget) {
      SCOPED_TRACE(fmt::format("{} {}", budget, name));
      Packet packet = packet_of_code(2);
      packet.tokenizer = name;
      packet.budget = budget;
      packet.behind_stop = 12;
      UnitMemory memory(counter);
      std::vector<SectionPieces> pieces;
      for (const PacketSection& section : packet.sections)
        pieces.push_back(price(section, markdown_renderer(), memory, budget));
      const std::string bytes = assemble(packet, pieces, markdown_renderer(), memory);
      EXPECT_EQ(counter.count(bytes), packet.used);
      EXPECT_EQ(packet.is_full, bytes.find("because the budget is full") != std::string::npos);
      ++(packet.is_full ? full : free);
    }
  }
  EXPECT_GT(full, 100U);
  EXPECT_GT(free, 100U);
}

TEST(Assemble, WhatIsDearerThanItsPriceCostsThatMuchAndNotThePacket) {
  const DearerThanPriced renderer;
  const TokenCounter& counter = **find_token_counter("chars4");
  size_t units = 0;
  for (uint64_t budget = 150; budget <= 800; ++budget) {
    SCOPED_TRACE(budget);
    Packet packet = packet_of_code(0);
    packet.tokenizer = "chars4";
    packet.budget = budget;
    UnitMemory memory(counter);
    std::vector<SectionPieces> pieces;
    for (const PacketSection& section : packet.sections)
      pieces.push_back(price(section, renderer, memory, budget));
    EXPECT_LE(counter.count(assemble(packet, pieces, renderer, memory)), budget);
    size_t shown = 0;
    for (const PacketItem& item : packet.sections[0].items) shown += item.shown ? 1 : 0;
    EXPECT_GE(shown, std::max<size_t>(units, 1)) << "what a smaller budget shows";
    units = std::max(units, shown);
  }
  EXPECT_EQ(units, 12U);
}

TEST(Assemble, PathsGiveWayBeforeCode) {
  size_t none = 0, paths = 0, shown = 0, lost = 0, budgets = 0;
  for (uint64_t budget = 60; budget <= 1400; budget += 7) {
    SCOPED_TRACE(budget);
    const auto alone = units_within(budget, 0, none);
    const auto beside_paths = units_within(budget, 12, paths);
    // Prices add up to a little more than what is printed, which may cost the last unit where it just fits.
    EXPECT_GE(beside_paths.size() + 1, alone.size());
    lost += beside_paths.size() < alone.size() ? 1 : 0;
    ++budgets;
    shown = std::max(shown, alone.size());
  }
  EXPECT_LE(lost * 50, budgets);
  EXPECT_GT(paths, 100U) << "some have to be shown, or nothing gave way";
  EXPECT_EQ(shown, 12U);
}

}  // namespace
}  // namespace knapsack
