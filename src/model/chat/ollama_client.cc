#include "model/chat/ollama_client.h"

#include <nlohmann/json.hpp>

#include "model/answer_text.h"

namespace knapsack::model {

nlohmann::ordered_json OllamaClient::body(const ChatRequest& request, bool limited) const {
  nlohmann::json options = {{"temperature", 0}, {"num_ctx", window()}};
  if (limited) options["num_predict"] = request.answer_tokens;
  return {{"model", model()},
          {"messages", messages(request)},
          {"stream", false},
          {"format", in_order(request.schema)},
          {"options", options}};
}

Result<ChatReply> OllamaClient::read_reply(std::string_view bytes) {
  KNAPSACK_TRY(const nlohmann::json body, parse_bounded_json(bytes));
  const auto message = body.is_object() ? body.find("message") : body.end();
  if (message == body.end() || !message->is_object() || !message->contains("content") ||
      !message->at("content").is_string()) {
    return Error{ErrorCode::kCorrupt, "no text in message.content", ""};
  }
  ChatReply reply;
  reply.content = message->at("content").get<std::string>();
  reply.prompt_tokens = read_count(body, "prompt_eval_count");
  reply.completion_tokens = read_count(body, "eval_count");
  const auto reason = body.find("done_reason");
  reply.cut = reason != body.end() && *reason == "length";
  return reply;
}

}  // namespace knapsack::model
