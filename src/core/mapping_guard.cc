#include "core/mapping_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

namespace knapsack {
namespace {

// The handler may run between any two instructions: nothing here waits or is moved.
struct GuardedRange {
  std::atomic<bool> taken{false};
  std::atomic<uintptr_t> begin{0}, end{0};  // both 0: nothing is guarded
  std::atomic<bool> cut{false};
};
std::array<GuardedRange, kMaxGuards> guarded_ranges;
struct sigaction action_before;

// Everything from the page that was read to the end of the mapping: what lies behind a cut is gone with it.
bool put_zeros(GuardedRange& range, uintptr_t address) {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const uintptr_t begin = address / page * page;
  const uintptr_t end = (range.end.load() + page - 1) / page * page;
  void* made = ::mmap(reinterpret_cast<void*>(begin), end - begin, PROT_READ,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (made == MAP_FAILED) return false;
  range.cut = true;
  return true;
}

void on_bus_error(int signal, siginfo_t* info, void*) {
  const int error = errno;
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (GuardedRange& range : guarded_ranges) {
    if (address < range.begin || address >= range.end || !put_zeros(range, address)) continue;
    errno = error;
    return;
  }
  // Not ours: the instruction runs again, and is told of as it would have been without us.
  ::sigaction(signal, &action_before, nullptr);
  errno = error;
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &action_before);
  });
}

}  // namespace

MappingGuard::MappingGuard(std::string_view bytes) : slot_(kMaxGuards) {
  if (bytes.empty()) return;
  install_handler();
  for (size_t slot = 0; slot < kMaxGuards; ++slot) {
    GuardedRange& range = guarded_ranges[slot];
    if (range.taken.exchange(true)) continue;
    range.cut = false;
    range.begin = reinterpret_cast<uintptr_t>(bytes.data());
    range.end = reinterpret_cast<uintptr_t>(bytes.data() + bytes.size());
    slot_ = slot;
    return;
  }
}

MappingGuard::~MappingGuard() {
  if (slot_ == kMaxGuards) return;
  GuardedRange& range = guarded_ranges[slot_];
  range.end = 0;
  range.begin = 0;
  range.taken = false;
}

bool MappingGuard::cut() const {
  return slot_ != kMaxGuards && guarded_ranges[slot_].cut;
}

}  // namespace knapsack
