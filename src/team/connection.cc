#include "team/connection.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>

#include "core/escape.h"
#include "team/libpq.h"

namespace knapsack::team {
namespace {

constexpr std::string_view kRefusedByLock[] = {"40001", "40P01", "55P03"};

std::string first_line(std::string_view text) {
  return escape_control(text.substr(0, text.find('\n')));
}

bool is_lost(std::string_view state) {
  // Connection exceptions, an administrator's shutdown, a full disk or memory: what was asked may be asked again.
  return state.empty() || state.starts_with("08") || state.starts_with("57P") || state.starts_with("53") ||
         state.starts_with("58") || state.starts_with("XX") || state == "25006";
}

}  // namespace

Connection::Connection(Connection&& other) noexcept
    : libpq_(other.libpq_), connection_(std::exchange(other.connection_, nullptr)) {}
Connection& Connection::operator=(Connection&& other) noexcept {
  std::swap(libpq_, other.libpq_);
  std::swap(connection_, other.connection_);
  return *this;
}
Connection::~Connection() {
  if (connection_ != nullptr) libpq_->finish(connection_);
}

Error Connection::lost(std::string_view why) const {
  return {ErrorCode::kIo, fmt::format("the team's server {}", why), "try again later"};
}

Result<Connection> Connection::open(const ServerAddress& address, Deadline deadline) {
  KNAPSACK_TRY(const Libpq* libpq, load_libpq());
  std::vector<const char*> names, values;
  for (const auto& [name, value] : address.parameters) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  Connection connection(*libpq, libpq->connect_start(names.data(), values.data(), 0));
  if (connection.connection_ == nullptr) return connection.lost("cannot be asked: no memory is left");
  libpq->set_notice_processor(
      connection.connection_, [](void*, const char*) {}, nullptr);
  KNAPSACK_CHECK(connection.connect(deadline));
  if (!address.is_local && libpq->uses_tls(connection.connection_) == 0)
    return Error{ErrorCode::kUsage, "the team's server does not speak TLS", "have it speak TLS"};
  libpq->set_nonblocking(connection.connection_, 1);
  return connection;
}

Status Connection::connect(Deadline deadline) {
  for (PostgresPollingStatusType next = PGRES_POLLING_WRITING;;) {
    if (libpq_->status(connection_) == CONNECTION_BAD || next == PGRES_POLLING_FAILED)
      return lost(fmt::format("does not answer: {}", first_line(libpq_->error_message(connection_))));
    if (next == PGRES_POLLING_OK) return ok_status();
    KNAPSACK_CHECK(wait(next == PGRES_POLLING_WRITING, deadline));
    next = libpq_->connect_poll(connection_);
  }
}

// Until there is something to read, or room to write.
Status Connection::wait(bool for_writing, Deadline deadline) const {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return lost("does not answer in time");
    pollfd watched{libpq_->socket(connection_), static_cast<short>(POLLIN | (for_writing ? POLLOUT : 0)), 0};
    if (watched.fd < 0) return lost("closed the connection");
    const int ready = ::poll(&watched, 1, static_cast<int>(std::min<int64_t>(left.count(), 1'000)));
    if (ready > 0) return ok_status();
    if (ready < 0 && errno != EINTR) return lost("cannot be waited for");
  }
}

Result<Rows> Connection::query(const std::string& statement, const std::vector<Value>& values,
                               Deadline deadline) {
  state_.clear();
  std::vector<const char*> texts;
  for (const Value& value : values) texts.push_back(value ? value->c_str() : nullptr);
  if (libpq_->send_query(connection_, statement.c_str(), static_cast<int>(texts.size()), nullptr,
                         texts.data(), nullptr, nullptr, 0) == 0)
    return lost(fmt::format("closed the connection: {}", first_line(libpq_->error_message(connection_))));
  for (int left = 1; left != 0;) {
    left = libpq_->flush(connection_);
    if (left < 0) return lost("closed the connection");
    if (left > 0) KNAPSACK_CHECK(wait(true, deadline));
    if (left > 0 && libpq_->consume_input(connection_) == 0) return lost("closed the connection");
  }
  Rows answer;
  std::optional<Error> refused;
  for (;;) {
    while (libpq_->is_busy(connection_) != 0) {
      KNAPSACK_CHECK(wait(false, deadline));
      if (libpq_->consume_input(connection_) == 0) return lost("closed the connection");
    }
    PGresult* const result = libpq_->get_result(connection_);
    if (result == nullptr) break;
    const ExecStatusType status = libpq_->result_status(result);
    if (status == PGRES_TUPLES_OK) {
      for (int row = 0; row < libpq_->rows(result); ++row) {
        std::vector<Value>& cells = answer.rows.emplace_back();
        for (int column = 0; column < libpq_->columns(result); ++column) {
          cells.push_back(libpq_->is_null(result, row, column) != 0
                              ? Value()
                              : Value(std::string(libpq_->value(result, row, column),
                                                  static_cast<size_t>(libpq_->length(result, row, column)))));
        }
      }
    } else if (status != PGRES_COMMAND_OK) {
      const char* const state = libpq_->result_error(result, PG_DIAG_SQLSTATE);
      const char* const words = libpq_->result_error(result, PG_DIAG_MESSAGE_PRIMARY);
      state_ = state == nullptr ? "" : state;
      const std::string said = words == nullptr ? "closed the connection" : first_line(words);
      const bool by_lock =
          std::find(std::begin(kRefusedByLock), std::end(kRefusedByLock), state_) != std::end(kRefusedByLock);
      if (!refused) {
        refused = is_lost(state_) ? lost(fmt::format("cannot do it now: {}", said))
                  : by_lock
                      ? Error{ErrorCode::kBusy, said, "try again"}
                      : Error{ErrorCode::kUsage, fmt::format("the team's server refused: {}", said), ""};
      }
    }
    const std::string affected = libpq_->affected(result);
    if (!affected.empty()) answer.affected = std::strtoull(affected.c_str(), nullptr, 10);
    libpq_->clear(result);
    if (libpq_->status(connection_) == CONNECTION_BAD) return lost("closed the connection");
  }
  if (refused) return *refused;
  return answer;
}

Status Connection::run(const std::string& statement, Deadline deadline) {
  const auto done = query(statement, {}, deadline);
  return done.ok() ? ok_status() : Status(done.error());
}

Result<Transaction> Transaction::begin(Connection& connection, Deadline deadline, std::string_view kind) {
  KNAPSACK_CHECK(connection.run(fmt::format("BEGIN ISOLATION LEVEL {}", kind), deadline));
  return Transaction(connection, deadline);
}

Transaction::~Transaction() {
  // Where the connection is gone the server has rolled it back by itself.
  if (connection_ != nullptr) (void)connection_->run("ROLLBACK", deadline_);
}

Status Transaction::commit() {
  return std::exchange(connection_, nullptr)->run("COMMIT", deadline_);
}

std::string array_text(const std::vector<std::string>& values) {
  std::string text = "{";
  for (const std::string& value : values) {
    text += text.size() > 1 ? ",\"" : "\"";
    for (const char c : value) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text + "}";
}

std::vector<std::string> array_values(std::string_view text) {
  std::vector<std::string> values;
  if (text.size() < 2 || text.front() != '{') return values;
  text = text.substr(1, text.size() - 2);
  bool quoted = false;
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      value += text[++i];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      values.push_back(std::exchange(value, {}));
    } else {
      value += text[i];
    }
  }
  if (!text.empty()) values.push_back(std::move(value));
  return values;
}

}  // namespace knapsack::team
