// HttpChatClient: what clients of chat servers share — refusing, sending, reading, asking once more.
//
// A derived client knows one protocol: what to send and how to read what comes. An answer is limited to
// `answer_tokens`, because small models repeat themselves until the window is full; not where the server refuses
// to be told a limit, and not when all of it went into thoughts that are not part of the answer. Holds nothing
// that a call changes but whether limits are refused; any thread.
// Private to model/chat/.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "model/endpoint.h"
#include "model/model_client.h"

namespace knapsack::model {

// The largest answer that is read. A schema's own limits keep real ones to a few thousand bytes.
inline constexpr uint64_t kMaxAnswerBytes = uint64_t{4} * 1024 * 1024;

// What a server says around the model's words.
struct ChatReply {
  std::string content;  // what the model wrote
  int64_t prompt_tokens = 0;
  int64_t completion_tokens = 0;
  bool cut = false;  // it stopped for want of room
};

class HttpChatClient : public ModelClient {
 public:
  explicit HttpChatClient(Endpoint endpoint) : endpoint_(std::move(endpoint)) {}

  const std::string& model() const final { return endpoint_.model; }
  uint64_t window() const final { return endpoint_.window; }
  ChatAnswer chat(const ChatRequest& request) final;

 protected:
  virtual std::string_view path() const = 0;
  // With limits on the length of the answer, or without.
  virtual nlohmann::ordered_json body(const ChatRequest& request, bool limited) const = 0;
  // kCorrupt, with the reason, for what is not an answer of this protocol.
  virtual Result<ChatReply> read(std::string_view bytes) const = 0;

  // A schema whose members stand in the order in which they are required: servers that hold a model to a schema have
  // it write them as they come, and what matters most must not be what a cut takes away.
  static nlohmann::ordered_json in_order(const nlohmann::json& schema);
  // The system and the user text as both protocols send them.
  static nlohmann::json messages(const ChatRequest& request);

 private:
  struct Attempt;
  Attempt attempt(const ChatRequest& request, std::chrono::steady_clock::time_point deadline,
                  bool limited) const;
  void read_success(const ChatRequest& request, const std::string& bytes, Attempt& attempt) const;

  const Endpoint endpoint_;
  std::atomic<bool> refuses_limits_ = false;
};

// A count in a server's answer; 0 where it is missing or not one.
int64_t read_count(const nlohmann::json& object, const char* name);

}  // namespace knapsack::model
