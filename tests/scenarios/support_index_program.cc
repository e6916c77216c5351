#include "scenarios/support_index_program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "scenarios/support_index_dump.h"

namespace knapsack::testing {
namespace {

int nameless_file() {
  char name[] = "/tmp/knapsack-output-XXXXXX";
  const int file = ::mkostemp(name, O_CLOEXEC);
  if (file < 0) throw std::runtime_error("mkostemp failed");
  ::unlink(name);
  return file;
}

std::string all_of(int file) {
  std::string bytes;
  char buffer[65536];
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(file, buffer, sizeof buffer, at);
    if (got <= 0) return bytes;
    bytes.append(buffer, static_cast<size_t>(got));
    at += got;
  }
}

}  // namespace

RunningProgram::RunningProgram(std::vector<std::string> arguments, const std::string& folder,
                               const std::function<void()>& prepare)
    : out_(nameless_file()), err_(nameless_file()), began_(now_seconds()) {
  arguments.insert(arguments.begin(), KNAPSACK_PROGRAM);
  std::vector<std::string> variables = {"PATH=/usr/bin:/bin", "HOME=" + folder, "LC_ALL=C.UTF-8",
                                        "KNAPSACK_BACKGROUND=off"};
  std::vector<char*> argv, envp;
  for (auto& word : arguments) argv.push_back(word.data());
  for (auto& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  process_ = ::fork();
  if (process_ != 0) return;
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  ::dup2(out_, 1);
  ::dup2(err_, 2);
  if (::chdir(folder.c_str()) != 0) ::_exit(127);
  if (prepare) prepare();
  ::execve(argv[0], argv.data(), envp.data());
  ::_exit(127);
}

RunningProgram::~RunningProgram() {
  if (!reaped_) {
    kill_now();
    reap(true);
  }
  ::close(out_);
  ::close(err_);
}

bool RunningProgram::reap(bool block) {
  int status = 0;
  rusage usage{};
  if (::wait4(process_, &status, block ? 0 : WNOHANG, &usage) != process_) return false;
  reaped_ = true;
  outcome_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome_.seconds = now_seconds() - began_;
  outcome_.peak_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  outcome_.out = all_of(out_);
  outcome_.err = all_of(err_);
  return true;
}

bool RunningProgram::running() {
  return !reaped_ && !reap(false);
}

void RunningProgram::kill_now() {
  if (!reaped_) ::kill(process_, SIGKILL);
}

Outcome RunningProgram::finish(double limit) {
  while (running()) {
    if (now_seconds() - began_ > limit) kill_now();
    ::usleep(500);
  }
  return outcome_;
}

Outcome run_measured(const std::vector<std::string>& arguments, const std::string& folder,
                     const std::function<void()>& prepare) {
  return RunningProgram(arguments, folder, prepare).finish();
}

nlohmann::json index_report(const std::string& workspace, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"index", "--format", "json"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const Outcome outcome = run_measured(words, workspace);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  auto report = nlohmann::json::parse(outcome.out, nullptr, false);
  EXPECT_TRUE(report.is_object()) << outcome.out;
  return report;
}

std::string dump_of(const std::string& workspace, const std::string& snapshot,
                    const std::vector<std::string>& words) {
  auto dump = dump_index(workspace, snapshot, words);
  EXPECT_OK(dump);
  return dump.ok() ? *std::move(dump) : "no dump: " + dump.error().line();
}

std::string fresh_dump(const std::string& workspace, const std::vector<std::string>& arguments,
                       const std::string& snapshot, const std::vector<std::string>& words) {
  namespace fs = std::filesystem;
  const TemporaryFolder aside;
  const bool there = fs::exists(workspace + "/.knapsack");
  if (there) fs::rename(workspace + "/.knapsack", aside.file("state"));
  index_report(workspace, arguments);
  std::string dump = dump_of(workspace, snapshot, words);
  fs::remove_all(workspace + "/.knapsack");
  if (there) fs::rename(aside.file("state"), workspace + "/.knapsack");
  return dump;
}

std::string notes_of(const nlohmann::json& report) {
  std::string notes;
  for (const auto& note : report.value("notes", nlohmann::json::array())) {
    notes += note.get<std::string>() + "\n";
  }
  return notes;
}

void expect_refusal(const Outcome& outcome, int exit_code, const std::vector<std::string>& says) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  for (const std::string& part : says) EXPECT_THAT(outcome.err, ::testing::HasSubstr(part));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

}  // namespace knapsack::testing
