// Each part of the sandbox on its own, as the kernel has it.
#include "core/sandbox.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <functional>

#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;

// What a process of its own comes to in a sandbox: its exit code, or 128 + the signal that ended it.
int outcome(
    SandboxParts parts, const std::function<int()>& act, const std::function<void()>& before = [] {}) {
  const pid_t child = ::fork();
  if (child == 0) {
    before();
    enter_sandbox(3, parts);
    ::_exit(act());
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool has_landlock() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, size_t{0}, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

constexpr SandboxParts kNone = {false, false};
constexpr SandboxParts kLandlock = {true, false};
constexpr SandboxParts kSeccomp = {false, true};
constexpr int kKilled = 128 + SIGSYS;

int errno_of(long result) {
  return result < 0 ? errno : 0;
}

TEST(Sandbox, OfLandlockReachesNoFile) {
  TemporaryFolder folder;
  folder.write("kept", "x");
  const auto reads = [&] { return errno_of(::open(folder.file("kept").c_str(), O_RDONLY)); };
  const auto makes = [&] { return errno_of(::open(folder.file("new").c_str(), O_WRONLY | O_CREAT, 0600)); };
  const auto removes = [&] { return errno_of(::unlink(folder.file("kept").c_str())); };
  const int refused = has_landlock() ? EACCES : 0;
  EXPECT_EQ(outcome(kNone, reads), 0);
  EXPECT_EQ(outcome(kLandlock, reads), refused);
  EXPECT_EQ(outcome(kLandlock, makes), refused);
  EXPECT_EQ(outcome(kLandlock, removes), refused);
}

TEST(Sandbox, OfSeccompMakesNoCallThatOpensConnectsStartsOrRunsWhatWasWritten) {
  EXPECT_EQ(outcome(kSeccomp, [] { return errno_of(::open("/etc/hostname", O_RDONLY)); }), kKilled);
  EXPECT_EQ(outcome(kSeccomp, [] { return errno_of(::socket(AF_INET, SOCK_STREAM, 0)); }), kKilled);
  EXPECT_EQ(outcome(kSeccomp, [] { return errno_of(::syscall(SYS_fork)); }), kKilled);
  EXPECT_EQ(outcome(kSeccomp, [] { return errno_of(::execl("/bin/true", "true", nullptr)); }), kKilled);
  EXPECT_EQ(outcome(kSeccomp, [] { return errno_of(::kill(::getppid(), 0)); }), kKilled);
  EXPECT_EQ(outcome(kSeccomp, [] { return errno_of(::syscall(SYS_ptrace, 0, 0, 0, 0)); }), kKilled);
  const auto runs = [] {
    return ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
  };
  EXPECT_EQ(outcome(kNone, runs), 0);
  EXPECT_EQ(outcome(kSeccomp, runs), kKilled);
}

TEST(Sandbox, LetsAProcessComputeAllocateTalkAndFail) {
  const auto works = [] {
    std::string text;
    for (int i = 0; i < 1'000'000; ++i) text += static_cast<char>(i);
    return text.size() == 1'000'000 ? 7 : 1;
  };
  EXPECT_EQ(outcome({}, works), 7);
  EXPECT_EQ(outcome({}, []() -> int { std::abort(); }), 128 + SIGABRT);
}

// From here on this process runs on a kernel without that call.
void take_away(long call) {
  sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{std::size(filter), filter};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) ::_exit(99);
}

TEST(Sandbox, LeavesNothingOpenOnAnOldKernel) {
  const int open_before = ::open("/etc/hostname", O_RDONLY);
  const auto still_open = [&] { return errno_of(::fcntl(open_before, F_GETFD)); };
  const auto old_kernel = [] { take_away(SYS_close_range); };
  EXPECT_EQ(outcome(
                kNone, [] { return errno_of(::syscall(SYS_close_range, 3, 3, 0)); }, old_kernel),
            ENOSYS);
  EXPECT_EQ(outcome(kNone, still_open, old_kernel), EBADF);
  EXPECT_EQ(outcome(
                kNone, [] { return errno_of(::fcntl(2, F_GETFD)); }, old_kernel),
            0);
  ::close(open_before);
}

TEST(Sandbox, LeavesNothingOpenAndLimitsWhatIsTaken) {
  const int open_before = ::open("/etc/hostname", O_RDONLY);
  EXPECT_EQ(outcome(kNone, [&] { return errno_of(::fcntl(open_before, F_GETFD)); }), EBADF);
  ::close(open_before);
  const auto may_write_files = [] {
    rlimit limits = {};
    ::getrlimit(RLIMIT_FSIZE, &limits);
    return static_cast<int>(limits.rlim_max);
  };
  EXPECT_EQ(outcome(kNone, may_write_files), 0);
}

}  // namespace
}  // namespace knapsack
