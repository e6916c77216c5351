// Linked repositories: other folders of this machine whose code is asked about together with the workspace's.
//
// They come from --also or from the user's own configuration (`also`), never from a file of the workspace. Each keeps its
// own index in its own folder. In answers a path of one is `name:path`; the name is the folder's, with as
// many of the folders above it as it takes to differ from the others and from the workspace. One engine, one
// thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine_state.h"

namespace knapsack {

struct LinkedRepository {
  std::string name;
  std::unique_ptr<Engine::State> state;
};

struct LinkedRepositories {
  std::vector<LinkedRepository> list;  // in the order in which they were named, each once
  std::vector<std::string> warnings;   // folders that are left out, a line each

  // The repository that a shown path ("lib:src/cart.py") is of, and the path there; null for one of the workspace.
  struct Place {
    const LinkedRepository* repository = nullptr;
    std::string path;
  };
  Place place_of(std::string_view shown) const;
};

// `folders`: instead of those of the engine's options and of the user's settings, where there are any.
LinkedRepositories linked_repositories(const Engine::State& state,
                                       const std::vector<std::string>& folders = {});

}  // namespace knapsack
