#include "store/ledger/sqlite_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "store/deflate.h"
#include "store/ledger/ledger_rows.h"

namespace knapsack {

using sqlite::Statement;
using sqlite::Transaction;

struct SqliteLedger::Connection {
  // The inserts of a run, prepared by the first append and kept.
  struct AppendRun {
    Statement next_repeat, run, decision, model_call, output;
  };

  LedgerFile::Opened file;
  std::optional<AppendRun> append_run;

  // A statement of ours that does not fit the tables means that the tables are not ours any more.
  Result<Statement> prepare(const std::string& sql) {
    auto statement = file.database.prepare(sql);
    if (!statement.ok() && statement.error().code == ErrorCode::kInternal) {
      return Error{ErrorCode::kCorrupt, statement.error().what, ""};
    }
    return statement;
  }

  Result<AppendRun*> prepare_append_run() {
    if (!append_run) {
      KNAPSACK_TRY(Statement next_repeat,
                   prepare("SELECT coalesce(max(repeat), 0) + 1 FROM runs WHERE run_id = ?"));
      KNAPSACK_TRY(Statement run, prepare(insert_into(ledger_rows::kRuns)));
      KNAPSACK_TRY(Statement decision, prepare(insert_into(ledger_rows::kDecisions)));
      KNAPSACK_TRY(Statement model_call, prepare(insert_into(ledger_rows::kModelCalls)));
      KNAPSACK_TRY(Statement output, prepare(insert_into(ledger_rows::kOutputs)));
      append_run.emplace(AppendRun{std::move(next_repeat), std::move(run), std::move(decision),
                                   std::move(model_call), std::move(output)});
    }
    return &*append_run;
  }

  // Thousands of rows. The trigger that refuses to replace one has nothing to refuse in a plain INSERT, which
  // fails by itself where the key is taken, and would cost a third of the time.
  Status insert_decisions(std::span<const Decision> decisions, int64_t run) {
    const sqlite::Database::WithoutTriggers quiet(file.database);
    int64_t position = 0;
    for (const Decision& decision : decisions) {
      ledger_rows::bind(append_run->decision, decision, run, position++);
      KNAPSACK_CHECK(append_run->decision.run());
    }
    return ok_status();
  }

  // Every row of a query, as `read` makes it.
  template <class T, class Read, class... Values>
  Result<std::vector<T>> collect(const std::string& sql, Read read, const Values&... values) {
    KNAPSACK_TRY(Statement statement, prepare(sql));
    statement.bind(values...);
    std::vector<T> rows;
    while (true) {
      KNAPSACK_TRY(const bool row, statement.step());
      if (!row) return rows;
      Result<T> value = read(statement);
      if (!value.ok()) return value.error();
      rows.push_back(*std::move(value));
    }
  }

  Result<int64_t> insert_one(Statement& insert) {
    KNAPSACK_TRY(Transaction transaction, Transaction::begin(file.database));
    KNAPSACK_CHECK(insert.run());
    const int64_t sequence = file.database.last_insert_rowid();
    KNAPSACK_CHECK(transaction.commit());
    return sequence;
  }
};

namespace {

template <class T>
std::optional<T> first_of(std::vector<T> rows) {
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

// The least text that is greater than every text with this prefix; nothing where there is none.
std::optional<std::string> end_of_prefix(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xff) prefix.pop_back();
  if (prefix.empty()) return std::nullopt;
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
  return prefix;
}

std::optional<int64_t> micros(const std::optional<Timestamp>& time) {
  return time ? std::optional(time->micros) : std::nullopt;
}

}  // namespace

SqliteLedger::SqliteLedger(std::string path, FileSystem& files, const Clock& clock, LedgerFileOptions options)
    : file_(std::move(path), files, clock, std::move(options)) {}

SqliteLedger::~SqliteLedger() = default;

Result<SqliteLedger::Connection*> SqliteLedger::connect(Access access) {
  if (connection_) return connection_.get();
  if (access == Access::kRead) {
    KNAPSACK_TRY(const bool there, file_.exists());
    if (!there) return nullptr;
  }
  KNAPSACK_TRY(LedgerFile::Opened opened, file_.open(access == Access::kRead ? sqlite::OpenMode::kReadWrite
                                                                             : sqlite::OpenMode::kCreate));
  connection_ = std::make_unique<Connection>(Connection{std::move(opened), std::nullopt});
  return connection_.get();
}

template <class T, class Body>
Result<T> SqliteLedger::with_connection(Access access, Body body) {
  const std::lock_guard turn(mutex_);
  KNAPSACK_TRY(Connection * connection, connect(access));
  if (connection == nullptr) return T{};
  Result<T> result = body(*connection);
  if (result.ok() && access == Access::kAppend) file_.keep_log_short(connection->file.database);
  if (result.ok() || result.error().code != ErrorCode::kCorrupt) return result;
  connection->append_run.reset();
  LedgerFile::Opened opened = std::move(connection->file);
  connection_.reset();
  return file_.put_aside(std::move(opened), result.error());
}

Status SqliteLedger::open() {
  return with_connection<Nothing>(Access::kRead, [](Connection&) { return ok_status(); });
}

Result<RunKey> SqliteLedger::append_run(const RunRecord& run, std::span<const Decision> decisions,
                                        std::span<const ModelCall> calls, std::string_view output) {
  // Outside the transaction: others wait for that.
  const std::string deflated = output.empty() ? std::string() : deflate_text(output);
  return with_connection<RunKey>(Access::kAppend, [&](Connection& connection) -> Result<RunKey> {
    KNAPSACK_TRY(Connection::AppendRun* const statements, connection.prepare_append_run());
    KNAPSACK_TRY(Transaction transaction, Transaction::begin(connection.file.database));
    RunKey key;
    statements->next_repeat.bind(run.run_id);
    KNAPSACK_CHECK(statements->next_repeat.step());
    key.repeat = statements->next_repeat.integer(0);
    statements->next_repeat.reset();
    ledger_rows::bind(statements->run, run, key.repeat);
    KNAPSACK_CHECK(statements->run.run());
    key.sequence = connection.file.database.last_insert_rowid();
    KNAPSACK_CHECK(connection.insert_decisions(decisions, key.sequence));
    for (const ModelCall& call : calls) {
      ledger_rows::bind(statements->model_call, call, key.sequence);
      KNAPSACK_CHECK(statements->model_call.run());
    }
    if (!output.empty()) {
      ledger_rows::bind_output(statements->output, key.sequence, output.size(), deflated);
      KNAPSACK_CHECK(statements->output.run());
    }
    KNAPSACK_CHECK(transaction.commit());
    return key;
  });
}

Status SqliteLedger::append_about_run(const std::string& sql, int64_t run_sequence,
                                      const std::function<void(Statement&)>& bind) {
  return with_connection<Nothing>(Access::kAppend, [&](Connection& connection) -> Status {
    KNAPSACK_TRY(Statement known, connection.prepare("SELECT 1 FROM runs WHERE sequence = ?"));
    KNAPSACK_TRY(Statement insert, connection.prepare(sql));
    KNAPSACK_TRY(Transaction transaction, Transaction::begin(connection.file.database));
    known.bind(run_sequence);
    KNAPSACK_TRY(const bool found, known.step());
    known.reset();
    if (!found) return no_such_run(run_sequence);
    bind(insert);
    KNAPSACK_CHECK(insert.run());
    return transaction.commit();
  });
}

Status SqliteLedger::append_delivery(std::string_view session_key, int64_t run_sequence, Timestamp at) {
  return append_about_run(insert_into(ledger_rows::kDeliveries), run_sequence, [&](Statement& insert) {
    ledger_rows::bind_delivery(insert, session_key, run_sequence, at);
  });
}

Status SqliteLedger::append_outcome(const RunOutcome& outcome) {
  return append_about_run(insert_into(ledger_rows::kOutcomes), outcome.run,
                          [&](Statement& insert) { ledger_rows::bind(insert, outcome); });
}

Result<int64_t> SqliteLedger::append_index_run(const IndexRun& run) {
  return with_connection<int64_t>(Access::kAppend, [&](Connection& connection) -> Result<int64_t> {
    KNAPSACK_TRY(Statement insert, connection.prepare(insert_into(ledger_rows::kIndexRuns)));
    ledger_rows::bind(insert, run);
    return connection.insert_one(insert);
  });
}

Result<int64_t> SqliteLedger::append_enrichment(const Enrichment& enrichment) {
  return with_connection<int64_t>(Access::kAppend, [&](Connection& connection) -> Result<int64_t> {
    KNAPSACK_TRY(Statement insert, connection.prepare(insert_into(ledger_rows::kEnrichments)));
    ledger_rows::bind(insert, enrichment);
    return connection.insert_one(insert);
  });
}

Result<std::vector<StoredRun>> SqliteLedger::list_runs(const RunFilter& filter) {
  using Runs = std::vector<StoredRun>;
  return with_connection<Runs>(Access::kRead, [&](Connection& connection) {
    const std::string sql = select_from(ledger_rows::kRuns) +
                            " WHERE (?1 = '' OR command = ?1) AND (?2 = '' OR task_id = ?2)"
                            " AND (?3 IS NULL OR status = ?3)"
                            " AND (?4 IS NULL OR started >= ?4) AND (?5 IS NULL OR started < ?5)"
                            " ORDER BY sequence DESC LIMIT ?6";
    const auto status = filter.status ? std::optional(name_of(*filter.status)) : std::nullopt;
    return connection.collect<StoredRun>(sql, ledger_rows::read_run, filter.command, filter.task_id, status,
                                         micros(filter.after), micros(filter.before),
                                         std::max<int64_t>(0, filter.limit));
  });
}

Result<std::vector<Decision>> SqliteLedger::decisions_of(int64_t run_sequence) {
  using Decisions = std::vector<Decision>;
  return with_connection<Decisions>(Access::kRead, [&](Connection& connection) {
    return connection.collect<Decision>(
        select_from(ledger_rows::kDecisions) + " WHERE run = ? ORDER BY position", ledger_rows::read_decision,
        run_sequence);
  });
}

Result<std::vector<ModelCall>> SqliteLedger::model_calls_of(int64_t run_sequence) {
  using Calls = std::vector<ModelCall>;
  return with_connection<Calls>(Access::kRead, [&](Connection& connection) {
    return connection.collect<ModelCall>(
        select_from(ledger_rows::kModelCalls) + " WHERE run = ? ORDER BY sequence",
        ledger_rows::read_model_call, run_sequence);
  });
}

Result<std::optional<std::string>> SqliteLedger::output_of(int64_t run_sequence) {
  using Output = std::optional<std::string>;
  return with_connection<Output>(Access::kRead, [&](Connection& connection) -> Result<Output> {
    KNAPSACK_TRY(auto rows,
                 connection.collect<std::string>(select_from(ledger_rows::kOutputs) + " WHERE run = ?",
                                                 ledger_rows::read_output, run_sequence));
    return first_of(std::move(rows));
  });
}

Result<std::optional<Timestamp>> SqliteLedger::last_delivery(std::string_view session_key) {
  using Last = std::optional<Timestamp>;
  return with_connection<Last>(Access::kRead, [&](Connection& connection) -> Result<Last> {
    KNAPSACK_TRY(auto times,
                 connection.collect<Timestamp>(
                     "SELECT at FROM deliveries WHERE session_key = ? ORDER BY sequence DESC LIMIT 1",
                     [](const Statement& row) { return Timestamp{row.integer(0)}; }, session_key));
    return first_of(std::move(times));
  });
}

Result<std::vector<int64_t>> SqliteLedger::runs_delivered_to(std::string_view session_key) {
  using Runs = std::vector<int64_t>;
  return with_connection<Runs>(Access::kRead, [&](Connection& connection) {
    return connection.collect<int64_t>(
        "SELECT DISTINCT run FROM deliveries WHERE session_key = ? ORDER BY run",
        [](const Statement& row) { return row.integer(0); }, session_key);
  });
}

Result<std::vector<RunOutcome>> SqliteLedger::list_outcomes() {
  using Outcomes = std::vector<RunOutcome>;
  return with_connection<Outcomes>(Access::kRead, [&](Connection& connection) {
    return connection.collect<RunOutcome>(select_from(ledger_rows::kOutcomes) + " ORDER BY sequence",
                                          ledger_rows::read_outcome);
  });
}

Result<std::vector<IndexRun>> SqliteLedger::list_index_runs(int64_t limit) {
  using Runs = std::vector<IndexRun>;
  return with_connection<Runs>(Access::kRead, [&](Connection& connection) {
    return connection.collect<IndexRun>(
        select_from(ledger_rows::kIndexRuns) + " ORDER BY sequence DESC LIMIT ?", ledger_rows::read_index_run,
        std::max<int64_t>(0, limit));
  });
}

Result<std::optional<Enrichment>> SqliteLedger::find_enrichment(std::string_view blob,
                                                                std::string_view model) {
  using Found = std::optional<Enrichment>;
  return with_connection<Found>(Access::kRead, [&](Connection& connection) -> Result<Found> {
    KNAPSACK_TRY(auto rows, connection.collect<Enrichment>(
                                select_from(ledger_rows::kEnrichments) +
                                    " WHERE blob = ? AND model = ? ORDER BY sequence DESC LIMIT 1",
                                ledger_rows::read_enrichment, blob, model));
    return first_of(std::move(rows));
  });
}

Result<std::optional<StoredRun>> SqliteLedger::run_at(int64_t sequence) {
  using Found = std::optional<StoredRun>;
  return with_connection<Found>(Access::kRead, [&](Connection& connection) -> Result<Found> {
    KNAPSACK_TRY(auto rows,
                 connection.collect<StoredRun>(select_from(ledger_rows::kRuns) + " WHERE sequence = ?",
                                               ledger_rows::read_run, sequence));
    return first_of(std::move(rows));
  });
}

Result<std::vector<StoredRun>> SqliteLedger::runs_with_prefix(std::string_view prefix, int64_t limit) {
  using Runs = std::vector<StoredRun>;
  return with_connection<Runs>(Access::kRead, [&](Connection& connection) {
    return connection.collect<StoredRun>(
        select_from(ledger_rows::kRuns) +
            " AS one WHERE run_id >= ?1 AND (?2 IS NULL OR run_id < ?2)"
            " AND repeat = (SELECT max(repeat) FROM runs WHERE run_id = one.run_id) ORDER BY run_id LIMIT ?3",
        ledger_rows::read_run, prefix, end_of_prefix(std::string(prefix)), limit);
  });
}

Result<PruneReport> SqliteLedger::prune(Timestamp before) {
  const std::lock_guard turn(mutex_);
  connection_.reset();
  return file_.prune(before);
}

Result<std::unique_ptr<Ledger>> open_ledger(const std::string& state_folder, FileSystem& files,
                                            const Clock& clock) {
  auto ledger = std::make_unique<SqliteLedger>(join_path(state_folder, "raw.db"), files, clock);
  KNAPSACK_CHECK(ledger->open());
  return std::unique_ptr<Ledger>(std::move(ledger));
}

}  // namespace knapsack
