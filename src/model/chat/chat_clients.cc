#include "model/chat/chat_clients.h"

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

Result<std::unique_ptr<ModelClient>> make_model_client(const ModelOptions& options) {
  KNAPSACK_TRY(const BaseUrl url, parse_base_url(options.base_url));
  KNAPSACK_TRY(const Provider provider, choose_provider(options.provider, url));
  KNAPSACK_TRY(Endpoint endpoint, make_endpoint(options, provider));
  if (provider == Provider::kOllama) {
    return std::unique_ptr<ModelClient>(std::make_unique<OllamaClient>(std::move(endpoint)));
  }
  return std::unique_ptr<ModelClient>(std::make_unique<OpenAiClient>(std::move(endpoint)));
}

}  // namespace knapsack::model
