// Running `knapsack retrieve` and `refine` as a person or a script does.
#pragma once

#include <string>
#include <vector>

#include "scenarios/support_index_program.h"

namespace knapsack::testing {

// Both stages, no model, a fixed time; `more` comes last.
std::vector<std::string> retrieve_words(const std::string& task, const std::vector<std::string>& more = {},
                                        const std::string& window = "8000",
                                        const std::string& reserved = "0");
std::vector<std::string> refine_words(const std::string& task_id, const std::string& request_file,
                                      const std::vector<std::string>& more = {});

// Runs it; fails the test unless it answers.
std::string answer_of(const std::vector<std::string>& words, const std::string& folder);
// The full packet; `words` without --format.
nlohmann::json packet_of(std::vector<std::string> words, const std::string& folder);

// Paths of the files in a packet, and of all files that the ledger has for a run, by tier.
std::vector<std::string> files_of(const nlohmann::json& packet);

// This project's own sources, tests, documents and README in a repository of one commit.
void copy_own_repository(const TestRepository& made);

}  // namespace knapsack::testing
