#include "graph/support_graph.h"

#include <gtest/gtest.h>

#include "graph/store/node.h"
#include "graph/store/store.h"
#include "support/real_ledger.h"

namespace knapsack::testing {
namespace {

constexpr const char* kOld = "2026-01-01T00:00:00Z";

void collect(const MemoryFileSystem& files, const std::string& folder,
             std::map<std::string, std::string>& into) {
  const auto entries = files.list(folder);
  if (!entries.ok()) return;
  for (const auto& entry : *entries) {
    const std::string path = folder + "/" + entry.name;
    if (entry.kind == FileKind::kDirectory) {
      collect(files, path, into);
    } else {
      into[path] = *files.read(path, UINT64_MAX);
    }
  }
}

}  // namespace

GraphWorkspace::GraphWorkspace() : files(std::make_shared<MemoryFileSystem>()), ledger(make_real_ledger()) {
  files->put_kind("/work/.git", FileKind::kDirectory);
  for (const graph::Layer layer : graph::kLayers) add_line(std::string(file_of(layer)), "");
  files->put("/work/graphs/" + std::string(graph::kCommitsFile), "");
}

void GraphWorkspace::add_line(const std::string& file, const std::string& line) {
  lines_[file] += line.empty() ? "" : line + "\n";
  files->put("/work/graphs/" + file, lines_[file]);
}

void GraphWorkspace::add(nlohmann::json node) {
  const auto layer = graph::layer_of(node.at("id").get<std::string>());
  const char* type = *layer == graph::Layer::kTask        ? "task"
                     : *layer == graph::Layer::kReasoning ? "decision"
                                                          : "fact";
  const nlohmann::json defaults = {{"type", type},
                                   {"title", "Untitled"},
                                   {"created_at", kOld},
                                   {"updated_at", kOld},
                                   {"links", nlohmann::json::array()},
                                   {"tags", nlohmann::json::array()},
                                   {"rev", 1}};
  for (const auto& [key, value] : defaults.items()) {
    if (!node.contains(key)) node[key] = value;
  }
  add_line(std::string(file_of(*layer)), node.dump());
}

void GraphWorkspace::add_commit(const std::string& id, const std::vector<std::string>& changed) {
  const std::string pack = "context_packs/context_pack.20260101T000000Z." + id + ".json";
  const nlohmann::json row = {{"commit_id", id},
                              {"mode", "put"},
                              {"event", "nodes were put"},
                              {"created_at", "2026-03-01T00:00:00Z"},
                              {"changed_node_ids", changed},
                              {"context_pack_path", pack}};
  add_line(std::string(graph::kCommitsFile), row.dump());
  files->put("/work/graphs/" + pack, row.dump());
  files->put("/work/graphs/" + std::string(graph::kLatestPackFile), row.dump());
}

std::unique_ptr<Engine> GraphWorkspace::engine() const {
  EngineOptions options;
  options.folder = "/work";
  options.now = *parse_rfc3339(kGraphNow);
  return *Engine::open(options, {files, nullptr, ledger});
}

Result<GraphPackReply> GraphWorkspace::try_pack(GraphPackRequest request) const {
  return engine()->graph_pack(request);
}

nlohmann::json GraphWorkspace::pack(const std::string& request,
                                    const std::map<std::string, std::string>& settings,
                                    const std::string& intent) const {
  GraphPackRequest asked;
  asked.request = request;
  asked.settings = settings;
  asked.intent = intent;
  asked.dry_run = true;
  asked.format = "json";
  const auto reply = try_pack(asked);
  EXPECT_TRUE(reply.ok()) << reply.error().line();
  return reply.ok() ? nlohmann::json::parse(reply->output) : nlohmann::json();
}

std::map<std::string, std::string> GraphWorkspace::bytes() const {
  std::map<std::string, std::string> all;
  collect(*files, "/work/graphs", all);
  return all;
}

std::vector<std::string> ids(const nlohmann::json& snapshot) {
  std::vector<std::string> found;
  for (const auto& each : snapshot) found.push_back(each.at("id").get<std::string>());
  return found;
}

nlohmann::json entry(const nlohmann::json& snapshot, const std::string& id) {
  for (const auto& each : snapshot) {
    if (each.at("id") == id) return each;
  }
  return nullptr;
}

}  // namespace knapsack::testing
