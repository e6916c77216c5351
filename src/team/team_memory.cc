#include "team/team_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "memory/tree/tree.h"
#include "memory/tree/write_memory.h"
#include "text/json_text.h"
#include "text/parse_json.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"

namespace knapsack::team {
namespace {

using Json = nlohmann::ordered_json;

// PostgreSQL's texts hold no NUL, and UTF-8 only.
std::string storable(std::string text) {
  std::replace(text.begin(), text.end(), '\0', ' ');
  return replace_invalid_utf8(text);
}

}  // namespace

bool is_team_name(std::string_view name) {
  return name.size() <= kMaxTeamName && memory::is_namespace_name(name);
}

std::optional<std::string> team_name(std::string_view name_space) {
  if (!name_space.starts_with(kTeamPrefix)) return std::nullopt;
  const std::string_view name = name_space.substr(kTeamPrefix.size());
  if (!is_team_name(name)) return std::nullopt;
  return std::string(name);
}

uint64_t clean_for_team(TeamMemory& memory) {
  uint64_t secrets = redact_secrets(memory.text);
  for (std::string& tag : memory.tags) secrets += redact_secrets(tag);
  secrets += redact_secrets(memory.entity);
  secrets += redact_secrets(memory.author_git);
  secrets += redact_secrets(memory.provenance_json);
  memory.text = storable(std::move(memory.text));
  for (std::string& tag : memory.tags) tag = storable(std::move(tag));
  memory.entity = storable(std::move(memory.entity));
  memory.author_git = storable(std::move(memory.author_git));
  return secrets;
}

std::string to_json(const TeamMemory& memory) {
  Json json = {{"team", memory.team},
               {"id", memory.id},
               {"category", memory.category},
               {"text", memory.text},
               {"tags", memory.tags},
               {"confidence", memory.confidence},
               {"entity", memory.entity},
               {"created", format_rfc3339(memory.created)},
               {"author_git", memory.author_git},
               {"provenance", memory.provenance_json}};
  if (memory.importance) json["importance"] = *memory.importance;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<TeamMemory> memory_from_json(std::string_view text) {
  const Json json = parse_ordered_json(text);
  if (json.is_discarded()) return Error{ErrorCode::kCorrupt, "it is not a memory: it is not JSON", ""};
  try {
    TeamMemory memory;
    memory.team = json.at("team");
    memory.id = json.at("id");
    memory.category = json.at("category");
    memory.text = json.at("text");
    memory.tags = json.at("tags").get<std::vector<std::string>>();
    memory.confidence = json.at("confidence");
    memory.entity = json.at("entity");
    memory.author_git = json.at("author_git");
    memory.provenance_json = json.at("provenance");
    if (json.contains("importance")) memory.importance = json.at("importance").get<double>();
    KNAPSACK_TRY(memory.created, parse_rfc3339(json.at("created").get<std::string>()));
    return memory;
  } catch (const Json::exception& thrown) {
    return Error{ErrorCode::kCorrupt, fmt::format("it is not a memory: {}", thrown.what()), ""};
  }
}

memory::Memory as_memory(const TeamMemory& memory) {
  memory::Memory made;
  made.id = memory.id;
  made.category = memory.category;
  made.kind = memory.category == "correction" ? memory::Kind::kCorrection : memory::Kind::kNote;
  made.text = memory.text;
  made.tags = memory.tags;
  made.importance = memory.importance;
  made.confidence = memory.confidence;
  made.entity = memory.entity;
  made.created = made.updated = memory.created;
  return made;
}

}  // namespace knapsack::team
