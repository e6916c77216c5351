// PackRecipes: what is asked of all sources together. A part of Engine (engine/engine.h), which owns the state; one thread at a time.
#pragma once

#include "core/result.h"
#include "engine/api/pack_requests.h"
#include "engine/api/search_requests.h"

namespace knapsack {

struct EngineState;

class PackRecipes {
 public:
  // What a task needs of everything that is there, under one budget: code, notes, memories, graph.
  Result<PackReply> pack(const PackRequest& request);
  // The first half of pack(), for who has to try several budgets.
  Result<std::unique_ptr<GatheredPack>> gather_pack(const PackRequest& request);
  // What matches a query, in all sources that are there, in one list.
  Result<SearchReply> search(const SearchRequest& request);

 protected:
  explicit PackRecipes(EngineState& state) : state_(&state) {}
  ~PackRecipes() = default;

 private:
  EngineState* state_;
};

}  // namespace knapsack
