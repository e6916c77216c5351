// Tokens of the HTTP server: where they come from, and how whoever tries wrong ones is slowed down.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "core/files/file_system.h"

namespace knapsack::serve {

// What a file says without its line end. kConfig where others than its owner may read it: a token that
// everybody of the machine can read protects nobody.
Result<std::string> read_token_file(const std::string& path);

// 64 hexadecimal digits that nobody can guess.
Result<std::string> random_token();

struct OwnToken {
  std::string value;
  std::string file;   // where it is kept; empty where there is no place for it, and it is of this run only
  bool made = false;  // just now
};
// The user's token for servers of this machine, made by the first of them and kept in the user's state
// folder, never in the workspace. `environment` names that folder (engine/settings/trust.h).
Result<OwnToken> own_token(FileSystem& files, const std::map<std::string, std::string>& environment,
                           const std::string& workspace);

// The same where there is one already; empty otherwise.
std::string known_token(const FileSystem& files, const std::map<std::string, std::string>& environment,
                        const std::string& workspace);

// How long the answer to a wrong token waits: a few slips of the finger nothing, then twice as long each time
// up to a limit; half a minute without one forgives half of them. Right tokens never wait. Any thread.
class FailedTokens {
 public:
  using Clock = std::chrono::steady_clock;
  std::chrono::milliseconds add(Clock::time_point now);

  static constexpr unsigned kFree = 5;
  static constexpr std::chrono::milliseconds kFirstWait{50};
  static constexpr std::chrono::milliseconds kLongestWait{2000};
  static constexpr std::chrono::seconds kHalfLife{30};

 private:
  std::mutex mutex_;
  unsigned failures_ = 0;
  Clock::time_point since_{};
};

}  // namespace knapsack::serve
