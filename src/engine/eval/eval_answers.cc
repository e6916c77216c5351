#include "engine/eval/eval_answers.h"

#include <nlohmann/json.hpp>

#include "text/parse_json.h"

namespace knapsack {
namespace {

using Json = nlohmann::ordered_json;

// A thousand tasks by ten methods take a few megabytes.
constexpr uint64_t kMaxAnswerBytes = uint64_t{1} << 30;

std::string line_of(const std::string& key, const EvalAnswer& answer) {
  Json json = {{"key", key}};
  json.update(answer_to_json(answer));
  json["first_micros"] = answer.first_micros;
  json["micros"] = answer.micros;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<std::pair<std::string, EvalAnswer>> parse_line(std::string_view line) {
  try {
    const Json json = parse_ordered_json(line);
    EvalAnswer answer;
    json.at("id").get_to(answer.id);
    json.at("groups").get_to(answer.groups);
    json.at("ranks").get_to(answer.ranks);
    json.at("best").get_to(answer.best);
    json.at("shares").get_to(answer.shares);
    json.at("packet").get_to(answer.packet);
    json.at("amounts").get_to(answer.amounts);
    json.at("first_micros").get_to(answer.first_micros);
    json.at("micros").get_to(answer.micros);
    return std::pair(json.at("key").get<std::string>(), std::move(answer));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

nlohmann::ordered_json answer_to_json(const EvalAnswer& answer) {
  return {{"id", answer.id},          {"groups", answer.groups}, {"ranks", answer.ranks},
          {"best", answer.best},      {"shares", answer.shares}, {"packet", answer.packet},
          {"amounts", answer.amounts}};
}

Result<std::unique_ptr<AnswerStore>> AnswerStore::open(FileSystem& files, const std::string& path) {
  std::unique_ptr<AnswerStore> store(new AnswerStore(files, path));
  if (path.empty()) return store;
  const auto bytes = files.read(path, kMaxAnswerBytes);
  if (bytes.ok()) {
    store->load(*bytes);
  } else if (bytes.error().code != ErrorCode::kNotFound) {
    return bytes.error();
  }
  return store;
}

void AnswerStore::load(std::string_view bytes) {
  for (size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n', end_)) {
    auto parsed = parse_line(bytes.substr(end_, end - end_));
    end_ = end + 1;
    if (parsed) answers_.insert_or_assign(std::move(parsed->first), std::move(parsed->second));
  }
}

std::optional<EvalAnswer> AnswerStore::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = answers_.find(key);
  return found == answers_.end() ? std::nullopt : std::optional(found->second);
}

Status AnswerStore::add(const std::vector<std::pair<std::string, EvalAnswer>>& answers) {
  const std::lock_guard lock(mutex_);
  std::string lines;
  for (const auto& [key, answer] : answers) {
    answers_.insert_or_assign(key, answer);
    lines += line_of(key, answer);
  }
  if (path_.empty()) return ok_status();
  KNAPSACK_CHECK(files_.append(path_, end_, lines));
  end_ += lines.size();
  return ok_status();
}

}  // namespace knapsack
