#include "team/published_schema.h"

namespace knapsack::team {

const std::vector<const char*>& published_step() {
  static const std::vector<const char*> step = {
      "CREATE TABLE knapsack.repositories ("
      " name text PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),"
      " source text NOT NULL CHECK (length(source) <= 2000),"
      " created timestamptz NOT NULL DEFAULT now())",
      "CREATE TABLE knapsack.repository_grants ("
      " role_name name NOT NULL,"
      " repository text NOT NULL REFERENCES knapsack.repositories (name),"
      " may_write boolean NOT NULL,"
      " PRIMARY KEY (role_name, repository))",
      // Objects belong to one repository each: who may read one learns nothing of another, not even that they have something in
      // common. The database itself checks that a name is that of the bytes.
      "CREATE TABLE knapsack.objects ("
      " repository text NOT NULL REFERENCES knapsack.repositories (name),"
      " name bytea NOT NULL,"
      " bytes bytea NOT NULL CHECK (octet_length(bytes) <= 2097152),"
      " PRIMARY KEY (repository, name),"
      " CHECK (name = sha256(bytes)))",
      // They come packed.
      "ALTER TABLE knapsack.objects ALTER COLUMN bytes SET STORAGE EXTERNAL",
      "CREATE TABLE knapsack.snapshots ("
      " repository text NOT NULL REFERENCES knapsack.repositories (name),"
      " commit_id text NOT NULL CHECK (commit_id ~ '^[0-9a-f]{40}$'),"
      " sequence bigint GENERATED ALWAYS AS IDENTITY,"
      " manifest bytea NOT NULL,"
      " size bigint NOT NULL,"
      " added bigint NOT NULL,"
      " published timestamptz NOT NULL DEFAULT now(),"
      " published_by name NOT NULL DEFAULT current_user,"
      " PRIMARY KEY (repository, commit_id),"
      " FOREIGN KEY (repository, manifest) REFERENCES knapsack.objects (repository, name))",
      "CREATE INDEX snapshots_newest ON knapsack.snapshots (repository, sequence DESC)",
      "CREATE TABLE knapsack.jobs ("
      " id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
      " repository text NOT NULL REFERENCES knapsack.repositories (name),"
      " commit_id text NOT NULL CHECK (commit_id = 'HEAD' OR commit_id ~ '^[0-9a-f]{40}$'),"
      " state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),"
      " attempts integer NOT NULL DEFAULT 0,"
      " not_before timestamptz NOT NULL DEFAULT now(),"
      " lease uuid,"
      " lease_until timestamptz,"
      " worker text NOT NULL DEFAULT '' CHECK (length(worker) <= 200),"
      " problem text NOT NULL DEFAULT '' CHECK (length(problem) <= 2000),"
      " created timestamptz NOT NULL DEFAULT now(),"
      " created_by name NOT NULL DEFAULT current_user)",
      // The same push twice is one job.
      "CREATE UNIQUE INDEX jobs_open ON knapsack.jobs (repository, commit_id)"
      " WHERE state IN ('queued', 'running')",
      "CREATE INDEX jobs_next ON knapsack.jobs (id) WHERE state IN ('queued', 'running')",
      "CREATE TABLE knapsack.auditors (role_name name PRIMARY KEY)",
      "CREATE TABLE knapsack.runs ("
      " started timestamptz NOT NULL DEFAULT now(),"
      " repository text NOT NULL,"
      " commit_id text NOT NULL,"
      " command text NOT NULL CHECK (length(command) <= 100),"
      " request jsonb NOT NULL,"
      " status text NOT NULL CHECK (length(status) <= 40),"
      " milliseconds integer NOT NULL,"
      " author name NOT NULL DEFAULT current_user) PARTITION BY RANGE (started)",
      "CREATE INDEX runs_by_author ON knapsack.runs (author, started)",
      "CREATE TABLE knapsack.runs_other PARTITION OF knapsack.runs DEFAULT",
      "CREATE FUNCTION knapsack.granted_repositories(writing boolean) RETURNS SETOF text"
      " LANGUAGE sql STABLE SECURITY INVOKER SET search_path = pg_catalog, pg_temp AS $$"
      " SELECT g.repository FROM knapsack.repository_grants g JOIN pg_roles r ON r.rolname = g.role_name"
      " WHERE pg_has_role(current_user, r.oid, 'USAGE') AND (g.may_write OR NOT writing) $$",
      "ALTER TABLE knapsack.repositories ENABLE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.repository_grants ENABLE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.objects ENABLE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.objects FORCE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.snapshots ENABLE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.snapshots FORCE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.jobs ENABLE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.auditors ENABLE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.runs ENABLE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.runs_other ENABLE ROW LEVEL SECURITY",
      "ALTER TABLE knapsack.runs FORCE ROW LEVEL SECURITY",
      "CREATE POLICY own_repository_grants ON knapsack.repository_grants FOR SELECT USING ("
      " role_name IN (SELECT r.rolname FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'USAGE')))",
      "CREATE POLICY own_repositories ON knapsack.repositories FOR SELECT"
      " USING (name = ANY (ARRAY(SELECT knapsack.granted_repositories(false))))",
      "CREATE POLICY read_objects ON knapsack.objects FOR SELECT"
      " USING (repository = ANY (ARRAY(SELECT knapsack.granted_repositories(false))))",
      "CREATE POLICY write_objects ON knapsack.objects FOR INSERT"
      " WITH CHECK (repository = ANY (ARRAY(SELECT knapsack.granted_repositories(true))))",
      "CREATE POLICY read_snapshots ON knapsack.snapshots FOR SELECT"
      " USING (repository = ANY (ARRAY(SELECT knapsack.granted_repositories(false))))",
      "CREATE POLICY write_snapshots ON knapsack.snapshots FOR INSERT WITH CHECK ("
      " repository = ANY (ARRAY(SELECT knapsack.granted_repositories(true))) AND published_by = "
      "current_user)",
      "CREATE POLICY read_jobs ON knapsack.jobs FOR SELECT"
      " USING (repository = ANY (ARRAY(SELECT knapsack.granted_repositories(false))))",
      "CREATE POLICY write_jobs ON knapsack.jobs FOR INSERT WITH CHECK ("
      " repository = ANY (ARRAY(SELECT knapsack.granted_repositories(true))) AND created_by = current_user)",
      "CREATE POLICY do_jobs ON knapsack.jobs FOR UPDATE"
      " USING (repository = ANY (ARRAY(SELECT knapsack.granted_repositories(true))))"
      " WITH CHECK (repository = ANY (ARRAY(SELECT knapsack.granted_repositories(true))))",
      "CREATE POLICY own_audit ON knapsack.auditors FOR SELECT USING ("
      " role_name IN (SELECT r.rolname FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'USAGE')))",
      "CREATE POLICY read_runs ON knapsack.runs FOR SELECT"
      " USING (author = current_user OR EXISTS (SELECT 1 FROM knapsack.auditors a JOIN pg_roles r ON "
      "r.rolname = a.role_name"
      " WHERE pg_has_role(current_user, r.oid, 'USAGE')))",
      // Append only: there is no policy to change or remove one.
      "CREATE POLICY write_runs ON knapsack.runs FOR INSERT WITH CHECK ("
      " repository = ANY (ARRAY(SELECT knapsack.granted_repositories(false))) AND author = current_user)",
      "REVOKE ALL ON ALL TABLES IN SCHEMA knapsack FROM PUBLIC",
      "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA knapsack FROM PUBLIC",
  };
  return step;
}

Status make_months(Connection& connection, Deadline deadline) {
  return connection.run(
      "DO $$ DECLARE first date; BEGIN"
      " FOR ahead IN 0..23 LOOP"
      "   first := (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => ahead))::date;"
      "   BEGIN"
      "     EXECUTE format('CREATE TABLE IF NOT EXISTS knapsack.runs_%s PARTITION OF knapsack.runs FOR "
      "VALUES FROM (%L) TO (%L)',"
      "       to_char(first, 'YYYY_MM'), first::text || ' 00:00:00+00',"
      "       (first + interval '1 month')::date::text || ' 00:00:00+00');"
      // Without a policy: nobody looks at a month by itself.
      "     EXECUTE format('ALTER TABLE knapsack.runs_%s ENABLE ROW LEVEL SECURITY', to_char(first, "
      "'YYYY_MM'));"
      // A month that has rows already keeps them where they are.
      "   EXCEPTION WHEN check_violation THEN NULL;"
      "   END;"
      " END LOOP; END $$",
      deadline);
}

}  // namespace knapsack::team
