#include "cli/serving.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>

#include "core/files/file_system.h"
#include "engine/settings/workspace.h"
#include "serve/http/http_api.h"
#include "serve/http/token.h"

namespace knapsack::cli {
namespace {

constexpr const char* kTokenVariable = "KNAPSACK_TOKEN";
// Connections, and the files that calls have open.
constexpr rlim_t kWantedDescriptors = 4096;

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
    return Error{ErrorCode::kUsage, "a token and --no-token cannot be used together",
                 "leave out one of them"};
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

}  // namespace

Result<int> serve_workspace(const Shared& shared, const ServeOptions& options) {
  serve::ServiceOptions wanted;
  KNAPSACK_TRY(wanted.engine, engine_options(shared));
  serve::GuardOptions guard;
  guard.hosts = options.hosts;
  KNAPSACK_TRY(const bool loopback, serve::is_loopback(options.address.address));
  if (!loopback && options.token_file.empty() && wanted.engine.environment[kTokenVariable].empty()) {
    return Error{ErrorCode::kUsage,
                 fmt::format("--bind {} allows other machines to connect, but no token is set",
                             options.address.address),
                 "give --token-file FILE or KNAPSACK_TOKEN, or leave out --bind"};
  }
  KNAPSACK_TRY(const ChosenToken token, choose_token(options, wanted.engine));
  guard.token = token.value;
  guard.page_key = options.page_key;
  const EngineOptions for_views = wanted.engine;
  if (options.team) {
    KNAPSACK_TRY(wanted.published,
                 PublishedRepositories::open(wanted.engine, options.cache_megabytes << 20U));
  }
  KNAPSACK_TRY(const auto service, serve::Service::open(std::move(wanted)));
  allow_more_descriptors();
  KNAPSACK_TRY(const auto server, serve::HttpServer::open(options.address));
  guard.port = server->port();
  serve::Metrics metrics;
  serve::HttpApi api(*service, for_views, serve::HttpGuard(guard), metrics);
  catch_signals(*server);
  if (options.listening) {
    options.listening(server->url());
  } else {
    // Before "listening": whoever waits for that line has the token by then.
    if (!token.said.empty()) note(token.said);
    note(fmt::format("listening on {} for {} ({}MCP at /mcp, REST at /v1, described in /openapi.json{})",
                     server->url(), service->workspace(), options.team ? "" : "the inspector at /, ",
                     guard.token.empty() ? "" : "; a token is needed"));
  }
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

}  // namespace knapsack::cli
