// The files of a commit that are read as files: settings, instructions, notes, graph, memories of the workspace.
//
// Everything else of a published commit is answered from its index. Secrets are replaced before any of it goes anywhere.
// Private to engine/published/.
#pragma once

#include <map>
#include <string>

#include "engine/engine_state.h"
#include "git/repository.h"

namespace knapsack {

// Whether such a file may be written into a workspace that others published: below it, and neither its state nor a repository.
bool is_own_path(std::string_view path);

// By path. Writes them into `workspace`, which is where its settings are then read from.
Result<std::map<std::string, std::string>> check_out_own_files(const Engine::State& state,
                                                               const GitRepository& repository,
                                                               const std::string& commit,
                                                               const std::string& workspace);

}  // namespace knapsack
