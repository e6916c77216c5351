#include "store/ledger/ledger_schema.h"

namespace knapsack {
namespace {

constexpr int32_t kLedgerApplicationId = 0x4b4e5052;  // "KNPR"

// Append-only is a rule of the file itself, not only of our code. REPLACE removes a row without firing delete
// triggers, so inserting over an existing key is refused as well.
constexpr const char* kLedgerVersion1 = R"sql(
CREATE TABLE runs (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id TEXT NOT NULL,
  repeat INTEGER NOT NULL,
  task_id TEXT NOT NULL,
  command TEXT NOT NULL,
  workspace TEXT NOT NULL,
  request_json TEXT NOT NULL,
  config_json TEXT NOT NULL,
  tokenizer TEXT NOT NULL,
  budget INTEGER NOT NULL,
  used INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ok', 'empty', 'degraded')),
  warnings_json TEXT NOT NULL,
  program_version TEXT NOT NULL,
  started INTEGER NOT NULL,
  timings_json TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  UNIQUE (run_id, repeat)
) STRICT;

CREATE TABLE decisions (
  run INTEGER NOT NULL REFERENCES runs (sequence),
  position INTEGER NOT NULL,
  stage TEXT NOT NULL,
  source TEXT NOT NULL,
  candidate_id TEXT NOT NULL,
  title TEXT NOT NULL,
  tier INTEGER NOT NULL,
  section TEXT NOT NULL,
  included INTEGER NOT NULL,
  form TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  full_tokens INTEGER NOT NULL,
  score REAL,
  components_json TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE model_calls (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL REFERENCES runs (sequence),
  stage TEXT NOT NULL,
  model TEXT NOT NULL,
  request TEXT NOT NULL,
  response TEXT NOT NULL,
  outcome TEXT NOT NULL,
  latency_micros INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL
) STRICT;
CREATE INDEX model_calls_by_run ON model_calls (run);

CREATE TABLE index_runs (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  started INTEGER NOT NULL,
  workspace TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  outcome TEXT NOT NULL,
  files_seen INTEGER NOT NULL,
  files_parsed INTEGER NOT NULL,
  files_skipped INTEGER NOT NULL,
  duration_micros INTEGER NOT NULL,
  details_json TEXT NOT NULL,
  program_version TEXT NOT NULL
) STRICT;

CREATE TABLE enrichments (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  blob TEXT NOT NULL,
  path TEXT NOT NULL,
  model TEXT NOT NULL,
  prompt TEXT NOT NULL,
  answer TEXT NOT NULL,
  outcome TEXT NOT NULL,
  metadata_json TEXT NOT NULL,
  latency_micros INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL
) STRICT;
CREATE INDEX enrichments_by_blob ON enrichments (blob, model);

CREATE TABLE deliveries (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  session_key TEXT NOT NULL,
  run INTEGER NOT NULL REFERENCES runs (sequence),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_by_session ON deliveries (session_key);
CREATE INDEX deliveries_by_run ON deliveries (run);

CREATE TRIGGER runs_never_change BEFORE UPDATE ON runs
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER runs_never_go BEFORE DELETE ON runs
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER runs_are_not_replaced BEFORE INSERT ON runs
  WHEN EXISTS (SELECT 1 FROM runs WHERE sequence = NEW.sequence)
    OR EXISTS (SELECT 1 FROM runs WHERE run_id = NEW.run_id AND repeat = NEW.repeat)
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER decisions_never_change BEFORE UPDATE ON decisions
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER decisions_never_go BEFORE DELETE ON decisions
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER decisions_are_not_replaced BEFORE INSERT ON decisions
  WHEN EXISTS (SELECT 1 FROM decisions WHERE run = NEW.run AND position = NEW.position)
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER model_calls_never_change BEFORE UPDATE ON model_calls
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER model_calls_never_go BEFORE DELETE ON model_calls
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER model_calls_are_not_replaced BEFORE INSERT ON model_calls
  WHEN EXISTS (SELECT 1 FROM model_calls WHERE sequence = NEW.sequence)
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER index_runs_never_change BEFORE UPDATE ON index_runs
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER index_runs_never_go BEFORE DELETE ON index_runs
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER index_runs_are_not_replaced BEFORE INSERT ON index_runs
  WHEN EXISTS (SELECT 1 FROM index_runs WHERE sequence = NEW.sequence)
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER enrichments_never_change BEFORE UPDATE ON enrichments
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER enrichments_never_go BEFORE DELETE ON enrichments
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER enrichments_are_not_replaced BEFORE INSERT ON enrichments
  WHEN EXISTS (SELECT 1 FROM enrichments WHERE sequence = NEW.sequence)
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER deliveries_never_change BEFORE UPDATE ON deliveries
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER deliveries_never_go BEFORE DELETE ON deliveries
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER deliveries_are_not_replaced BEFORE INSERT ON deliveries
  WHEN EXISTS (SELECT 1 FROM deliveries WHERE sequence = NEW.sequence)
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
)sql";

// What a run handed out, as it was. Runs from before have none.
constexpr const char* kLedgerVersion2 = R"sql(
CREATE TABLE outputs (
  run INTEGER PRIMARY KEY REFERENCES runs (sequence),
  size INTEGER NOT NULL,
  deflated BLOB NOT NULL
) STRICT;

CREATE TRIGGER outputs_never_change BEFORE UPDATE ON outputs
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER outputs_never_go BEFORE DELETE ON outputs
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER outputs_are_not_replaced BEFORE INSERT ON outputs
  WHEN EXISTS (SELECT 1 FROM outputs WHERE run = NEW.run)
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
)sql";

// What a packet showed, and what came of it.
constexpr const char* kLedgerVersion3 = R"sql(
ALTER TABLE runs ADD COLUMN shown_json TEXT NOT NULL DEFAULT '{}';

CREATE TABLE outcomes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL REFERENCES runs (sequence),
  at INTEGER NOT NULL,
  told_by TEXT NOT NULL,
  base TEXT NOT NULL,
  commit_id TEXT NOT NULL,
  verdict TEXT NOT NULL,
  missing TEXT NOT NULL,
  changes_json TEXT NOT NULL,
  program_version TEXT NOT NULL
) STRICT;
CREATE INDEX outcomes_by_run ON outcomes (run);

CREATE TRIGGER outcomes_never_change BEFORE UPDATE ON outcomes
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER outcomes_never_go BEFORE DELETE ON outcomes
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER outcomes_are_not_replaced BEFORE INSERT ON outcomes
  WHEN EXISTS (SELECT 1 FROM outcomes WHERE sequence = NEW.sequence)
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
)sql";

constexpr const char* kLedgerVersions[] = {kLedgerVersion1, kLedgerVersion2, kLedgerVersion3};

}  // namespace

const sqlite::Schema& ledger_schema() {
  static constexpr sqlite::Schema kSchema{"ledger", kLedgerApplicationId, kLedgerVersions};
  return kSchema;
}

}  // namespace knapsack
