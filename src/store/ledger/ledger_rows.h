// How the ledger's structs become rows of raw.db and come back: the one place where columns have an order.
// Private to store/ledger/.
#pragma once

#include <string>
#include <string_view>

#include "store/ledger/ledger.h"
#include "store/sqlite/sqlite.h"

namespace knapsack::ledger_rows {

struct Table {
  std::string_view name;
  std::string_view columns;  // all of them, in the order of the bind and read functions below
};
extern const Table kRuns;
extern const Table kDecisions;
extern const Table kModelCalls;
extern const Table kOutputs;
extern const Table kIndexRuns;
extern const Table kEnrichments;
extern const Table kDeliveries;
extern const Table kOutcomes;

// "INSERT INTO runs (…) VALUES (?, …)" and "SELECT … FROM runs".
std::string insert_into(const Table& table);
std::string select_from(const Table& table);

// Sequences are bound as NULL: SQLite gives the next one.
void bind(sqlite::Statement& insert, const RunRecord& run, int64_t repeat);
void bind(sqlite::Statement& insert, const Decision& decision, int64_t run_sequence, int64_t position);
void bind(sqlite::Statement& insert, const ModelCall& call, int64_t run_sequence);
void bind(sqlite::Statement& insert, const IndexRun& run);
void bind(sqlite::Statement& insert, const Enrichment& enrichment);
void bind(sqlite::Statement& insert, const RunOutcome& outcome);
void bind_output(sqlite::Statement& insert, int64_t run_sequence, size_t size, std::string_view deflated);
void bind_delivery(sqlite::Statement& insert, std::string_view session_key, int64_t run_sequence,
                   Timestamp at);

Result<StoredRun> read_run(const sqlite::Statement& row);
Decision read_decision(const sqlite::Statement& row);
ModelCall read_model_call(const sqlite::Statement& row);
Result<std::string> read_output(const sqlite::Statement& row);
IndexRun read_index_run(const sqlite::Statement& row);
Enrichment read_enrichment(const sqlite::Statement& row);
RunOutcome read_outcome(const sqlite::Statement& row);

}  // namespace knapsack::ledger_rows
