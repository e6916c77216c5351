#include "serve/http/page_sessions.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>

#include "serve/http/token.h"

namespace knapsack::serve {

TokenDigest digest_of(std::string_view text) {
  TokenDigest digest;
  ::SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return digest;
}

bool same_digest(const TokenDigest& a, const TokenDigest& b) {
  return ::CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

void PageSessions::add_key(std::string_view key) {
  const std::lock_guard lock(mutex_);
  keys_.push_back(digest_of(key));
}

bool PageSessions::spend_key(std::string_view key) {
  const std::lock_guard lock(mutex_);
  const TokenDigest digest = digest_of(key);
  const auto found = std::find_if(keys_.begin(), keys_.end(),
                                  [&](const TokenDigest& each) { return same_digest(each, digest); });
  if (found == keys_.end()) return false;
  keys_.erase(found);
  return true;
}

Result<PageSession> PageSessions::open(Clock::time_point now) {
  PageSession session;
  KNAPSACK_TRY(session.token, random_token());
  KNAPSACK_TRY(session.csrf, random_token());
  const std::lock_guard lock(mutex_);
  if (sessions_.size() == kMax) {
    sessions_.erase(std::min_element(sessions_.begin(), sessions_.end(),
                                     [](const Known& a, const Known& b) { return a.used < b.used; }));
  }
  sessions_.push_back({digest_of(session.token), digest_of(session.csrf), now});
  return session;
}

PageSessions::Known* PageSessions::find(std::string_view token, Clock::time_point now) {
  std::erase_if(sessions_, [&](const Known& each) { return now - each.used > kIdle; });
  const TokenDigest digest = digest_of(token);
  Known* found = nullptr;
  for (Known& each : sessions_) {
    if (same_digest(each.token, digest)) found = &each;
  }
  if (found != nullptr) found->used = now;
  return found;
}

bool PageSessions::knows(std::string_view token, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  return find(token, now) != nullptr;
}

bool PageSessions::may_change(std::string_view token, std::string_view csrf, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const Known* session = find(token, now);
  return session != nullptr && same_digest(session->csrf, digest_of(csrf));
}

}  // namespace knapsack::serve
