// What every recipe writes into the ledger at its end, and how it keeps time on the way.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/log.h"
#include "engine/engine.h"
#include "engine/settings/settings.h"
#include "model/model_client.h"
#include "packet/packet.h"
#include "stages/stage_context.h"
#include "store/ledger/ledger.h"
#include "understand/task_query.h"

namespace knapsack {

class StepTimer {
 public:
  StepTimer(std::vector<StepTime>& times, const Log& log) : times_(times), log_(log) {}
  // The step that ends now.
  void done(std::string step);

 private:
  std::vector<StepTime>& times_;
  const Log& log_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// On one line, whatever bytes the texts hold.
std::string json_line(const nlohmann::ordered_json& json);
std::string components_json(const Score& score);

// One row a candidate of the packet.
std::vector<Decision> decisions_of(const Packet& packet);

// What the stages of a retrieval kept and dropped: a row a file, a row a symbol.
// How the task was read: its type, and what it names.
Decision task_decision(const TaskQuery& task);
std::vector<Decision> stage_decisions(const stages::StageContext& context);

// A question to a model as the ledger keeps it.
ModelCall ledger_row(const model::CallRecord& call);

// What a run was, ready for the ledger. Its id is derived from the request, the settings, what was read and
// the time, so that repeating a run repeats its bytes; the packet gets it too.
struct RunDescription {
  std::string command;
  nlohmann::ordered_json request;
  const Settings& settings;
  std::string workspace;
  std::string fingerprint;  // of everything that was read
  Timestamp now;
};
RunRecord describe_run(const RunDescription& description, Packet& packet, const std::vector<StepTime>& times);

}  // namespace knapsack
