// The chat client that somebody's options ask for. Any thread.
#pragma once

#include <memory>

#include "core/result.h"
#include "model/endpoint.h"
#include "model/model_client.h"

namespace knapsack::model {

// A client for these options; kUsage for what cannot be one. Nothing is sent yet.
Result<std::unique_ptr<ModelClient>> make_model_client(const ModelOptions& options);

}  // namespace knapsack::model
