#include "graph/store/node_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "text/json_text.h"
#include "text/secrets/redact.h"

namespace knapsack::graph {
namespace {

using Json = nlohmann::json;

enum class Shape { kText, kList, kTexts, kObject };

struct Field {
  const char* name;
  Shape shape;
};

constexpr Field kCommon[] = {{"links", Shape::kList}, {"tags", Shape::kTexts}};
constexpr Field kKnowledgeFields[] = {{"summary", Shape::kText},
                                      {"attributes", Shape::kObject},
                                      {"relationships", Shape::kList},
                                      {"evidence", Shape::kList},
                                      {"status", Shape::kText}};
constexpr Field kReasoningFields[] = {
    {"context", Shape::kText},      {"decision", Shape::kText},    {"rationale", Shape::kList},
    {"alternatives", Shape::kList}, {"assumptions", Shape::kList}, {"risks", Shape::kList},
    {"validation", Shape::kList},   {"outcome", Shape::kObject},   {"refs", Shape::kObject}};
constexpr Field kTaskFields[] = {
    {"description", Shape::kText},   {"status", Shape::kText},    {"owner_role", Shape::kText},
    {"dependencies", Shape::kTexts}, {"blocks", Shape::kTexts},   {"acceptance_criteria", Shape::kList},
    {"inputs", Shape::kObject},      {"outputs", Shape::kObject}, {"log", Shape::kList}};

bool is_texts(const Json& value) {
  return value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const Json& each) { return each.is_string(); });
}

bool has_shape(const Json& value, Shape shape) {
  switch (shape) {
    case Shape::kText:
      return value.is_string();
    case Shape::kList:
      return value.is_array();
    case Shape::kTexts:
      return is_texts(value);
    case Shape::kObject:
      break;
  }
  return value.is_object();
}

constexpr std::string_view name_of(Shape shape) {
  constexpr std::string_view kNames[] = {"a text", "a list", "a list of texts", "an object"};
  return kNames[static_cast<size_t>(shape)];
}

class Check {
 public:
  Check(const Json& node, Layer layer) : node_(node), layer_(layer) {}

  std::vector<std::string> run() {
    if (!node_.is_object()) return {"is not a JSON object"};
    check_identity();
    check_times();
    check_fields(kCommon);
    switch (layer_) {
      case Layer::kKnowledge:
        check_fields(kKnowledgeFields);
        check_named("relationships", {"rel", "target_id"});
        break;
      case Layer::kReasoning:
        check_fields(kReasoningFields);
        check_outcome();
        check_ids_in("refs", {"kg_refs", "tg_refs"});
        break;
      case Layer::kTask:
        check_fields(kTaskFields);
        check_state(node_, "status", State::kBacklog, State::kArchived);
        check_ids("dependencies", node_);
        check_ids("blocks", node_);
        check_ids_in("inputs", {"kg_refs", "rg_refs"});
        break;
    }
    return std::move(problems_);
  }

 private:
  template <class... Parts>
  void say(fmt::format_string<Parts...> text, Parts&&... parts) {
    problems_.push_back(fmt::format(text, std::forward<Parts>(parts)...));
  }

  const std::string* text(const Json& from, const char* key) const {
    const auto found = from.find(key);
    return found == from.end() ? nullptr : found->get_ptr<const std::string*>();
  }

  void check_identity() {
    const std::string* id = text(node_, "id");
    if (id == nullptr || !valid_id(*id)) {
      say("has no valid id: {}- and letters, digits, '.', '_' or '-', at most {} characters",
          prefix_of(layer_), kMaxIdBytes);
    } else if (holds_secret(*id)) {
      say("has an id that contains a secret");
    } else if (layer_of(*id) != layer_) {
      say("has an id of another layer");
    }
    const std::string* title = text(node_, "title");
    if (title == nullptr || title->empty()) {
      say("has no title");
    } else if (title->size() > kMaxTitleBytes) {
      say("has a title of {} bytes; at most {} are shown well", title->size(), kMaxTitleBytes);
    }
    const auto known = types_of(layer_);
    const std::string* type = text(node_, "type");
    if (type == nullptr || std::find(known.begin(), known.end(), *type) == known.end()) {
      say("has no type of {}", fmt::join(known, ", "));
    }
    const auto rev = node_.find("rev");
    if (rev != node_.end() && (!rev->is_number_integer() || *rev < 1))
      say("has a rev that is not a number from 1 on");
  }

  void check_times() {
    for (const char* key : {"created_at", "updated_at"}) {
      const std::string* time = text(node_, key);
      if (time == nullptr || !parse_rfc3339(*time).ok())
        say("has no {} of the form 2026-11-15T08:00:00Z", key);
    }
  }

  template <size_t N>
  void check_fields(const Field (&fields)[N]) {
    for (const Field& field : fields) {
      const auto found = node_.find(field.name);
      if (found != node_.end() && !has_shape(*found, field.shape)) {
        say("has \"{}\" that is not {}", field.name, name_of(field.shape));
      }
    }
  }

  void check_named(const char* list, std::initializer_list<const char*> keys) {
    const auto found = node_.find(list);
    if (found == node_.end() || !found->is_array()) return;
    for (const Json& each : *found) {
      for (const char* key : keys) {
        if (!each.is_object() || text(each, key) == nullptr) say("has an entry of {} without {}", list, key);
      }
    }
  }

  void check_state(const Json& from, const char* key, State first, State last) {
    const auto found = from.find(key);
    if (found == from.end()) return;
    const State state =
        found->is_string() ? parse_state(found->get_ref<const std::string&>()) : State::kUnknown;
    if (state >= first && state <= last) return;
    if (last == State::kRejected && state == State::kSuperseded) return;
    std::vector<std::string_view> known;
    for (auto each = static_cast<uint8_t>(first); each <= static_cast<uint8_t>(last); ++each) {
      known.push_back(to_string(static_cast<State>(each)));
    }
    if (last == State::kRejected) known.push_back(to_string(State::kSuperseded));
    say("has \"{}\" that is none of {}", key, fmt::join(known, ", "));
  }

  void check_outcome() {
    const auto outcome = node_.find("outcome");
    if (outcome == node_.end() || !outcome->is_object()) return;
    check_state(*outcome, "status", State::kProposed, State::kRejected);
    check_ids("supersedes", *outcome);
  }

  void check_ids_in(const char* object, std::initializer_list<const char*> lists) {
    const auto found = node_.find(object);
    if (found == node_.end() || !found->is_object()) return;
    for (const char* list : lists) check_ids(list, *found);
  }

  void check_ids(const char* list, const Json& from) {
    const auto found = from.find(list);
    if (found == from.end()) return;
    if (!is_texts(*found)) {
      if (&from != &node_) say("has {} that are not a list of ids", list);
      return;
    }
    for (const Json& each : *found) {
      if (!valid_id(each.get_ref<const std::string&>())) say("names something in {} that is not an id", list);
    }
  }

  const Json& node_;
  Layer layer_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> node_problems(const Json& node, Layer layer) {
  return Check(node, layer).run();
}

std::vector<std::string_view> types_of(Layer layer) {
  switch (layer) {
    case Layer::kKnowledge:
      return {"entity", "fact", "definition", "constraint", "source", "assumption", "risk"};
    case Layer::kReasoning:
      return {"decision"};
    case Layer::kTask:
      break;
  }
  return {"task"};
}

bool is_nested_too_deep(std::string_view json) {
  return is_nested_deeper_than(json, kMaxDepth);
}

}  // namespace knapsack::graph
