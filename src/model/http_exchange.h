// One question to a model's server over HTTP and what came of it, in words for people. What clients for chat
// and for embeddings share.
//
// The key is in nothing that comes back. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/endpoint.h"
#include "model/model_client.h"

namespace knapsack::model {

struct Exchange {
  ModelOutcome outcome = ModelOutcome::kUnreachable;  // kOk: the server answered with a success
  std::string problem;                                // one line unless kOk
  std::string request;                                // the body that was sent
  std::string response;                               // the body that came, whatever its status
  int status = 0;                                     // of the answer; 0 where there was none
  int64_t latency_micros = 0;
};

Exchange exchange(const Endpoint& endpoint, std::string_view path, std::string body,
                  std::chrono::steady_clock::time_point deadline, uint64_t max_bytes);

}  // namespace knapsack::model
