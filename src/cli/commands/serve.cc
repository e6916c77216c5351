#include "cli/serving.h"

namespace knapsack::cli {

void add_serve(Command program, Shared& shared) {
  auto options = std::make_shared<ServeOptions>();
  Command command =
      add_command(program, shared, "serve", "Answer over HTTP: the inspector at /, MCP at /mcp, REST at /v1",
                  [&shared, options] {
                    const auto code = serve_workspace(shared, *options);
                    return code.ok() ? *code : fail(code.error());
                  });
  add_also(command, shared);
  command.add_flag(
      "--team", options->team,
      "Answer for every repository that your team has published, instead of this workspace; calls "
      "name a `repository` and may name a `revision` (docs/team.md)");
  command
      .add_option("--cache-size", options->cache_megabytes,
                  "With --team: size of the local cache of published indexes (default 10240)")
      .between(1, 100'000'000)
      .type_name("MB");
  command
      .add_option("--port", options->address.port,
                  "The port (default 7077; 0 picks a free one and prints it)")
      .type_name("N");
  command
      .add_option("--bind", options->address.address,
                  "The address to listen on (default 127.0.0.1: this machine only); one that other machines "
                  "can reach needs a token")
      .type_name("ADDRESS");
  command
      .add_option("--token-file", options->token_file,
                  "A file with the token that clients must send, readable only by you; or set KNAPSACK_TOKEN "
                  "(default: a token created once and kept in ~/.local/state/knapsack/token)")
      .type_name("FILE");
  command.add_flag("--no-token", options->no_token, "Answer every program on this machine without a token");
  command
      .add_option("--allow-host", options->hosts,
                  "An additional host name for this server, besides localhost and its address; repeatable")
      .type_name("NAME");
  command.footer(
      "Serves one workspace until Ctrl-C (or SIGTERM); then it accepts no new connections and finishes\n"
      "running calls.\n\n"
      "  TOKEN=$(cat ~/.local/state/knapsack/token)\n"
      "  curl -s localhost:7077/v1/pack -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: "
      "application/json' \\\n"
      "       -d '{\"task\":\"fix the retry policy\",\"max_tokens\":4000}'\n"
      "  curl -s localhost:7077/v1/runs?limit=5 -H \"Authorization: Bearer $TOKEN\"\n"
      "  claude mcp add --transport http knapsack http://localhost:7077/mcp --header \"Authorization: Bearer "
      "$TOKEN\"\n\n"
      "From other machines, which must send a token:\n"
      "  openssl rand -hex 32 > token && chmod 600 token\n"
      "  knapsack serve --bind 0.0.0.0 --token-file token --allow-host build-box\n"
      "  curl -s build-box:7077/v1/runs -H \"Authorization: Bearer $(cat token)\"\n"
      "There is no TLS: on an untrusted network, put a proxy in front.\n\n"
      "Exit codes: 0 stopped, 1 failed (the port is taken), 2 bad usage or configuration.");
}

}  // namespace knapsack::cli
