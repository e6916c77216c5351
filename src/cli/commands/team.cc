// `knapsack team`: the server that a team shares its memories on.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/memory_command.h"
#include "cli/numbers.h"
#include "core/escape.h"

namespace knapsack::cli {
namespace {

struct TeamOptions {
  std::string url, format = "md";
  TeamGrantRequest grant;
  bool review = false;
  Command command;  // knows which options were given

  std::map<std::string, std::string> settings() const {
    std::map<std::string, std::string> given;
    if (!url.empty()) given["team.url"] = url;
    return given;
  }
};

std::string team_json(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int run_init(const Shared& shared, const TeamOptions& options) {
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->team_init({options.settings()});
  if (!reply.ok()) return fail(reply.error());
  const auto printed =
      print(fmt::format("{}: schema knapsack is at version {}{}\n", escape_control(reply->server),
                        reply->version, reply->steps == 0 ? ", as it was" : ""));
  return printed.ok() ? 0 : fail(printed.error());
}

int run_grant(const Shared& shared, TeamOptions& options) {
  TeamGrantRequest request = options.grant;
  request.settings = options.settings();
  if (options.command.count("--review") > 0) request.review = options.review;
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->team_grant(request);
  if (!reply.ok()) return fail(reply.error());
  const auto printed = print(fmt::format("{} may {} {}\n", escape_control(reply->role), reply->right,
                                         escape_control(reply->name_space)));
  return printed.ok() ? 0 : fail(printed.error());
}

std::string status_lines(const TeamStatusReply& reply) {
  std::string out = fmt::format("server      {}\n", escape_control(reply.server));
  out += reply.problem.empty() ? fmt::format("schema      version {}\n", reply.version)
                               : fmt::format("offline     {}\n", escape_control(reply.problem));
  if (!reply.role.empty()) out += fmt::format("role        {}\n", escape_control(reply.role));
  for (const TeamNamespaceRow& each : reply.namespaces)
    out += fmt::format("namespace   {}: {}{}\n", escape_control(each.name_space),
                       each.may_write ? "read and write" : "read",
                       each.review ? ", new memories are reviewed" : "");
  if (reply.namespaces.empty() && reply.problem.empty()) out += "namespace   none is granted to this role\n";
  out += reply.synced ? fmt::format("copy        {}, as of {} ({})\n",
                                    counted(reply.copied, "memory", "memories"), *reply.synced, reply.age)
                      : "copy        none yet: `knapsack team sync` makes it\n";
  out += fmt::format("outbox      {} waiting\n", grouped(reply.waiting));
  return out;
}

int run_status(const Shared& shared, const TeamOptions& options) {
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->team_status({options.settings()});
  if (!reply.ok()) return fail(reply.error());
  nlohmann::ordered_json json = {{"server", reply->server}, {"online", reply->problem.empty()}};
  if (!reply->problem.empty()) json["problem"] = reply->problem;
  json["version"] = reply->version;
  json["role"] = reply->role;
  json["namespaces"] = nlohmann::ordered_json::array();
  for (const TeamNamespaceRow& each : reply->namespaces)
    json["namespaces"].push_back(
        {{"namespace", each.name_space}, {"write", each.may_write}, {"review", each.review}});
  if (reply->synced) json["synced"] = *reply->synced;
  json["copied"] = reply->copied;
  json["waiting"] = reply->waiting;
  const auto printed = print(options.format == "json" ? team_json(json) : status_lines(*reply));
  return printed.ok() ? 0 : fail(printed.error());
}

int run_sync(const Shared& shared, const TeamOptions& options) {
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = (*engine)->team_sync({options.settings()});
  if (!reply.ok()) return fail(reply.error());
  for (const auto* lines : {&reply->warnings, &reply->refused})
    for (const std::string& line : *lines) say(shared, LogLevel::kWarning, line);
  if (!reply->problem.empty()) say(shared, LogLevel::kWarning, reply->problem);
  const nlohmann::ordered_json json = {{"delivered", reply->delivered},
                                       {"waiting", reply->waiting},
                                       {"changed", reply->changed},
                                       {"complete", reply->problem.empty()}};
  const auto printed =
      print(options.format == "json"
                ? team_json(json)
                : fmt::format("{} delivered, {} waiting, {} fetched\n", grouped(reply->delivered),
                              grouped(reply->waiting), grouped(reply->changed)));
  if (!printed.ok()) return fail(printed.error());
  return reply->problem.empty() ? 0 : 1;
}

void add_url(Command command, TeamOptions& options) {
  command
      .add_option("--team-url", options.url,
                  "The team's PostgreSQL (default: KNAPSACK_TEAM_URL, or team.url in your own configuration)")
      .type_name("URL");
}

}  // namespace

void add_team(Command program, Shared& shared) {
  Command team = program.add_subcommand("team", "Share memories and indexes on a PostgreSQL server");
  team.require_subcommand(1, 1);
  const auto options = [] { return std::make_shared<TeamOptions>(); };

  auto init = options();
  Command command = add_command(team, shared, "init", "Create the schema on a server, or bring it up to date",
                                [&shared, init] { return run_init(shared, *init); });
  command
      .add_option("URL", init->url, "postgresql://USER@HOST/DATABASE, with a role that may create a schema")
      .required()
      .type_name("");
  command.footer("Example:\n  knapsack team init postgresql://admin@db.example.org/team");

  auto status = options();
  command = add_command(team, shared, "status", "Show the server, your rights, the copy and the outbox",
                        [&shared, status] { return run_status(shared, *status); });
  add_url(command, *status);
  add_format(command, status->format, {"md", "json"});
  command.footer("Example:\n  knapsack team status");

  auto grant = options();
  command = add_command(team, shared, "grant",
                        "Grant a server role read or write access to a namespace or a repository",
                        [&shared, grant] { return run_grant(shared, *grant); });
  grant->command = command;
  command.add_option("ROLE", grant->grant.role, "A role of the server, or a group of them")
      .required()
      .type_name("");
  command
      .add_option("NAMESPACE", grant->grant.name_space,
                  "team:NAME (created if missing), repo:NAME for a repository, or ledger")
      .required()
      .type_name("");
  command.add_option("RIGHT", grant->grant.right, "read or write").required().type_name("");
  command.add_flag("--review,!--no-review", grant->review,
                   "New memories of the namespace wait until another member accepts them");
  add_url(command, *grant);
  command.footer("Example:\n  knapsack team grant anna team:shop write --review");

  auto sync = options();
  command = add_command(team, shared, "sync", "Deliver pending memories and fetch new ones",
                        [&shared, sync] { return run_sync(shared, *sync); });
  add_url(command, *sync);
  add_format(command, sync->format, {"md", "json"});
  command.footer(
      "Runs automatically with `remember` and after `recall`.\nExit codes: 0 complete, 1 the server did not "
      "answer.\n\n"
      "Example:\n  knapsack team sync");

  add_team_repositories(team, shared);
  team.footer("docs/team.md explains the set-up. `knapsack team COMMAND --help` has examples for each.");
}

}  // namespace knapsack::cli
