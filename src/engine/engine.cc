#include "engine/engine.h"

#include <fmt/format.h>

#include "engine/engine_state.h"

namespace knapsack {

Engine::Engine(std::unique_ptr<State> state)
    : NotesRecipes(*state),
      CodeRecipes(*state),
      GraphRecipes(*state),
      MemoryRecipes(*state),
      TeamRecipes(*state),
      PackRecipes(*state),
      AccountRecipes(*state),
      state_(std::move(state)) {}

Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::open(EngineOptions options, EngineParts parts) {
  auto state = std::make_unique<State>();
  state->on_disk = parts.files == nullptr;
  state->files = parts.files ? std::move(parts.files) : std::shared_ptr<FileSystem>(make_disk_file_system());
  state->clock = std::move(parts.clock);
  if (options.now) state->clock = std::make_shared<FixedClock>(*options.now);
  if (!state->clock) state->clock = std::make_shared<SystemClock>();
  state->given_ledger = std::move(parts.ledger);
  state->given_model = std::move(parts.model);
  state->given_embeddings = std::move(parts.embeddings);
  KNAPSACK_TRY(state->workspace, find_workspace(*state->files, options.folder, options.workspace));
  state->options = std::move(options);
  state->options.log.write(LogLevel::kInfo, fmt::format("the workspace is {} ({})", state->workspace.path,
                                                        state->workspace.found_by));
  return std::unique_ptr<Engine>(new Engine(std::move(state)));
}

const std::string& Engine::workspace() const {
  return state_->workspace.path;
}
std::string Engine::version() {
  return KNAPSACK_VERSION;
}

}  // namespace knapsack
