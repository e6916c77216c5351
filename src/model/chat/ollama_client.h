// OllamaClient: Ollama's own protocol, POST {base}/api/chat.
//
// The window is sent along (num_ctx) and so is the room for the answer (num_predict): left to itself Ollama
// takes a small window and drops the beginning of a longer prompt without a word. Any thread.
#pragma once

#include "model/chat/http_chat_client.h"

namespace knapsack::model {

class OllamaClient final : public HttpChatClient {
 public:
  using HttpChatClient::HttpChatClient;

  // Reads what a server sent; any bytes.
  static Result<ChatReply> read_reply(std::string_view bytes);

 private:
  std::string_view path() const override { return "/api/chat"; }
  nlohmann::ordered_json body(const ChatRequest& request, bool limited) const override;
  Result<ChatReply> read(std::string_view bytes) const override { return read_reply(bytes); }
};

}  // namespace knapsack::model
