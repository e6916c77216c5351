#include "serve/http/http_sessions.h"

#include <fmt/format.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>

namespace knapsack::serve {
namespace {

// 128 bits cannot be guessed.
constexpr size_t kIdBytes = 16;

// Empty when the system has no randomness to give; then there are no sessions.
std::string random_id() {
  std::array<unsigned char, kIdBytes> bytes;
  if (::RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return {};
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace

void SessionTable::make_room(Now now) {
  std::erase_if(entries_, [now](const auto& each) { return now - each.second.used > kMaxIdle; });
  if (entries_.size() < kMaxSessions) return;
  const auto oldest = std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
    return a.second.used < b.second.used;
  });
  entries_.erase(oldest);
}

std::string SessionTable::add(std::shared_ptr<McpSession> session, Now now) {
  std::string id = random_id();
  if (id.empty()) return id;
  const std::lock_guard lock(mutex_);
  make_room(now);
  entries_[id] = {std::move(session), now};
  return id;
}

std::shared_ptr<McpSession> SessionTable::find(std::string_view id, Now now) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return nullptr;
  if (now - found->second.used > kMaxIdle) {
    entries_.erase(found);
    return nullptr;
  }
  found->second.used = now;
  return found->second.session;
}

bool SessionTable::end(std::string_view id) {
  std::shared_ptr<McpSession> session;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return false;
    session = std::move(found->second.session);
    entries_.erase(found);
  }
  session->cancel_all();
  return true;
}

size_t SessionTable::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace knapsack::serve
