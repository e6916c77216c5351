#include "engine/memory_session.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/search_vectors.h"
#include "memory/access_journal.h"
#include "memory/documents.h"
#include "memory/infer.h"
#include "notes/folder.h"
#include "store/state_folder.h"

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
               "name the folder itself with --memory-dir"};
}

}  // namespace

Result<MemorySession> MemorySession::open(Engine::State& state,
                                          const std::map<std::string, std::string>& flags) {
  MemorySession session(state);
  const SettingsRequest wanted = state.settings_request(flags);
  KNAPSACK_TRY(session.settings, load_settings(*state.files, wanted));
  KNAPSACK_TRY(session.folder, memory_folder(*state.files, session.settings, wanted));
  KNAPSACK_CHECK(check_folder(*state.files, session.folder));
  session.shown_as = relative_to(state.workspace.path, session.folder);
  session.rules = {session.settings.memory_namespaces, session.settings.memory_shared};
  return session;
}

Result<memory::TreeWriter> MemorySession::writer() const {
  // The default folder lies in the state folder, which nobody made yet in a new workspace.
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
  return request;
}

Result<memory::Catalogue> MemorySession::catalogue() const {
  memory::CatalogueRequest request = catalogue_request();
  if (!files().info(folder).ok()) {
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
  if (paths.empty()) return ok_status();
  KNAPSACK_TRY(memory::TreeWriter tree, writer());
  return memory::record_accesses(tree, paths, state_->clock->now());
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

std::string memory_title(const memory::Memory& memory) {
  const std::string_view heading = memory::opening_heading(memory.text);
  return notes::shorten(heading.empty() ? std::string_view(memory.text) : heading, kMemoryTitleCharacters);
}

std::string describe_memory(Engine::State& state, const Settings& settings, const SettingsRequest& request) {
  const auto folder = memory_folder(*state.files, settings, request);
  if (!folder.ok()) return folder.error().line();
  if (!state.files->info(*folder).ok()) return "none: `knapsack remember TEXT` writes the first";
  const auto tree = memory::walk_tree(*state.files, *folder);
  if (!tree.ok()) return tree.error().line();
  return fmt::format(
      "{}: {} memories{}", relative_to(request.workspace, *folder), tree->files.size(),
      tree->warnings.empty() ? "" : fmt::format("; {} entries are passed over", tree->warnings.size()));
}

}  // namespace knapsack
