// TeamMemory: a memory of a team's namespace, on its way to the server or back. Plain data; no thread rule.
// Private to team/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/result.h"
#include "memory/tree/memory.h"

namespace knapsack::team {

// Before the name of a namespace that a team shares: "team:shop".
inline constexpr std::string_view kTeamPrefix = "team:";
inline constexpr size_t kMaxTeamName = 58;

// "shop" of "team:shop"; nothing for anything else.
std::optional<std::string> team_name(std::string_view name_space);
bool is_team_name(std::string_view name);

struct TeamMemory {
  std::string team;  // "shop"
  std::string id;
  std::string category;
  std::string text;
  std::vector<std::string> tags;
  std::optional<double> importance;
  double confidence = 0.9;
  std::string entity;
  Timestamp created;
  std::string author_git;       // "Anna Berg <anna@example.org>"; may be empty
  std::string provenance_json;  // where it was promoted from; an object
  // What the server says; empty on the way there.
  std::string author_role;
  std::string review;  // proposed, accepted or rejected
};

// Secrets of known shapes are replaced; how many.
uint64_t clean_for_team(TeamMemory& memory);

std::string to_json(const TeamMemory& memory);
// kCorrupt for anything that to_json() would not have written.
Result<TeamMemory> memory_from_json(std::string_view json);

// As it is kept in the cached copy and recalled.
memory::Memory as_memory(const TeamMemory& memory);

}  // namespace knapsack::team
