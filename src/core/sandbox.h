// Sandbox: gives up for good whatever a process that only computes does not need.
//
// Afterwards this process opens no file and no connection and starts nothing: Landlock takes the file system
// away, seccomp every system call that is not in a short list (one of those ends the process), resource
// limits hold everywhere. Linux's own interfaces are used as they are: what the kernel does not have is
// missing from the answer, and nothing fails. Call it while the process has one thread.
#pragma once

#include <cstdint>

namespace knapsack {

struct SandboxParts {
  bool landlock = true;
  bool seccomp = true;
};

// What holds from now on.
struct Sandbox {
  uint8_t landlock = 0;  // the version of the kernel's interface; 0: it has none
  bool seccomp = false;
};

// What is open stays usable by read() and write(); everything but the descriptors below `keep` is closed.
Sandbox enter_sandbox(int keep, SandboxParts parts = {});

}  // namespace knapsack
