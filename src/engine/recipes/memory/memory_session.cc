#include "engine/recipes/memory/memory_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/counted.h"
#include "core/files/tree.h"
#include "engine/settings/places.h"
#include "engine/settings/team_place.h"
#include "engine/sources/search_vectors.h"
#include "git/repository.h"
#include "memory/tree/access_journal.h"
#include "memory/tree/documents.h"
#include "memory/tree/infer.h"
#include "memory/tree/move_tree.h"
#include "notes/folder.h"
#include "store/state_folder.h"
#include "team/cached_copy.h"

namespace knapsack {
namespace {

constexpr size_t kMemoryTitleCharacters = 80;

Status check_folder(const FileSystem& files, const std::string& folder) {
  const auto info = files.info(folder);
  if (!info.ok()) {
    return info.error().code == ErrorCode::kNotFound ? ok_status() : Status(info.error());
  }
  if (info->kind == FileKind::kDirectory) return ok_status();
  return Error{ErrorCode::kIo, fmt::format("{} is {}, not a folder", folder, describe(info->kind)),
               "name the folder itself with `memory.dir`"};
}

// Whether git tracks something of it: somebody else may have put it there.
bool is_of_repository(const std::string& workspace, const std::string& folder) {
  const auto repository = GitRepository::open(workspace);
  if (!repository.ok() || !repository->has_value()) return false;
  const auto tracked = (*repository)->tracked_files();
  return tracked.ok() && tracked->any_below(relative_to(workspace, folder));
}

}  // namespace

Result<MemorySession> MemorySession::open(Engine::State& state,
                                          const std::map<std::string, std::string>& flags) {
  MemorySession session(state);
  const SettingsRequest wanted = state.settings_request(flags);
  KNAPSACK_TRY(session.settings, state.settings(wanted));
  KNAPSACK_TRY(session.place, memory_place(*state.files, session.settings, wanted));
  session.bring_former_memories();
  session.folder = session.place.folder;
  KNAPSACK_CHECK(check_folder(*state.files, session.folder));
  session.shown_as = relative_to(state.workspace.path, session.folder);
  session.rules = {session.settings.memory_namespaces, session.settings.memory_shared};
  session.find_teams();
  return session;
}

// Where somebody asks for teams by name, those; else all that this machine has a copy of.
void MemorySession::find_teams() {
  team_root = team_folder(settings, state_->settings_request({}));
  if (team_root.empty()) return;
  const auto copied = team::CachedCopy(files(), team_root).state();
  refresh_teams(copied ? std::optional(copied->synced) : std::nullopt);
  if (!copied) return;
  const bool is_asked =
      std::any_of(rules.namespaces.begin(), rules.namespaces.end(),
                  [](const std::string& name) { return name.starts_with(memory::kTeamNamespace); });
  for (const team::TeamNamespace& each : copied->namespaces) {
    const std::string name = std::string(memory::kTeamNamespace) + each.name;
    if (!is_asked) rules.namespaces.push_back(name);
  }
  if (!copied->namespaces.empty())
    team_line = fmt::format("Memories of your teams are as of {} ({})",
                            format_rfc3339(Timestamp::from_seconds(copied->synced.seconds())),
                            age_in_words(copied->synced, state_->clock->now()));
}

// In a process beside this one, which nobody waits for; not again within a minute, whoever asks.
void MemorySession::refresh_teams(std::optional<Timestamp> synced) const {
  constexpr int64_t kFreshMicros = int64_t{60} * 1'000'000;
  const auto is_fresh = [&](int64_t micros, Timestamp now) {
    return now.micros >= micros && now.micros - micros < kFreshMicros;
  };
  if (!state_->options.start_team_sync || (synced && is_fresh(synced->micros, state_->clock->now()))) return;
  const std::string mark = join_path(team_root, "attempt");
  const auto before = files().info(mark);
  if (before.ok() && is_fresh(before->mtime_nanos / 1000, SystemClock().now())) return;
  if (!make_directories(files(), team_root).ok() || !files().replace(mark, "").ok()) return;
  state_->options.start_team_sync(state_->workspace.path);
}

std::vector<std::string> MemorySession::read_namespaces() const {
  std::vector<std::string> names = rules.namespaces;
  const std::string shared(memory::kSharedNamespace);
  if (rules.shared && std::find(names.begin(), names.end(), shared) == names.end()) names.push_back(shared);
  return names;
}

// Where that cannot be done, memories stay where they are and are read there.
void MemorySession::bring_former_memories() {
  const std::string former = former_memory_folder(state_->workspace.path);
  const auto info = files().info(former);
  const bool moves = place.kind != MemoryPlace::Kind::kNamed && place.folder != former && info.ok() &&
                     info->kind == FileKind::kDirectory &&
                     check_place_inside(files(), state_->workspace.path, former).ok();
  if (!moves) return;
  const Log& log = state_->options.log;
  if (is_of_repository(state_->workspace.path, former)) {
    log.write(
        LogLevel::kWarning,
        fmt::format("{0} came with the repository and is not read: `knapsack memories move {0}` makes its "
                    "memories yours",
                    relative_to(state_->workspace.path, former)));
    return;
  }
  const auto bring = [&]() -> Result<memory::MovedTree> {
    KNAPSACK_CHECK(ensure_folders_above(files(), place));
    return memory::move_tree(files(), former, place.folder, state_->on_disk);
  };
  const auto moved = bring();
  if (!moved.ok()) {
    log.write(LogLevel::kWarning, fmt::format("memories stay in {}: {}", former, moved.error().line()));
    place = {former, MemoryPlace::Kind::kState};
    return;
  }
  (void)ensure_memory_place(files(), place, state_->workspace.path);  // the next writer tries again
  if (moved->files > 0) {
    log.write(
        LogLevel::kWarning,
        fmt::format("{} memories were moved from {} to {}, so that deleting .knapsack does not lose them",
                    moved->files, former, place.folder));
  }
  for (const std::string& path : moved->apart)
    log.write(LogLevel::kWarning, fmt::format("a memory that was there with another text is kept as {}",
                                              join_path(place.folder, path)));
  for (const std::string& what : moved->stayed) log.write(LogLevel::kWarning, "not moved: " + what);
  memory::CatalogueRequest known = catalogue_request();
  known.memory_dir = former;
  (void)memory::discard_derived(files(), known);  // what is left of it is in nobody's way
}

Result<memory::TreeWriter> MemorySession::writer() const {
  KNAPSACK_CHECK(ensure_memory_place(files(), place, state_->workspace.path));
  // Without a home folder memories lie in the state folder, which nobody made yet in a new workspace.
  if (folder.starts_with(state_->state_folder() + "/")) {
    KNAPSACK_CHECK(ensure_state_folder(files(), state_->workspace.path));
  }
  return memory::TreeWriter::open(files(), folder, state_->on_disk);
}

memory::CatalogueRequest MemorySession::catalogue_request() const {
  memory::CatalogueRequest request;
  request.memory_dir = folder;
  request.state_dir = state_->state_folder();
  request.on_disk = state_->on_disk;
  if (!team_root.empty()) request.team_dir = team::CachedCopy(files(), team_root).folder();
  return request;
}

Result<memory::Catalogue> MemorySession::catalogue() const {
  memory::CatalogueRequest request = catalogue_request();
  const bool has_copies = !request.team_dir.empty() && files().info(request.team_dir).ok();
  if (!has_copies && !files().info(folder).ok()) {
    request.read_only = true;  // an empty tree leaves no trace
  } else if (const auto made = ensure_state_folder(files(), state_->workspace.path); !made.ok()) {
    request.read_only = true;
    state_->options.log.write(LogLevel::kWarning,
                              "the index of the memories is not kept: " + made.error().line());
  }
  return memory::Catalogue::open(files(), request);
}

Status MemorySession::discard_derived() const {
  KNAPSACK_CHECK(memory::discard_derived(files(), catalogue_request()));
  // A vector says what its text was about.
  return search::VectorStore::discard(files(), vector_folder(state_->state_folder(), Source::kMemory));
}

Status MemorySession::record_accesses(std::span<const std::string> paths) const {
  // Of a team's memories the server has the truth, and it does not count.
  std::vector<std::string> own;
  for (const std::string& path : paths)
    if (!memory::is_team_path(path)) own.push_back(path);
  if (own.empty()) return ok_status();
  KNAPSACK_TRY(memory::TreeWriter tree, writer());
  return memory::record_accesses(tree, own, state_->clock->now());
}

std::string MemorySession::profile_path() const {
  return memory::namespace_folder(own_namespace()) + std::string(memory::kProfileFile);
}

nlohmann::ordered_json memory_json(const memory::Memory& memory) {
  using Json = nlohmann::ordered_json;
  Json json = {{"id", memory.id},
               {"namespace", memory.name_space.empty() ? memory::kDefaultNamespace : memory.name_space},
               {"path", memory.path},
               {"kind", to_string(memory.kind)},
               {"status", to_string(memory.status)},
               {"category", memory.category}};
  const auto add_text = [&](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  const auto add_time = [&](const char* key, const std::optional<Timestamp>& time) {
    if (time) json[key] = format_rfc3339(*time);
  };
  const auto add_list = [&](const char* key, const std::vector<std::string>& values) {
    if (!values.empty()) json[key] = values;
  };
  add_text("session", memory.session);
  add_text("speaker", memory.speaker);
  add_time("created", memory.created);
  add_time("updated", memory.updated);
  add_time("expiresAt", memory.expires);
  add_time("valid_at", memory.valid_from);
  add_time("invalid_at", memory.valid_until);
  add_time("lastAccessed", memory.last_accessed);
  json["confidence"] = memory.confidence;
  if (memory.importance) {
    json["importanceScore"] = *memory.importance;
    json["importanceLevel"] = memory::importance_level(*memory.importance);
  }
  json["accessCount"] = memory.access_count;
  json["usefulCount"] = memory.useful;
  json["notUsefulCount"] = memory.not_useful;
  add_list("tags", memory.tags);
  add_text("entityRef", memory.entity);
  add_list("supersedes", memory.supersedes);
  add_text("supersededBy", memory.superseded_by);
  for (const memory::Link& link : memory.links) {
    json["links"].push_back(
        {{"targetId", link.target_id}, {"linkType", link.type}, {"strength", link.strength}});
  }
  add_text("intentGoal", memory.intent.goal);
  add_text("intentActionType", memory.intent.action_type);
  add_list("intentEntityTypes", memory.intent.entity_types);
  add_text("artifactType", memory.artifact_type);
  add_text("sourceMemoryId", memory.source_memory);
  if (memory.broken_front_matter) json["brokenFrontMatter"] = true;
  json["text"] = memory.text;
  return json;
}

MemoryRow memory_row(const memory::Memory& memory) {
  MemoryRow row;
  row.id = memory.id;
  row.name_space = memory.name_space.empty() ? std::string(memory::kDefaultNamespace) : memory.name_space;
  row.path = memory.path;
  row.category = memory.category;
  row.status = to_string(memory.status);
  row.kind = to_string(memory.kind);
  row.created = memory.created ? format_rfc3339(Timestamp::from_seconds(memory.created->seconds())) : "";
  row.title = memory_title(memory);
  row.importance = memory.importance;
  row.tags = memory.tags;
  return row;
}

std::string memory_title(const memory::Memory& memory) {
  const std::string_view heading = memory::opening_heading(memory.text);
  return notes::shorten(heading.empty() ? std::string_view(memory.text) : heading, kMemoryTitleCharacters);
}

std::string describe_memory(Engine::State& state, const Settings& settings, const SettingsRequest& request) {
  const auto place = memory_place(*state.files, settings, request);
  if (!place.ok()) return place.error().line();
  const std::string shown = relative_to(request.workspace, place->folder);
  if (!state.files->info(place->folder).ok()) {
    return fmt::format("none: `knapsack remember TEXT` writes the first, to {} ({})", shown,
                       place->described());
  }
  const auto tree = memory::walk_tree(*state.files, place->folder);
  if (!tree.ok()) return tree.error().line();
  return fmt::format(
      "{} ({}): {}{}", shown, place->described(), counted(tree->files.size(), "memory", "memories"),
      tree->warnings.empty() ? "" : fmt::format("; {} entries are skipped", tree->warnings.size()));
}

}  // namespace knapsack
