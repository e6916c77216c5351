#include "model/model_client.h"

namespace knapsack::model {
namespace {

int64_t sum(const std::vector<CallRecord>& calls, int64_t CallRecord::*member) {
  int64_t total = 0;
  for (const auto& call : calls) total += call.*member;
  return total;
}

}  // namespace

std::string_view to_string(ModelOutcome outcome) {
  switch (outcome) {
    case ModelOutcome::kOk:
      return "ok";
    case ModelOutcome::kTimeout:
      return "timeout";
    case ModelOutcome::kUnreachable:
      return "unreachable";
    case ModelOutcome::kHttpError:
      return "http_error";
    case ModelOutcome::kMalformed:
      return "malformed";
    case ModelOutcome::kTooLarge:
      return "too_large";
    case ModelOutcome::kRefused:
      return "refused";
  }
  return "unknown";
}

int64_t ChatAnswer::latency_micros() const {
  return sum(calls, &CallRecord::latency_micros);
}

int64_t ChatAnswer::prompt_tokens() const {
  return sum(calls, &CallRecord::prompt_tokens);
}

int64_t ChatAnswer::completion_tokens() const {
  return sum(calls, &CallRecord::completion_tokens);
}

}  // namespace knapsack::model
