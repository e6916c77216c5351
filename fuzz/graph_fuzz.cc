// Any bytes as the files of a graph: reading never crashes, an index file tells what the lines tell, a packet
// never exceeds its budget and holds no more nodes than it may.
//
// The first byte says how the rest is cut into the three files and the commit log; the second is the budget.
// Seeds: fuzz/seeds/graph_fuzz.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "core/files/memory_file_system.h"
#include "engine/engine.h"
#include "graph/store/graph_reader.h"
#include "graph/store/index_file.h"
#include "text/tokens/token_counter.h"

namespace knapsack {
namespace {

constexpr const char* kIndex = "/w/index";

// What an index file says of the graph is what its lines say; with other lines it is not believed.
void check_index(MemoryFileSystem& files) {
  const auto view = graph::open_store(files, "/w/graphs");
  if (!view.ok()) std::abort();
  const auto lines = graph::read_graph(files, *view, "");
  if (!lines.ok() || !save_index(files, kIndex, lines->index).ok()) std::abort();
  const auto loaded = graph::load_index(files, kIndex);
  if (!loaded.ok() || graph::fingerprint(*loaded) != graph::fingerprint(lines->index)) std::abort();
  for (uint32_t node = 0; node < loaded->size(); ++node) {
    const auto other = lines->index.find(loaded->id(node));
    if (!other || !(lines->index.history(*other).line == loaded->history(node).line)) std::abort();
    if (lines->index.references(*other).size() != loaded->references(node).size()) std::abort();
  }
}

void check_pack(const std::shared_ptr<MemoryFileSystem>& files, uint64_t budget, bool markdown) {
  EngineOptions options;
  options.folder = "/w";
  options.now = Timestamp::from_seconds(1'800'000'000);
  const auto engine = Engine::open(options, {files});
  GraphPackRequest request;
  request.request = "continue TG-TASK-1 and the import, not RG-DEC-1";
  request.format = markdown ? "md" : "prompt";
  request.budget = std::to_string(budget);
  request.settings["graph.tokenizer"] = "bytes4";
  request.apply_clarify_task = budget % 2 == 0;
  const auto reply = (*engine)->graph_pack(request);
  // A commit log or a pending change that is broken may be an error; nothing else may.
  if (!reply.ok()) return;
  if ((*find_token_counter("bytes4"))->count(reply->output) > budget) std::abort();
  size_t tasks = 0;
  for (const auto& section : reply->packet.sections) {
    for (const auto& item : section.items) tasks += section.key == "tasks" && item.shown ? 1 : 0;
  }
  if (tasks > 15) std::abort();
  if (!(*engine)->graph_validate({}).ok()) std::abort();
}

}  // namespace
}  // namespace knapsack

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  // Lines go to the files in turn, or by what their ids begin with.
  std::string parts[4];
  size_t turn = 0;
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
    const std::string_view line = bytes.substr(at, end - at);
    const bool by_id = data[0] % 2 == 0;
    const size_t file = !by_id                                             ? turn++ % 4
                        : line.find("\"KG-") < line.find("\"TG-")          ? 0
                        : line.find("\"RG-") < line.find("\"TG-")          ? 1
                        : line.find("commit_id") != std::string_view::npos ? 3
                                                                           : 2;
    parts[file] += line;
    at = end;
  }
  auto files = std::make_shared<knapsack::MemoryFileSystem>();
  const char* names[] = {"kg_nodes.jsonl", "rg_nodes.jsonl", "tg_nodes.jsonl", "post_response_commits.jsonl"};
  for (size_t i = 0; i < 4; ++i) files->put(std::string("/w/graphs/") + names[i], parts[i]);
  knapsack::check_index(*files);
  knapsack::check_pack(files, data[1] * 8U, data[0] % 3 == 0);
  return 0;
}
