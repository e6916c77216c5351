#include "engine/eval/eval_packet.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/recipes/code/code_packet.h"
#include "engine/recipes/code/retrieval_request.h"
#include "packet/render/group_view.h"
#include "stages/runner.h"

namespace knapsack {

Result<PacketTrial> PacketTrial::prepare(const FileSystem& files, const std::string& repository,
                                         code::CodeIndex& index, const TaskQuery& task,
                                         const std::vector<code::RankedFile>& ranked,
                                         const code::UnitConstants& units) {
  KNAPSACK_TRY(auto texts, code::SnapshotTexts::open(files, repository, index.snapshot()));
  PacketTrial trial(task.text, index, std::make_unique<code::FileTexts>(index, std::move(texts)), units);
  const stages::StageInput input{index, task, *trial.texts_, nullptr, &ranked, units};
  KNAPSACK_TRY(auto result, stages::run_stages(stages::stage_list(), input, {}, nullptr));
  trial.context_ = std::move(result.context);
  return trial;
}

Result<PackedFiles> PacketTrial::pack(uint64_t budget, bool fill) const {
  KNAPSACK_TRY(const TokenCounter* counter, find_token_counter("o200k"));
  KNAPSACK_TRY(const CodePacketParts parts, make_code_sections(CodePlaces(*index_, *texts_), context_,
                                                               {budget, fill, counter->name(), {}, units_}));
  Packet packet = packet_for_task(task_, {budget, counter}, {});
  const std::string bytes = pack_code(packet, parts, markdown_renderer(), *counter);
  PackedFiles packed;
  packed.used = counter->count(bytes);
  if (packed.used > budget) {
    return Error{ErrorCode::kInternal,
                 fmt::format("a packet of {} tokens for a budget of {}", packed.used, budget), "report this"};
  }
  for (const PacketSection& section : packet.sections) {
    if (!section.in_order) continue;
    for (const PacketItem& item : section.items)
      if (item.in_full()) packed.whole_units.push_back(item.candidate.id);
  }
  const auto views = view_groups(packet);
  for (size_t g = 0; g < views.size(); ++g) {
    if (!views[g].shown) continue;
    const CandidateGroup& group = *packet.groups[g];
    packed.any_form.push_back(group.id);
    if (!views[g].ranges.empty()) packed.lines[group.id] = views[g].ranges;
    const bool whole = views[g].ranges.size() == 1 && views[g].ranges.front().first == 1 &&
                       views[g].ranges.front().last >= group.line_count();
    if (whole) packed.in_full.push_back(group.id);
  }
  return packed;
}

std::vector<RankedPlace> PacketTrial::ranking() const {
  std::vector<RankedPlace> places;
  std::vector<const stages::SelectedSymbol*> units;
  for (const stages::SelectedSymbol& unit : context_.symbols)
    if (unit.kind != code::UnitKind::kImports) units.push_back(&unit);
  std::stable_sort(units.begin(), units.end(),
                   [](const auto* a, const auto* b) { return a->score.total > b->score.total; });
  for (const auto* unit : units)
    places.push_back({unit->path, unit->lines, unit->kind == code::UnitKind::kFunction});
  return places;
}

}  // namespace knapsack
