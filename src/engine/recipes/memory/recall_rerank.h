// The model's opinion on what was recalled: one question, numbers from 0 to 100, a deadline, and no harm when
// it fails.
//
// At most twenty memories are shown to it, by 400 characters each, secrets replaced. It may put them in
// another order and nothing else. An answer is remembered for an hour, so that the same prompt on the same
// memories asks once. Whatever goes wrong leaves the order as it was and gives a line that says so. One
// thread.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/files/file_system.h"
#include "memory/recall/recall.h"
#include "model/model_client.h"

namespace knapsack {

inline constexpr size_t kMaxReranked = 20;
inline constexpr size_t kRerankedCharacters = 400;
inline constexpr std::chrono::milliseconds kRerankDeadline{8'000};
inline constexpr int64_t kRerankMemorySeconds = 3'600;
inline constexpr size_t kMaxRemembered = 200;                   // answers; the oldest go first
inline constexpr std::string_view kRerankFile = "rerank.json";  // in the state folder

inline constexpr const char* kNoRerankModel =
    "recall.rerank is on and no model is named: give --model and --base-url, or set model.name and "
    "model.base_url";

struct RerankResult {
  std::string problem;      // why the order is not the model's, or not wholly; empty when it is
  bool remembered = false;  // no question was asked
  std::vector<model::CallRecord> calls;
};

struct RerankMemory {
  FileSystem* files = nullptr;  // null: nothing is remembered
  std::string folder;           // exists, or nothing is remembered
};

RerankResult rerank_memories(std::vector<memory::RecalledMemory>& memories, const std::string& prompt,
                             model::ModelClient& client, const RerankMemory& remembered, Timestamp now,
                             std::chrono::milliseconds deadline = kRerankDeadline);

}  // namespace knapsack
