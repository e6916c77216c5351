// The chat clients that we have, one a protocol, and which of them somebody's options ask for. Any thread.
#pragma once

#include <memory>

#include "model/chat/http_chat_client.h"

namespace knapsack::model {

// Ollama's own protocol, POST {base}/api/chat.
//
// The window is sent along (num_ctx) and so is the room for the answer (num_predict): left to itself Ollama
// takes a small window and drops the beginning of a longer prompt without a word.
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

// The protocol that most servers speak, POST {base}/v1/chat/completions.
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

// A client for these options; kUsage for what cannot be one. Nothing is sent yet.
Result<std::unique_ptr<ModelClient>> make_model_client(const ModelOptions& options);

}  // namespace knapsack::model
