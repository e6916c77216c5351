#include "model/chat/openai_client.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "model/answer_text.h"

namespace knapsack::model {
namespace {

// Strict servers refuse a schema with limits on lengths, and others need minutes to make a grammar of them; the
// answer is checked against them here anyway. Of lists they stop a model that repeats itself.
nlohmann::json without_limits(nlohmann::json schema, bool keep_items) {
  if (!schema.is_structured()) return schema;
  if (schema.is_object()) {
    for (const char* limit : {"maxLength", "maxItems"}) {
      const bool keep = keep_items && std::string_view(limit) == "maxItems";
      if (!keep && schema.contains(limit) && schema[limit].is_number()) schema.erase(limit);
    }
  }
  for (auto& member : schema) member = without_limits(std::move(member), keep_items);
  return schema;
}

}  // namespace

// max_tokens is what most servers call the limit; those that do not are asked again without.
nlohmann::ordered_json OpenAiClient::body(const ChatRequest& request, bool limited) const {
  nlohmann::ordered_json body = {{"model", model()},
                                 {"messages", messages(request)},
                                 {"temperature", 0},
                                 {"stream", false},
                                 {"response_format",
                                  {{"type", "json_schema"},
                                   {"json_schema",
                                    {{"name", request.schema_name},
                                     {"strict", true},
                                     {"schema", in_order(without_limits(request.schema, limited))}}}}}};
  if (limited) body["max_tokens"] = request.answer_tokens;
  return body;
}

Result<ChatReply> OpenAiClient::read_reply(std::string_view bytes) {
  KNAPSACK_TRY(const nlohmann::json body, parse_bounded_json(bytes));
  const auto choices = body.is_object() ? body.find("choices") : body.end();
  if (choices == body.end() || !choices->is_array() || choices->empty() || !choices->front().is_object())
    return Error{ErrorCode::kCorrupt, "no choices", ""};
  const auto& choice = choices->front();
  const auto message = choice.find("message");
  if (message == choice.end() || !message->is_object()) {
    return Error{ErrorCode::kCorrupt, "no message in its first choice", ""};
  }
  const auto content = message->find("content");
  if (content == message->end() || !content->is_string()) {
    const auto refusal = message->find("refusal");
    const bool declined = refusal != message->end() && refusal->is_string();
    return Error{ErrorCode::kCorrupt,
                 declined ? "the model declined to answer" : "no text in message.content", ""};
  }
  ChatReply reply;
  reply.content = content->get<std::string>();
  const auto usage = body.find("usage");
  if (usage != body.end()) {
    reply.prompt_tokens = read_count(*usage, "prompt_tokens");
    reply.completion_tokens = read_count(*usage, "completion_tokens");
  }
  const auto reason = choice.find("finish_reason");
  reply.cut = reason != choice.end() && *reason == "length";
  return reply;
}

}  // namespace knapsack::model
