#include "model/http_exchange.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "model/answer_text.h"

namespace knapsack::model {
namespace {

using std::chrono::steady_clock;

// Of a text from outside that a one-line message quotes.
constexpr size_t kMaxQuoted = 200;

std::string shown(std::string_view text) {
  return escape_control(text.substr(0, kMaxQuoted));
}

// {"error": "…"} or {"error": {"message": "…"}}; empty when it says nothing of the kind.
std::string error_message(const std::string& bytes) {
  const auto body = parse_bounded_json(bytes);
  if (!body.ok() || !body->is_object() || !body->contains("error")) return "";
  const auto& error = (*body)["error"];
  if (error.is_string()) return error.get<std::string>();
  if (error.is_object() && error.contains("message") && error["message"].is_string())
    return error["message"].get<std::string>();
  return "";
}

ModelOutcome outcome_of(HttpEnd end) {
  switch (end) {
    case HttpEnd::kTimeout:
      return ModelOutcome::kTimeout;
    case HttpEnd::kTooLarge:
      return ModelOutcome::kTooLarge;
    case HttpEnd::kCut:
      return ModelOutcome::kMalformed;
    default:
      return ModelOutcome::kUnreachable;
  }
}

std::string describe_status(const Endpoint& endpoint, const HttpReply& reply) {
  const int status = reply.status;
  std::string line = fmt::format("{} answered with status {}", endpoint.url.text(), status);
  if (status >= 300 && status < 400) {
    return line +
           fmt::format(", a redirect to '{}', which is not followed; give the right address as base URL",
                       shown(reply.location));
  }
  if (const std::string message = error_message(reply.body); !message.empty()) line += ": " + shown(message);
  if (status == 401 || status == 403) {
    line += "; " + (!endpoint.key_note.empty() ? endpoint.key_note
                    : endpoint.key.empty()     ? "set KNAPSACK_MODEL_KEY to the key it wants"
                                               : "check the key in the environment");
  } else if (status == 404) {
    line += "; check the base URL and the model's name";
  } else if (status == 429) {
    line += "; try again later";
  }
  return line;
}

}  // namespace

Exchange exchange(const Endpoint& endpoint, std::string_view path, std::string body,
                  steady_clock::time_point deadline, uint64_t max_bytes) {
  Exchange exchange;
  const auto began = steady_clock::now();
  exchange.request = body;
  remove_key(exchange.request, endpoint.key);
  HttpPost post;
  post.target = endpoint.url.target;
  post.path = endpoint.url.path + std::string(path);
  post.bearer = endpoint.key;
  post.body = std::move(body);
  post.deadline = deadline;
  post.max_bytes = max_bytes;
  HttpReply reply = http_post(std::move(post));
  remove_key(reply.body, endpoint.key);
  remove_key(reply.location, endpoint.key);
  if (reply.end != HttpEnd::kAnswered) {
    exchange.outcome = outcome_of(reply.end);
    exchange.problem = fmt::format("{}: {}", endpoint.url.text(), shown(reply.problem));
  } else if (reply.status < 200 || reply.status >= 300) {
    exchange.outcome = ModelOutcome::kHttpError;
    exchange.problem = describe_status(endpoint, reply);
  } else {
    exchange.outcome = ModelOutcome::kOk;
  }
  exchange.status = reply.status;
  exchange.response = std::move(reply.body);
  exchange.latency_micros =
      std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - began).count();
  return exchange;
}

}  // namespace knapsack::model
