#include "support/repository_git.h"

#include <chrono>
#include <stdexcept>

namespace knapsack::testing {

TestRepository::TestRepository(std::vector<std::string> init_options) {
  std::vector<std::string> words = {"init", "-q", "-b", "main"};
  words.insert(words.end(), init_options.begin(), init_options.end());
  git(words);
}

std::map<std::string, std::string> TestRepository::environment() const {
  const std::string date = std::to_string(clock) + " +0000";
  return {{"GIT_CONFIG_GLOBAL", "/dev/null"},
          {"GIT_CONFIG_SYSTEM", "/dev/null"},
          {"GIT_CONFIG_NOSYSTEM", "1"},
          {"GIT_AUTHOR_NAME", "Ada"},
          {"GIT_AUTHOR_EMAIL", "ada@example.org"},
          {"GIT_COMMITTER_NAME", "Grace"},
          {"GIT_COMMITTER_EMAIL", "grace@example.org"},
          {"GIT_AUTHOR_DATE", date},
          {"GIT_COMMITTER_DATE", date},
          {"GIT_TERMINAL_PROMPT", "0"}};
}

ProgramResult TestRepository::try_git(const std::vector<std::string>& arguments,
                                      const std::string& input) const {
  std::vector<std::string> words = {
      "git", "-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "core.fsync=none"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_command(words, path(), environment(), input);
}

std::string TestRepository::git_in(const std::string& where, const std::vector<std::string>& arguments,
                                   const std::string& input) const {
  std::vector<std::string> words = {
      "git", "-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "core.fsync=none"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const auto result = run_command(words, where, environment(), input);
  std::string shown;
  for (const auto& word : arguments) shown += " " + word;
  EXPECT_EQ(result.exit_code, 0) << "git" << shown << "\n" << result.err;
  return result.out;
}

std::string TestRepository::git(const std::vector<std::string>& arguments, const std::string& input) const {
  return git_in(path(), arguments, input);
}

std::string TestRepository::commit(const std::string& message) const {
  git({"add", "-A"});
  git({"commit", "-q", "--allow-empty", "-m", message});
  clock += 3600;
  return id("HEAD");
}

std::string TestRepository::id(const std::string& revision) const {
  const std::string out = git({"rev-parse", "--verify", revision});
  return out.substr(0, out.find('\n'));
}

std::vector<std::string> split_nul(const std::string& text) {
  std::vector<std::string> pieces;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\0', at), text.size());
    pieces.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return pieces;
}

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace knapsack::testing
