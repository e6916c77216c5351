#include "model/chat/request_hash.h"

#include <nlohmann/json.hpp>

#include "core/ids.h"

namespace knapsack::model {

std::string request_hash(const std::string& model, const ChatRequest& request) {
  return hash_parts({model, request.system, request.user, request.schema_name,
                     request.schema.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                     std::to_string(request.answer_tokens)});
}

}  // namespace knapsack::model
