// What an engine is opened with. Plain data.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/files/file_system.h"
#include "core/log.h"
#include "store/ledger/ledger.h"

namespace knapsack {

namespace model {
class EmbeddingClient;
class ModelClient;
}  // namespace model

struct EngineOptions {
  std::string folder;                    // where the program was started; absolute
  std::optional<std::string> workspace;  // instead of looking for one from `folder` upwards
  std::shared_ptr<const void> holding;   // whatever must stay while an engine answers
  // A commit whose index is in the state folder: it is what a question means that names none, and nothing brings it up to date.
  std::string snapshot;
  std::vector<std::string> also;  // folders of linked repositories; empty: as the user's settings say
  std::map<std::string, std::string> environment;  // the variables that may hold settings
  std::optional<Timestamp> now;                    // instead of the system's time
  Log log;                                         // where lines for people go; nowhere by default
  std::string model_file;                          // of the encoder; empty: everything works by words
  // Called where vectors are missing: to have Engine::embed run for these memories, beside whatever goes on.
  std::function<void(const std::string& workspace, const std::string& memory_folder)> start_embedding;
  // Called where the copy of a team's memories is old: to have Engine::team_sync run, beside whatever goes on.
  std::function<void(const std::string& workspace)> start_team_sync;
  // A program that hands over to run_parsing_process() (engine/recipes/code/parsing.h) when is_parsing_process() says so:
  // grammars then run in processes of it, in a sandbox. Empty: in this process.
  std::string parsing_program;
};

// The parts that tests replace. Empty ones are the real ones.
struct EngineParts {
  std::shared_ptr<FileSystem> files;
  std::shared_ptr<Clock> clock;
  std::shared_ptr<Ledger> ledger;
  std::shared_ptr<model::ModelClient> model = {};           // asked instead of the one that a request names
  std::shared_ptr<model::EmbeddingClient> embeddings = {};  // likewise
};

}  // namespace knapsack
