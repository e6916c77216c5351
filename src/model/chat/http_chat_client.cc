#include "model/chat/http_chat_client.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "model/answer_text.h"
#include "model/chat/batches.h"
#include "model/http_exchange.h"
#include "text/json_schema.h"

namespace knapsack::model {
namespace {

using std::chrono::steady_clock;

// The model is told what was wrong: at temperature 0 the same question would bring the same answer.
ChatRequest asked_again(ChatRequest request, const std::string& problem) {
  request.user += fmt::format(
      "\n\nThe previous answer could not be used ({}). Answer with one JSON object that keeps the schema, "
      "and "
      "nothing else.",
      problem);
  return request;
}

// Servers of OpenAI's protocol differ in what they let themselves be told. Whoever refuses a limit names it.
bool names_a_limit(const Exchange& exchanged) {
  if (exchanged.status != 400 && exchanged.status != 422) return false;
  for (const char* limit : {"max_tokens", "maxItems", "max_items"})
    if (exchanged.response.find(limit) != std::string::npos) return true;
  return false;
}

ChatAnswer refuse(const ChatRequest& request, const std::string& model, ModelOutcome outcome,
                  const std::string& problem) {
  ChatAnswer answer;
  answer.outcome = outcome;
  answer.problem = problem;
  answer.calls.push_back(
      {request.stage, model, "(not sent: " + problem + ")", "", std::string(to_string(outcome)), 0, 0, 0});
  return answer;
}

}  // namespace

struct HttpChatClient::Attempt {
  ModelOutcome outcome = ModelOutcome::kUnreachable;
  nlohmann::json value;
  bool partial = false;
  bool cut = false;             // it stopped for want of room
  bool refuses_limits = false;  // it was told one and names it in its refusal
  std::string text;
  std::string problem;
  CallRecord record;
};

void HttpChatClient::read_success(const ChatRequest& request, const std::string& bytes,
                                  Attempt& attempt) const {
  attempt.outcome = ModelOutcome::kMalformed;
  auto reply = read(bytes);
  if (!reply.ok()) {
    attempt.problem = "the server's answer: " + reply.error().what;
    return;
  }
  attempt.record.prompt_tokens = reply->prompt_tokens;
  attempt.record.completion_tokens = reply->completion_tokens;
  attempt.text = std::move(reply->content);
  remove_key(attempt.text, endpoint_.key);
  if (reply->prompt_tokens >= static_cast<int64_t>(endpoint_.window)) {
    attempt.outcome = ModelOutcome::kRefused;
    attempt.problem = fmt::format(
        "the prompt filled the model's whole window ({} of {} tokens), so the model may have seen only "
        "a part of it; give a larger context window or send less",
        reply->prompt_tokens, endpoint_.window);
    return;
  }
  attempt.cut = reply->cut;
  bool all = true;
  auto value = request.list.empty() ? read_answer(attempt.text, request.schema)
                                    : read_listed(attempt.text, request.list, request.item_schema, all);
  if (!value.ok() && reply->cut && request.takes_cut) {
    value = read_cut_answer(attempt.text, request.schema);
    all = false;
  }
  if (!value.ok()) {
    attempt.problem = value.error().what + (reply->cut ? " (the model ran out of room)" : "");
    return;
  }
  attempt.outcome = ModelOutcome::kOk;
  attempt.value = std::move(*value);
  attempt.partial = !all;
}

HttpChatClient::Attempt HttpChatClient::attempt(const ChatRequest& request, steady_clock::time_point deadline,
                                                bool limited) const {
  Attempt attempt;
  const nlohmann::ordered_json asked = body(request, limited);
  Exchange exchanged = exchange(endpoint_, path(),
                                asked.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
                                deadline, kMaxAnswerBytes);
  attempt.refuses_limits = limited && names_a_limit(exchanged);
  attempt.outcome = exchanged.outcome;
  attempt.problem = std::move(exchanged.problem);
  if (attempt.outcome == ModelOutcome::kOk) read_success(request, exchanged.response, attempt);
  attempt.record.stage = request.stage;
  attempt.record.model = endpoint_.model;
  attempt.record.request = std::move(exchanged.request);
  attempt.record.response = std::move(exchanged.response);
  attempt.record.outcome = attempt.partial ? "partial" : to_string(attempt.outcome);
  attempt.record.latency_micros = exchanged.latency_micros;
  return attempt;
}

nlohmann::ordered_json HttpChatClient::in_order(const nlohmann::json& schema) {
  if (!schema.is_object()) return schema;
  nlohmann::ordered_json ordered = nlohmann::ordered_json::object();
  for (const auto& [key, value] : schema.items()) {
    if (key != "properties") {
      ordered[key] = in_order(value);
      continue;
    }
    nlohmann::ordered_json members = nlohmann::ordered_json::object();
    for (const auto& name : schema.value("required", std::vector<std::string>()))
      if (value.contains(name)) members[name] = in_order(value.at(name));
    for (const auto& [name, member] : value.items())
      if (!members.contains(name)) members[name] = in_order(member);
    ordered[key] = std::move(members);
  }
  return ordered;
}

nlohmann::json HttpChatClient::messages(const ChatRequest& request) {
  return {{{"role", "system"}, {"content", request.system}}, {{"role", "user"}, {"content", request.user}}};
}

ChatAnswer HttpChatClient::chat(const ChatRequest& request) {
  if (const auto checked = check_schema(request.schema); !checked.ok())
    return refuse(request, endpoint_.model, ModelOutcome::kRefused, checked.error().what);
  if (const auto checked = request.list.empty() ? ok_status() : check_schema(request.item_schema);
      !checked.ok())
    return refuse(request, endpoint_.model, ModelOutcome::kRefused, checked.error().what);
  if (!fits(request, endpoint_.window)) {
    return refuse(
        request, endpoint_.model, ModelOutcome::kRefused,
        fmt::format("the prompt has about {} tokens and the answer needs {}, the model's window holds "
                    "{}; give a larger context window or send less",
                    prompt_tokens(request), request.answer_tokens, endpoint_.window));
  }
  const auto deadline = steady_clock::now() + request.deadline;
  Attempt last = attempt(request, deadline, !refuses_limits_);
  ChatAnswer answer;
  answer.calls.push_back(last.record);
  if (last.refuses_limits) {
    refuses_limits_ = true;
    last = attempt(request, deadline, false);
    answer.calls.push_back(last.record);
  }
  if (last.outcome == ModelOutcome::kMalformed) {
    const bool only_thought = last.cut && last.text.empty();
    ChatRequest again = only_thought ? request : asked_again(request, last.problem);
    if (!fits(again, endpoint_.window)) again.user = request.user;
    last = attempt(again, deadline, !refuses_limits_ && !only_thought);
    answer.calls.push_back(last.record);
    if (last.outcome == ModelOutcome::kMalformed) {
      last.problem = fmt::format("the model '{}' gave no usable answer twice: {}",
                                 escape_control(endpoint_.model), last.problem);
    }
  }
  answer.outcome = last.outcome;
  answer.value = std::move(last.value);
  answer.partial = last.partial;
  answer.text = std::move(last.text);
  answer.problem = std::move(last.problem);
  remove_key(answer.problem, endpoint_.key);
  return answer;
}

int64_t read_count(const nlohmann::json& object, const char* name) {
  if (!object.is_object()) return 0;
  const auto found = object.find(name);
  return found != object.end() && found->is_number_unsigned() && found->get<uint64_t>() < INT32_MAX
             ? found->get<int64_t>()
             : 0;
}

}  // namespace knapsack::model
