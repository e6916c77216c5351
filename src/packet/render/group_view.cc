#include "packet/render/group_view.h"

#include <algorithm>
#include <unordered_map>

namespace knapsack {
namespace {

constexpr uint32_t kJoinedGap = 3;

void add(GroupView& view, const Form& form) {
  view.shown = true;
  view.by_title_alone = view.by_title_alone && form.kind == FormKind::kTitle;
  view.ranges.insert(view.ranges.end(), form.lines.begin(), form.lines.end());
  view.outline.insert(view.outline.end(), form.outline.begin(), form.outline.end());
  if (!form.breaks_off) return;
  for (const LineRange range : form.lines) view.broken_off = std::max(view.broken_off, range.last);
}

bool covered(const std::vector<LineRange>& ranges, uint32_t line) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), line,
                                      [](uint32_t wanted, LineRange range) { return wanted < range.first; });
  return after != ranges.begin() && line <= std::prev(after)->last;
}

void tidy(GroupView& view, const CandidateGroup& group) {
  std::sort(view.ranges.begin(), view.ranges.end(),
            [](LineRange a, LineRange b) { return std::pair(a.first, a.last) < std::pair(b.first, b.last); });
  std::vector<LineRange> merged;
  for (const LineRange range : view.ranges) {
    // A short gap, or one of blank lines, is cheaper to show than to mark.
    if (!merged.empty() && (range.first <= merged.back().last + 1 + kJoinedGap ||
                            group.is_blank({merged.back().last + 1, range.first - 1}))) {
      merged.back().last = std::max(merged.back().last, range.last);
    } else {
      merged.push_back(range);
    }
  }
  view.ranges = std::move(merged);
  auto& outline = view.outline;
  std::stable_sort(outline.begin(), outline.end(),
                   [](const OutlineLine& a, const OutlineLine& b) { return a.line < b.line; });
  outline.erase(std::unique(outline.begin(), outline.end()), outline.end());
  outline.erase(std::remove_if(outline.begin(), outline.end(),
                               [&](const OutlineLine& line) { return covered(view.ranges, line.line); }),
                outline.end());
}

using Places = std::unordered_map<const CandidateGroup*, size_t>;
Places places_of(const Packet& packet) {
  Places places;
  for (size_t i = 0; i < packet.groups.size(); ++i) places.emplace(packet.groups[i].get(), i);
  return places;
}

template <class Visit>
void for_each_shown_part(const Packet& packet, Visit visit) {
  if (packet.groups.empty()) return;
  const Places places = places_of(packet);
  for (const auto& section : packet.sections) {
    for (const auto& item : section.items) {
      if (!item.shown || !item.candidate.group) continue;
      if (const auto found = places.find(item.candidate.group.get()); found != places.end()) {
        visit(found->second, item.candidate.forms[*item.shown]);
      }
    }
  }
}

}  // namespace

GroupView view_form(const CandidateGroup& group, const Form& form) {
  GroupView view;
  add(view, form);
  tidy(view, group);
  return view;
}

std::vector<GroupView> view_groups(const Packet& packet) {
  std::vector<GroupView> views(packet.groups.size());
  for_each_shown_part(packet, [&](size_t group, const Form& form) { add(views[group], form); });
  for (size_t g = 0; g < views.size(); ++g) tidy(views[g], *packet.groups[g]);
  return views;
}

std::vector<bool> shown_groups(const Packet& packet) {
  std::vector<bool> shown(packet.groups.size(), false);
  for_each_shown_part(packet, [&](size_t group, const Form&) { shown[group] = true; });
  return shown;
}

}  // namespace knapsack
