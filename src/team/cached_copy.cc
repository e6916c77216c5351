#include "team/cached_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/ids.h"
#include "memory/tree/read_memory.h"
#include "memory/tree/tree.h"
#include "memory/tree/write_memory.h"
#include "text/parse_json.h"

namespace knapsack::team {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMaxStateBytes = uint64_t{4} << 20U;
constexpr size_t kFileName = 32;
constexpr int kMaxCopyDepth = 4;  // team, folder, day, file

std::string file_of(const TeamMemory& memory) {
  return hash_parts({memory.team, memory.id}).substr(0, kFileName) + ".md";
}

// Where an accepted memory lies in its team's folder.
std::string accepted_path(const TeamMemory& memory) {
  if (memory.category == "correction") return "corrections/" + file_of(memory);
  const std::string day = format_rfc3339(memory.created).substr(0, std::string_view("2026-11-15").size());
  return fmt::format("facts/{}/{}", day, file_of(memory));
}

std::string path_for(const TeamMemory& memory, std::string_view review) {
  if (review == "proposed") return "review/" + file_of(memory);
  if (review == "rejected") return "rejected/" + file_of(memory);
  return accepted_path(memory);
}

std::string author_of(const TeamMemory& memory) {
  if (memory.author_git.empty()) return memory.author_role;
  return memory.author_git.substr(0, memory.author_git.find(" <"));
}

}  // namespace

std::optional<CopyState> CachedCopy::state() const {
  const auto bytes = files_.read(join_path(root_, "state.json"), kMaxStateBytes);
  if (!bytes.ok()) return std::nullopt;
  try {
    const Json json = parse_ordered_json(*bytes);
    CopyState state;
    state.since = json.at("since");
    state.known = json.at("known");
    state.role = json.at("role");
    const auto synced = parse_rfc3339(json.at("synced").get<std::string>());
    if (!synced.ok()) return std::nullopt;
    state.synced = *synced;
    for (const Json& each : json.at("namespaces"))
      state.namespaces.push_back({each.at("name"), each.at("write"), each.at("review")});
    return state;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

Status CachedCopy::ensure_folders(const std::string& team, const std::string& path) {
  KNAPSACK_CHECK(files_.make_directory(folder()));
  std::string made = join_path(folder(), team);
  KNAPSACK_CHECK(files_.make_directory(made));
  for (size_t at = 0, slash = path.find('/'); slash != std::string::npos;
       at = slash + 1, slash = path.find('/', at)) {
    made = join_path(made, path.substr(at, slash - at));
    KNAPSACK_CHECK(files_.make_directory(made));
  }
  return ok_status();
}

Status CachedCopy::put(const TeamMemory& memory, CopyState& state) {
  if (!is_team_name(memory.team) || memory.text.size() > memory::kMaxMemoryBytes / 2) return ok_status();
  const std::string own = join_path(folder(), memory.team);
  bool is_known = false;
  for (const std::string_view review : {"proposed", "accepted", "rejected"}) {
    const std::string other = join_path(own, path_for(memory, review));
    if (!files_.info(other).ok()) continue;
    is_known = true;
    // First the new place, then the old one goes: a reader sees it twice rather than not at all.
    if (path_for(memory, review) != path_for(memory, memory.review)) {
      KNAPSACK_CHECK(ensure_folders(memory.team, path_for(memory, memory.review)));
      KNAPSACK_CHECK(files_.rename(other, join_path(own, path_for(memory, memory.review))));
    }
  }
  memory::Memory made = as_memory(memory);
  if (!memory::is_category(made.category)) made.category = "fact";
  const std::string path = path_for(memory, memory.review);
  KNAPSACK_CHECK(ensure_folders(memory.team, path));
  KNAPSACK_CHECK(files_.replace(join_path(own, path), memory::memory_file(made, author_of(memory))));
  state.known += is_known ? 0 : 1;
  return ok_status();
}

Status CachedCopy::remove_folder(const std::string& path) {
  KNAPSACK_TRY(const auto entries, files_.list(path));
  for (const DirectoryEntry& entry : entries) {
    const std::string inside = join_path(path, entry.name);
    if (entry.kind == FileKind::kDirectory) {
      KNAPSACK_CHECK(remove_folder(inside));
    } else {
      KNAPSACK_CHECK(files_.remove(inside));
    }
  }
  return ok_status();
}

// What is no longer on the server, or no longer ours to read.
Status CachedCopy::forget_others(const Changes& changes) {
  std::set<std::string> kept;
  for (const TeamMemory& memory : changes.memories)
    kept.insert(join_path(join_path(folder(), memory.team), path_for(memory, memory.review)));
  const std::function<Status(const std::string&, int)> walk = [&](const std::string& path,
                                                                  int depth) -> Status {
    const auto entries = files_.list(path);
    if (!entries.ok())
      return entries.error().code == ErrorCode::kNotFound ? ok_status() : Status(entries.error());
    for (const DirectoryEntry& entry : *entries) {
      const std::string inside = join_path(path, entry.name);
      if (entry.kind == FileKind::kDirectory && depth < kMaxCopyDepth) {
        const Status walked = walk(inside, depth + 1);
        if (!walked.ok()) return walked;
      } else if (entry.kind == FileKind::kRegular && !kept.contains(inside)) {
        const Status removed = files_.remove(inside);
        if (!removed.ok()) return removed;
      }
    }
    return ok_status();
  };
  return walk(folder(), 0);
}

Status CachedCopy::apply(const Changes& changes, bool whole, Timestamp now, const std::string& role) {
  CopyState next;
  if (const auto before = state(); before && !whole) next = *before;
  if (whole) {
    next.known = 0;
    KNAPSACK_CHECK(forget_others(changes));
  }
  // Teams that may no longer be read go, before anything else is said about them.
  const auto entries = files_.list(folder());
  for (const DirectoryEntry& entry : entries.ok() ? *entries : std::vector<DirectoryEntry>()) {
    const bool stays = std::any_of(changes.namespaces.begin(), changes.namespaces.end(),
                                   [&](const TeamNamespace& each) { return each.name == entry.name; });
    if (!stays) KNAPSACK_CHECK(remove_folder(join_path(folder(), entry.name)));
  }
  for (const TeamMemory& memory : changes.memories) KNAPSACK_CHECK(put(memory, next));
  if (whole) next.known = changes.memories.size();
  next.since = changes.since;
  next.synced = now;
  next.role = role;
  next.namespaces = changes.namespaces;
  Json json = {{"since", next.since},
               {"synced", format_rfc3339(next.synced)},
               {"known", next.known},
               {"role", next.role},
               {"namespaces", Json::array()}};
  for (const TeamNamespace& each : next.namespaces)
    json["namespaces"].push_back({{"name", each.name}, {"write", each.may_write}, {"review", each.review}});
  return files_.replace(join_path(root_, "state.json"),
                        json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Result<std::vector<memory::Memory>> CachedCopy::judged(const std::string& team,
                                                       const std::string& review) const {
  std::vector<memory::Memory> found;
  const std::string name = review == "proposed" ? "review" : "rejected";
  const std::string path = join_path(join_path(folder(), team), name);
  const auto entries = files_.list(path);
  if (!entries.ok() && entries.error().code == ErrorCode::kNotFound) return found;
  if (!entries.ok()) return entries.error();
  for (const DirectoryEntry& entry : *entries) {
    if (entry.kind != FileKind::kRegular || !entry.name.ends_with(".md")) continue;
    KNAPSACK_TRY(const std::string bytes, files_.read(join_path(path, entry.name), memory::kMaxMemoryBytes));
    memory::Memory memory = memory::read_memory(name + "/" + entry.name, bytes).memory;
    memory.name_space = std::string(kTeamPrefix) + team;
    found.push_back(std::move(memory));
  }
  std::sort(found.begin(), found.end(),
            [](const memory::Memory& a, const memory::Memory& b) { return a.id < b.id; });
  return found;
}

}  // namespace knapsack::team
