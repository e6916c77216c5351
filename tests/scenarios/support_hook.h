// `knapsack hook` as a client runs it: JSON in, JSON out, in a workspace with notes and memories.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/support.h"

namespace knapsack::testing {

// As JavaScript counts: the length of a string in UTF-16 code units, by another way than the program's.
size_t javascript_length(const std::string& utf8);

class HookWorkspace {
 public:
  HookWorkspace();

  const TemporaryFolder& folder() const { return folder_; }
  void memory(const std::string& id, const std::string& text) const;

  // A recorded input with this workspace as its folder, and fields replaced.
  std::string input(const std::string& fixture, const nlohmann::json& changes = {}) const;
  ProgramResult hook(const std::string& input, const std::string& client = "claude-code",
                     const std::map<std::string, std::string>& environment = {}) const;
  // The context of what must be an answer to that event; "" for no answer. Fails the test for anything else.
  std::string context(const ProgramResult& result, const std::string& event) const;
  // UserPromptSubmit.
  ProgramResult prompt(const std::string& text, const std::string& session = "s1") const;
  std::string prompt_context(const std::string& text, const std::string& session = "s1") const;
  std::string last_runs(int count = 5) const;

 private:
  TemporaryFolder folder_;
};

}  // namespace knapsack::testing
