// What Engine::hook is asked and what it answers: the context that a client's hook puts before its model.
// Plain data; no thread rule.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "engine/api/graph_requests.h"

namespace knapsack {

// What clients cut to a preview is 10,000 of their characters; this leaves room for what they put around it.
inline constexpr size_t kMaxHookCharacters = 9500;

enum class HookEvent { kSessionStart, kPrompt, kSessionEnd };

struct HookRequest {
  std::string client;  // "claude-code", "openclaw": for the ledger
  HookEvent event = HookEvent::kPrompt;
  std::string session;  // empty: nothing is known of what was said before
  std::string source;   // of a session's start: startup, resume, clear or compact
  std::string prompt;
  size_t max_characters = kMaxHookCharacters;  // UTF-16 code units, which is what JavaScript calls a length
};

struct HookReply {
  std::string context;                     // what to inject; empty: nothing
  std::string answered_by;                 // "agent", "recall", "pack", or "" where nothing was asked
  std::string reason;                      // why that, or why nothing, in words
  std::optional<int64_t> run;              // its number in the ledger
  std::vector<std::string> delivery_keys;  // what delivered() remembers
  std::vector<StepTime> times;
};

// The length of valid UTF-8 as JavaScript counts it.
size_t utf16_length(std::string_view text);

}  // namespace knapsack
