#include "engine/recipes/pack/pack_allocation.h"

#include <algorithm>
#include <array>
#include <map>

namespace knapsack {
namespace {

struct IntentRow {
  TaskIntent intent;
  double code, notes, memory, graph;
};
// By judgement, round; docs/scoring.md has the table. Debugging leans on code, planning on the graph and the
// notes.
constexpr std::array<IntentRow, 5> kShares = {{
    {TaskIntent::kDebug, 0.70, 0.10, 0.10, 0.10},
    {TaskIntent::kPlan, 0.35, 0.20, 0.15, 0.30},
    {TaskIntent::kResearch, 0.50, 0.20, 0.20, 0.10},
    {TaskIntent::kExecute, 0.60, 0.15, 0.10, 0.15},
    {TaskIntent::kExplain, 0.60, 0.20, 0.10, 0.10},
}};

double share_of(const IntentRow& row, Source source) {
  switch (source) {
    case Source::kCode:
      return row.code;
    case Source::kNotes:
      return row.notes;
    case Source::kMemory:
      return row.memory;
    case Source::kGraph:
      return row.graph;
  }
  return 0;
}

struct ServiceRow {
  Source source;
  SectionKind kind;  // of the section; kOther stands for all other sections of the source
  int tier;
  double part;  // of the source's share that is kept free for the section
};
// The order in which sections are served, whichever source they come from.
// What the task names comes first, then the code that it is about, then the background; whole files come
// last. Code needs no floors: it is served first.
constexpr ServiceRow kService[] = {
    {Source::kCode, SectionKind::kNamed, 0, 0},
    {Source::kCode, SectionKind::kUnits, 1, 0},
    {Source::kCode, SectionKind::kSignatures, 2, 0},
    {Source::kCode, SectionKind::kConnections, 3, 0},
    {Source::kNotes, SectionKind::kTasks, 6, 0.25},
    {Source::kNotes, SectionKind::kConventions, 7, 0.15},
    {Source::kNotes, SectionKind::kDecisions, 8, 0.35},
    {Source::kNotes, SectionKind::kLearnings, 8, 0.25},
    {Source::kMemory, SectionKind::kArtifacts, 9, 0.2},
    {Source::kMemory, SectionKind::kMemories, 10, 0.5},
    {Source::kMemory, SectionKind::kEpisodes, 11, 0.1},
    {Source::kGraph, SectionKind::kTasks, 12, 0.4},
    {Source::kGraph, SectionKind::kDecisions, 13, 0.25},
    {Source::kGraph, SectionKind::kKnowledge, 13, 0.25},
    {Source::kGraph, SectionKind::kChanges, 14, 0.1},
    {Source::kMemory, SectionKind::kOther, 15, 0.2},  // the profile, a section a heading
    {Source::kCode, SectionKind::kOther, 16, 0},      // whole files
};

const ServiceRow& row_of(Source source, SectionKind kind) {
  const auto fits = [&](const ServiceRow& row) { return row.source == source && row.kind == kind; };
  const auto* const exact = std::find_if(std::begin(kService), std::end(kService), fits);
  if (exact != std::end(kService)) return *exact;
  const auto others = [&](const ServiceRow& row) {
    return row.source == source && row.kind == SectionKind::kOther;
  };
  const auto* const rest = std::find_if(std::begin(kService), std::end(kService), others);
  return rest != std::end(kService) ? *rest : *(std::end(kService) - 1);
}

}  // namespace

std::vector<SourceShare> shares_for(TaskIntent intent, std::span<const Source> present) {
  const auto* const row = std::find_if(kShares.begin(), kShares.end(),
                                       [&](const IntentRow& each) { return each.intent == intent; });
  std::vector<SourceShare> shares;
  double total = 0;
  for (const Source source : present) {
    shares.push_back({source, share_of(*row, source)});
    total += shares.back().share;
  }
  for (SourceShare& each : shares) each.share /= total;
  return shares;
}

void allocate(std::vector<PacketSection>& sections, Source source, double share) {
  // Sections that have a row together share its part by how much they hold.
  std::map<const ServiceRow*, double> items;
  for (const PacketSection& section : sections) {
    items[&row_of(source, section.kind)] += static_cast<double>(section.items.size());
  }
  for (PacketSection& section : sections) {
    const ServiceRow& row = row_of(source, section.kind);
    section.tier = row.tier;
    section.cap = source == Source::kCode ? section.cap : 1.0;
    const double all = items[&row];
    section.floor = all == 0 ? 0 : share * row.part * static_cast<double>(section.items.size()) / all;
  }
}

}  // namespace knapsack
