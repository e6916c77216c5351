#include "support_rows.h"

#include <fmt/format.h>

namespace knapsack::testing {

Timestamp noon(int day) {
  return *make_timestamp(2026, 11, day, 12, 0, 0);
}

RunRecord sample_run(const std::string& run_id, Timestamp started) {
  return {.run_id = run_id,
          .task_id = "task of " + run_id,
          .command = "pack",
          .workspace = "/home/ada/engine",
          .request_json = R"({"task":"fix the parser"})",
          .config_json = R"({"budget":8000})",
          .tokenizer = "o200k",
          .budget = 8000,
          .used = 7321,
          .status = RunStatus::kDegraded,
          .warnings_json = R"(["the model timed out"])",
          .program_version = "0.1.0",
          .started = started,
          .timings_json = R"({"gather":12})",
          .fingerprint = "fingerprint of " + run_id,
          .shown_json = R"({"files":{}})"};
}

std::vector<Decision> sample_decisions(size_t count, const std::string& salt) {
  std::vector<Decision> decisions;
  for (size_t i = 0; i < count; ++i) {
    const auto number = static_cast<int>(i);
    decisions.push_back({.stage = "rank",
                         .source = i % 2 == 0 ? "code" : "notes",
                         .candidate_id = fmt::format("src/{}/file_{}.py", salt, i),
                         .title = fmt::format("file {}", i),
                         .tier = number % 4 - 1,
                         .section = "files",
                         .included = i % 3 == 0,
                         .form = i % 3 == 0 ? "full" : "",
                         .tokens = 10 + number,
                         .full_tokens = 1000 + number,
                         .score = 0.1 * number - 1.5,
                         .components_json = fmt::format(R"({{"bm25":{}}})", i),
                         .reason = "out of budget by " + std::to_string(i)});
  }
  return decisions;
}

std::vector<ModelCall> sample_calls(size_t count, const std::string& salt) {
  std::vector<ModelCall> calls;
  for (size_t i = 0; i < count; ++i) {
    const auto number = static_cast<int64_t>(i);
    calls.push_back({.stage = "scope",
                     .model = "small-model",
                     .request = fmt::format("which of these? {} {}", salt, i),
                     .response = fmt::format("answer {}", i),
                     .outcome = "ok",
                     .latency_micros = 1000 + number,
                     .prompt_tokens = 200 + number,
                     .completion_tokens = 30 + number});
  }
  return calls;
}

RunOutcome sample_outcome(int64_t run, const std::string& salt, Timestamp at) {
  return {.run = run,
          .at = at,
          .told_by = "commit",
          .base = "base of " + salt,
          .commit = "commit of " + salt,
          .verdict = "useful",
          .missing = "missing in " + salt,
          .changes_json = R"({"files":[]})",
          .program_version = "0.1.0"};
}

IndexRun sample_index_run(const std::string& snapshot, Timestamp started) {
  return {.started = started,
          .workspace = "/home/ada/engine",
          .snapshot = snapshot,
          .outcome = "complete",
          .files_seen = 100,
          .files_parsed = 80,
          .files_skipped = 20,
          .duration_micros = 123456,
          .details_json = R"({"binary":3})",
          .program_version = "0.1.0"};
}

Enrichment sample_enrichment(const std::string& blob, const std::string& model, const std::string& answer,
                             Timestamp at) {
  return {.at = at,
          .blob = blob,
          .path = "src/" + blob,
          .model = model,
          .prompt = "what is this for?",
          .answer = answer,
          .outcome = "ok",
          .metadata_json = R"({"purpose":"parsing"})",
          .latency_micros = 900,
          .prompt_tokens = 70,
          .completion_tokens = 8};
}

}  // namespace knapsack::testing
