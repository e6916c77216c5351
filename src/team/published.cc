#include "team/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/ascii.h"
#include "core/escape.h"
#include "team/database.h"
#include "team/packed_bytes.h"

namespace knapsack::team {
namespace {

constexpr size_t kObjectsAtOnce = 16;  // some megabytes in one answer
constexpr size_t kNamesAtOnce = 2000;
constexpr size_t kMinPrefix = 7, kCommitDigits = 40, kManifestDigits = 64;

uint64_t count_in(const std::string& text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Status done_or_error(const Result<Rows>& done) {
  return done.ok() ? ok_status() : Status(done.error());
}

// As PostgreSQL writes bytes: \x0102.
std::string bytea(std::string_view bytes) {
  std::string text = "\\x";
  text.reserve(2 + 2 * bytes.size());
  for (const char byte : bytes) {
    text += ascii::kHexDigits[static_cast<unsigned char>(byte) >> 4U];
    text += ascii::kHexDigits[static_cast<unsigned char>(byte) & 15U];
  }
  return text;
}

std::string from_bytea(std::string_view text) {
  std::string bytes;
  if (!text.starts_with("\\x")) return bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 2; i + 1 < text.size(); i += 2)
    bytes += static_cast<char>(ascii::hex_value(text[i]) * 16 + ascii::hex_value(text[i + 1]));
  return bytes;
}

std::string name_list(const std::vector<std::string>& names, size_t from, size_t to) {
  std::vector<std::string> list;
  for (size_t i = from; i < to; ++i) list.push_back("\\x" + names[i]);
  return array_text(list);
}

}  // namespace

bool is_repository_name(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.size() <= kMaxRepositoryName && plain(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return plain(c) || c == '.' || c == '_' || c == '-'; });
}

bool is_snapshot_name(const SnapshotName& name) {
  return ascii::is_lower_hex(name.commit, kCommitDigits) &&
         ascii::is_lower_hex(name.manifest, kManifestDigits);
}

Status add_repository(Connection& connection, const std::string& name, const std::string& source,
                      Deadline deadline) {
  KNAPSACK_CHECK(done_or_error(connection.query(
      "INSERT INTO knapsack.repositories (name, source) VALUES ($1, $2) ON CONFLICT DO NOTHING",
      {name, source}, deadline)));
  KNAPSACK_TRY(const Rows there, connection.query("SELECT source FROM knapsack.repositories WHERE name = $1",
                                                  {name}, deadline));
  if (!there.rows.empty() && there.text(0, 0) == source) return ok_status();
  return Error{ErrorCode::kUsage, fmt::format("the team has a repository {} already, from elsewhere", name),
               "choose another name"};
}

Status grant_repository(Connection& connection, const std::string& role, const std::string& repository,
                        bool may_write, Deadline deadline) {
  KNAPSACK_TRY(Transaction transaction, Transaction::begin(connection, deadline));
  KNAPSACK_CHECK(check_role(connection, role, deadline));
  KNAPSACK_TRY(const Rows there, connection.query("SELECT 1 FROM knapsack.repositories WHERE name = $1",
                                                  {repository}, deadline));
  if (there.rows.empty())
    return Error{ErrorCode::kNotFound, fmt::format("the team has no repository {}", repository),
                 fmt::format("add it first: `knapsack team repos add {} URL`", repository)};
  KNAPSACK_CHECK(done_or_error(connection.query(
      "INSERT INTO knapsack.repository_grants (role_name, repository, may_write) VALUES ($1, $2, $3::boolean)"
      " ON CONFLICT (role_name, repository) DO UPDATE SET may_write = excluded.may_write",
      {role, repository, may_write ? "true" : "false"}, deadline)));
  KNAPSACK_CHECK(give_rights(
      connection, role,
      {"GRANT INSERT (repository, name, bytes) ON knapsack.objects TO %I",
       "GRANT INSERT (repository, commit_id, manifest, size, added) ON knapsack.snapshots TO %I",
       "GRANT INSERT (repository, commit_id) ON knapsack.jobs TO %I",
       "GRANT UPDATE (state, attempts, not_before, lease, lease_until, worker, problem) ON knapsack.jobs TO "
       "%I",
       "GRANT INSERT (repository, commit_id, command, request, status, milliseconds) ON knapsack.runs TO %I"},
      deadline));
  return transaction.commit();
}

Status grant_ledger(Connection& connection, const std::string& role, Deadline deadline) {
  KNAPSACK_TRY(Transaction transaction, Transaction::begin(connection, deadline));
  KNAPSACK_CHECK(check_role(connection, role, deadline));
  KNAPSACK_CHECK(done_or_error(connection.query(
      "INSERT INTO knapsack.auditors (role_name) VALUES ($1) ON CONFLICT DO NOTHING", {role}, deadline)));
  KNAPSACK_CHECK(give_rights(connection, role, {}, deadline));
  return transaction.commit();
}

Result<std::vector<RepositoryRow>> my_repositories(Connection& connection, Deadline deadline) {
  KNAPSACK_TRY(
      const Rows rows,
      connection.query(
          "SELECT r.name, r.source, coalesce(n.commit_id, ''),"
          " coalesce(to_char(n.published AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), ''),"
          " (SELECT count(*) FROM knapsack.snapshots s WHERE s.repository = r.name),"
          " (SELECT coalesce(sum(s.added), 0) FROM knapsack.snapshots s WHERE s.repository = r.name),"
          " (SELECT count(*) FROM knapsack.jobs j WHERE j.repository = r.name AND j.state IN ('queued', "
          "'running')),"
          " (SELECT count(*) FROM knapsack.jobs j WHERE j.repository = r.name AND j.state = 'failed'),"
          " coalesce((SELECT j.problem FROM knapsack.jobs j WHERE j.repository = r.name AND j.problem <> ''"
          "   AND j.state <> 'done' ORDER BY j.id DESC LIMIT 1), '')"
          " FROM knapsack.repositories r LEFT JOIN LATERAL (SELECT * FROM knapsack.snapshots s"
          "   WHERE s.repository = r.name ORDER BY s.sequence DESC LIMIT 1) n ON true"
          " ORDER BY r.name COLLATE \"C\"",
          {}, deadline));
  std::vector<RepositoryRow> repositories;
  for (size_t i = 0; i < rows.rows.size(); ++i) {
    repositories.push_back({rows.text(i, 0), rows.text(i, 1), rows.text(i, 2), rows.text(i, 3),
                            count_in(rows.text(i, 4)), count_in(rows.text(i, 5)), count_in(rows.text(i, 6)),
                            count_in(rows.text(i, 7)), rows.text(i, 8)});
  }
  return repositories;
}

Result<SnapshotName> find_snapshot(Connection& connection, const std::string& repository,
                                   const std::string& revision, Deadline deadline) {
  const bool is_id = revision.size() >= kMinPrefix && revision.size() <= kCommitDigits &&
                     ascii::is_lower_hex(revision, revision.size());
  if (!revision.empty() && !is_id)
    return Error{ErrorCode::kUsage, fmt::format("'{}' is not a commit id", escape_control(revision)),
                 fmt::format("give at least {} of its digits, or leave it out for the newest", kMinPrefix)};
  KNAPSACK_TRY(const Rows rows,
               connection.query("SELECT commit_id, encode(manifest, 'hex') FROM knapsack.snapshots"
                                " WHERE repository = $1 AND starts_with(commit_id, $2)"
                                " ORDER BY sequence DESC LIMIT 2",
                                {repository, revision}, deadline));
  if (rows.rows.size() == 2 && !revision.empty())
    return Error{ErrorCode::kUsage,
                 fmt::format("several published commits of {} begin with {}", repository, revision),
                 "give more digits"};
  if (!rows.rows.empty()) {
    SnapshotName found{rows.text(0, 0), rows.text(0, 1)};
    if (is_snapshot_name(found)) return found;
    return Error{ErrorCode::kCorrupt, "the team's server names a snapshot by what is not a commit id",
                 "tell whoever runs the server"};
  }
  KNAPSACK_TRY(const Rows known, connection.query("SELECT 1 FROM knapsack.repositories WHERE name = $1",
                                                  {repository}, deadline));
  if (known.rows.empty())
    return Error{ErrorCode::kNotFound,
                 fmt::format("the team has no repository '{}', or this role may not read it",
                             escape_control(repository)),
                 "`knapsack team repos list` shows those that it may"};
  if (revision.empty())
    return Error{ErrorCode::kNotFound, fmt::format("nothing is published of {} yet", repository),
                 "a worker publishes it: `knapsack worker --mirrors DIR`"};
  return Error{ErrorCode::kNotFound, fmt::format("commit {} of {} is not published", revision, repository),
               fmt::format("`knapsack team pushed {} COMMIT` asks for it", repository)};
}

Result<std::vector<std::string>> missing_objects(Connection& connection, const std::string& repository,
                                                 const std::vector<std::string>& names, Deadline deadline) {
  std::vector<std::string> missing;
  for (size_t from = 0; from < names.size(); from += kNamesAtOnce) {
    const size_t to = std::min(from + kNamesAtOnce, names.size());
    KNAPSACK_TRY(const Rows rows,
                 connection.query("SELECT encode(n, 'hex') FROM unnest($2::bytea[]) n WHERE NOT EXISTS ("
                                  "SELECT 1 FROM knapsack.objects o WHERE o.repository = $1 AND o.name = n)",
                                  {repository, name_list(names, from, to)}, deadline));
    for (size_t i = 0; i < rows.rows.size(); ++i) missing.push_back(rows.text(i, 0));
  }
  return missing;
}

Status put_object(Connection& connection, const std::string& repository, std::string_view bytes,
                  Deadline deadline) {
  return done_or_error(connection.query(
      "INSERT INTO knapsack.objects (repository, name, bytes) VALUES ($1, $2::bytea, $3::bytea)"
      " ON CONFLICT DO NOTHING",
      {repository, "\\x" + content_name(bytes), bytea(bytes)}, deadline));
}

Result<std::map<std::string, std::string>> get_objects(Connection& connection, const std::string& repository,
                                                       const std::vector<std::string>& names,
                                                       Deadline deadline) {
  std::map<std::string, std::string> objects;
  for (size_t from = 0; from < names.size(); from += kObjectsAtOnce) {
    const size_t to = std::min(from + kObjectsAtOnce, names.size());
    KNAPSACK_TRY(const Rows rows, connection.query("SELECT bytes FROM knapsack.objects WHERE repository = $1"
                                                   " AND name = ANY ($2::bytea[])",
                                                   {repository, name_list(names, from, to)}, deadline));
    for (size_t i = 0; i < rows.rows.size(); ++i) {
      std::string bytes = from_bytea(rows.text(i, 0));
      std::string name = content_name(bytes);
      objects.emplace(std::move(name), std::move(bytes));
    }
  }
  for (const std::string& name : names) {
    if (!objects.contains(name))
      return Error{ErrorCode::kNotFound, fmt::format("object {} of {} is missing", name, repository),
                   fmt::format("publish the commit again: `knapsack team pushed {} COMMIT`", repository)};
  }
  return objects;
}

Status put_run(Connection& connection, const TeamRun& run, Deadline deadline) {
  return done_or_error(connection.query(
      "INSERT INTO knapsack.runs (repository, commit_id, command, request, status, milliseconds)"
      " VALUES ($1, $2, $3, $4::jsonb, $5, $6::integer)",
      {run.repository, run.commit, run.command, run.request_json, run.status,
       std::to_string(run.milliseconds)},
      deadline));
}

}  // namespace knapsack::team
