#include "cli/hook_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

namespace knapsack::cli {
namespace {

using nlohmann::json;

// Before a parser that allocates for each level sees it.
size_t nesting_depth(std::string_view text) {
  size_t depth = 0, deepest = 0;
  bool in_string = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

Result<json> read_object(std::string_view input) {
  const Error wrong{ErrorCode::kUsage, "the hook's input is not a JSON object", "see docs/clients.md"};
  if (nesting_depth(input) > kMaxHookInputDepth) return wrong;
  json parsed = json::parse(input.begin(), input.end(), nullptr, false);
  if (!parsed.is_object()) return wrong;
  return parsed;
}

// The first of these fields that holds a text.
std::string text_of(const json& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = object.find(name);
    if (found != object.end() && found->is_string()) return found->get<std::string>();
  }
  return "";
}

std::string as_line(const nlohmann::ordered_json& reply) {
  return reply.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

Status unknown_event(const HookInput& input) {
  return Error{ErrorCode::kUsage,
               fmt::format("the event '{}' is not supported for {}", input.event_name, input.request.client),
               "see docs/clients.md"};
}

Status need_prompt(const HookInput& input) {
  if (!input.request.prompt.empty()) return ok_status();
  return Error{ErrorCode::kUsage, fmt::format("{} came without a prompt", input.event_name),
               "see docs/clients.md"};
}

Status read_claude_code(std::string_view text, HookInput& input) {
  KNAPSACK_TRY(const json object, read_object(text));
  input.event_name = text_of(object, {"hook_event_name"});
  input.folder = text_of(object, {"cwd"});
  input.request.session = text_of(object, {"session_id"});
  input.request.source = text_of(object, {"source"});
  input.request.prompt = text_of(object, {"prompt", "user_prompt"});
  if (input.event_name == "SessionStart") {
    input.request.event = HookEvent::kSessionStart;
    return ok_status();
  }
  if (input.event_name == "SessionEnd") {
    input.request.event = HookEvent::kSessionEnd;
    input.transcript = text_of(object, {"transcript_path"});
    if (input.transcript.starts_with('/') && input.transcript.ends_with(".jsonl")) return ok_status();
    return Error{ErrorCode::kUsage, "SessionEnd came without the path of a transcript",
                 "see docs/clients.md"};
  }
  if (input.event_name != "UserPromptSubmit") return unknown_event(input);
  return need_prompt(input);
}

std::string write_claude_code(const HookInput& input, const std::string& context) {
  return as_line(
      {{"hookSpecificOutput", {{"hookEventName", input.event_name}, {"additionalContext", context}}}});
}

// A plugin's handler has two arguments; they come as {"event": …, "ctx": …}, or with their fields side by
// side.
Status read_openclaw(std::string_view text, HookInput& input) {
  KNAPSACK_TRY(const json object, read_object(text));
  json fields = object;
  for (const char* name : {"event", "ctx", "context"}) {
    const auto part = object.find(name);
    if (part != object.end() && part->is_object()) fields.update(*part);
  }
  input.event_name = text_of(object, {"hook", "hookName", "hook_event_name"});
  if (input.event_name.empty()) input.event_name = "before_agent_start";
  input.folder = text_of(fields, {"workspaceDir", "cwd"});
  input.request.session = text_of(fields, {"sessionKey", "sessionId", "session_id"});
  input.request.prompt = text_of(fields, {"prompt"});
  if (input.event_name != "before_agent_start" && input.event_name != "before_prompt_build")
    return unknown_event(input);
  return need_prompt(input);
}

std::string write_openclaw(const HookInput& /*input*/, const std::string& context) {
  return as_line({{"prependContext", context}});
}

}  // namespace

const HookClient& claude_code_hook() {
  static constexpr HookClient kClient{"claude-code", read_claude_code, write_claude_code};
  return kClient;
}

const HookClient& openclaw_hook() {
  static constexpr HookClient kClient{"openclaw", read_openclaw, write_openclaw};
  return kClient;
}

}  // namespace knapsack::cli
