// Any bytes as what a model's server sent: reading never crashes, and a value that comes out keeps its
// schema.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "model/answer_text.h"
#include "model/chat/chat_clients.h"
#include "text/json_schema.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace knapsack::model;
  static const nlohmann::json schema = {
      {"type", "object"},
      {"properties",
       {{"files",
         {{"type", "array"},
          {"maxItems", 4},
          {"items",
           {{"type", "object"},
            {"properties", {{"id", {{"type", "integer"}}}, {"why", {{"type", "string"}, {"maxLength", 8}}}}},
            {"required", {"id"}},
            {"additionalProperties", false}}}}},
        {"verdict", {{"enum", {"yes", "no", nullptr}}}}}},
      {"required", {"files"}}};
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto check = [&](std::string_view text) {
    const auto answer = read_answer(text, schema);
    if (answer.ok() && find_mismatch(*answer, schema)) std::abort();
  };
  check(bytes);
  for (const auto& reply : {OllamaClient::read_reply(bytes), OpenAiClient::read_reply(bytes)}) {
    if (!reply.ok()) continue;
    if (reply->prompt_tokens < 0 || reply->completion_tokens < 0) std::abort();
    check(reply->content);
  }
  // Whatever parses as a schema either is refused or can be checked against.
  if (const auto other = parse_bounded_json(bytes); other.ok() && check_schema(*other).ok()) {
    static_cast<void>(find_mismatch(schema, *other));
    static_cast<void>(find_mismatch(*other, *other));
  }
  return 0;
}
