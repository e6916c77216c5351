// Writes a generated repository to disk, for measuring the whole program on it.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "support/repository_fixture.h"
#include "support/repository_history.h"

namespace {

using knapsack::testing::GeneratedFile;

constexpr const char* kUsage =
    "usage: make_repository FOLDER [--files N] [--bytes B] [--language python|mixed] [--seed S] [--git "
    "COMMITS]\n";

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

// Nothing of the machine's own configuration decides what git makes. `input`: a file, or empty.
bool run_git(const std::string& folder, std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), {"git", "-C", folder});
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.empty() ? "/dev/null" : input.c_str(),
                                   O_RDONLY, 0);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, "git", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return failed == 0 && ::waitpid(child, &status, 0) == child && status == 0;
}

bool write_with_history(const std::filesystem::path& folder, const std::vector<GeneratedFile>& files,
                        size_t commits, uint64_t seed) {
  ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  ::setenv("GIT_CONFIG_SYSTEM", "/dev/null", 1);
  std::filesystem::create_directories(folder);
  if (!run_git(folder, {"init", "--quiet", "--initial-branch=main"})) return false;
  const std::filesystem::path stream = folder / ".git" / "history";
  write_file(stream, make_history(files, commits, seed).stream);
  const bool made = run_git(folder, {"fast-import", "--quiet"}, stream) &&
                    run_git(folder, {"reset", "--quiet", "--hard", "main"});
  std::filesystem::remove(stream);
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  knapsack::testing::RepositoryShape shape;
  size_t commits = 0;
  const std::filesystem::path folder = argc > 1 ? argv[1] : "";
  bool understood = argc % 2 == 0 && !folder.empty() && folder.string()[0] != '-';
  for (int i = 2; understood && i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    const std::string_view value = argv[i + 1];
    const size_t number = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--files") {
      shape.files = number;
    } else if (option == "--bytes") {
      shape.bytes = number;
    } else if (option == "--seed") {
      shape.seed = number;
    } else if (option == "--git") {
      commits = number;
    } else if (option == "--language" && (value == "python" || value == "mixed")) {
      shape.mixed = value == "mixed";
    } else {
      understood = false;
    }
  }
  if (!understood) {
    std::cerr << kUsage;
    return 2;
  }
  const std::vector<GeneratedFile> files = make_repository(shape);
  if (commits > 0) {
    if (write_with_history(folder, files, commits, shape.seed)) return 0;
    std::cerr << "make_repository: git failed\n";
    return 1;
  }
  for (const auto& [path, bytes] : files) write_file(folder / path, bytes);
  return 0;
}
