// Connection: questions to a team's PostgreSQL that are answered by a deadline, or not at all.
//
// Nothing here waits longer than it was told, whatever the server or the network does. Every statement goes with its values
// apart from its text, and no state is kept in a session, so that a pooler may hand each transaction to another one. After a
// kIo nothing more can be asked: it is not known whether the last statement was carried out. One thread.
// Private to team/.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "team/server_address.h"

struct pg_conn;

namespace knapsack::team {

struct Libpq;
using Deadline = std::chrono::steady_clock::time_point;

inline Deadline deadline_in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

using Value = std::optional<std::string>;  // nothing: NULL
struct Rows {
  std::vector<std::vector<Value>> rows;
  uint64_t affected = 0;

  const std::string& text(size_t row, size_t column) const { return rows[row][column].value(); }
};

// Errors: kIo where the server is not there, went away or took too long: ask again later. kUsage where it refused what was
// asked; `what` has its words. kBusy where another transaction was in the way.
class Connection {
 public:
  static Result<Connection> open(const ServerAddress& address, Deadline deadline);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;
  ~Connection();

  Result<Rows> query(const std::string& statement, const std::vector<Value>& values, Deadline deadline);
  Status run(const std::string& statement, Deadline deadline);
  // What the server called its last refusal, as five characters.
  const std::string& sql_state() const { return state_; }

 private:
  Connection(const Libpq& libpq, pg_conn* connection) : libpq_(&libpq), connection_(connection) {}
  Status connect(Deadline deadline);
  Status wait(bool for_writing, Deadline deadline) const;
  Error lost(std::string_view why) const;

  const Libpq* libpq_;
  pg_conn* connection_;
  std::string state_;
};

// A transaction that is rolled back unless it was committed.
class Transaction {
 public:
  static Result<Transaction> begin(Connection& connection, Deadline deadline,
                                   std::string_view kind = "READ COMMITTED");
  Transaction(Transaction&& other) noexcept
      : connection_(std::exchange(other.connection_, nullptr)), deadline_(other.deadline_) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Status commit();

 private:
  Transaction(Connection& connection, Deadline deadline) : connection_(&connection), deadline_(deadline) {}
  Connection* connection_;
  Deadline deadline_;
};

// A list as PostgreSQL writes it: {"a","b\"c"}; and back.
std::string array_text(const std::vector<std::string>& values);
std::vector<std::string> array_values(std::string_view text);

}  // namespace knapsack::team
