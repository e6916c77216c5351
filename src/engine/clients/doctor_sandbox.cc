// Whether files are parsed in a sandbox here: found out by starting one.
#include <fmt/format.h>

#include "code/sandbox/parsing_process.h"
#include "engine/clients/doctor.h"

namespace knapsack {
namespace {

constexpr const char* kWithout = "a fault in a grammar could then be used by a file that you index";

Result<Sandbox> try_sandbox(const std::string& program) {
  KNAPSACK_TRY(auto process, code::ParsingProcess::start(program));
  return process.sandbox();
}

}  // namespace

void check_sandbox(Engine::State& state, Findings& findings) {
  const auto settings = state.settings(Flags());
  if (!settings.ok()) return;  // said where settings are looked at
  if (!settings->index_sandbox || state.options.parsing_program.empty()) {
    return findings.add("sandbox", Health::kNote, fmt::format("files are parsed without one: {}", kWithout),
                        "set index.sandbox to true");
  }
  const auto sandbox = try_sandbox(state.options.parsing_program);
  if (!sandbox.ok()) {
    return findings.add("sandbox", Health::kWarning,
                        fmt::format("files are parsed without one, {}: {}", sandbox.error().what, kWithout),
                        "index only what you trust, or find out why the program cannot start itself");
  }
  const std::string landlock = fmt::format("Landlock (version {})", sandbox->landlock);
  if (sandbox->landlock > 0 && sandbox->seccomp) {
    return findings.ok(
        "sandbox",
        fmt::format("files are parsed in processes without files and network, by {} and seccomp", landlock));
  }
  const bool some = sandbox->landlock > 0 || sandbox->seccomp;
  findings.add("sandbox", Health::kNote,
               fmt::format("files are parsed in processes of their own, {}: the system has no {}",
                           !some                    ? "which nothing else holds"
                           : sandbox->landlock == 0 ? "held by seccomp alone"
                                                    : "held by " + landlock + " alone",
                           !some                    ? "Landlock and no seccomp"
                           : sandbox->landlock == 0 ? "Landlock"
                                                    : "seccomp"),
               "use a kernel with Landlock and seccomp (Linux 5.13 or later)");
}

}  // namespace knapsack
