// A workspace with secrets in every source, and the search for them in whatever a program prints, sends or
// keeps.
#pragma once

#include <string>
#include <vector>

#include "support/repository_git.h"
#include "support/secret_corpus.h"
#include "support/support.h"

namespace knapsack::testing {

class PlantedSecrets : public ::testing::Test {
 protected:
  // In files, a commit, notes, a memory and the graph.
  PlantedSecrets();

  // A new one of this shape, that must be nowhere from now on.
  std::string plant(const std::string& pattern);
  // The program, whose every word is looked at.
  ProgramResult run(const std::vector<std::string>& arguments, const std::string& input = "");
  void expect_clean(const std::string& text, const std::string& where) const;
  // Every byte of every file in the state folder, the terms of the search segments among them; how many files.
  size_t expect_clean_state() const;
  // Everything in the ledger, what it keeps deflated too; how many runs there are.
  size_t expect_clean_ledger() const;

  SecretMaker maker_{4711};
  std::vector<std::string> planted_;
  TestRepository repository_;
};

}  // namespace knapsack::testing
