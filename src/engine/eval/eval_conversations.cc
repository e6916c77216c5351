#include "engine/eval/eval_conversations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "memory/recall/query_dates.h"
#include "model/answer_text.h"

namespace knapsack {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 6> kCategories = {
    "", "multi-hop", "temporal", "open-domain", "single-hop", "adversarial"};
constexpr size_t kMaxSessions = 10'000;

class ConversationReader {
 public:
  ConversationReader(const json& sample, std::string shown_as)
      : sample_(sample), shown_as_(std::move(shown_as)) {}

  Result<Conversation> run(size_t number) {
    const json* conversation = find(sample_, "conversation");
    const json* questions = find(sample_, "qa");
    if (conversation == nullptr || !conversation->is_object()) return off("has no \"conversation\"");
    if (questions == nullptr || !questions->is_array()) return off("has no list \"qa\"");
    made_.id = text_of(sample_, "sample_id");
    if (made_.id.empty()) made_.id = fmt::format("conversation-{}", number);
    for (size_t session = 1; session <= kMaxSessions; ++session) {
      const json* turns = find(*conversation, fmt::format("session_{}", session));
      const std::string date = text_of(*conversation, fmt::format("session_{}_date_time", session));
      if (turns == nullptr && date.empty()) break;
      if (turns == nullptr) continue;  // a day on which nothing was said
      KNAPSACK_CHECK(add_session(*turns, session, date));
    }
    if (made_.memories.empty()) return off("has no turns");
    for (const json& question : *questions) KNAPSACK_CHECK(add_question(question));
    return std::move(made_);
  }

 private:
  Error off(const std::string& what) const {
    return {ErrorCode::kUsage, fmt::format("{} {}", shown_as_, what), "see docs/recall.md for the format"};
  }
  static const json* find(const json& object, const std::string& key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return !object.is_object() || found == object.end() ? nullptr : &*found;
  }
  static std::string text_of(const json& object, const std::string& key) {
    const json* value = find(object, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
  }

  Status add_session(const json& turns, size_t session, const std::string& date) {
    const auto dates = memory::find_dates(date, {});
    if (dates.ranges.empty()) {
      return off(fmt::format("session {} has no date of day, month and year: '{}'", session, date));
    }
    if (!turns.is_array()) return off(fmt::format("session {} is not a list of turns", session));
    constexpr int64_t kDay = 86'400;
    int64_t second = dates.ranges.front().first_day * kDay;
    for (const json& turn : turns) {
      memory::Memory memory;
      memory.id = text_of(turn, "dia_id");
      memory.session = fmt::format("session-{:05}", session);
      memory.path = fmt::format("{}/{:06}.md", memory.session, made_.memories.size());
      memory.kind = memory::Kind::kEpisode;
      memory.speaker = text_of(turn, "speaker");
      memory.text = text_of(turn, "text");
      // What a picture shows was said as well.
      if (const std::string caption = text_of(turn, "blip_caption"); !caption.empty())
        memory.text += fmt::format(" [shares {}]", caption);
      memory.created = Timestamp::from_seconds(second++);
      if (memory.id.empty()) return off(fmt::format("session {} has a turn without \"dia_id\"", session));
      by_id_.emplace(memory.id, made_.memories.size());
      made_.memories.push_back(std::move(memory));
    }
    return ok_status();
  }

  // Several ids may stand in one text, and some are written "D:1:03".
  void add_evidence(std::string_view text, std::vector<size_t>& evidence) const {
    const auto number = [&](size_t& at) {
      int value = 0;
      const auto [end, problem] = std::from_chars(text.data() + at, text.data() + text.size(), value);
      at = problem == std::errc() ? static_cast<size_t>(end - text.data()) : at;
      return problem == std::errc() ? value : -1;
    };
    for (size_t at = text.find('D'); at != std::string_view::npos; at = text.find('D', at)) {
      ++at;
      if (at < text.size() && text[at] == ':') ++at;
      const int session = number(at);
      if (session < 0 || at >= text.size() || text[at] != ':') continue;
      const int turn = number(++at);
      const auto found = by_id_.find(fmt::format("D{}:{}", session, turn));
      if (found != by_id_.end()) evidence.push_back(found->second);
    }
  }

  Status add_question(const json& from) {
    ConversationQuestion question;
    question.text = text_of(from, "question");
    if (question.text.empty()) return off("has a question without a text");
    const json* category = find(from, "category");
    if (category == nullptr || !category->is_number_integer() || category->get<int64_t>() < 1 ||
        category->get<int64_t>() >= static_cast<int64_t>(kCategories.size())) {
      return off(fmt::format("has a question whose \"category\" is not 1 to {}", kCategories.size() - 1));
    }
    question.category = kCategories[category->get<size_t>()];
    if (const json* evidence = find(from, "evidence"); evidence != nullptr && evidence->is_array()) {
      for (const json& each : *evidence) {
        if (each.is_string()) add_evidence(each.get_ref<const std::string&>(), question.evidence);
      }
    }
    std::sort(question.evidence.begin(), question.evidence.end());
    question.evidence.erase(std::unique(question.evidence.begin(), question.evidence.end()),
                            question.evidence.end());
    if (question.evidence.empty()) {
      ++made_.without_evidence;
    } else {
      made_.questions.push_back(std::move(question));
    }
    return ok_status();
  }

  const json& sample_;
  std::string shown_as_;
  Conversation made_;
  std::map<std::string, size_t> by_id_;
};

}  // namespace

Result<std::vector<Conversation>> parse_conversations(std::string_view text, const std::string& shown_as) {
  const auto samples = model::parse_bounded_json(text);
  if (!samples.ok() || !samples->is_array() || samples->empty()) {
    return Error{ErrorCode::kUsage, fmt::format("{} is not a JSON list of conversations", shown_as),
                 "see docs/recall.md for the format"};
  }
  std::vector<Conversation> conversations;
  for (const json& sample : *samples) {
    const size_t number = conversations.size() + 1;
    ConversationReader reader(sample, fmt::format("{}: conversation {}", shown_as, number));
    KNAPSACK_TRY(Conversation conversation, reader.run(number));
    conversations.push_back(std::move(conversation));
  }
  return conversations;
}

}  // namespace knapsack
