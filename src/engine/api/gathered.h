// What was read and ranked for one request. Packets of several budgets are made of it, so that whoever has to try some
// reads once. It belongs to the engine that made it and serves one thread.
#pragma once

#include "core/result.h"
#include "packet/budget.h"

namespace knapsack {

template <class Reply>
class Gathered {
 public:
  virtual ~Gathered() = default;

  // The packet within this budget; the ledger does not hear of it.
  virtual Result<Reply> assemble(const Budget& budget) = 0;
  // Keeps the account of a reply that assemble() made; sets its run.
  virtual Status keep(Reply& reply) = 0;
};

}  // namespace knapsack
