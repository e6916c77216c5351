#include "team/migrations.h"

#include <fmt/format.h>

#include <charconv>

#include "team/published_schema.h"

namespace knapsack::team {
namespace {

// Any number will do, as long as nobody else takes it: "knapsack" in hexadecimal digits of its letters' sum.
constexpr const char* kLock = "SELECT pg_advisory_xact_lock(7307077)";

// One statement an entry: a statement with values of its own cannot hold several.
using Step = std::vector<const char*>;

const Step& first_step() {
  static const Step step = {
      "CREATE TABLE knapsack.namespaces ("
      " name text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9._-]{0,57}$'),"
      " review boolean NOT NULL DEFAULT false,"
      " created timestamptz NOT NULL DEFAULT now())",
      "CREATE TABLE knapsack.grants ("
      " role_name name NOT NULL,"
      " namespace text NOT NULL REFERENCES knapsack.namespaces (name),"
      " may_write boolean NOT NULL,"
      " PRIMARY KEY (role_name, namespace))",
      // `changed` is the transaction that wrote the row last: unlike a clock or a sequence it tells a reader what it may have
      // missed, because transactions that were not over are known (pg_current_snapshot).
      "CREATE TABLE knapsack.memories ("
      " namespace text NOT NULL REFERENCES knapsack.namespaces (name),"
      " id text NOT NULL CHECK (length(id) BETWEEN 1 AND 200),"
      " category text NOT NULL CHECK (length(category) <= 64),"
      " text text NOT NULL CHECK (octet_length(text) BETWEEN 1 AND 262144),"
      " tags text[] NOT NULL DEFAULT '{}' CHECK (cardinality(tags) <= 50),"
      " importance double precision CHECK (importance BETWEEN 0 AND 1),"
      " confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),"
      " entity text NOT NULL DEFAULT '' CHECK (length(entity) <= 400),"
      " created timestamptz NOT NULL,"
      " author_role name NOT NULL,"
      " author_git text NOT NULL DEFAULT '' CHECK (length(author_git) <= 400),"
      " provenance jsonb NOT NULL DEFAULT '{}',"
      " review text NOT NULL CHECK (review IN ('proposed', 'accepted', 'rejected')),"
      " reviewed_by name,"
      " changed xid8 NOT NULL,"
      " written timestamptz NOT NULL,"
      " PRIMARY KEY (namespace, id))",
      "CREATE INDEX memories_changed ON knapsack.memories (changed, namespace, id)",
      // As whoever asks, so that nothing is read with the rights of somebody else. A role that is gone has no rights.
      "CREATE FUNCTION knapsack.granted(writing boolean) RETURNS SETOF text"
      " LANGUAGE sql STABLE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$"
      " SELECT g.namespace FROM knapsack.grants g JOIN pg_roles r ON r.rolname = g.role_name"
      " WHERE pg_has_role(current_user, r.oid, 'USAGE') AND (g.may_write OR NOT writing) $$",
      "CREATE FUNCTION knapsack.stamp_memory() RETURNS trigger"
      " LANGUAGE plpgsql SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$ BEGIN"
      " NEW.changed := pg_current_xact_id();"
      " NEW.written := clock_timestamp();"
      " IF TG_OP = 'INSERT' THEN"
      "   NEW.author_role := current_user;"
      "   NEW.reviewed_by := NULL;"
      "   NEW.review := CASE WHEN (SELECT n.review FROM knapsack.namespaces n WHERE n.name = NEW.namespace)"
      "     THEN 'proposed' ELSE 'accepted' END;"
      " ELSE NEW.reviewed_by := current_user; END IF;"
      " RETURN NEW; END $$",
      "CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON knapsack.memories"
      " FOR EACH ROW EXECUTE FUNCTION knapsack.stamp_memory()",
      "ALTER TABLE knapsack.namespaces ENABLE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.grants ENABLE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.memories ENABLE ROW LEVEL SECURITY",
      // Whoever owns the tables is not a member of every team.
      "ALTER TABLE knapsack.memories FORCE ROW LEVEL SECURITY",
      "CREATE POLICY own_grants ON knapsack.grants FOR SELECT USING ("
      " role_name IN (SELECT r.rolname FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'USAGE')))",
      "CREATE POLICY own_namespaces ON knapsack.namespaces FOR SELECT"
      " USING (name = ANY (ARRAY(SELECT knapsack.granted(false))))",
      "CREATE POLICY read_memories ON knapsack.memories FOR SELECT"
      " USING (namespace = ANY (ARRAY(SELECT knapsack.granted(false))))",
      "CREATE POLICY write_memories ON knapsack.memories FOR INSERT WITH CHECK ("
      " namespace = ANY (ARRAY(SELECT knapsack.granted(true))) AND author_role = current_user)",
      // Nobody accepts what they wrote themselves.
      "CREATE POLICY review_memories ON knapsack.memories FOR UPDATE USING ("
      " namespace = ANY (ARRAY(SELECT knapsack.granted(true))) AND author_role <> current_user)"
      " WITH CHECK (namespace = ANY (ARRAY(SELECT knapsack.granted(true))) AND author_role <> current_user)",
      "REVOKE ALL ON ALL TABLES IN SCHEMA knapsack FROM PUBLIC",
      "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA knapsack FROM PUBLIC",
  };
  return step;
}

const std::vector<const Step*>& steps() {
  static const std::vector<const Step*> all = {&first_step(), &published_step()};
  return all;
}

}  // namespace

int newest_schema() {
  return static_cast<int>(steps().size());
}

Result<int> schema_version(Connection& connection, Deadline deadline) {
  KNAPSACK_TRY(const Rows there,
               connection.query("SELECT to_regclass('knapsack.schema_version') IS NOT NULL", {}, deadline));
  if (there.text(0, 0) != "t") return 0;
  KNAPSACK_TRY(
      const Rows rows,
      connection.query("SELECT coalesce(max(version), 0) FROM knapsack.schema_version", {}, deadline));
  int version = 0;
  const std::string& text = rows.text(0, 0);
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version;
}

Status check_schema(Connection& connection, Deadline deadline) {
  const auto version = schema_version(connection, deadline);
  if (!version.ok()) {
    // Without a right to the schema nothing can be told about it.
    if (connection.sql_state() != "42501") return version.error();
    return Error{ErrorCode::kConfig, "this role has no right to the team's database",
                 "have its owner run `knapsack team grant ROLE NAMESPACE read|write`"};
  }
  if (*version == 0) {
    return Error{
        ErrorCode::kConfig, "the team's server has no schema knapsack, or this role no right to it",
        "its owner runs `knapsack team init URL` and `knapsack team grant ROLE NAMESPACE read|write`"};
  }
  if (*version > newest_schema()) {
    return Error{ErrorCode::kConfig,
                 fmt::format("the team's schema is of version {} and this program knows {}", *version,
                             newest_schema()),
                 "update knapsack"};
  }
  return ok_status();
}

Result<int> migrate(Connection& connection, Deadline deadline) {
  int done = 0;
  for (;;) {
    KNAPSACK_TRY(Transaction transaction, Transaction::begin(connection, deadline));
    KNAPSACK_CHECK(connection.run(kLock, deadline));
    KNAPSACK_TRY(const int version, schema_version(connection, deadline));
    if (version > newest_schema()) KNAPSACK_CHECK(check_schema(connection, deadline));
    if (version == newest_schema()) {
      KNAPSACK_CHECK(make_months(connection, deadline));
      KNAPSACK_CHECK(transaction.commit());
      return done;
    }
    if (version == 0) {
      KNAPSACK_CHECK(connection.run("CREATE SCHEMA IF NOT EXISTS knapsack", deadline));
      KNAPSACK_CHECK(
          connection.run("CREATE TABLE IF NOT EXISTS knapsack.schema_version ("
                         "version integer PRIMARY KEY, applied timestamptz NOT NULL DEFAULT now())",
                         deadline));
    }
    for (const char* statement : *steps()[static_cast<size_t>(version)])
      KNAPSACK_CHECK(connection.run(statement, deadline));
    const auto noted = connection.query("INSERT INTO knapsack.schema_version (version) VALUES ($1::integer)",
                                        {std::to_string(version + 1)}, deadline);
    if (!noted.ok()) return noted.error();
    KNAPSACK_CHECK(transaction.commit());
    ++done;
  }
}

}  // namespace knapsack::team
