#include "engine/run_record.h"

#include <fmt/format.h>

#include "core/ids.h"
#include "engine/shown_content.h"
#include "text/secrets/redact.h"

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

namespace {

Decision of_candidate(const Candidate& candidate) {
  Decision row;
  row.stage = candidate.dropped.empty() ? "pack" : "rank";
  row.source = to_string(candidate.source);
  row.candidate_id = candidate.id;
  row.title = candidate.title;
  row.score = candidate.score.total;
  row.components_json = components_json(candidate.score);
  row.reason = candidate.dropped;
  return row;
}

}  // namespace

std::vector<Decision> decisions_of(const Packet& packet) {
  std::vector<Decision> rows;
  for (const auto& section : packet.sections) {
    for (const auto& item : section.items) {
      Decision row = of_candidate(item.candidate);
      row.tier = section.tier;
      row.section = section.key;
      row.included = item.shown.has_value();
      if (item.shown) {
        row.stage = "pack";
        row.form = to_string(item.candidate.forms[*item.shown].kind);
      }
      row.tokens = static_cast<int64_t>(item.tokens);
      row.full_tokens = static_cast<int64_t>(item.full_tokens);
      row.reason = item.reason;
      rows.push_back(std::move(row));
    }
  }
  for (const Candidate& candidate : packet.unoffered) rows.push_back(of_candidate(candidate));
  return rows;
}

Decision task_decision(const TaskQuery& task) {
  nlohmann::ordered_json read = {{"type", to_string(task.type)}};
  std::string told;
  const auto add = [&](const char* name, const std::vector<std::string>& list) {
    if (list.empty()) return;
    read[name] = list;
    told += fmt::format("{}{} {}", told.empty() ? "" : "; ", name, fmt::join(list, ", "));
  };
  std::vector<std::string> paths, frames;
  for (const PathHint& hint : task.paths)
    paths.push_back(hint.line == 0 ? hint.path : fmt::format("{}:{}", hint.path, hint.line));
  for (const StackFrame& frame : task.frames)
    frames.push_back(fmt::format("{}:{} {}", frame.path, frame.line, frame.function));
  add("paths", paths);
  add("symbols", task.symbols);
  add("frames", frames);
  add("errors", task.errors);
  add("issues", task.issues);
  add("commits", task.commits);
  add("keywords", task.keywords);
  add("concepts", task.concepts);
  if (!task.intent.empty()) add("intent", {task.intent});
  add("expected paths", task.guessed_paths);
  add("expected symbols", task.guessed_symbols);
  Decision row;
  row.stage = "understand";
  row.source = "code";
  row.candidate_id = "task";
  row.title = to_string(task.type);
  row.section = "task";
  row.included = true;
  row.components_json = json_line(read);
  row.reason = std::move(told);
  return row;
}

std::vector<Decision> stage_decisions(const stages::StageContext& context) {
  std::vector<Decision> rows;
  for (const stages::ScopedFile& file : context.files) {
    Decision row;
    row.stage = "scope";
    row.source = "code";
    row.candidate_id = "file:" + file.path;
    row.title = file.path;
    row.tier = static_cast<int>(file.tier);
    row.section = to_string(file.tier);
    row.included = file.kept;
    row.score = file.score.total;
    row.components_json = components_json(file.score);
    row.reason = fmt::format("{}{}{}", fmt::join(file.relations, "; "), file.verdict.empty() ? "" : "; ",
                             file.verdict);
    rows.push_back(std::move(row));
  }
  for (const stages::LeftOut& left_out : context.left_out) {
    Decision row;
    row.stage = "scope";
    row.source = "code";
    row.candidate_id = left_out.id;
    row.title = left_out.title;
    row.tier = static_cast<int>(left_out.tier);
    row.section = to_string(left_out.tier);
    row.components_json = "{}";
    row.reason = left_out.reason;
    rows.push_back(std::move(row));
  }
  for (const stages::SelectedSymbol& symbol : context.symbols) {
    Decision row;
    row.stage = "precision";
    row.source = "code";
    row.candidate_id = fmt::format("symbol:{}#{}", symbol.path, symbol.name);
    row.title = symbol.name;
    row.tier = static_cast<int>(symbol.tier) + 1;
    row.section = to_string(symbol.tier);
    row.included = symbol.tier != stages::SymbolTier::kExcluded;
    row.score = symbol.key;
    // What it is ranked by: of two alike the shorter one.
    Score ranked_by = symbol.score;
    if (!symbol.score.components.empty())
      ranked_by.components.push_back({"length", symbol.key - symbol.score.total});
    row.components_json = components_json(ranked_by);
    row.reason = symbol.reason;
    rows.push_back(std::move(row));
  }
  return rows;
}

ModelCall ledger_row(const model::CallRecord& call) {
  ModelCall row;
  row.stage = call.stage;
  row.model = call.model;
  row.request = call.request;
  row.response = call.response;
  redact_secrets(row.response);  // a model may repeat what it was trained on
  row.outcome = call.outcome;
  row.latency_micros = call.latency_micros;
  row.prompt_tokens = call.prompt_tokens;
  row.completion_tokens = call.completion_tokens;
  return row;
}

namespace {

// A revision or a path that somebody gave may hold a secret like any text.
void redact_strings(nlohmann::ordered_json& json) {
  if (json.is_string()) {
    redact_secrets(json.get_ref<std::string&>());
  } else if (json.is_structured()) {
    for (nlohmann::ordered_json& each : json) redact_strings(each);
  }
}

}  // namespace

RunRecord describe_run(const RunDescription& description, Packet& packet,
                       const std::vector<StepTime>& times) {
  RunRecord run;
  run.command = description.command;
  run.task_id = packet.task_id;
  nlohmann::ordered_json request = description.request;
  redact_strings(request);
  run.request_json = json_line(request);
  nlohmann::ordered_json effective = nlohmann::ordered_json::object();
  for (const auto& row : description.settings.rows) {
    // Only where they are set: a run without them is the run that it was before there were such settings.
    const bool is_newer = row.key == "also" || row.key == "team.url";
    if (is_newer && row.value.empty()) continue;
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
  run.shown_json = shown_json(shown_content(packet));
  nlohmann::ordered_json steps = nlohmann::ordered_json::object();
  for (const auto& step : times) steps[step.step] = step.micros;
  run.timings_json = json_line(steps);
  return run;
}

}  // namespace knapsack
