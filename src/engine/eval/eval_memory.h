// evaluate_memory: how much of the evidence for known questions recall finds, by rank and by tokens.
//
// Every turn of a conversation is a memory; each question is asked of its own conversation. No server is
// asked, nothing is written. The same file gives the same figures; only times differ.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "engine/eval/eval.h"

namespace knapsack {

struct MemoryEvalRequest {
  std::string conversations_file;
  std::vector<size_t> ks = {5, 10, 25, 50};
  std::vector<size_t> budgets = {512, 1024, 2048, 4096};
  std::vector<std::string> methods = {"full"};
  std::string model_file;                   // of the encoder; empty: by words alone
  std::map<std::string, double> constants;  // of the ranking, instead of their own values
};

// What can be compared, with what each leaves out.
std::vector<EvalMethod> memory_eval_methods();

Result<EvalReport> evaluate_memory(const FileSystem& files, const MemoryEvalRequest& request);

}  // namespace knapsack
