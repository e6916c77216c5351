// LinkedCode: the code of the workspace and of the repositories linked to it, as one.
//
// Their indexes are brought up to date on a thread of its own from the construction on. run() takes every repository
// through the stages and joins what they left into one order (stages/joined_context.h): files that one
// repository imports of another count as imports do within one. Without linked repositories it is the plain
// run of the workspace. A repository that cannot be asked is left out with a warning. One request, one thread.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "code/ask/cross_imports.h"
#include "code/ask/file_texts.h"
#include "engine/linked/code_places.h"
#include "engine/linked/linked_repositories.h"
#include "stages/runner.h"

namespace knapsack {

class LinkedCode {
 public:
  // `refresh`: bring the indexes of linked repositories up to date first; of those that have none it makes one.
  LinkedCode(const Engine::State& state, bool refresh, IndexOptions options,
             const std::vector<std::string>& folders = {});

  bool empty() const { return linked_.list.empty(); }
  // Waits for the indexes and opens them; does nothing the second time.
  void open();
  // What is left out and why; complete after open().
  const std::vector<std::string>& warnings() const { return warnings_; }
  const LinkedRepositories& repositories() const { return linked_; }
  // The folders, for the account of a run.
  std::vector<std::string> folders() const;
  // Of everything that is read: the workspace's own where nothing is linked.
  std::string fingerprint(const std::string& own) const;

  // `own` is the workspace's input. What `start` requests of a linked repository is asked of that one. The session keeps the
  // workspace's stages.
  Result<stages::RunnerResult> run(const std::vector<const stages::Stage*>& stages,
                                   const stages::StageInput& own, stages::StageContext start,
                                   Session* session,
                                   const std::function<void(std::string_view stage)>& kept = {});
  // Of the workspace and of what was opened; links are known after run().
  CodePlaces places(code::CodeIndex& index, code::FileTexts& texts);

 private:
  struct Member {
    std::string name;
    std::unique_ptr<code::CodeIndex> index;
    std::unique_ptr<code::FileTexts> texts;
  };
  Result<Member> open_member(const LinkedRepository& repository) const;
  // The number of the repository that a shown path is of, from 0; the path becomes that one's.
  size_t member_of(const stages::StageInput& own, std::string& path) const;
  Status find_links(const stages::StageInput& own);

  LinkedRepositories linked_;
  std::vector<std::string> warnings_;
  std::future<std::vector<std::string>> refresh_;  // a problem for each that has one
  bool is_open_ = false;
  std::vector<Member> members_;  // linked ones that could be opened
  std::optional<code::CrossImports> links_;
};

}  // namespace knapsack
