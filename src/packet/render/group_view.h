// What of a group is shown: the lines of all its chosen parts, each line once, in order.
//
// Parts overlap (a class and its method, a signature and its body); a reader sees one text with gaps. Used by
// every renderer, so that all formats show the same lines. Pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "packet/packet.h"

namespace knapsack {

struct GroupView {
  bool shown = false;
  bool by_title_alone = true;        // nothing of its content
  std::vector<LineRange> ranges;     // sorted, with more than blank lines between them
  uint32_t broken_off = 0;           // the last line of a part that goes on behind it; 0 for none
  std::vector<OutlineLine> outline;  // sorted, each line once, none of them within a range

  // Whether what is shown last goes on.
  bool breaks_off() const { return !ranges.empty() && ranges.back().last == broken_off; }
};

GroupView view_form(const CandidateGroup& group, const Form& form);
// One for each group of the packet, in the same order.
std::vector<GroupView> view_groups(const Packet& packet);

// The groups of which anything is shown, for a quick look.
std::vector<bool> shown_groups(const Packet& packet);

}  // namespace knapsack
