// PacketTrial: which files and lines the packet of a task holds at a budget, by the stages and the packer of
// `retrieve`.
//
// No model, no session and no ledger take part. Budgets are exact tokens of the printed Markdown; a packet
// that exceeded its budget would be an error, not a figure. One thread.
// Private to engine/eval/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code/ask/file_texts.h"
#include "code/rank/file_ranking.h"
#include "code/units/unit_constants.h"
#include "engine/eval/eval_lines.h"
#include "stages/stage_context.h"
#include "understand/task_query.h"

namespace knapsack {

struct PackedFiles {
  std::vector<std::string> any_form;
  std::vector<std::string> in_full;
  ShownLines lines;
  std::vector<std::string> whole_units;  // ids of units that are shown in full
  uint64_t used = 0;
};

class PacketTrial {
 public:
  // `repository` holds the snapshot's contents. `ranked` is the ranking that the packet goes by.
  static Result<PacketTrial> prepare(const FileSystem& files, const std::string& repository,
                                     code::CodeIndex& index, const TaskQuery& task,
                                     const std::vector<code::RankedFile>& ranked,
                                     const code::UnitConstants& units);

  Result<PackedFiles> pack(uint64_t budget, bool fill) const;
  // The units of the packet, best first.
  std::vector<RankedPlace> ranking() const;

 private:
  PacketTrial(std::string task, code::CodeIndex& index, std::unique_ptr<code::FileTexts> texts,
              const code::UnitConstants& units)
      : task_(std::move(task)), index_(&index), texts_(std::move(texts)), units_(units) {}

  std::string task_;
  code::CodeIndex* index_;
  std::unique_ptr<code::FileTexts> texts_;
  code::UnitConstants units_;
  stages::StageContext context_;
};

}  // namespace knapsack
