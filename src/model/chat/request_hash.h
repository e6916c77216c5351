// What tells a question to a model from every other: the model, the texts, the schema and the room for an answer; not the
// deadline. Pure; any thread.
#pragma once

#include <string>

#include "model/model_client.h"

namespace knapsack::model {

std::string request_hash(const std::string& model, const ChatRequest& request);

}  // namespace knapsack::model
