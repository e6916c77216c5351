#include "model/replay.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "core/ids.h"
#include "model/answer_text.h"

namespace knapsack::model {
namespace {

using Json = nlohmann::json;

constexpr std::array kOutcomes = {ModelOutcome::kOk,          ModelOutcome::kTimeout,
                                  ModelOutcome::kUnreachable, ModelOutcome::kHttpError,
                                  ModelOutcome::kMalformed,   ModelOutcome::kTooLarge,
                                  ModelOutcome::kRefused,     ModelOutcome::kNotRecorded};

std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json to_json(const CallRecord& call) {
  return {{"stage", call.stage},
          {"model", call.model},
          {"request", call.request},
          {"response", call.response},
          {"outcome", call.outcome},
          {"latency_micros", call.latency_micros},
          {"prompt_tokens", call.prompt_tokens},
          {"completion_tokens", call.completion_tokens}};
}

std::string to_line(const std::string& model, const ChatRequest& request, const ChatAnswer& answer) {
  Json calls = Json::array();
  for (const auto& call : answer.calls) calls.push_back(to_json(call));
  return dump({{"hash", request_hash(model, request)},
               {"model", model},
               {"request",
                {{"stage", request.stage},
                 {"system", request.system},
                 {"user", request.user},
                 {"schema_name", request.schema_name},
                 {"schema", request.schema},
                 {"answer_tokens", request.answer_tokens}}},
               {"answer",
                {{"outcome", to_string(answer.outcome)},
                 {"value", answer.value},
                 {"text", answer.text},
                 {"problem", answer.problem},
                 {"calls", calls}}}}) +
         "\n";
}

// Throws what the JSON library throws for a member that is missing or of another type.
ChatAnswer answer_from(const Json& stored) {
  ChatAnswer answer;
  const auto name = stored.at("outcome").get<std::string>();
  bool known = false;
  for (const ModelOutcome each : kOutcomes) {
    if (to_string(each) != name) continue;
    answer.outcome = each;
    known = true;
  }
  if (!known) throw Json::other_error::create(501, "unknown outcome", &stored);
  answer.value = stored.at("value");
  answer.text = stored.at("text").get<std::string>();
  answer.problem = stored.at("problem").get<std::string>();
  for (const auto& call : stored.at("calls")) {
    answer.calls.push_back({call.at("stage").get<std::string>(), call.at("model").get<std::string>(),
                            call.at("request").get<std::string>(), call.at("response").get<std::string>(),
                            call.at("outcome").get<std::string>(), call.at("latency_micros").get<int64_t>(),
                            call.at("prompt_tokens").get<int64_t>(),
                            call.at("completion_tokens").get<int64_t>()});
  }
  return answer;
}

}  // namespace

std::string request_hash(const std::string& model, const ChatRequest& request) {
  return hash_parts({model, request.system, request.user, request.schema_name, dump(request.schema),
                     std::to_string(request.answer_tokens)});
}

RecordingClient::RecordingClient(std::shared_ptr<ModelClient> inner, std::shared_ptr<FileSystem> files,
                                 std::string path, std::string lines)
    : inner_(std::move(inner)), files_(std::move(files)), path_(std::move(path)), lines_(std::move(lines)) {}

Result<std::unique_ptr<RecordingClient>> RecordingClient::open(std::shared_ptr<ModelClient> inner,
                                                               std::shared_ptr<FileSystem> files,
                                                               const std::string& path) {
  auto before = files->read(path, kMaxRecordingBytes);
  if (!before.ok() && before.error().code != ErrorCode::kNotFound) return before.error();
  std::string lines = before.ok() ? std::move(*before) : std::string();
  return std::unique_ptr<RecordingClient>(
      new RecordingClient(std::move(inner), std::move(files), path, std::move(lines)));
}

ChatAnswer RecordingClient::chat(const ChatRequest& request) {
  ChatAnswer answer = inner_->chat(request);
  const std::lock_guard lock(mutex_);
  lines_ += to_line(inner_->model(), request, answer);
  if (auto replaced = files_->replace(path_, lines_); !replaced.ok()) written_ = replaced.error();
  return answer;
}

Status RecordingClient::written() const {
  const std::lock_guard lock(mutex_);
  return written_;
}

ReplayClient::ReplayClient(std::string path, std::string model, uint64_t window)
    : path_(std::move(path)), model_(std::move(model)), window_(window) {}

Result<std::unique_ptr<ReplayClient>> ReplayClient::open(const FileSystem& files, const std::string& path,
                                                         std::string model, uint64_t window) {
  KNAPSACK_TRY(const std::string lines, files.read(path, kMaxRecordingBytes));
  std::unique_ptr<ReplayClient> client(new ReplayClient(path, std::move(model), window));
  size_t number = 0;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    ++number;
    const std::string_view line = std::string_view(lines).substr(begin, end - begin);
    begin = end + 1;
    const Error unreadable{ErrorCode::kCorrupt,
                           fmt::format("{} line {} is no recorded exchange", path, number),
                           "record it again"};
    const auto stored = parse_bounded_json(line);
    if (!stored.ok()) return unreadable;
    try {
      client->answers_[stored->at("hash").get<std::string>()] = answer_from(stored->at("answer"));
    } catch (const Json::exception&) {
      return unreadable;
    }
  }
  return client;
}

ChatAnswer ReplayClient::chat(const ChatRequest& request) {
  const std::string hash = request_hash(model_, request);
  if (const auto found = answers_.find(hash); found != answers_.end()) {
    ChatAnswer answer = found->second;
    for (auto& call : answer.calls) call.stage = request.stage;
    return answer;
  }
  ChatAnswer answer;
  answer.outcome = ModelOutcome::kNotRecorded;
  answer.problem = fmt::format("{} has no answer to this request (stage '{}', {}); record it again", path_,
                               request.stage, hash);
  answer.calls.push_back(
      {request.stage, model_, "(not sent: replayed)", "", std::string(to_string(answer.outcome)), 0, 0, 0});
  return answer;
}

}  // namespace knapsack::model
