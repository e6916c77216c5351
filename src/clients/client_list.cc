#include "clients/client_list.h"

#include <map>

namespace knapsack::clients {
namespace {

using nlohmann::ordered_json;

// Long enough for our own deadline (hook.deadline_ms, at most a minute) never to be cut by the client's
// default being shorter, short enough that a hung machine is noticed.
constexpr int kHookTimeoutSeconds = 10;

ordered_json server(const std::vector<std::string>& arguments, bool with_type) {
  ordered_json entry = ordered_json::object();
  if (with_type) entry["type"] = "stdio";
  entry["command"] = "knapsack";
  entry["args"] = arguments;
  return entry;
}

JsonEntry hook(const char* event) {
  JsonEntry entry;
  entry.path = {"hooks", event};
  entry.is_element = true;
  entry.mark = "knapsack hook";
  const ordered_json command = {
      {"type", "command"}, {"command", "knapsack hook claude-code"}, {"timeout", kHookTimeoutSeconds}};
  entry.value = {{"hooks", ordered_json::array({command})}};
  return entry;
}

// Editors start their servers wherever they were started themselves; they replace this by the project's
// folder.
const std::vector<std::string> kInWorkspace = {"mcp", "--workspace", "${workspaceFolder}"};

std::vector<Client> make_list() {
  std::vector<Client> list;
  list.push_back({"claude-code",
                  {".claude", ".mcp.json", "CLAUDE.md"},
                  {{{".mcp.json"}, "", {{{"mcpServers", "knapsack"}, server({"mcp"}, true), false, ""}}, {}},
                   {{".claude/settings.json"},
                    ".claude/settings.json",
                    {hook("SessionStart"), hook("UserPromptSubmit")},
                    {}}},
                  "start `claude` here and approve the server knapsack; /mcp and /hooks show both",
                  "claude",
                  {".claude"}});
  list.push_back({"cursor",
                  {".cursor", ".cursorrules"},
                  {{{".cursor/mcp.json"},
                    ".cursor/mcp.json",
                    {{{"mcpServers", "knapsack"}, server(kInWorkspace, false), false, ""}},
                    {}}},
                  "switch the server knapsack on in Cursor's settings under MCP",
                  "cursor",
                  {".cursor"}});
  list.push_back(
      {"codex",
       {".codex"},
       {{{".codex/config.toml"},
         ".codex/config.toml",
         {},
         {{{"mcp_servers", "knapsack"}, {"command = \"knapsack\"", "args = [\"mcp\"]"}}}}},
       "Codex reads .codex/config.toml in projects that it trusts; `codex mcp list` shows the server",
       "codex",
       {".codex"}});
  list.push_back(
      {"vscode",
       {".vscode"},
       {{{".vscode/mcp.json"}, "", {{{"servers", "knapsack"}, server(kInWorkspace, true), false, ""}}, {}}},
       "run \"MCP: List Servers\" in VS Code and start knapsack",
       "code",
       {".config/Code"}});
  const ordered_json local = {
      {"type", "local"}, {"command", ordered_json::array({"knapsack", "mcp"})}, {"enabled", true}};
  list.push_back(
      {"opencode",
       {"opencode.json", "opencode.jsonc", ".opencode"},
       {{{"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"},
         ".config/opencode/opencode.json",
         {{{"mcp", "knapsack"}, local, false, ""}},
         {}}},
       "`opencode mcp list` shows the server",
       "opencode",
       {".config/opencode"}});
  return list;
}

}  // namespace

const std::vector<Client>& client_list() {
  static const std::vector<Client> kList = make_list();
  return kList;
}

std::vector<Client> http_client_list(const std::string& url) {
  const std::string bearer = "Bearer " + std::string(kTokenMark);
  const ordered_json headers = {{"Authorization", bearer}};
  const ordered_json plain = {{"url", url}, {"headers", headers}};
  const ordered_json typed = {{"type", "http"}, {"url", url}, {"headers", headers}};
  const ordered_json remote = {{"type", "remote"}, {"url", url}, {"enabled", true}, {"headers", headers}};
  const auto json_file = [](const char* name, std::vector<std::string> path, const ordered_json& value) {
    return ClientFile{{}, name, {{std::move(path), value, false, ""}}, {}};
  };
  const ClientFile codex = {{},
                            ".codex/config.toml",
                            {},
                            {{{"mcp_servers", "knapsack"},
                              {"url = " + ordered_json(url).dump(),
                               "http_headers = { Authorization = " + ordered_json(bearer).dump() + " }"}}}};
  const std::map<std::string, ClientFile> files = {
      {"claude-code", json_file(".claude.json", {"mcpServers", "knapsack"}, typed)},
      {"cursor", json_file(".cursor/mcp.json", {"mcpServers", "knapsack"}, plain)},
      {"codex", codex},
      {"vscode", json_file(".config/Code/User/mcp.json", {"servers", "knapsack"}, typed)},
      {"opencode", json_file(".config/opencode/opencode.json", {"mcp", "knapsack"}, remote)}};
  std::vector<Client> list = client_list();
  for (Client& client : list) client.files = {files.at(client.name)};
  return list;
}

std::vector<std::string> client_names() {
  std::vector<std::string> names;
  for (const Client& client : client_list()) names.push_back(client.name);
  return names;
}

JsonEntry adapted(const JsonEntry& entry, std::string_view file, const ordered_json& document) {
  JsonEntry result = entry;
  // OpenCode's next configuration format groups servers under "mcp": {"servers": …}.
  if (file.find("opencode.json") != std::string_view::npos && document.is_object()) {
    const auto mcp = document.find("mcp");
    if (mcp != document.end() && mcp->is_object() && mcp->contains("servers") &&
        (*mcp)["servers"].is_object() && !(*mcp)["servers"].contains("type")) {
      result.path = {"mcp", "servers", "knapsack"};
    }
  }
  return result;
}

std::string_view starter_settings() {
  return R"(# Settings of knapsack for this workspace. Everything here is optional: a line that begins with '#' shows
# the default. `knapsack config` lists all settings, their values and where each comes from.

[pack]
# budget = 8000          # tokens of a packet from all sources
# tokenizer = "o200k"    # what counts them: chars4, bytes4, cl100k or o200k

[notes]
# context_dir = ".context"    # the folder with CONSTITUTION.md, TASKS.md, DECISIONS.md…
# budget = 8000               # tokens of the notes packet
# cooldown = "10m"            # a session is not given the same again within this time

[recall]
# max_tokens = 2000      # tokens of recalled memories
# max_results = 8        # memories among them

[memory]
# dir = "auto"           # memory/ where it exists, else OpenClaw's tree, else your data folder

[graph]
# dir = "graphs"         # knowledge, decisions and tasks, as JSON Lines

[hook]
# deadline_ms = 5000     # a client's hook injects nothing rather than take longer
)";
}

}  // namespace knapsack::clients
