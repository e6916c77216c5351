#include "stages/stage.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/nearest.h"
#include "core/split.h"
#include "text/markdown/markdown_lines.h"

namespace knapsack::stages {
namespace {

std::string known_names() {
  std::string names;
  for (const Stage* stage : stage_list()) {
    names += (names.empty() ? "" : ", ") + std::string(stage->name());
  }
  return names;
}

Result<const Stage*> find_stage(std::string_view name) {
  std::vector<std::string> names;
  for (const Stage* stage : stage_list()) {
    if (stage->name() == name) return stage;
    names.emplace_back(stage->name());
  }
  const std::string near = nearest_name(std::string(name), names);
  return Error{ErrorCode::kUsage, fmt::format("unknown stage '{}'", name),
               near.empty() ? fmt::format("the stages are {}", known_names())
                            : fmt::format("did you mean {}? The stages are {}", near, known_names())};
}

}  // namespace

const std::vector<const Stage*>& stage_list() {
  static const std::vector<const Stage*> stages = {&scope_stage(), &precision_stage()};
  return stages;
}

Result<std::vector<const Stage*>> parse_stages(std::string_view list) {
  if (list.find_first_not_of(" ,\t") == std::string_view::npos) {
    return Error{ErrorCode::kUsage, "the list of stages is empty",
                 fmt::format("name at least one of {}", known_names())};
  }
  std::vector<const Stage*> stages;
  std::vector<std::string_view> names;
  for_each_part(list, ",", [&](std::string_view part) { names.push_back(trim(part)); });
  for (const std::string_view name : names) {
    KNAPSACK_TRY(const Stage* stage, find_stage(name));
    if (std::find(stages.begin(), stages.end(), stage) != stages.end()) {
      return Error{ErrorCode::kUsage, fmt::format("stage '{}' is listed twice", name), "list it once"};
    }
    const bool has_needed =
        stage->needs().empty() || std::any_of(stages.begin(), stages.end(), [&](const Stage* before) {
          return before->name() == stage->needs();
        });
    if (!has_needed) {
      return Error{ErrorCode::kUsage,
                   fmt::format("stage '{}' works on the files that '{}' finds", name, stage->needs()),
                   fmt::format("list {} before it: {},{}", stage->needs(), stage->needs(), name)};
    }
    stages.push_back(stage);
  }
  return stages;
}

}  // namespace knapsack::stages
