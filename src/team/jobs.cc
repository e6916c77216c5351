#include "team/jobs.h"

#include <fmt/format.h>

#include <charconv>

#include "core/ascii.h"
#include "text/unicode/utf8.h"

namespace knapsack::team {
namespace {

constexpr size_t kMaxProblemBytes = 1000;

// An UUID, and a number.
constexpr std::string_view kLeaseCharacters = "0123456789abcdef-", kIdCharacters = "0123456789";

bool is_made_of(std::string_view text, std::string_view bytes) {
  return !text.empty() && text.find_first_not_of(bytes) == std::string_view::npos;
}

}  // namespace

bool is_sound_job(const Job& job) {
  constexpr size_t kCommitLength = 40;
  return is_made_of(job.id, kIdCharacters) && is_made_of(job.lease, kLeaseCharacters) &&
         is_repository_name(job.repository) &&
         (job.commit == "HEAD" || ascii::is_lower_hex(job.commit, kCommitLength));
}

Result<bool> add_job(Connection& connection, const std::string& repository, const std::string& commit,
                     Deadline deadline) {
  KNAPSACK_TRY(const Rows done,
               connection.query("INSERT INTO knapsack.jobs (repository, commit_id) SELECT $1, $2"
                                " WHERE NOT EXISTS (SELECT 1 FROM knapsack.snapshots s"
                                "   WHERE s.repository = $1 AND s.commit_id = $2)"
                                " ON CONFLICT DO NOTHING",
                                {repository, commit}, deadline));
  return done.affected > 0;
}

Result<std::optional<Job>> take_job(Connection& connection, const std::string& worker, Deadline deadline) {
  KNAPSACK_TRY(
      const Rows rows,
      connection.query(
          "UPDATE knapsack.jobs SET state = 'running', attempts = attempts + 1, lease = gen_random_uuid(),"
          " lease_until = clock_timestamp() + make_interval(secs => $2::integer), worker = $1"
          " WHERE id = (SELECT id FROM knapsack.jobs"
          "   WHERE (state = 'queued' AND not_before <= clock_timestamp())"
          "   OR (state = 'running' AND lease_until < clock_timestamp())"
          "   ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)"
          " RETURNING id, lease, repository, commit_id, attempts",
          {worker, std::to_string(kLeaseTime.count())}, deadline));
  if (rows.rows.empty()) return std::optional<Job>();
  Job job{rows.text(0, 0), rows.text(0, 1), rows.text(0, 2), rows.text(0, 3), 0};
  const std::string& attempts = rows.text(0, 4);
  std::from_chars(attempts.data(), attempts.data() + attempts.size(), job.attempt);
  if (!is_sound_job(job))
    return Error{ErrorCode::kCorrupt, "the team's server gives a job that names no repository and commit",
                 "tell whoever runs the server"};
  return std::optional(std::move(job));
}

Result<bool> keep_job(Connection& connection, const Job& job, Deadline deadline) {
  KNAPSACK_TRY(
      const Rows done,
      connection.query(
          "UPDATE knapsack.jobs SET lease_until = clock_timestamp() + make_interval(secs => $3::integer)"
          " WHERE id = $1::bigint AND lease = $2::uuid AND state = 'running'",
          {job.id, job.lease, std::to_string(kLeaseTime.count())}, deadline));
  return done.affected > 0;
}

Status fail_job(Connection& connection, const Job& job, const std::string& problem, Deadline deadline) {
  const bool last = job.attempt >= kMaxAttempts;
  const auto done = connection.query(
      "UPDATE knapsack.jobs SET state = $3, problem = $4, lease = NULL, lease_until = NULL,"
      " not_before = clock_timestamp() + make_interval(secs => $5::integer)"
      " WHERE id = $1::bigint AND lease = $2::uuid AND state = 'running'",
      {job.id, job.lease, last ? "failed" : "queued",
       replace_invalid_utf8(utf8_prefix(problem, kMaxProblemBytes)),
       std::to_string(5 << std::min(job.attempt, kMaxAttempts))},
      deadline);
  return done.ok() ? ok_status() : Status(done.error());
}

Status finish_job(Connection& connection, const Job& job, const NewSnapshot& snapshot, Deadline deadline) {
  KNAPSACK_TRY(Transaction transaction, Transaction::begin(connection, deadline));
  KNAPSACK_TRY(const Rows done,
               connection.query("UPDATE knapsack.jobs SET state = 'done', problem = '', lease_until = NULL"
                                " WHERE id = $1::bigint AND lease = $2::uuid AND state = 'running'",
                                {job.id, job.lease}, deadline));
  if (done.affected == 0)
    return Error{ErrorCode::kBusy, fmt::format("job {} was given to another worker", job.id), ""};
  const auto added = connection.query(
      "INSERT INTO knapsack.snapshots (repository, commit_id, manifest, size, added)"
      " VALUES ($1, $2, $3::bytea, $4::bigint, $5::bigint) ON CONFLICT DO NOTHING",
      {job.repository, snapshot.commit, "\\x" + snapshot.manifest, std::to_string(snapshot.size),
       std::to_string(snapshot.added)},
      deadline);
  if (!added.ok()) return added.error();
  return transaction.commit();
}

}  // namespace knapsack::team
