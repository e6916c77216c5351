#include "engine/eval_packet.h"

#include <fmt/format.h>

#include "engine/code_packet.h"
#include "render/group_view.h"
#include "stages/runner.h"

namespace knapsack {

Result<PacketTrial> PacketTrial::prepare(const FileSystem& files, const std::string& repository,
                                         code::CodeIndex& index, const TaskQuery& task,
                                         const std::vector<code::RankedFile>& ranked) {
  KNAPSACK_TRY(auto texts, code::SnapshotTexts::open(files, repository, index.snapshot()));
  PacketTrial trial(index, std::move(texts));
  const stages::StageInput input{index, task, nullptr, &ranked};
  KNAPSACK_TRY(auto result, stages::run_stages(stages::stage_list(), input, {}, nullptr));
  trial.context_ = std::move(result.context);
  return trial;
}

Result<PackedFiles> PacketTrial::pack(uint64_t budget) const {
  KNAPSACK_TRY(const TokenCounter* counter, find_token_counter("o200k"));
  KNAPSACK_TRY(const CodePacketParts parts, make_code_sections(*index_, texts_, context_, budget));
  Packet packet;
  packet.title = "Evaluation";
  packet.tokenizer = counter->name();
  packet.budget = budget;
  const std::string bytes = pack_code(packet, parts, markdown_renderer(), *counter);
  PackedFiles packed;
  packed.used = counter->count(bytes);
  if (packed.used > budget) {
    return Error{ErrorCode::kInternal,
                 fmt::format("a packet of {} tokens for a budget of {}", packed.used, budget), "report this"};
  }
  const auto views = view_groups(packet);
  for (size_t g = 0; g < views.size(); ++g) {
    if (!views[g].shown) continue;
    const CandidateGroup& group = *packet.groups[g];
    packed.any_form.push_back(group.id);
    const bool whole = views[g].ranges.size() == 1 && views[g].ranges.front().first == 1 &&
                       views[g].ranges.front().last >= group.line_count();
    if (whole) packed.in_full.push_back(group.id);
  }
  return packed;
}

}  // namespace knapsack
