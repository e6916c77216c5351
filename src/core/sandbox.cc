#include "core/sandbox.h"

#include <dirent.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace knapsack {
namespace {

// Room for the largest parse (code/parse/parser.cc) and the program itself.
constexpr rlim_t kMaxAddressSpace = rlim_t{2} << 30U;
// A process that nobody waits for any more ends by itself.
constexpr rlim_t kMaxProcessorSeconds = 120;

// The sanitizers reserve terabytes; that of threads has one of its own, which sleeps.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__
#endif
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__
#endif
#endif

void limit(int resource, rlim_t most) {
  const rlimit limits{most, most};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &limits);
}

void limit_resources() {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CPU, kMaxProcessorSeconds);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  limit(RLIMIT_AS, kMaxAddressSpace);
#endif
}

// struct landlock_ruleset_attr as newer kernels know it; the header of this system may be older.
struct LandlockRules {
  uint64_t files = 0;
  uint64_t network = 0;
  uint64_t scopes = 0;
};

// Everything that a version of the interface can take away (linux/landlock.h of Linux 6.12).
LandlockRules everything(int version) {
  LandlockRules rules;
  const unsigned kinds = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  rules.files = (uint64_t{1} << kinds) - 1;
  if (version >= 4) rules.network = 3;  // binding and connecting TCP
  if (version >= 6) rules.scopes = 3;   // abstract sockets, signals
  return rules;
}

uint8_t enter_landlock() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, size_t{0}, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return 0;
  const LandlockRules rules = everything(static_cast<int>(version));
  const size_t size = version >= 6   ? sizeof rules
                      : version >= 4 ? offsetof(LandlockRules, scopes)
                                     : offsetof(LandlockRules, network);
  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &rules, size, 0U);
  if (ruleset < 0) return 0;
  // No rule is added: nothing of what is handled is allowed.
  const bool entered = ::syscall(SYS_landlock_restrict_self, ruleset, 0U) == 0;
  ::close(static_cast<int>(ruleset));
  return entered ? static_cast<uint8_t>(version) : uint8_t{0};
}

#if defined(__SANITIZE_THREAD__)
constexpr uint32_t kArchitecture = 0;
#elif defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;
#endif

// What allocating, computing, talking over an open descriptor and ending takes. Of a number's 64 bits only
// the lower half is looked at where the kernel ignores the rest too.
std::vector<sock_filter> filter_of_calls() {
  constexpr auto kArgument = [](unsigned at) {
    return static_cast<uint32_t>(offsetof(seccomp_data, args) + at * sizeof(uint64_t));
  };
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
  };
  const auto append = [&filter](std::initializer_list<sock_filter> steps) {
    filter.insert(filter.end(), steps);
  };
  for (const long call :
       {SYS_read, SYS_write, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_futex, SYS_exit,
        SYS_exit_group, SYS_clock_gettime, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_rt_sigaction,
        SYS_sigaltstack, SYS_gettid, SYS_getpid, SYS_sched_yield, SYS_restart_syscall, SYS_getrandom}) {
    append({BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)});
  }
  // Memory that can be run is never asked for.
  for (const long call : {SYS_mmap, SYS_mprotect}) {
    append({BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 4),
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kArgument(2)),
            BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)});
  }
  // abort() sends a signal, to nobody else.
  append({BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(SYS_tgkill), 0, 3),
          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kArgument(0)),
          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(::getpid()), 0, 1),
          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)});
  return filter;
}

bool enter_seccomp() {
  if (kArchitecture == 0) return false;
  std::vector<sock_filter> filter = filter_of_calls();
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

// By number, as libc has a name for the call only since 2.34; Linux has the call since 5.9.
void close_from(int first) {
  if (::syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U) == 0) return;
  DIR* folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return;
  std::vector<int> open;
  while (const dirent* entry = ::readdir(folder)) {
    if (entry->d_name[0] != '.') open.push_back(std::atoi(entry->d_name));
  }
  ::closedir(folder);
  for (const int descriptor : open) {
    if (descriptor >= first) ::close(descriptor);
  }
}

}  // namespace

Sandbox enter_sandbox(int keep, SandboxParts parts) {
  Sandbox sandbox;
  close_from(keep);
  limit_resources();
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return sandbox;
  if (parts.landlock) sandbox.landlock = enter_landlock();
  if (parts.seccomp) sandbox.seccomp = enter_seccomp();
  return sandbox;
}

}  // namespace knapsack
