// OpenAiClient: the protocol that most servers speak, POST {base}/v1/chat/completions. Any thread.
#pragma once

#include "model/chat/http_chat_client.h"

namespace knapsack::model {

class OpenAiClient final : public HttpChatClient {
 public:
  using HttpChatClient::HttpChatClient;

  // Reads what a server sent; any bytes.
  static Result<ChatReply> read_reply(std::string_view bytes);

 private:
  std::string_view path() const override { return "/v1/chat/completions"; }
  nlohmann::ordered_json body(const ChatRequest& request, bool limited) const override;
  Result<ChatReply> read(std::string_view bytes) const override { return read_reply(bytes); }
};

}  // namespace knapsack::model
