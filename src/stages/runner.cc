#include "stages/runner.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace knapsack::stages {
namespace {

using Json = nlohmann::ordered_json;

// What earlier runs of the same task left, as far as it is a beginning of these stages.
struct Kept {
  Json outputs = Json::object();
  Json progress = Json::array();
};

Result<Kept> read_kept(Session& session) {
  Kept kept;
  KNAPSACK_TRY(const auto outputs, session.get(kStageOutputs));
  KNAPSACK_TRY(const auto progress, session.get(kStageProgress));
  if (!outputs || !progress) return kept;
  kept.outputs = Json::parse(*outputs, nullptr, false);
  kept.progress = Json::parse(*progress, nullptr, false);
  if (!kept.outputs.is_object() || !kept.progress.is_array()) return Kept{};
  return kept;
}

// The output of a completed stage, if `progress` has it at this place. One that had problems is not worth
// keeping: the model may answer now.
Result<std::optional<StageContext>> completed(const Kept& kept, size_t place, std::string_view name) {
  if (place >= kept.progress.size()) return std::optional<StageContext>();
  const Json& entry = kept.progress[place];
  const auto output = kept.outputs.find(std::string(name));
  const auto says = [&](const char* key, std::string_view wanted) {
    return entry.is_object() && entry.contains(key) && entry.at(key) == Json(std::string(wanted));
  };
  const bool done = says("stage", name) && says("status", "done");
  if (!done || output == kept.outputs.end() || !output->is_string()) return std::optional<StageContext>();
  KNAPSACK_TRY(StageContext context, context_from_json(output->get<std::string>()));
  if (!context.problems.empty()) return std::optional<StageContext>();
  return std::optional<StageContext>(std::move(context));
}

}  // namespace

Result<RunnerResult> run_stages(const std::vector<const Stage*>& stages, const StageInput& input,
                                StageContext start, Session* session,
                                const std::function<void(std::string_view stage)>& kept) {
  RunnerResult result;
  result.context = std::move(start);
  Kept before;
  if (session != nullptr) {
    KNAPSACK_TRY(before, read_kept(*session));
  }
  Kept now;
  bool resuming = true;
  for (size_t i = 0; i < stages.size(); ++i) {
    const std::string name(stages[i]->name());
    std::optional<StageContext> earlier;
    if (resuming) {
      KNAPSACK_TRY(earlier, completed(before, i, name));
    }
    resuming = earlier.has_value();
    if (earlier) {
      result.context = *std::move(earlier);
      result.resumed.push_back(name);
    } else {
      KNAPSACK_TRY(result.context, stages[i]->run(std::move(result.context), input));
    }
    now.outputs[name] = to_json(result.context);
    now.progress.push_back({{"stage", name}, {"status", "done"}});
    if (session == nullptr || resuming) continue;
    std::map<std::string, std::string> values = {{kStageOutputs, now.outputs.dump()},
                                                 {kStageProgress, now.progress.dump()}};
    if (i + 1 == stages.size()) values[kFinalContext] = to_json(result.context);
    KNAPSACK_CHECK(session->put(values));
    if (kept) kept(name);
  }
  return result;
}

}  // namespace knapsack::stages
