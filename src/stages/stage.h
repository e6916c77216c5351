// Stage: one step of a retrieval. A stage refines what the one before it left.
//
// Stages hold no state: everything of a task is in the StageContext, so a run that was killed goes on with
// the stage after the last one whose context was kept. Adding a stage means writing one and listing it in
// stage_list() (stage.cc); no other code knows their names.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "code/ask/code_index.h"
#include "code/ask/file_texts.h"
#include "code/rank/file_ranking.h"
#include "code/units/unit_constants.h"
#include "code/walk/path_choice.h"
#include "core/result.h"
#include "stages/judge.h"
#include "stages/stage_context.h"
#include "understand/task_query.h"

namespace knapsack::stages {

struct StageInput {
  code::CodeIndex& index;
  const TaskQuery& task;
  code::FileTexts& texts;
  Judge* judge = nullptr;  // null: no model, rules decide
  // The ranking of the repository's files for this task, where somebody has it already.
  const std::vector<code::RankedFile>* ranking = nullptr;
  code::UnitConstants units = {};
  const code::PathChoice* choice = nullptr;  // the files that may be shown; null: all
  uint64_t budget = 0;                       // tokens that the packet may have; 0: not known
  const code::FileMeaning* near =
      nullptr;  // how near files are to a short question; null: words decide alone
};

class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::string_view name() const = 0;
  // One line for `--help`.
  virtual std::string_view purpose() const = 0;
  // The stage whose work this one goes on with; empty for one that can be the first.
  virtual std::string_view needs() const { return {}; }
  // Refines what the stage before it left.
  virtual Result<StageContext> run(StageContext context, const StageInput& input) const = 0;
};

// Every stage there is, in the order in which they make sense.
const std::vector<const Stage*>& stage_list();
// From "scope,precision"; kUsage for an empty list, an unknown name, the same name
// twice, or a stage before the one that it needs.
Result<std::vector<const Stage*>> parse_stages(std::string_view list);

const Stage& scope_stage();
const Stage& precision_stage();

}  // namespace knapsack::stages
