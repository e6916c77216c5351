// MemoryRecipes: the memories of an agent. A part of Engine (engine/engine.h), which owns the state; one thread at a time.
#pragma once

#include "core/result.h"
#include "engine/api/capture_requests.h"
#include "engine/api/memory_requests.h"
#include "engine/api/recall_requests.h"

namespace knapsack {

struct EngineState;

class MemoryRecipes {
 public:
  // The memory tree. What `remember` answered for is on disk.
  Result<RememberReply> remember(const RememberRequest& request);
  Result<ForgetReply> forget(const ForgetRequest& request);
  Result<FeedbackReply> feedback(const FeedbackRequest& request);
  Result<MemoryListReply> memories(const MemoryListRequest& request);
  // Brings the memories of another folder into the one that is read here.
  Result<MoveMemoriesReply> move_memories(const MoveMemoriesRequest& request);
  Result<MemoryMatchReply> memory_matches(const MemoryMatchRequest& request);
  // Proposes memories from what was said in a session of an agent; they wait for a review unless the user says otherwise.
  Result<CaptureReply> capture(const CaptureRequest& request);
  // What waits, after accepting and refusing what is named.
  Result<ReviewReply> review_memories(const ReviewRequest& request);
  Result<MemoryShowReply> memory_show(const MemoryShowRequest& request);
  // Reads the profile, or replaces it.
  Result<ProfileReply> profile(const ProfileRequest& request);
  // The memories that a prompt needs, and the profile, within a budget.
  Result<RecallReply> recall(const RecallRequest& request);
  // The first half of it, for who has to try several budgets.
  Result<std::unique_ptr<GatheredRecall>> gather_recall(const RecallRequest& request);
  // Makes the vectors that are missing, one process at a time. Holds nothing that an answer waits for.
  Result<EmbedReply> embed(const EmbedRequest& request);

 protected:
  explicit MemoryRecipes(EngineState& state) : state_(&state) {}
  ~MemoryRecipes() = default;

 private:
  EngineState* state_;
};

}  // namespace knapsack
