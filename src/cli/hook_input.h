// What clients send to a hook and what they expect back: their JSON, and nothing of ours.
//
// Everything in it is untrusted: the folder is only where to look for a workspace from, and of the files that it names
// only the transcript of a session that ended is read, for proposals that wait for a review. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "engine/api/hook_requests.h"

namespace knapsack::cli {

// Prompts hold pasted logs; more than this is no prompt any more.
inline constexpr size_t kMaxHookInputBytes = size_t{4} << 20U;
inline constexpr size_t kMaxHookInputDepth = 100;

struct HookInput {
  HookRequest request;
  std::string event_name;  // as the client calls it
  std::string folder;      // where the client works; empty: not told
  std::string transcript;  // of a session that ended: a file of JSON lines
};

struct HookClient {
  std::string_view name;
  // Reads `input` as far as it can: what was understood is in `result` also when this fails.
  Status (*read)(std::string_view input, HookInput& result);
  std::string (*write)(const HookInput& input, const std::string& context);
};

// "claude-code": SessionStart, UserPromptSubmit and SessionEnd.
const HookClient& claude_code_hook();
// "openclaw": before_agent_start and before_prompt_build.
const HookClient& openclaw_hook();

}  // namespace knapsack::cli
