#include "store/ledger/ledger_rows.h"

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "store/deflate.h"

namespace knapsack::ledger_rows {

const Table kRuns{"runs",
                  "sequence, run_id, repeat, task_id, command, workspace, request_json, config_json, "
                  "tokenizer, budget, used, status, warnings_json, program_version, started, timings_json, "
                  "fingerprint, shown_json"};
const Table kDecisions{"decisions",
                       "run, position, stage, source, candidate_id, title, tier, section, included, form, "
                       "tokens, full_tokens, score, components_json, reason"};
const Table kModelCalls{"model_calls",
                        "sequence, run, stage, model, request, response, outcome, latency_micros, "
                        "prompt_tokens, completion_tokens"};
const Table kOutputs{"outputs", "run, size, deflated"};
const Table kIndexRuns{"index_runs",
                       "sequence, started, workspace, snapshot, outcome, files_seen, files_parsed, "
                       "files_skipped, duration_micros, details_json, program_version"};
const Table kEnrichments{"enrichments",
                         "sequence, at, blob, path, model, prompt, answer, outcome, metadata_json, "
                         "latency_micros, prompt_tokens, completion_tokens"};
const Table kDeliveries{"deliveries", "sequence, session_key, run, at"};
const Table kOutcomes{"outcomes",
                      "sequence, run, at, told_by, base, commit_id, verdict, missing, changes_json, "
                      "program_version"};

std::string insert_into(const Table& table) {
  std::string parameters = "?";
  for (const char c : table.columns) {
    if (c == ',') parameters += ", ?";
  }
  return fmt::format("INSERT INTO {} ({}) VALUES ({})", table.name, table.columns, parameters);
}

std::string select_from(const Table& table) {
  return fmt::format("SELECT {} FROM {}", table.columns, table.name);
}

void bind(sqlite::Statement& insert, const RunRecord& run, int64_t repeat) {
  insert.bind(nullptr, run.run_id, repeat, run.task_id, run.command, run.workspace, run.request_json,
              run.config_json, run.tokenizer, run.budget, run.used, name_of(run.status), run.warnings_json,
              run.program_version, run.started.micros, run.timings_json, run.fingerprint, run.shown_json);
}

void bind(sqlite::Statement& insert, const Decision& decision, int64_t run_sequence, int64_t position) {
  insert.bind(run_sequence, position, decision.stage, decision.source, decision.candidate_id, decision.title,
              decision.tier, decision.section, decision.included, decision.form, decision.tokens,
              decision.full_tokens, decision.score, decision.components_json, decision.reason);
}

void bind(sqlite::Statement& insert, const ModelCall& call, int64_t run_sequence) {
  insert.bind(nullptr, run_sequence, call.stage, call.model, call.request, call.response, call.outcome,
              call.latency_micros, call.prompt_tokens, call.completion_tokens);
}

void bind(sqlite::Statement& insert, const IndexRun& run) {
  insert.bind(nullptr, run.started.micros, run.workspace, run.snapshot, run.outcome, run.files_seen,
              run.files_parsed, run.files_skipped, run.duration_micros, run.details_json,
              run.program_version);
}

void bind(sqlite::Statement& insert, const Enrichment& enrichment) {
  insert.bind(nullptr, enrichment.at.micros, enrichment.blob, enrichment.path, enrichment.model,
              enrichment.prompt, enrichment.answer, enrichment.outcome, enrichment.metadata_json,
              enrichment.latency_micros, enrichment.prompt_tokens, enrichment.completion_tokens);
}

void bind(sqlite::Statement& insert, const RunOutcome& outcome) {
  insert.bind(nullptr, outcome.run, outcome.at.micros, outcome.told_by, outcome.base, outcome.commit,
              outcome.verdict, outcome.missing, outcome.changes_json, outcome.program_version);
}

void bind_output(sqlite::Statement& insert, int64_t run_sequence, size_t size, std::string_view deflated) {
  insert.bind(run_sequence, static_cast<int64_t>(size), column_bytes(deflated));
}

void bind_delivery(sqlite::Statement& insert, std::string_view session_key, int64_t run_sequence,
                   Timestamp at) {
  insert.bind(nullptr, session_key, run_sequence, at.micros);
}

Result<StoredRun> read_run(const sqlite::Statement& row) {
  const auto status = parse_run_status(row.text(11));
  if (!status) {
    return Error{ErrorCode::kCorrupt, fmt::format("the ledger is damaged: run status '{}'", row.text(11)),
                 ""};
  }
  return StoredRun{{row.integer(0), row.integer(2)},
                   {.run_id = row.string(1),
                    .task_id = row.string(3),
                    .command = row.string(4),
                    .workspace = row.string(5),
                    .request_json = row.string(6),
                    .config_json = row.string(7),
                    .tokenizer = row.string(8),
                    .budget = row.integer(9),
                    .used = row.integer(10),
                    .status = *status,
                    .warnings_json = row.string(12),
                    .program_version = row.string(13),
                    .started = {row.integer(14)},
                    .timings_json = row.string(15),
                    .fingerprint = row.string(16),
                    .shown_json = row.string(17)}};
}

Decision read_decision(const sqlite::Statement& row) {
  return {.stage = row.string(2),
          .source = row.string(3),
          .candidate_id = row.string(4),
          .title = row.string(5),
          .tier = static_cast<int>(row.integer(6)),
          .section = row.string(7),
          .included = row.boolean(8),
          .form = row.string(9),
          .tokens = row.integer(10),
          .full_tokens = row.integer(11),
          .score = row.real(12),
          .components_json = row.string(13),
          .reason = row.string(14)};
}

ModelCall read_model_call(const sqlite::Statement& row) {
  return {.stage = row.string(2),
          .model = row.string(3),
          .request = row.string(4),
          .response = row.string(5),
          .outcome = row.string(6),
          .latency_micros = row.integer(7),
          .prompt_tokens = row.integer(8),
          .completion_tokens = row.integer(9)};
}

Result<std::string> read_output(const sqlite::Statement& row) {
  auto text = inflate_text(column_view(row.bytes(2)), row.integer(1));
  if (!text) return Error{ErrorCode::kCorrupt, "the ledger is damaged: the output of a run", ""};
  return *std::move(text);
}

IndexRun read_index_run(const sqlite::Statement& row) {
  return {.started = {row.integer(1)},
          .workspace = row.string(2),
          .snapshot = row.string(3),
          .outcome = row.string(4),
          .files_seen = row.integer(5),
          .files_parsed = row.integer(6),
          .files_skipped = row.integer(7),
          .duration_micros = row.integer(8),
          .details_json = row.string(9),
          .program_version = row.string(10)};
}

RunOutcome read_outcome(const sqlite::Statement& row) {
  return {.run = row.integer(1),
          .at = {row.integer(2)},
          .told_by = row.string(3),
          .base = row.string(4),
          .commit = row.string(5),
          .verdict = row.string(6),
          .missing = row.string(7),
          .changes_json = row.string(8),
          .program_version = row.string(9)};
}

Enrichment read_enrichment(const sqlite::Statement& row) {
  return {.at = {row.integer(1)},
          .blob = row.string(2),
          .path = row.string(3),
          .model = row.string(4),
          .prompt = row.string(5),
          .answer = row.string(6),
          .outcome = row.string(7),
          .metadata_json = row.string(8),
          .latency_micros = row.integer(9),
          .prompt_tokens = row.integer(10),
          .completion_tokens = row.integer(11)};
}

}  // namespace knapsack::ledger_rows
