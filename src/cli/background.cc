#include "cli/background.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace knapsack::cli {
namespace {

constexpr char kModelName[] = "e5-small-v2.model";
constexpr std::chrono::seconds kBetweenStarts{30};

std::filesystem::path program_path() {
  std::error_code problem;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? std::filesystem::path() : path;
}

// Two forks, so that nobody is its parent; between a fork and what it runs only the system is called.
void start_detached(const char* const* arguments) {
  const pid_t child = ::fork();
  if (child < 0) return;
  if (child > 0) {
    ::waitpid(child, nullptr, 0);
    return;
  }
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, descriptor);
  [[maybe_unused]] const int priority = ::nice(19);
  ::execv(arguments[0], const_cast<char* const*>(arguments));
  ::_exit(1);
}

// Not while somebody said that nothing may run behind the program, and not again within half a minute.
bool may_start(std::atomic<std::chrono::steady_clock::rep>& last) {
  const char* wanted = std::getenv("KNAPSACK_BACKGROUND");
  if (wanted != nullptr && std::string_view(wanted) == "off") return false;
  using Clock = std::chrono::steady_clock;
  const Clock::rep now = Clock::now().time_since_epoch().count();
  Clock::rep before = last.load();
  if (before != 0 && now - before < Clock::duration(kBetweenStarts).count()) return false;
  return last.compare_exchange_strong(before, now);
}

}  // namespace

std::string find_model_file() {
  const std::filesystem::path folder = program_path().parent_path();
  std::error_code problem;
  for (const auto& place : {folder.parent_path() / "share" / "knapsack" / kModelName,
                            folder / "share" / "knapsack" / kModelName}) {
    if (std::filesystem::is_regular_file(place, problem)) return place.string();
  }
  return "";
}

void start_embedding(const std::string& workspace, const std::string& memory_folder) {
  static std::atomic<std::chrono::steady_clock::rep> last{0};
  const std::string program = program_path().string();
  if (!may_start(last) || program.empty()) return;
  const char* arguments[] = {program.c_str(),       "embed", "--workspace", workspace.c_str(), "--memory-dir",
                             memory_folder.c_str(), nullptr};
  start_detached(arguments);
}

void start_team_sync(const std::string& workspace) {
  static std::atomic<std::chrono::steady_clock::rep> last{0};
  const std::string program = program_path().string();
  if (!may_start(last) || program.empty()) return;
  const char* arguments[] = {program.c_str(), "team", "sync", "--workspace", workspace.c_str(), nullptr};
  start_detached(arguments);
}

}  // namespace knapsack::cli
