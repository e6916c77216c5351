// Any bytes as a notes file: reading never crashes, and a packet of it never exceeds its budget.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/files/memory_file_system.h"
#include "engine/engine.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  auto files = std::make_shared<knapsack::MemoryFileSystem>();
  const std::string bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  for (const char* name : {"TASKS.md", "CONVENTIONS.md", "DECISIONS.md", "learnings/a.md"}) {
    files->put(std::string("/w/.context/") + name, bytes);
  }
  knapsack::EngineOptions options;
  options.folder = "/w";
  options.now = knapsack::Timestamp::from_seconds(1'800'000'000);
  auto engine = knapsack::Engine::open(options, {files});
  knapsack::AgentRequest request;
  request.dry_run = true;
  request.format = data[0] % 2 == 0 ? "md" : "json";
  request.settings["notes.budget"] = std::to_string(data[1] * 8);
  const auto reply = (*engine)->agent(request);
  if (!reply.ok()) std::abort();
  const uint64_t tokens = (reply->output.size() + 3) / 4;
  if (tokens != reply->packet.used || (tokens > reply->packet.budget && !reply->packet.over_budget))
    std::abort();
  return 0;
}
