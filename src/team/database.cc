#include "team/database.h"

#include <fmt/format.h>

#include <charconv>

namespace knapsack::team {
namespace {

// Rows of one answer; a first copy of a large team comes in many.
constexpr size_t kPageRows = 2'000;

double number_of(const std::string& text, double otherwise) {
  double value = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Timestamp time_of(const std::string& micros) {
  Timestamp time;
  std::from_chars(micros.data(), micros.data() + micros.size(), time.micros);
  return time;
}

TeamMemory memory_of(const std::vector<Value>& row) {
  TeamMemory memory;
  size_t at = 0;
  const auto next = [&] { return row[at++].value_or(""); };
  memory.team = next();
  memory.id = next();
  memory.category = next();
  memory.text = next();
  memory.tags = array_values(next());
  if (row[at]) memory.importance = number_of(*row[at], 0.4);
  ++at;
  memory.confidence = number_of(next(), 0.8);
  memory.entity = next();
  memory.created = time_of(next());
  memory.author_role = next();
  memory.author_git = next();
  memory.review = next();
  return memory;
}

constexpr const char* kPage =
    "SELECT namespace, id, category, text, tags, importance, confidence, entity,"
    " (extract(epoch FROM created) * 1000000)::bigint, author_role, author_git, review, changed"
    " FROM knapsack.memories"
    " WHERE (changed, namespace, id) > ($1::xid8, $2, $3)"
    " ORDER BY changed, namespace, id LIMIT $4::integer";

}  // namespace

Result<std::string> my_role(Connection& connection, Deadline deadline) {
  KNAPSACK_TRY(const Rows rows, connection.query("SELECT current_user", {}, deadline));
  return rows.text(0, 0);
}

Result<std::vector<TeamNamespace>> my_namespaces(Connection& connection, Deadline deadline) {
  KNAPSACK_TRY(
      const Rows rows,
      connection.query("SELECT name, name IN (SELECT knapsack.granted(true)), review FROM knapsack.namespaces"
                       " WHERE name IN (SELECT knapsack.granted(false)) ORDER BY name",
                       {}, deadline));
  std::vector<TeamNamespace> namespaces;
  for (size_t i = 0; i < rows.rows.size(); ++i)
    namespaces.push_back({rows.text(i, 0), rows.text(i, 1) == "t", rows.text(i, 2) == "t"});
  return namespaces;
}

Status put_memory(Connection& connection, const TeamMemory& memory, Deadline deadline) {
  const auto done = connection.query(
      "INSERT INTO knapsack.memories (namespace, id, category, text, tags, importance, confidence, entity, "
      "created,"
      " author_git, provenance) VALUES ($1, $2, $3, $4, $5::text[], $6::double precision, $7::double "
      "precision, $8,"
      " to_timestamp($9::double precision), $10, $11::jsonb) ON CONFLICT (namespace, id) DO NOTHING",
      {memory.team, memory.id, memory.category, memory.text, array_text(memory.tags),
       memory.importance ? Value(fmt::format("{}", *memory.importance)) : Value(),
       fmt::format("{}", memory.confidence), memory.entity,
       fmt::format("{:.6f}", static_cast<double>(memory.created.micros) / 1e6), memory.author_git,
       memory.provenance_json.empty() ? "{}" : memory.provenance_json},
      deadline);
  return done.ok() ? ok_status() : Status(done.error());
}

Result<Changes> read_changes(Connection& connection, const std::string& since, Deadline deadline) {
  // One state of the database for all pages and for the count.
  KNAPSACK_TRY(Transaction transaction,
               Transaction::begin(connection, deadline, "REPEATABLE READ, READ ONLY"));
  Changes changes;
  KNAPSACK_TRY(changes.namespaces, my_namespaces(connection, deadline));
  KNAPSACK_TRY(const Rows now, connection.query("SELECT pg_snapshot_xmin(pg_current_snapshot())::text,"
                                                " (SELECT count(*) FROM knapsack.memories)",
                                                {}, deadline));
  changes.since = now.text(0, 0);
  changes.count = static_cast<uint64_t>(number_of(now.text(0, 1), 0));
  uint64_t from = 0, settled = 0;
  std::from_chars(since.data(), since.data() + since.size(), from);
  std::from_chars(changes.since.data(), changes.since.data() + changes.since.size(), settled);
  // A server that was restored from elsewhere counts its transactions anew.
  if (from > settled) from = 0;
  std::string after = from == 0 ? "0" : fmt::format("{}", from - 1), team = "\x7f", id;
  for (bool more = true; more;) {
    KNAPSACK_TRY(const Rows page,
                 connection.query(kPage, {after, team, id, std::to_string(kPageRows)}, deadline));
    for (const auto& row : page.rows) changes.memories.push_back(memory_of(row));
    more = page.rows.size() == kPageRows;
    if (!more) break;
    const auto& last = page.rows.back();
    after = last.back().value_or("");
    team = last[0].value_or("");
    id = last[1].value_or("");
  }
  KNAPSACK_CHECK(transaction.commit());
  return changes;
}

Status review_memory(Connection& connection, const std::string& team, const std::string& id, bool accept,
                     Deadline deadline) {
  KNAPSACK_TRY(const Rows done,
               connection.query("UPDATE knapsack.memories SET review = $3 WHERE namespace = $1 AND id = $2",
                                {team, id, accept ? "accepted" : "rejected"}, deadline));
  if (done.affected > 0) return ok_status();
  KNAPSACK_TRY(
      const Rows there,
      connection.query(
          "SELECT author_role = current_user FROM knapsack.memories WHERE namespace = $1 AND id = $2",
          {team, id}, deadline));
  if (there.rows.empty())
    return Error{ErrorCode::kNotFound, fmt::format("team:{} has no memory {}", team, id),
                 fmt::format("`knapsack memories review --namespace team:{}` lists what waits", team)};
  return Error{ErrorCode::kUsage,
               there.text(0, 0) == "t"
                   ? fmt::format("{} is your own: somebody else of team:{} judges it", id, team)
                   : fmt::format("this role may only read team:{}", team),
               ""};
}

Status check_role(Connection& connection, const std::string& role, Deadline deadline) {
  KNAPSACK_TRY(const Rows found,
               connection.query("SELECT 1 FROM pg_roles WHERE rolname = $1", {role}, deadline));
  if (!found.rows.empty()) return ok_status();
  return Error{ErrorCode::kUsage, fmt::format("the team's server has no role {}", role),
               fmt::format("create it: CREATE ROLE \"{}\" LOGIN", role)};
}

Status give_rights(Connection& connection, const std::string& role, std::vector<const char*> rights,
                   Deadline deadline) {
  for (const char* right :
       {"GRANT USAGE ON SCHEMA knapsack TO %I",
        "GRANT SELECT ON knapsack.schema_version, knapsack.namespaces, knapsack.grants, knapsack.memories,"
        " knapsack.repositories, knapsack.repository_grants, knapsack.objects, knapsack.snapshots, "
        "knapsack.jobs,"
        " knapsack.auditors, knapsack.runs TO %I",
        "GRANT EXECUTE ON FUNCTION knapsack.granted(boolean), knapsack.granted_repositories(boolean) TO %I"})
    rights.push_back(right);
  for (const char* right : rights) {
    KNAPSACK_TRY(const Rows statement,
                 connection.query("SELECT format($1, $2::text)", {right, role}, deadline));
    KNAPSACK_CHECK(connection.run(statement.text(0, 0), deadline));
  }
  return ok_status();
}

Status grant(Connection& connection, const Grant& wanted, Deadline deadline) {
  KNAPSACK_TRY(Transaction transaction, Transaction::begin(connection, deadline));
  const auto ask = [&](const char* statement, const std::vector<Value>& values) -> Status {
    const auto done = connection.query(statement, values, deadline);
    return done.ok() ? ok_status() : Status(done.error());
  };
  KNAPSACK_CHECK(check_role(connection, wanted.role, deadline));
  KNAPSACK_CHECK(
      ask("INSERT INTO knapsack.namespaces (name) VALUES ($1) ON CONFLICT DO NOTHING", {wanted.team}));
  if (wanted.review)
    KNAPSACK_CHECK(ask("UPDATE knapsack.namespaces SET review = $2::boolean WHERE name = $1",
                       {wanted.team, *wanted.review ? "true" : "false"}));
  KNAPSACK_CHECK(
      ask("INSERT INTO knapsack.grants (role_name, namespace, may_write) VALUES ($1, $2, $3::boolean)"
          " ON CONFLICT (role_name, namespace) DO UPDATE SET may_write = excluded.may_write",
          {wanted.role, wanted.team, wanted.may_write ? "true" : "false"}));
  KNAPSACK_CHECK(give_rights(connection, wanted.role,
                             {"GRANT INSERT (namespace, id, category, text, tags, importance, confidence, "
                              "entity, created, author_git,"
                              " provenance) ON knapsack.memories TO %I",
                              "GRANT UPDATE (review) ON knapsack.memories TO %I"},
                             deadline));
  return transaction.commit();
}

}  // namespace knapsack::team
