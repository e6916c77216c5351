// What `doctor` says of the programs around this one: clients that start it, models that it asks.
#include <fmt/format.h>

#include <algorithm>

#include "clients/client_list.h"
#include "clients/jsonc.h"
#include "core/paths.h"
#include "engine/clients/doctor.h"
#include "engine/clients/set_up_files.h"
#include "model/endpoint.h"

namespace knapsack {
namespace {

using nlohmann::ordered_json;

constexpr std::chrono::milliseconds kEndpointTimeout{3000};
constexpr uint64_t kMaxReplyBytes = 65536;

void add_program(const std::string& command, std::vector<std::string>& programs) {
  const std::string program = command.substr(0, command.find(' '));
  if (base_name(program) == "knapsack") programs.push_back(program);
}

// What stands under "command" is started: of servers a program, or a list that begins with it; of hooks a
// line for the shell.
void collect_programs(const ordered_json& value, std::vector<std::string>& programs) {
  if (!value.is_structured()) return;
  for (const auto& [key, each] : value.items()) {
    if (value.is_object() && key == "command") {
      const ordered_json& program = each.is_array() && !each.empty() ? each.front() : each;
      if (program.is_string()) add_program(program.get<std::string>(), programs);
    }
    collect_programs(each, programs);
  }
}

// TOML is searched by line: a table of ours has one line with the program.
void collect_toml_programs(const std::string& text, std::vector<std::string>& programs) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const size_t open = line.find('"');
    const size_t close = line.rfind('"');
    if (line.starts_with("command") && open != std::string::npos && close > open)
      add_program(line.substr(open + 1, close - open - 1), programs);
  }
}

void check_client_file(Engine::State& state, const DoctorRequest& request, const clients::Client& client,
                       const std::string& name, Findings& findings) {
  const auto text = state.files->read(join_path(state.workspace.path, name), kMaxClientFileBytes);
  if (!text.ok()) return;  // none, or not ours to judge
  std::vector<std::string> programs;
  if (name.ends_with(".toml")) {
    collect_toml_programs(*text, programs);
  } else {
    const auto document = clients::scan_jsonc(*text, name);
    if (!document.ok()) {
      return findings.add(client.name, Health::kWarning, document.error().what,
                          fmt::format("correct it: {} cannot read it either", client.name));
    }
    if (!document->is_blank) collect_programs(clients::to_json(*text, document->root), programs);
  }
  std::sort(programs.begin(), programs.end());
  programs.erase(std::unique(programs.begin(), programs.end()), programs.end());
  for (const std::string& program : programs) {
    if (can_be_started(*state.files, program, request.search_path)) {
      findings.ok(client.name, fmt::format("{} starts {}", name, program));
    } else {
      findings.add(client.name, Health::kBroken,
                   fmt::format("{} starts {}, which is not {}", name, program,
                               program.find('/') == std::string::npos ? "on PATH" : "there"),
                   "install it there (`cmake --install`), or add its folder to PATH");
    }
  }
}

}  // namespace

void check_clients(Engine::State& state, const DoctorRequest& request, Findings& findings) {
  for (const clients::Client& client : clients::client_list()) {
    for (const clients::ClientFile& file : client.files) {
      for (const std::string& name : file.names) check_client_file(state, request, client, name, findings);
    }
  }
}

void check_endpoints(const DoctorRequest& request, Findings& findings) {
  for (const std::string& text : request.endpoints) {
    const auto url = model::parse_base_url(text);
    if (!url.ok()) {
      findings.add("model", Health::kBroken, url.error());
      continue;
    }
    // Any answer means that somebody is there; what they think of the question is no matter.
    model::HttpPost post;
    post.target = url->target;
    post.path = url->path + "/";
    post.body = "{}";
    post.connect_timeout = kEndpointTimeout;
    post.deadline = std::chrono::steady_clock::now() + kEndpointTimeout;
    post.max_bytes = kMaxReplyBytes;
    const model::HttpReply reply = model::http_post(std::move(post));
    if (reply.end == model::HttpEnd::kUnreachable || reply.end == model::HttpEnd::kTimeout) {
      findings.add("model", Health::kBroken,
                   fmt::format("{} does not answer: {}", url->text(), reply.problem),
                   "start the server, or correct the address");
    } else {
      findings.ok("model", url->text() + " answers");
    }
  }
}

}  // namespace knapsack
