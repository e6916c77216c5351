// The packer: chooses a form for every item under one hard limit.
//
// It knows costs, not content. A form may belong to a *frame* (a heading, a list) that is paid for once, with
// the first form that needs it. What always holds: the cost never exceeds the limit; when everything fits in
// its richest form, everything is in its richest form; sections of a lower tier number are served first and
// never give way to later ones beyond their own cap; an omitted item would not have fitted. A pure function.
//
// The order of service:
//   1. everything richest, if that fits;
//   2. tier by tier, sections of one tier sharing what is there in proportion to their full sizes: pinned
//      items, then rank order, the richest form that fits the section's allowance, else a poorer one, else
//      nothing. What a section leaves unused flows on to the next;
//   3. what is left upgrades items in tier and rank order.
// The very first item is settled in step 2 alone: its richest form that fits the allowance or that leaves
// room for everything else in its poorest form, else its cheapest form. All of these grow with the limit, so
// a larger budget never shows it poorer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace knapsack {

struct FormCost {
  uint64_t cost = 0;
  std::optional<size_t> frame;  // index into PackProblem::frames
};

struct PackItem {
  std::vector<FormCost> forms;  // richest first
  bool pinned = false;
  // In a section in order: of no use behind what had no room, in whatever form.
  bool goes_on = false;
  // In a section in order: where it has no room whole, a poorer form of it comes before those of all that would follow,
  // and room is kept for its last but one form, up to a third of what the section has.
  bool leads = false;
};

struct PackSection {
  int tier = 0;
  double cap = 1.0;         // share of the limit that step 2 may give the section
  double floor = 0.0;       // share of the limit that earlier tiers leave for it
  double rich_share = 1.0;  // share of the allowance that forms other than the poorest may take together
  // The richest forms are taken in order up to the first that does not fit: a larger limit shows no less. Then those that
  // lead and that one take the richest form that fits, those behind it their poorest.
  bool in_order = false;
  std::vector<PackItem> items;
};

struct PackProblem {
  uint64_t limit = 0;
  uint64_t base = 0;  // spent whatever is chosen
  std::vector<uint64_t> frames;
  std::vector<PackSection> sections;
};

struct PackSolution {
  // For each section and item, the chosen form; nothing when omitted.
  std::vector<std::vector<std::optional<size_t>>> forms;
  uint64_t used = 0;  // base and frames included; above the limit only when the base alone is
};

PackSolution pack(const PackProblem& problem);

// Step 3 alone, on a solution that turned out to cost `used`, less than its prices said: what that leaves is
// handed out too. Items that share something cost less together than one by one.
PackSolution hand_out(const PackProblem& problem, const PackSolution& solution);

}  // namespace knapsack
