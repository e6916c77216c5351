// Retrieval: one task on its way through the stages to a packet. What retrieve() and refine() share.
//
// The index is read only, the session is written after every stage, the ledger at the end. Private to
// engine/recipes/code/. One object serves one request.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine_state.h"
#include "engine/linked/linked_code.h"
#include "engine/recipes/code/code_packet.h"
#include "engine/recipes/code/retrieval_request.h"
#include "engine/run_record.h"
#include "model/model_client.h"
#include "packet/render/renderer.h"
#include "stages/runner.h"
#include "store/ledger/session.h"
#include "text/tokens/token_counter.h"
#include "understand/task_query.h"

namespace knapsack {

class Retrieval : public GatheredRetrieval {
 public:
  Retrieval(Engine::State& state, RetrieveRequest request, std::string command);

  // Checks everything that was asked before anything is read or written.
  Status check();
  // The index, the texts and the session. Says kNotFound where there is nothing to retrieve from.
  Status open();
  // The stages of a refined task start anew; what they leave is no beginning for a plain retrieval.
  Status start_refinement(const std::string& request_json, const std::string& hints);
  // Asked for by name, on top of what the task says, and what the last packet had; for refine().
  void require(std::vector<stages::Requested> requested, std::vector<stages::Earlier> earlier) {
    start_.requested = std::move(requested);
    start_.earlier = std::move(earlier);
  }
  // More text to read hints from: error messages that came up since.
  void add_hints(const std::string& text);
  // Takes the task through the stages.
  Status gather();
  Result<RetrieveReply> assemble(const Budget& budget) override;
  Status keep(RetrieveReply& reply) override;
  // All of it, for the request's own budget.
  Result<RetrieveReply> run();

  code::CodeIndex& index() { return *index_; }
  const LinkedRepositories& linked() const { return linked_->repositories(); }
  std::vector<std::string>& warnings() { return warnings_; }

 private:
  IndexOptions index_options() const;
  Status refresh_index();
  Status open_session();
  void take_what_pack_takes();
  Status make_judge();
  Status understand();
  Packet make_packet(const Budget& budget) const;
  RunStatus status_of(const Packet& packet, bool degraded) const;
  RunRecord describe(Packet& packet) const;
  void tell(RetrieveReply& reply) const;
  static std::vector<std::string> asked_in_vain(const Packet& packet);

  Engine::State& state_;
  RetrieveRequest request_;
  std::string command_;
  Settings settings_;
  const TokenCounter* counter_ = nullptr;
  const Renderer* renderer_ = nullptr;
  BudgetConfig budget_;
  std::vector<const stages::Stage*> stages_;
  Timestamp now_;
  std::string task_id_;
  std::string kept_request_;  // as the session has it
  std::unique_ptr<code::CodeIndex> index_;
  std::optional<code::FileTexts> texts_;
  std::optional<LinkedCode> linked_;
  std::optional<Session> session_;  // nothing where none can be kept and none was asked for
  TaskQuery task_;
  std::shared_ptr<model::ModelClient> client_;
  std::optional<stages::Judge> judge_;
  stages::StageContext start_;
  std::vector<std::string> warnings_;
  bool degraded_ = false;
  stages::RunnerResult result_;
  RetrieveReply reply_;  // what every reply begins with
  std::optional<StepTimer> timer_;
};

}  // namespace knapsack
