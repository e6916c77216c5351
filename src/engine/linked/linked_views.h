// LinkedViews: what is asked about names and files, answered by the workspace and the repositories linked to it.
//
// Everything is answered from the indexes as they are; a linked repository without one is left out, and the log says so. Paths
// of linked repositories are `name:path`. One request, one thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "code/ask/code_answers.h"
#include "code/ask/cross_imports.h"
#include "code/ask/snapshot_texts.h"
#include "engine/linked/linked_repositories.h"

namespace knapsack {

class LinkedViews {
 public:
  // `own` is the workspace's index.
  static Result<LinkedViews> open(const Engine::State& state, code::CodeIndex& own,
                                  LinkedRepositories repositories);

  Result<code::RefsView> refs(const std::string& name);
  Result<code::DepsView> deps(const std::string& file, uint32_t depth);
  // Of the first repository that defines the name; callers of all.
  Result<code::SymbolCard> symbol_card(const std::string& name);

 private:
  struct Member {
    std::string name;  // empty: the workspace
    const Engine::State* state = nullptr;
    code::CodeIndex* index = nullptr;
    std::unique_ptr<code::CodeIndex> opened;  // that `index` is, where it is not the workspace's
    std::unique_ptr<code::SnapshotTexts> texts;
  };
  LinkedViews() = default;
  Status find_links();
  std::string shown(uint32_t member, uint32_t file) const;
  Status add_across(uint32_t member, const std::string& name, code::RefsView& view);

  LinkedRepositories repositories_;
  std::vector<Member> members_;  // the workspace first
  std::optional<code::CrossImports> links_;
};

}  // namespace knapsack
