// Packs the notes of a workspace with the installed library: notes_packet WORKSPACE BUDGET
#include <cstdio>

#include "engine/engine.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: notes_packet WORKSPACE BUDGET\n");
    return 2;
  }
  knapsack::EngineOptions options;
  options.folder = argv[1];
  auto engine = knapsack::Engine::open(options);
  if (!engine.ok()) {
    std::fprintf(stderr, "%s\n", engine.error().line().c_str());
    return 1;
  }
  knapsack::AgentRequest request;
  request.settings["notes.budget"] = argv[2];
  const auto reply = (*engine)->agent(request);
  if (!reply.ok()) {
    std::fprintf(stderr, "%s\n", reply.error().line().c_str());
    return 1;
  }
  std::fputs(reply->output.c_str(), stdout);
  return 0;
}
