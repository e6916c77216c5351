// Call: one call of a tool on its way through its handler, and the table that handlers stand in. Internal to
// serve/.
//
// A handler turns arguments into a request of the engine and the engine's answer into a reply; it knows
// neither JSON-RPC nor HTTP. Used by the one thread that serves the call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "engine/engine.h"
#include "serve/service.h"
#include "text/tokens/token_counter.h"

namespace knapsack::serve {

// No smaller number can be asked for: enough for an empty reply in a workspace with a usual path.
inline constexpr uint64_t kMinTokens = 300;
inline constexpr uint64_t kMaxTokens = 1'000'000;
// Of a task, a prompt, a memory's text, in characters; what is longer is a file, not a question.
inline constexpr uint64_t kMaxTextCharacters = 100'000;
inline constexpr uint64_t kMaxNameCharacters = 1'000;  // of a path, a symbol, an id
inline constexpr uint64_t kMaxListItems = 50;          // names in one argument

struct Call {
  Engine& engine;         // of this call alone; its time stands still
  const Json& arguments;  // keep the input schema; defaults are filled in
  const Caller& caller;
  const Serialise& serialise;
  const TokenCounter& counter;
  const std::string& workspace;

  // Empty, false or nothing for an argument that was not given.
  std::string text(const char* name) const;
  bool flag(const char* name) const;
  std::vector<std::string> list(const char* name) const;
  std::optional<double> number(const char* name) const;
  uint64_t whole(const char* name) const;  // has a default

  uint64_t max_tokens() const { return whole("max_tokens"); }
  uint64_t tokens_of(const ToolReply& reply) const { return counter.count(serialise(reply)); }
  // What the engine tells while it brings its index up to date, for the caller.
  std::function<void(const code::IndexProgress&)> index_progress() const;
  // Brings the index up to date for a question that reads it as it is; an index that is there is good enough.
  Status refresh_index() const;
};

struct ToolEntry {
  Tool tool;
  Result<ToolReply> (*run)(const Call& call) = nullptr;  // an error is what the caller is told
};

// A reply whose `structured` begins with the workspace and the text, as every tool's does; `footer` ends the
// text.
ToolReply make_reply(const Call& call, std::string text, Json more, std::string_view footer = "");
// Warnings as a reply carries them: a few, each of bounded length.
Json shown_warnings(const std::vector<std::string>& warnings);

// The families of tools, each in a file of its own.
std::vector<ToolEntry> pack_tools();
std::vector<ToolEntry> graph_tools();
std::vector<ToolEntry> memory_tools();
std::vector<ToolEntry> note_tools();
std::vector<ToolEntry> search_tools();
std::vector<ToolEntry> code_tools();
std::vector<ToolEntry> account_tools();
std::vector<ToolEntry> outcome_tools();

}  // namespace knapsack::serve
