// Real repositories in temporary folders, made by the git program with nothing of the machine's own
// configuration, and with fixed times, so that ids are the same on every run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/support.h"

namespace knapsack::testing {

// A work tree with a repository that `git init -b main` made, removed with everything in it.
class TestRepository {
 public:
  explicit TestRepository(std::vector<std::string> init_options = {});

  const std::string& path() const { return folder_.path(); }
  std::string file(const std::string& name) const { return folder_.file(name); }
  const TemporaryFolder& folder() const { return folder_; }
  void write(const std::string& name, const std::string& bytes) const { folder_.write(name, bytes); }

  // Standard output of `git ARGUMENTS`; fails the test when git does.
  std::string git(const std::vector<std::string>& arguments, const std::string& input = "") const;
  // The same in another folder.
  std::string git_in(const std::string& where, const std::vector<std::string>& arguments,
                     const std::string& input = "") const;
  // Whatever happens.
  ProgramResult try_git(const std::vector<std::string>& arguments, const std::string& input = "") const;

  // Adds everything, commits it an hour after the commit before, returns the id.
  std::string commit(const std::string& message) const;
  // The id that the first line of `git ARGUMENTS` is.
  std::string id(const std::string& revision) const;

  // Seconds since 1970 that the next commit gets; commit() adds an hour to it.
  mutable int64_t clock = 1'700'000'000;

 private:
  std::map<std::string, std::string> environment() const;
  TemporaryFolder folder_;
};

// Pieces between NULs, without the empty one at the end.
std::vector<std::string> split_nul(const std::string& text);

// Seconds since some point; for bounds on how long a thing may take.
double now_seconds();

}  // namespace knapsack::testing
