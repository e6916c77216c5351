#include "engine/run_record.h"

#include <fmt/format.h>

#include "core/ids.h"

namespace knapsack {

void StepTimer::done(std::string step) {
  const auto now = std::chrono::steady_clock::now();
  const int64_t micros = std::chrono::duration_cast<std::chrono::microseconds>(now - last_).count();
  if (log_.wants(LogLevel::kDebug)) log_.write(LogLevel::kDebug, fmt::format("{} took {} µs", step, micros));
  times_.push_back({std::move(step), micros});
  last_ = now;
}

std::string json_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string components_json(const Score& score) {
  nlohmann::ordered_json components = nlohmann::ordered_json::object();
  for (const auto& component : score.components) components[component.name] = component.value;
  return json_line(components);
}

std::vector<Decision> decisions_of(const Packet& packet) {
  std::vector<Decision> rows;
  for (const auto& section : packet.sections) {
    for (const auto& item : section.items) {
      Decision row;
      row.stage = item.candidate.dropped.empty() || item.shown ? "pack" : "rank";
      row.source = to_string(item.candidate.source);
      row.candidate_id = item.candidate.id;
      row.title = item.candidate.title;
      row.tier = section.tier;
      row.section = section.key;
      row.included = item.shown.has_value();
      if (item.shown) row.form = to_string(item.candidate.forms[*item.shown].kind);
      row.tokens = static_cast<int64_t>(item.tokens);
      row.full_tokens = static_cast<int64_t>(item.full_tokens);
      row.score = item.candidate.score.total;
      row.components_json = components_json(item.candidate.score);
      row.reason = item.reason;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

RunRecord describe_run(const RunDescription& description, Packet& packet,
                       const std::vector<StepTime>& times) {
  RunRecord run;
  run.command = description.command;
  run.task_id = packet.task_id;
  run.request_json = json_line(description.request);
  nlohmann::ordered_json effective = nlohmann::ordered_json::object();
  for (const auto& row : description.settings.rows) {
    effective[row.key] = {{"value", row.value}, {"from", row.origin}};
  }
  run.config_json = json_line(effective);
  run.run_id = "run-" + hash_parts({run.command, run.request_json, run.config_json, description.fingerprint,
                                    format_rfc3339(description.now), Engine::version()})
                            .substr(0, 12);
  packet.run_id = run.run_id;
  run.workspace = description.workspace;
  run.tokenizer = packet.tokenizer;
  run.budget = static_cast<int64_t>(packet.budget);
  run.used = static_cast<int64_t>(packet.used);
  run.status = packet.status;
  run.warnings_json = json_line(packet.warnings);
  run.program_version = Engine::version();
  run.started = description.now;
  run.fingerprint = description.fingerprint;
  nlohmann::ordered_json steps = nlohmann::ordered_json::object();
  for (const auto& step : times) steps[step.step] = step.micros;
  run.timings_json = json_line(steps);
  return run;
}

}  // namespace knapsack
