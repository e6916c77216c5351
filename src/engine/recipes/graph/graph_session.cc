#include "engine/recipes/graph/graph_session.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/counted.h"
#include "core/ids.h"
#include "graph/store/change.h"
#include "graph/store/index_file.h"
#include "graph/store/node_check.h"
#include "graph/store/node_heading.h"
#include "store/state_folder.h"
#include "text/parse_json.h"
#include "text/secrets/redact.h"

namespace knapsack {
namespace {

using nlohmann::json;

// Longer than any writer needs; eight writers with slow disks take turns within it.
constexpr std::chrono::milliseconds kLockWait{30'000};

std::string index_path(const Engine::State& state, const std::string& folder) {
  return join_path(state.state_folder(), "graph-" + content_hash(folder).substr(0, 12) + ".index");
}

}  // namespace

uint64_t redact_json(json& value) {
  // Depth is bounded: nothing deeper than graph::kMaxDepth is ever parsed.
  uint64_t count = 0;
  if (auto* text = value.get_ptr<std::string*>()) return redact_secrets(*text);
  if (value.is_array()) {
    for (json& each : value) count += redact_json(each);
  } else if (value.is_object()) {
    json renamed = json::object();
    for (auto& [key, each] : value.items()) {
      std::string name = key;
      count += redact_secrets(name);
      if (auto* text = each.get_ptr<std::string*>()) {
        count += redact_named(key, *text);
      } else {
        count += redact_json(each);
      }
      renamed[name] = std::move(each);
    }
    value = std::move(renamed);
  }
  return count;
}

Result<GraphSession> GraphSession::open(Engine::State& state,
                                        const std::map<std::string, std::string>& flags) {
  GraphSession session(state);
  const SettingsRequest wanted = state.settings_request(flags);
  KNAPSACK_TRY(session.settings, state.settings(wanted));
  session.folder = graph_folder(session.settings, wanted);
  session.shown_as = relative_to(state.workspace.path, session.folder);
  // Whoever names a link on the command line means what it points to; one that a repository brings is
  // refused.
  if (session.settings.graph_dir_from_flag) {
    if (const auto resolved = state.files->resolve(session.folder); resolved.ok()) session.folder = *resolved;
  }
  return session;
}

Status GraphSession::lock() {
  KNAPSACK_CHECK(graph::open_store(files(), folder));
  if (state_->on_disk && !lock_) {
    KNAPSACK_TRY(lock_, FileLock::acquire_folder(folder, FileLock::Mode::kExclusive, kLockWait));
  }
  KNAPSACK_CHECK(graph::finish_pending(files(), folder));
  return ok_status();
}

void GraphSession::finish_interrupted_change() {
  const auto pending = graph::read_pending(files(), folder);
  if (!pending.ok() || !*pending) return;
  if (const auto done = lock(); !done.ok()) {
    state_->options.log.write(LogLevel::kWarning,
                              "an interrupted change stays unfinished: " + done.error().line());
  }
  lock_.reset();
}

Status GraphSession::read(Access access) {
  KNAPSACK_TRY(view, graph::open_store(files(), folder));
  const std::string path = index_path(*state_, folder);
  KNAPSACK_TRY(graph::ReadGraph read, graph::read_graph(files(), view, path));
  index = std::move(read.index);
  if (access == Access::kWrite && read.worth_saving) {
    // Derived, so nothing is lost when it cannot be written.
    const auto state_folder = ensure_state_folder(files(), state_->workspace.path);
    const Status saved =
        state_folder.ok() ? graph::save_index(files(), path, index) : Status(state_folder.error());
    if (!saved.ok())
      state_->options.log.write(LogLevel::kInfo, "the graph is not indexed: " + saved.error().line());
  }
  return ok_status();
}

Result<json> GraphSession::stored_node(uint32_t number) const {
  KNAPSACK_TRY(const std::string line, graph::read_line(files(), view, index, number));
  json node = graph::is_nested_too_deep(line) ? json() : parse_json(line);
  KNAPSACK_CHECK(check_read(node, number));
  return node;
}

Status GraphSession::check_read(const json& node, uint32_t number) const {
  if (node.is_object() && node.value("id", json()) == index.id(number)) return ok_status();
  return Error{ErrorCode::kCorrupt, fmt::format("{} changed while it was read", shown_as), "try again"};
}

Result<json> GraphSession::shown_heading(uint32_t number, uint64_t& secrets) const {
  KNAPSACK_TRY(const std::string line, graph::read_line(files(), view, index, number));
  json heading = graph::read_heading(line);
  KNAPSACK_CHECK(check_read(heading, number));
  secrets += redact_json(heading);
  return heading;
}

Result<json> GraphSession::shown_node(uint32_t number, uint64_t& secrets) const {
  KNAPSACK_TRY(json node, stored_node(number));
  secrets += redact_json(node);
  return node;
}

std::string describe_graph(Engine::State& state, const Settings& settings, const SettingsRequest& request) {
  const std::string folder = graph_folder(settings, request);
  if (!state.files->info(folder).ok()) return "none: `knapsack graph init` creates one";
  const auto view = graph::open_store(*state.files, folder);
  if (!view.ok()) return view.error().line();
  const auto read = graph::read_graph(*state.files, *view, index_path(state, folder));
  if (!read.ok()) return read.error().line();
  const auto& index = read->index;
  return fmt::format(
      "{}: {}, {}, {}{}", relative_to(request.workspace, folder),
      counted(index.count(graph::Layer::kKnowledge), "knowledge node"),
      counted(index.count(graph::Layer::kReasoning), "decision"),
      counted(index.count(graph::Layer::kTask), "task"),
      index.problem_count > 0 ? fmt::format("; {} lines cannot be read", index.problem_count) : "");
}

}  // namespace knapsack
