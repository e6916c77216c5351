#include "packet/render/group_view.h"

#include <fmt/format.h>

#include <random>
#include <set>

#include "support/support.h"

namespace knapsack {
namespace {

std::shared_ptr<const CandidateGroup> group(const std::string& text, const std::string& path = "a.py") {
  CandidateGroup made;
  made.id = path;
  made.text = text;
  return make_group(std::move(made));
}

GroupView view(const std::shared_ptr<const CandidateGroup>& of, std::vector<LineRange> lines,
               std::vector<OutlineLine> outline = {}) {
  return view_form(*of, {FormKind::kFull, "", std::move(lines), std::move(outline)});
}

using Ranges = std::vector<LineRange>;

TEST(GroupView, MergesOverlappingAndNeighbouringRanges) {
  const auto text = group("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  EXPECT_EQ(view(text, {{7, 8}, {1, 2}, {8, 8}}).ranges, (Ranges{{1, 2}, {7, 8}}));
  EXPECT_EQ(view(text, {{6, 8}, {1, 2}}).ranges, (Ranges{{1, 8}})) << "a gap of three lines is shown";
  EXPECT_EQ(view(text, {{3, 4}, {1, 2}}).ranges, (Ranges{{1, 4}}));
  EXPECT_EQ(view(text, {{1, 9}, {2, 3}, {8, 9}}).ranges, (Ranges{{1, 9}}));
}

TEST(GroupView, ShowsBlankGapsInsteadOfMarkingThem) {
  const auto text = group("a\n\n \t\n\n\nb\n1\n2\n3\n4\nc\n");
  EXPECT_EQ(view(text, {{1, 1}, {6, 6}}).ranges, (Ranges{{1, 6}}));
  EXPECT_EQ(view(text, {{6, 6}, {11, 11}}).ranges, (Ranges{{6, 6}, {11, 11}}));
}

TEST(GroupView, ASignatureStandsOnlyWhereItsLineIsNotShown) {
  const auto text = group("1\n2\n3\n4\n5\n");
  const GroupView seen = view(text, {{2, 3}}, {{5, "def e"}, {2, "def b"}, {1, "def a"}, {5, "def e"}});
  EXPECT_EQ(seen.outline, (std::vector<OutlineLine>{{1, "def a"}, {5, "def e"}}));
}

TEST(GroupView, KnowsWhetherWhatIsShownLastGoesOn) {
  const auto text = group("1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  const auto goes_on = [&](std::vector<LineRange> part, std::vector<LineRange> whole) {
    Packet packet;
    packet.groups = {text};
    packet.sections.resize(1);
    for (const bool breaks_off : {true, false}) {
      PacketItem item;
      item.candidate.group = text;
      item.candidate.forms = {{FormKind::kReduced, "", breaks_off ? part : whole, {}, breaks_off}};
      item.shown = 0;
      packet.sections[0].items.push_back(std::move(item));
    }
    return view_groups(packet)[0].breaks_off();
  };
  EXPECT_TRUE(goes_on({{1, 1}, {5, 7}}, {{2, 2}}));
  EXPECT_FALSE(goes_on({{1, 1}, {5, 7}}, {{9, 9}})) << "it is not the last";
  EXPECT_FALSE(goes_on({{5, 7}}, {{6, 8}})) << "what it goes on with is shown";
  EXPECT_FALSE(view(text, {{5, 7}}).breaks_off());
}

TEST(GroupView, EveryChosenLineIsShownOnceAndInOrder) {
  std::mt19937 random(11);
  const auto pick = [&](uint32_t low, uint32_t high) {
    return std::uniform_int_distribution<uint32_t>(low, high)(random);
  };
  for (int n = 0; n < 4000 / testing::cases_divisor(); ++n) {
    std::string text;
    const uint32_t lines = pick(1, 30);
    std::set<uint32_t> blank;
    for (uint32_t i = 1; i <= lines; ++i) {
      if (pick(0, 3) == 0) blank.insert(i);
      text += blank.contains(i) ? " \n" : fmt::format("line {}\n", i);
    }
    const auto of = group(text);
    // Parts in several sections, as a packet has them.
    Packet packet;
    packet.groups = {of};
    packet.sections.resize(3);
    std::set<uint32_t> chosen, signatures;
    for (uint32_t part = pick(0, 6); part > 0; --part) {
      PacketItem item;
      item.candidate.group = of;
      const uint32_t first = pick(1, lines);
      const LineRange range{first, pick(first, std::min(lines, first + 6))};
      const uint32_t signature = pick(1, lines);
      item.candidate.forms = {{FormKind::kFull, "", {range}},
                              {FormKind::kSignature, "", {}, {{signature, "signature"}}}};
      const uint32_t shown = pick(0, 2);
      if (shown < 2) item.shown = shown;
      if (shown == 0) {
        for (uint32_t line = range.first; line <= range.last; ++line) chosen.insert(line);
      }
      if (shown == 1) signatures.insert(signature);
      packet.sections[pick(0, 2)].items.push_back(std::move(item));
    }
    const GroupView seen = view_groups(packet).at(0);
    EXPECT_EQ(seen.shown, !chosen.empty() || !signatures.empty());
    EXPECT_EQ(shown_groups(packet).at(0), seen.shown);
    std::set<uint32_t> printed;
    for (size_t i = 0; i < seen.ranges.size(); ++i) {
      ASSERT_LE(seen.ranges[i].first, seen.ranges[i].last);
      if (i > 0) {
        ASSERT_GT(seen.ranges[i].first, seen.ranges[i - 1].last + 1);
      }
      for (uint32_t line = seen.ranges[i].first; line <= seen.ranges[i].last; ++line) printed.insert(line);
    }
    for (const uint32_t line : chosen) ASSERT_TRUE(printed.contains(line)) << line;
    // A line that nobody chose is blank, or in a short gap.
    for (const uint32_t line : printed) {
      const auto next = chosen.lower_bound(line);
      const bool in_gap = next != chosen.end() && next != chosen.begin() && *next - *std::prev(next) <= 4;
      ASSERT_TRUE(chosen.contains(line) || blank.contains(line) || in_gap) << line;
    }
    std::set<uint32_t> outlined;
    for (const OutlineLine& line : seen.outline) {
      ASSERT_TRUE(outlined.insert(line.line).second) << "each signature once";
    }
    for (const uint32_t line : signatures) ASSERT_NE(outlined.contains(line), printed.contains(line)) << line;
  }
}

}  // namespace
}  // namespace knapsack
