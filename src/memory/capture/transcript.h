// Transcript: what was said in a session of an agent, whoever wrote it down.
//
// Three forms are read: the JSON lines of Claude Code ({"type":"user","message":{"role","content"}}), those of Codex
// ({"type":"response_item","payload":{"type":"message","role","content"}}), and plain text ("User: …", "Ассистент: …"). What
// tools printed, what a client put in by itself and lines that are no JSON are passed over. Pure functions; any thread.
// Private to memory/capture/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"

namespace knapsack::memory {

inline constexpr size_t kMaxTurns = 20'000;

struct Turn {
  bool user = false;  // false: the agent
  std::string text;
  std::optional<Timestamp> at;
};

struct Transcript {
  std::vector<Turn> turns;
  size_t passed_over = 0;  // lines that are no turn
};

Transcript read_transcript(std::string_view bytes);

}  // namespace knapsack::memory
