#include "engine/eval/eval_recall_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/files/memory_file_system.h"
#include "engine/engine.h"
#include "memory/recall/recall.h"
#include "memory/recall/relevance_floor.h"
#include "memory/recall/supersession.h"
#include "memory/tree/documents.h"
#include "memory/tree/infer.h"
#include "model/answer_text.h"
#include "search/segments/segment_set.h"

namespace knapsack {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxSetBytes = uint64_t{16} << 20;
constexpr char kSetSegments[] = "/segments";

struct SetMethod {
  std::string_view name, meaning;
  bool floor, superseding;
};
constexpr SetMethod kSetMethods[] = {
    {"full", "same as recall", true, true},
    {"no-floor", "shows every memory that shares a word", false, true},
    {"no-superseding", "superseded memories stay", true, false},
    {"neither", "without floor and without superseding", false, false},
};

struct SetPrompt {
  std::string kind, text;
  std::set<std::string> answers;
};

struct RecallSet {
  Timestamp now;
  std::vector<memory::Memory> memories;                   // by day
  std::map<std::string, std::set<std::string>> replaces;  // by id
  std::vector<SetPrompt> prompts;
};

class SetReader {
 public:
  explicit SetReader(std::string path) : path_(std::move(path)) {}

  Result<RecallSet> run(const json& root) {
    KNAPSACK_TRY(set_.now, parse_rfc3339(text_of(root, "now")));
    for (const char* list : {"memories", "prompts"}) {
      if (!root.contains(list) || !root[list].is_array() || root[list].empty())
        return off(fmt::format("has no list \"{}\"", list));
    }
    for (const json& each : root["memories"]) KNAPSACK_CHECK(add_memory(each));
    std::stable_sort(set_.memories.begin(), set_.memories.end(),
                     [](const auto& a, const auto& b) { return a.created < b.created; });
    for (const json& each : root["prompts"]) KNAPSACK_CHECK(add_prompt(each));
    for (const auto& replaced : set_.replaces) {
      for (const std::string& id : replaced.second) KNAPSACK_CHECK(require(id));
    }
    return std::move(set_);
  }

 private:
  Error off(const std::string& what) const {
    return {ErrorCode::kUsage, fmt::format("{} {}", path_, what), "see docs/recall.md for the format"};
  }
  static std::string text_of(const json& object, const char* key) {
    return object.is_object() && object.contains(key) && object[key].is_string()
               ? object[key].get<std::string>()
               : std::string();
  }
  static std::set<std::string> texts_of(const json& object, const char* key) {
    std::set<std::string> texts;
    if (!object.contains(key) || !object[key].is_array()) return texts;
    for (const json& each : object[key]) {
      if (each.is_string()) texts.insert(each.get<std::string>());
    }
    return texts;
  }
  Status require(const std::string& id) const {
    return ids_.contains(id) ? ok_status() : Status(off(fmt::format("has no memory \"{}\"", id)));
  }

  Status add_memory(const json& from) {
    memory::Memory memory;
    memory.id = text_of(from, "id");
    memory.session = text_of(from, "day");
    memory.text = text_of(from, "text");
    if (memory.id.empty() || memory.text.empty() || !ids_.insert(memory.id).second)
      return off("has a memory without a text or an \"id\" of its own");
    const auto day = parse_rfc3339(memory.session);
    if (!day.ok()) return off(fmt::format("has the day '{}' for {}", memory.session, memory.id));
    // One a minute, in the order of the file.
    memory.created = Timestamp::from_seconds(day->seconds() + 60 * static_cast<int64_t>(ids_.size()));
    memory.path = fmt::format("facts/{}/{}.md", memory.session, memory.id);
    memory.category = memory::infer_category(memory.text);
    memory.importance = memory::infer_importance(memory.text, memory.category);
    memory.confidence = 0.9;
    if (auto replaced = texts_of(from, "replaces"); !replaced.empty())
      set_.replaces[memory.id] = std::move(replaced);
    set_.memories.push_back(std::move(memory));
    return ok_status();
  }

  Status add_prompt(const json& from) {
    SetPrompt prompt{text_of(from, "kind"), text_of(from, "prompt"), texts_of(from, "answers")};
    if (prompt.text.empty() || prompt.kind.empty()) return off("has a prompt without a text or a kind");
    for (const std::string& id : prompt.answers) KNAPSACK_CHECK(require(id));
    set_.prompts.push_back(std::move(prompt));
    return ok_status();
  }

  std::string path_;
  std::set<std::string> ids_;
  RecallSet set_;
};

// One after another, as `remember --yes` would write them.
void supersede(const RecallSet& set, std::vector<memory::Memory>& memories, RecallSetMethodReport& report) {
  for (const auto& [id, replaced] : set.replaces) report.replaced += replaced.size();
  for (size_t i = 1; i < memories.size(); ++i) {
    const auto earlier = std::span<const memory::Memory>(memories).first(i);
    const auto expected = set.replaces.find(memories[i].id);
    for (const memory::Contradiction& each : memory::find_contradicted(memories[i], earlier)) {
      auto& old = memories[static_cast<size_t>(each.memory - memories.data())];
      old.status = memory::Status::kSuperseded;
      old.superseded_by = memories[i].id;
      ++report.superseded;
      if (expected != set.replaces.end() && expected->second.contains(old.id)) {
        ++report.rightly_superseded;
      } else {
        report.misses.push_back(
            {fmt::format("{} does not supersede {}", memories[i].id, old.id), {}, {old.id}});
      }
    }
  }
}

class SetRecaller {
 public:
  SetRecaller(const RecallSet& set, const SetMethod& method) : set_(set), memories_(set.memories) {
    report_.method = method.name;
    if (method.superseding) supersede(set, memories_, report_);
    options_.floor = method.floor ? memory::kDefaultFloor : 0;
  }

  Result<RecallSetMethodReport> run() {
    MemoryFileSystem files;
    search::SegmentBuilder builder;
    for (const memory::Memory& each : memories_) memory::add_document(builder, each);
    KNAPSACK_CHECK(files.make_directory(kSetSegments));
    KNAPSACK_TRY(const std::string name, builder.write(files, kSetSegments));
    KNAPSACK_TRY(auto segment, search::open_segment(files, kSetSegments, name));
    const auto live = search::LiveSet::all(segment->documents());
    KNAPSACK_TRY(const search::Index index, search::Index::open({{std::move(segment), live}}));
    const memory::Eligibility eligibility(memories_, {{""}, set_.now, false});
    const memory::RecallSource source{memories_, index, eligibility, {""}};
    for (const SetPrompt& prompt : set_.prompts) {
      memory::RecallOptions options = options_;
      options.mode = plan_recall(prompt.text).mode;
      KNAPSACK_TRY(auto recalled, memory::find_memories(source, prompt.text, set_.now, options));
      memory::choose_memories(recalled, source, options);
      count(prompt, recalled);
    }
    return std::move(report_);
  }

 private:
  void count(const SetPrompt& prompt, const memory::Recalled& recalled) {
    RecallSetMiss miss{prompt.text, {}, {}};
    RecallSetFigures made;
    made.prompts = 1;
    made.expected = prompt.answers.size();
    std::set<std::string> missing = prompt.answers;
    for (const memory::RecalledMemory& each : recalled.memories) {
      if (!each.dropped.empty()) continue;
      ++made.shown;
      if (missing.erase(each.memory->id) > 0) {
        ++made.right;
      } else {
        miss.wrong.push_back(each.memory->id);
      }
    }
    made.unanswered = prompt.answers.empty() ? 1 : 0;
    made.silent = prompt.answers.empty() && made.shown == 0 ? 1 : 0;
    miss.missing.assign(missing.begin(), missing.end());
    if (!miss.missing.empty() || !miss.wrong.empty()) report_.misses.push_back(std::move(miss));
    for (RecallSetFigures* sums : {&report_.overall, &report_.kinds[prompt.kind]}) {
      sums->prompts += made.prompts;
      sums->shown += made.shown;
      sums->right += made.right;
      sums->expected += made.expected;
      sums->unanswered += made.unanswered;
      sums->silent += made.silent;
    }
  }

  const RecallSet& set_;
  std::vector<memory::Memory> memories_;
  memory::RecallOptions options_;
  RecallSetMethodReport report_;
};

}  // namespace

std::vector<EvalMethod> recall_set_methods() {
  std::vector<EvalMethod> methods;
  for (const SetMethod& each : kSetMethods) methods.push_back({each.name, each.meaning});
  return methods;
}

bool is_recall_set(const FileSystem& files, const std::string& path) {
  const auto bytes = files.read(path, kMaxSetBytes);
  if (!bytes.ok()) return false;
  const size_t first = bytes->find_first_not_of(" \t\r\n");
  return first != std::string::npos && (*bytes)[first] == '{';
}

Result<RecallSetReport> evaluate_recall_set(const FileSystem& files, const std::string& path,
                                            const std::vector<std::string>& methods) {
  KNAPSACK_TRY(const std::string bytes, files.read(path, kMaxSetBytes));
  const auto root = model::parse_bounded_json(bytes);
  if (!root.ok() || !root->is_object()) {
    return Error{ErrorCode::kUsage, fmt::format("{} is not a set of memories and prompts", path),
                 "see docs/recall.md for the format"};
  }
  KNAPSACK_TRY(const RecallSet set, SetReader(path).run(*root));
  RecallSetReport report;
  report.version = Engine::version();
  for (const std::string& name : methods) {
    const auto* method = std::find_if(std::begin(kSetMethods), std::end(kSetMethods),
                                      [&](const SetMethod& each) { return each.name == name; });
    if (method == std::end(kSetMethods)) {
      return Error{ErrorCode::kUsage, fmt::format("unknown method '{}' for a set of memories", name),
                   "choose full, no-floor, no-superseding or neither"};
    }
    KNAPSACK_TRY(RecallSetMethodReport made, SetRecaller(set, *method).run());
    report.methods.push_back(std::move(made));
  }
  return report;
}

}  // namespace knapsack
