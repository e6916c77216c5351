// GatheringRun: what recipes that read once and make packets of it have in common (engine/api/gathered.h).
//
// A recipe adds read(), which reads and ranks, own_budget(), which is the request's, and what the interface asks for.
// Members of it that steps need stand here, so that they are called alike everywhere. One request, one thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/api/gathered.h"
#include "engine/engine_state.h"
#include "engine/run_record.h"
#include "packet/render/renderer.h"

namespace knapsack {

template <class Request, class Reply>
class GatheringRun : public Gathered<Reply> {
 public:
  using Answer = Reply;

  GatheringRun(Engine::State& state, Request request)
      : state_(state),
        request_(std::move(request)),
        timer_(times_, state.options.log),
        now_(state.clock->now()) {}

 protected:
  // What every reply begins with: how long reading took, and what there is to say of it.
  Reply begun() const {
    Reply reply;
    reply.times = times_;
    reply.notices = notices_;
    return reply;
  }
  // The packet is whole: its warnings are for people too.
  static void tell_warnings(Reply& reply) {
    const auto& warnings = reply.packet.warnings;
    reply.notices.insert(reply.notices.end(), warnings.begin(), warnings.end());
  }

  Engine::State& state_;
  Request request_;
  std::vector<StepTime> times_;
  std::vector<std::string> notices_;
  StepTimer timer_;
  Timestamp now_;
  const Renderer* renderer_ = nullptr;
  const TokenCounter* counter_ = nullptr;
};

// The whole of it, for the request's own budget.
template <class Run, class Request>
Result<typename Run::Answer> run_whole(Engine::State& state, const Request& request) {
  Run run(state, request);
  KNAPSACK_CHECK(run.read());
  KNAPSACK_TRY(typename Run::Answer reply, run.assemble(run.own_budget()));
  KNAPSACK_CHECK(run.keep(reply));
  return reply;
}

// The first half of it.
template <class Run, class Request>
Result<std::unique_ptr<Gathered<typename Run::Answer>>> run_gathering(Engine::State& state,
                                                                      const Request& request) {
  auto run = std::make_unique<Run>(state, request);
  KNAPSACK_CHECK(run->read());
  return std::unique_ptr<Gathered<typename Run::Answer>>(std::move(run));
}

}  // namespace knapsack
