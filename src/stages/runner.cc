#include "stages/runner.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "text/parse_json.h"

namespace knapsack::stages {
namespace {

using OrderedJson = nlohmann::ordered_json;

// Which stages earlier runs of the same request completed, in order.
Result<OrderedJson> read_progress(Session& session) {
  KNAPSACK_TRY(const auto kept, session.get(kStageProgress));
  OrderedJson progress = kept ? parse_ordered_json(*kept) : OrderedJson::array();
  return progress.is_array() ? progress : OrderedJson::array();
}

// What a completed stage left. One that had problems is not worth keeping: the model may answer now.
Result<std::optional<StageContext>> completed(Session& session, const OrderedJson& progress, size_t place,
                                              const std::string& name) {
  const std::optional<StageContext> nothing;
  if (place >= progress.size() || !progress[place].is_object()) return nothing;
  const auto says = [&](const char* key, const std::string& wanted) {
    return progress[place].contains(key) && progress[place].at(key) == OrderedJson(wanted);
  };
  if (!says("stage", name) || !says("status", "done")) return nothing;
  KNAPSACK_TRY(const auto output, session.get(stage_output_key(name)));
  if (!output) return nothing;
  KNAPSACK_TRY(StageContext context, context_from_json(*output));
  if (!context.problems.empty()) return nothing;
  return std::optional<StageContext>(std::move(context));
}

}  // namespace

Result<RunnerResult> run_stages(const std::vector<const Stage*>& stages, const StageInput& input,
                                StageContext start, Session* session,
                                const std::function<void(std::string_view stage)>& kept) {
  RunnerResult result;
  result.context = std::move(start);
  OrderedJson before = OrderedJson::array();
  if (session != nullptr) {
    KNAPSACK_TRY(before, read_progress(*session));
  }
  OrderedJson progress = OrderedJson::array();
  bool resuming = session != nullptr;
  for (size_t i = 0; i < stages.size(); ++i) {
    const std::string name(stages[i]->name());
    std::optional<StageContext> earlier;
    if (resuming) {
      KNAPSACK_TRY(earlier, completed(*session, before, i, name));
    }
    resuming = earlier.has_value();
    progress.push_back({{"stage", name}, {"status", "done"}});
    if (earlier) {
      result.context = *std::move(earlier);
      result.resumed.push_back(name);
      continue;
    }
    KNAPSACK_TRY(result.context, stages[i]->run(std::move(result.context), input));
    if (session != nullptr) {
      const std::string output = to_json(result.context);
      std::map<std::string, std::string> values = {{stage_output_key(name), output},
                                                   {kStageProgress, progress.dump()}};
      if (i + 1 == stages.size()) values[kFinalContext] = output;
      KNAPSACK_CHECK(session->put(values));
    }
    if (kept) kept(name);
  }
  return result;
}

}  // namespace knapsack::stages
