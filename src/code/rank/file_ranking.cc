#include "code/rank/file_ranking.h"

#include <algorithm>
#include <numeric>

#include "code/rank/ranking_signals.h"

namespace knapsack::code {
namespace {

constexpr const char* kMeaningPart = "meaning";

struct Part {
  const char* name;
  double weight;
  FileScores scores;
};

// What a file keeps of its score. A task about tests or documentation is about exactly those.
double share_of(const FileRole& role, const TaskQuery& task, const RankingConstants& constants) {
  double share = 1;
  if (role.is_test && task.type != TaskType::kTest) share *= constants.test_share;
  if (role.is_auxiliary && task.type != TaskType::kDocs) {
    share *= role.is_prose ? constants.prose_share : constants.auxiliary_share;
  }
  return share;
}

class Ranking {
 public:
  Ranking(CodeIndex& index, const TaskQuery& task, const RankingOptions& options)
      : options_(options),
        input_{index, task, options.constants, task_terms(task, options.constants), {}},
        shares_(index.files().size(), 1),
        totals_(index.files().size()) {
    for (const FileRow& file : index.files()) input_.roles.push_back(role_of(file.name, file.language));
    if (!options.demotion) return;
    const std::vector<bool> twins = declaration_twins(index);
    for (size_t i = 0; i < shares_.size(); ++i) {
      shares_[i] = share_of(input_.roles[i], task, options.constants);
      if (twins[i]) shares_[i] *= options.constants.declarations_share;
    }
  }

  Result<std::vector<RankedFile>> run() {
    KNAPSACK_CHECK(first_stage());
    KNAPSACK_CHECK(second_stage());
    return take();
  }

 private:
  Status first_stage() {
    const RankingConstants& constants = options_.constants;
    KNAPSACK_TRY(lexical_, lexical_scores(input_));
    add(kLexicalPart, 1, lexical_.files);
    if (options_.file_names) {
      KNAPSACK_TRY(auto scores, file_name_scores(input_));
      add("file name", constants.file_name + constants.short_file_name * input_.terms.brevity,
          std::move(scores));
    }
    if (options_.definitions) {
      KNAPSACK_TRY(auto scores, definition_scores(input_));
      add("definitions", constants.definition, std::move(scores));
    }
    if (options_.messages) {
      KNAPSACK_TRY(auto scores, message_scores(input_));
      add("history", constants.history, std::move(scores));
    }
    if (options_.traces) {
      KNAPSACK_TRY(auto scores, trace_scores(input_));
      add("stack trace", constants.trace, std::move(scores));
    }
    if (options_.paths) {
      KNAPSACK_TRY(auto scores, path_scores(input_));
      add("path", constants.path, std::move(scores));
    }
    if (options_.paths) add("qualified name", constants.qualified, qualified_scores(input_));
    if (options_.references) {
      KNAPSACK_TRY(auto scores, reference_scores(input_));
      add("reference", constants.reference, std::move(scores));
    }
    if (options_.meaning && options_.near != nullptr)
      add(kMeaningPart, constants.meaning, meaning_scores(*options_.near, lexical_.files));
    order_ = best_first(totals_);
    first_stage_parts_ = parts_.size();
    return ok_status();
  }

  Status second_stage() {
    const RankingConstants& constants = options_.constants;
    const FileScores first = totals_;
    const RankedSoFar so_far{first, order_, lexical_.files};
    if (options_.co_changes) {
      KNAPSACK_TRY(auto scores, co_change_scores(input_, so_far));
      add("co-change", constants.co_change, std::move(scores));
    }
    if (options_.test_co_changes) {
      KNAPSACK_TRY(auto scores, test_co_change_scores(input_, so_far));
      add("test co-change", constants.test_co_change, std::move(scores));
    }
    if (options_.imports) {
      KNAPSACK_TRY(auto scores, import_scores(input_, so_far));
      add("imported", constants.import, std::move(scores));
    }
    keep_best(constants.co_change + constants.test_co_change + constants.import);
    order_ = best_first(totals_);
    return ok_status();
  }

  // The very best stay first: they get as much as any other file can get in this stage.
  void keep_best(double most) {
    const size_t kept = std::min(order_.size(), static_cast<size_t>(options_.constants.kept_files));
    FileScores scores(totals_.size());
    for (size_t i = 0; i < kept; ++i) {
      const uint32_t file = order_[i];
      for (size_t part = first_stage_parts_; part < parts_.size(); ++part) {
        totals_[file] -= shares_[file] * parts_[part].weight * parts_[part].scores[file];
        parts_[part].scores[file] = 0;
      }
      scores[file] = 1 / shares_[file];
    }
    add(kKeptFirst, most, std::move(scores));
  }

  void add(const char* name, double weight, FileScores scores) {
    for (size_t i = 0; i < scores.size(); ++i) totals_[i] += shares_[i] * weight * scores[i];
    parts_.push_back({name, weight, std::move(scores)});
  }

  std::vector<RankedFile> take() {
    std::vector<RankedFile> ranked;
    for (const uint32_t file : order_) {
      if (ranked.size() == options_.limit) break;
      if (is_far_and_alone(file)) continue;
      RankedFile& next = ranked.emplace_back();
      next.file = file;
      next.is_test = input_.roles[file].is_test;
      next.is_auxiliary = input_.roles[file].is_auxiliary;
      next.chunks = std::move(lexical_.chunks[file]);
      if (next.chunks.empty()) add_nearest_chunk(next);
      for (const Part& part : parts_) {
        const double value = shares_[file] * part.weight * part.scores[file];
        if (value > 0) next.score.components.push_back({part.name, value});
        next.score.total += value;
      }
    }
    return ranked;
  }

  // Something is always nearest. Where nothing else speaks for a file, it has to be among those.
  bool is_far_and_alone(uint32_t file) const {
    bool near = true;
    for (const Part& part : parts_) {
      if (part.scores[file] <= 0) continue;
      if (part.name != std::string_view(kMeaningPart)) return false;
      near = part.scores[file] >= options_.constants.meaning_alone;
    }
    return !near;
  }

  // What no word of the task stands in is shown where it is nearest in meaning.
  void add_nearest_chunk(RankedFile& ranked) const {
    const FileMeaning* near = options_.meaning ? options_.near : nullptr;
    if (near != nullptr && ranked.file < near->chunks.size() && near->scores[ranked.file] > 0)
      ranked.chunks.push_back({near->chunks[ranked.file], 0});
  }

  const RankingOptions& options_;
  RankingInput input_;
  FileScores shares_;
  FileScores totals_;
  LexicalScores lexical_;
  std::vector<Part> parts_;
  size_t first_stage_parts_ = 0;
  std::vector<uint32_t> order_;
};

}  // namespace

void normalise(FileScores& scores) {
  const auto best = std::max_element(scores.begin(), scores.end());
  if (best == scores.end() || *best <= 0) return;
  const double most = *best;
  for (double& score : scores) score /= most;
}

std::vector<uint32_t> best_first(const FileScores& scores) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < scores.size(); ++i) {
    if (scores[i] > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return scores[a] != scores[b] ? scores[a] > scores[b] : a < b; });
  return order;
}

double earned_score(const Score& score) {
  double earned = score.total;
  for (const ScoreComponent& component : score.components)
    if (component.name == kKeptFirst) earned -= component.value;
  return earned;
}

Result<std::vector<RankedFile>> rank_files(CodeIndex& index, const TaskQuery& task,
                                           const RankingOptions& options) {
  return Ranking(index, task, options).run();
}

}  // namespace knapsack::code
