#include "scenarios/support_retrieval.h"

#include <filesystem>

namespace knapsack::testing {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRetrievedAt = "2026-11-15T08:00:00Z";

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

std::vector<std::string> retrieve_words(const std::string& task, const std::vector<std::string>& more,
                                        const std::string& window, const std::string& reserved) {
  return joined({"retrieve", task, "--stages", "scope,precision", "--context-window", window,
                 "--reserved-tokens", reserved, "--no-llm", "--now", kRetrievedAt},
                more);
}

std::vector<std::string> refine_words(const std::string& task_id, const std::string& request_file,
                                      const std::vector<std::string>& more) {
  return joined({"refine", "--task-id", task_id, "--request", request_file, "--now", kRetrievedAt}, more);
}

std::string answer_of(const std::vector<std::string>& words, const std::string& folder) {
  const Outcome outcome = run_measured(words, folder);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.out;
}

nlohmann::json packet_of(std::vector<std::string> words, const std::string& folder) {
  words.insert(words.end(), {"--format", "json"});
  auto packet = nlohmann::json::parse(answer_of(words, folder), nullptr, false);
  EXPECT_TRUE(packet.is_object());
  return packet;
}

std::vector<std::string> files_of(const nlohmann::json& packet) {
  std::vector<std::string> files;
  for (const auto& file : packet.at("files")) files.push_back(file.at("path").get<std::string>());
  return files;
}

void copy_own_repository(const TestRepository& made) {
  for (const std::string name : {"src", "tests", "docs", "README.md"}) {
    fs::copy(fs::path(KNAPSACK_SOURCE_DIR) / name, made.file(name), fs::copy_options::recursive);
  }
  made.commit("Copy the sources");
}

}  // namespace knapsack::testing
