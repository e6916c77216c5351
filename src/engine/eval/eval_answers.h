// AnswerStore: the answers of an evaluation that are there already, one JSON object a line, in a file beside
// the report.
//
// Answers are appended as they come. What a killed run left half-written, or what cannot be read, is found
// anew. Safe to share between threads.
// Private to engine/eval/.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/files/file_system.h"
#include "engine/eval/eval_metrics.h"

namespace knapsack {

// An answer without the times that it took.
nlohmann::ordered_json answer_to_json(const EvalAnswer& answer);

class AnswerStore {
 public:
  // With an empty path nothing is kept.
  static Result<std::unique_ptr<AnswerStore>> open(FileSystem& files, const std::string& path);

  // Under a key that stands for the task, the method and everything else that decides the answer.
  std::optional<EvalAnswer> find(const std::string& key) const;
  Status add(const std::vector<std::pair<std::string, EvalAnswer>>& answers);

 private:
  AnswerStore(FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}
  void load(std::string_view bytes);

  FileSystem& files_;
  std::string path_;
  mutable std::mutex mutex_;
  std::map<std::string, EvalAnswer> answers_;
  uint64_t end_ = 0;  // of the last whole line of the file
};

}  // namespace knapsack
