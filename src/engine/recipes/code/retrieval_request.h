// The strict contract of `retrieve` and `refine`: what must be said, and what each slip is told.
#pragma once

#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "engine/engine.h"
#include "packet/budget.h"
#include "packet/packet.h"
#include "stages/stage.h"
#include "understand/test_output.h"

namespace knapsack {

struct BudgetConfig {
  uint64_t context_window = 0;
  uint64_t reserved_tokens = 0;
  uint64_t retrieval() const { return context_window - reserved_tokens; }
};

// From the two numbers or from the file, exactly one of which must be given. kUsage says which rule a value
// breaks. Relative paths start at `folder`.
Result<BudgetConfig> read_budget(const FileSystem& files, const std::string& folder,
                                 const RetrieveRequest& request);

// Its first line as one that can stand in a heading, shortened.
std::string task_title(const std::string& task);
// An empty packet with the frame that every packet for a task has.
Packet packet_for_task(const std::string& task, const Budget& budget, Timestamp now);

// The task as it came, before what is no UTF-8 in it is replaced; the model rule.
Status check_task(const std::string& task);
Status check_model(const RetrieveRequest& request);

struct Refinement {
  std::string reason;
  std::vector<std::string> missing_files;
  std::vector<std::string> missing_symbols;
  std::vector<std::string> missing_tests;
  std::vector<std::string> error_signatures;
  std::vector<FailedTest> failed_tests;  // of a test run
};
// kUsage for what is no such object: unknown keys, wrong types, nothing asked for. Secrets are replaced.
Result<Refinement> parse_refinement(const std::string& json);
// What a test run printed, as a request for what its failures name; kUsage where it names none.
Result<Refinement> refinement_of_tests(std::string output);
Refinement joined(Refinement first, Refinement second);
// How a session keeps it.
std::string refinement_to_json(const Refinement& refinement);

// A retrieval as the session keeps it, for refine().
std::string request_to_json(const RetrieveRequest& request, const BudgetConfig& budget,
                            const std::vector<std::string>& linked);
Result<RetrieveRequest> request_from_json(const std::string& json);

}  // namespace knapsack
