// PageSessions: the inspector's pages that were let in, and the keys that let one in.
//
// A page proves itself once, with the server's token or with a key that is good for one time, and is given a
// session: a token of its own, and a CSRF token without which nothing is changed. Both live as long as the
// server; only digests are kept. A bounded number: the one that waited longest goes. Any thread.
// Private to serve/http/.
#pragma once

#include <array>
#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace knapsack::serve {

using TokenDigest = std::array<unsigned char, 32>;
TokenDigest digest_of(std::string_view text);
// In one time, whatever they are.
bool same_digest(const TokenDigest& a, const TokenDigest& b);

struct PageSession {
  std::string token;  // sent as "Authorization: Bearer"
  std::string csrf;   // sent as kCsrfHeader with every change
};
inline constexpr std::string_view kCsrfHeader = "x-knapsack-csrf";

class PageSessions {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kMax = 64;
  static constexpr std::chrono::hours kIdle{12};

  // From now on `key` opens one session.
  void add_key(std::string_view key);
  // Whether it was such a key; not any more.
  bool spend_key(std::string_view key);

  Result<PageSession> open(Clock::time_point now);
  // Whether this is the token of a session; it is not idle then.
  bool knows(std::string_view token, Clock::time_point now);
  // … and this its CSRF token.
  bool may_change(std::string_view token, std::string_view csrf, Clock::time_point now);

 private:
  struct Known {
    TokenDigest token, csrf;
    Clock::time_point used;
  };
  Known* find(std::string_view token, Clock::time_point now);

  std::mutex mutex_;
  std::vector<TokenDigest> keys_;
  std::vector<Known> sessions_;
};

}  // namespace knapsack::serve
