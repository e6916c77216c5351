#include "engine/eval/eval.h"

namespace knapsack {

EvalMethodReport summarise_method(std::string name, std::vector<EvalAnswer> answers,
                                  std::span<const size_t> ks) {
  EvalMethodReport method;
  method.method = std::move(name);
  method.answers = std::move(answers);
  std::vector<const EvalAnswer*> all;
  std::map<std::string, std::map<std::string, std::vector<const EvalAnswer*>>> groups;
  std::vector<int64_t> micros, first;
  for (const EvalAnswer& answer : method.answers) {
    all.push_back(&answer);
    for (const auto& [kind, group] : answer.groups) groups[kind][group].push_back(&answer);
    micros.push_back(answer.micros);
    if (answer.first_micros > 0) first.push_back(answer.first_micros);
  }
  method.overall = measure(all, ks);
  for (const auto& [kind, named] : groups) {
    for (const auto& [group, members] : named) method.groups[kind][group] = measure(members, ks);
  }
  method.p50_micros = percentile(micros, 0.5);
  method.p95_micros = percentile(micros, 0.95);
  method.first_p50_micros = percentile(first, 0.5);
  method.first_p95_micros = percentile(first, 0.95);
  return method;
}

}  // namespace knapsack
