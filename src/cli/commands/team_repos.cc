// `knapsack team repos` and `team pushed`: repositories whose indexes a team publishes; `knapsack worker`: who makes them.
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/memory_command.h"
#include "cli/numbers.h"
#include "core/escape.h"
#include "core/helper_threads.h"
#include "engine/published/published_repositories.h"

namespace knapsack::cli {
namespace {

struct RepositoryOptions {
  TeamRepositoryRequest request;
  std::string url, format = "md";

  std::map<std::string, std::string> settings() const {
    std::map<std::string, std::string> given;
    if (!url.empty()) given["team.url"] = url;
    return given;
  }
};

struct WorkerOptions {
  WorkerRequest request;
  std::string url;
  uint64_t cache_megabytes = kDefaultCacheBytes >> 20U;
};

constexpr size_t kCommitShown = 12;

int run_repository(const Shared& shared, RepositoryOptions& options,
                   Result<TeamRepositoryReply> (TeamRecipes::*ask)(const TeamRepositoryRequest&)) {
  options.request.settings = options.settings();
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto reply = ((**engine).*ask)(options.request);
  if (!reply.ok()) return fail(reply.error());
  const std::string commit = escape_control(reply->commit).substr(0, kCommitShown);
  const auto printed =
      print(reply->queued ? fmt::format("{}: {} waits for a worker\n", reply->name, commit)
                          : fmt::format("{}: {} waits already, or is published\n", reply->name, commit));
  return printed.ok() ? 0 : fail(printed.error());
}

std::string repository_line(const TeamRepositoryRow& row) {
  std::string line = fmt::format("{}  {}", escape_control(row.name), escape_control(row.source));
  line += row.commit.empty()
              ? "\n  nothing is published yet"
              : fmt::format("\n  {} published {}; {}, {:.1f} MB in all", row.commit.substr(0, kCommitShown),
                            row.published, counted(row.snapshots, "commit"),
                            static_cast<double>(row.stored) / 1e6);
  if (row.waiting > 0) line += fmt::format("\n  {} waiting for a worker", counted(row.waiting, "commit"));
  if (row.failed > 0) line += fmt::format("\n  {} failed", counted(row.failed, "commit"));
  if (!row.problem.empty()) line += fmt::format("\n  last problem: {}", escape_control(row.problem));
  return line + "\n";
}

int run_list(const Shared& shared, const RepositoryOptions& options) {
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  const auto rows = (*engine)->team_repositories({options.settings()});
  if (!rows.ok()) return fail(rows.error());
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::string text;
  for (const TeamRepositoryRow& row : *rows) {
    text += repository_line(row);
    json.push_back({{"name", row.name},
                    {"source", row.source},
                    {"commit", row.commit},
                    {"published", row.published},
                    {"snapshots", row.snapshots},
                    {"stored_bytes", row.stored},
                    {"waiting", row.waiting},
                    {"failed", row.failed},
                    {"problem", row.problem}});
  }
  if (rows->empty()) text = "no repository is granted to this role\n";
  const auto printed =
      print(options.format == "json"
                ? json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"
                : text);
  return printed.ok() ? 0 : fail(printed.error());
}

// What a signal stops.
std::atomic<bool> worker_stopped = false;
void stop_worker(int) {
  worker_stopped = true;
}

// A signal's handler may do next to nothing: a thread looks whether it came. Without that thread a signal ends the program
// at once, and its jobs are taken up again like those of a worker that died.
void stop_at_signals(HelperThread& watch, std::stop_source& stop) {
  const Status started = watch.start("waiting for Ctrl-C", [&stop](const std::stop_token& over) {
    while (!over.stop_requested() && !worker_stopped)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  if (!started.ok()) return note("Ctrl-C will end it at once: " + started.error().line());
  struct sigaction action {};
  action.sa_handler = stop_worker;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

int run_worker(const Shared& shared, WorkerOptions& options) {
  auto engine = open_engine(shared);
  if (!engine.ok()) return fail(engine.error());
  std::stop_source stop;
  HelperThread watch;
  stop_at_signals(watch, stop);
  WorkerRequest request = options.request;
  if (!options.url.empty()) request.settings["team.url"] = options.url;
  request.max_cache_bytes = options.cache_megabytes << 20U;
  request.stop = stop.get_token();
  std::mutex telling;
  request.tell = [&](const std::string& line) {
    const std::lock_guard lock(telling);
    note(line);
  };
  const Status ended = (*engine)->work(request);
  return ended.ok() ? 0 : fail(ended.error());
}

void add_server(Command command, std::string& url) {
  command
      .add_option("--team-url", url,
                  "The team's PostgreSQL (default: KNAPSACK_TEAM_URL, or team.url in your own configuration)")
      .type_name("URL");
}

}  // namespace

void add_team_repositories(Command team, Shared& shared) {
  Command repos =
      team.add_subcommand("repos", "List the repositories whose indexes are published, or add one");
  repos.require_subcommand(1, 1);
  const auto options = [] { return std::make_shared<RepositoryOptions>(); };

  auto add = options();
  Command command =
      add_command(repos, shared, "add", "Request that a repository's index be published",
                  [&shared, add] { return run_repository(shared, *add, &TeamRecipes::team_add_repository); });
  command.add_option("NAME", add->request.name, "The team's name for it; its mirror has the same name")
      .required()
      .type_name("");
  command.add_option("SOURCE", add->request.source, "Its URL or folder").required().type_name("");
  add_server(command, add->url);
  command.footer(
      "For the owner of the schema. A worker publishes the newest commit of its mirror.\n\n"
      "Example:\n  knapsack team repos add shop https://git.example.org/shop.git\n"
      "  knapsack team grant ci repo:shop write");

  auto list = options();
  command =
      add_command(repos, shared, "list", "Show the repositories that you may read, and what is published",
                  [&shared, list] { return run_list(shared, *list); });
  add_server(command, list->url);
  add_format(command, list->format, {"md", "json"});
  command.footer("Example:\n  knapsack team repos list");
  repos.footer("docs/team.md explains the set-up.");

  auto pushed = options();
  command = add_command(team, shared, "pushed", "Request an index of a new commit", [&shared, pushed] {
    return run_repository(shared, *pushed, &TeamRecipes::team_pushed);
  });
  command.add_option("NAME", pushed->request.name, "The repository").required().type_name("");
  command.add_option("COMMIT", pushed->request.commit, "The full commit id").required().type_name("");
  add_server(command, pushed->url);
  command.footer(
      "For a hook or a CI job that runs after a push. Repeating a commit adds no second job.\n\n"
      "Example:\n  knapsack team pushed shop \"$(git rev-parse HEAD)\"");
}

void add_worker(Command program, Shared& shared) {
  auto options = std::make_shared<WorkerOptions>();
  Command command =
      add_command(program, shared, "worker", "Publish the indexes of a team's repositories on request",
                  [&shared, options] { return run_worker(shared, *options); });
  command
      .add_option("--mirrors", options->request.mirrors,
                  "The folder with a mirror of each repository, NAME.git or NAME; mirrors are not updated")
      .required()
      .type_name("DIR");
  command.add_option("--jobs", options->request.jobs, "Jobs to process in parallel (default 1)")
      .between(1, 64)
      .type_name("N");
  command.add_flag("--once", options->request.once, "Exit when no jobs are left");
  command
      .add_option("--cache-size", options->cache_megabytes,
                  "Size of the local cache of published indexes (default 10240)")
      .between(1, 100'000'000)
      .type_name("MB");
  add_server(command, options->url);
  command.footer(
      "Runs until Ctrl-C (or SIGTERM). A worker that dies loses its job to another one after a minute.\n"
      "Exit codes: 0 stopped, or finished with --once; 1 the server did not answer; 2 bad usage or "
      "configuration.\n\n"
      "Example:\n  git clone --mirror https://git.example.org/shop.git mirrors/shop.git\n"
      "  knapsack worker --mirrors mirrors");
}

}  // namespace knapsack::cli
