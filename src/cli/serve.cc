#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>

#include "cli/command.h"
#include "core/file_system.h"
#include "engine/workspace.h"
#include "serve/http_api.h"
#include "serve/http_server.h"
#include "serve/token.h"

namespace knapsack::cli {
namespace {

constexpr const char* kTokenVariable = "KNAPSACK_TOKEN";
// Connections, and the files that calls have open.
constexpr rlim_t kWantedDescriptors = 4096;

struct ServeOptions {
  serve::HttpAddress address;
  std::vector<std::string> hosts;
  std::string token_file;
  bool no_token = false;
};

// The server that a signal stops.
std::atomic<const serve::HttpServer*> running_server = nullptr;

void stop_on_signal(int) {
  if (const auto* server = running_server.load()) server->stop();
}

void catch_signals(const serve::HttpServer& server) {
  running_server = &server;
  struct sigaction action {};
  action.sa_handler = stop_on_signal;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

void allow_more_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= kWantedDescriptors) return;
  limit.rlim_cur = std::min(limit.rlim_max, kWantedDescriptors);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

struct ChosenToken {
  std::string value;  // empty: none is asked for
  std::string said;   // about it, for who starts the server
};

// Takes the token out of the environment: nothing else is to see it.
Result<ChosenToken> choose_token(const ServeOptions& options, EngineOptions& engine) {
  ChosenToken token;
  token.value = engine.environment[kTokenVariable];
  engine.environment.erase(kTokenVariable);
  if (options.no_token && (!options.token_file.empty() || !token.value.empty()))
    return Error{ErrorCode::kUsage, "there is a token, and --no-token", "leave out one of them"};
  if (options.no_token) return token;
  if (!options.token_file.empty()) {
    KNAPSACK_TRY(token.value, serve::read_token_file(options.token_file));
    return token;
  }
  if (!token.value.empty()) {
    KNAPSACK_CHECK(serve::check_token(token.value));
    return token;
  }
  const auto files = make_disk_file_system();
  KNAPSACK_TRY(const Workspace workspace, find_workspace(*files, engine.folder, engine.workspace));
  KNAPSACK_TRY(const serve::OwnToken own, serve::own_token(*files, engine.environment, workspace.path));
  token.value = own.value;
  // Said once, when it is made; later the file says it to its owner.
  if (own.made) {
    token.said =
        fmt::format("clients send \"Authorization: Bearer {}\"; {}", own.value,
                    own.file.empty() ? "this token is of this run only" : "it is kept in " + own.file);
  } else {
    token.said = fmt::format("clients send \"Authorization: Bearer\" and the token in {}", own.file);
  }
  return token;
}

Result<int> serve_workspace(const Shared& shared, const ServeOptions& options) {
  serve::ServiceOptions wanted;
  KNAPSACK_TRY(wanted.engine, engine_options(shared));
  serve::GuardOptions guard;
  guard.hosts = options.hosts;
  KNAPSACK_TRY(const bool loopback, serve::is_loopback(options.address.address));
  if (!loopback && options.token_file.empty() && wanted.engine.environment[kTokenVariable].empty()) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("--bind {} lets other machines ask, and there is no token", options.address.address),
        "give --token-file FILE or KNAPSACK_TOKEN, or leave out --bind"};
  }
  KNAPSACK_TRY(const ChosenToken token, choose_token(options, wanted.engine));
  guard.token = token.value;
  KNAPSACK_TRY(const auto service, serve::Service::open(std::move(wanted)));
  allow_more_descriptors();
  KNAPSACK_TRY(const auto server, serve::HttpServer::open(options.address));
  guard.port = server->port();
  serve::Metrics metrics;
  serve::HttpApi api(*service, serve::HttpGuard(guard), metrics);
  catch_signals(*server);
  note(fmt::format("listening on {} for {} (MCP at /mcp, REST at /v1, described in /openapi.json{})",
                   server->url(), service->workspace(), guard.token.empty() ? "" : "; a token is needed"));
  if (!token.said.empty()) note(token.said);
  const bool finished = server->run(api, metrics);
  if (!finished) {
    // Threads still use what would be destroyed on the way out; what they had to keep is on disk.
    note("stopped; a call did not end in time");
    std::_Exit(0);
  }
  running_server = nullptr;
  note("stopped");
  return 0;
}

}  // namespace

void add_serve(Command program, Shared& shared) {
  auto options = std::make_shared<ServeOptions>();
  Command command =
      add_command(program, shared, "serve", "Answer over HTTP: MCP at /mcp, REST at /v1", [&shared, options] {
        const auto code = serve_workspace(shared, *options);
        return code.ok() ? *code : fail(code.error());
      });
  command
      .add_option("--port", options->address.port,
                  "The port (default 7077; 0 picks a free one and says which)")
      .type_name("N");
  command
      .add_option("--bind", options->address.address,
                  "The address to listen on (default 127.0.0.1: this machine only); one that other machines "
                  "reach needs a "
                  "token")
      .type_name("ADDRESS");
  command
      .add_option(
          "--token-file", options->token_file,
          "A file that holds the token which clients must send, readable by you only; or set KNAPSACK_TOKEN "
          "(default: one that is made once and kept in ~/.local/state/knapsack/token)")
      .type_name("FILE");
  command.add_flag("--no-token", options->no_token, "Answer every program of this machine without a token");
  command
      .add_option(
          "--allow-host", options->hosts,
          "A name by which clients may call this server, beside localhost and its address; several times "
          "for several")
      .type_name("NAME");
  command.footer(
      "Serves one workspace until Ctrl-C (or SIGTERM): no new connections then, calls in flight are "
      "finished.\n\n"
      "  TOKEN=$(cat ~/.local/state/knapsack/token)\n"
      "  curl -s localhost:7077/v1/pack -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: "
      "application/json' \\\n"
      "       -d '{\"task\":\"fix the retry policy\",\"max_tokens\":4000}'\n"
      "  curl -s localhost:7077/v1/runs?limit=5 -H \"Authorization: Bearer $TOKEN\"\n"
      "  claude mcp add --transport http knapsack http://localhost:7077/mcp --header \"Authorization: Bearer "
      "$TOKEN\"\n\n"
      "From other machines, with a token that they must send:\n"
      "  openssl rand -hex 32 > token && chmod 600 token\n"
      "  knapsack serve --bind 0.0.0.0 --token-file token --allow-host build-box\n"
      "  curl -s build-box:7077/v1/runs -H \"Authorization: Bearer $(cat token)\"\n"
      "There is no TLS here: put a proxy in front where the network is not yours.\n\n"
      "Exit codes: 0 stopped, 1 failed (the port is taken), 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
