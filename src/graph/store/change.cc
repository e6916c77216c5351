#include "graph/store/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "graph/store/store.h"
#include "text/parse_json.h"

namespace knapsack::graph {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;

Error strange(const std::string& folder, std::string_view why) {
  return {ErrorCode::kCorrupt, fmt::format("{} {}", join_path(folder, kPendingFile), why),
          "it is not what an interrupted change leaves: look at it and remove it"};
}

bool is_node_file(std::string_view name) {
  return std::any_of(kLayers.begin(), kLayers.end(), [&](Layer layer) { return name == file_of(layer); });
}

// Nothing but a plain name in the folder of packs: what a stranger wrote into pending.json leads nowhere
// else.
bool is_pack_path(std::string_view path) {
  const std::string folder = std::string(kPacksFolder) + "/";
  if (!path.starts_with(folder) || !path.ends_with(".json")) return false;
  const std::string_view name = path.substr(folder.size());
  return name.find('/') == std::string_view::npos && !name.starts_with('.');
}

Json to_json(const Append& append) {
  return {{"file", append.file}, {"at", append.at}, {"bytes", append.bytes}};
}

std::optional<Append> parse_append(const Json& json) {
  if (!json.is_object() || !json.contains("file") || !json["file"].is_string() || !json.contains("at") ||
      !json["at"].is_number_unsigned() || !json.contains("bytes") || !json["bytes"].is_string()) {
    return std::nullopt;
  }
  return Append{json["file"].get<std::string>(), json["at"].get<uint64_t>(),
                json["bytes"].get<std::string>()};
}

std::optional<Change> parse_change(const Json& json) {
  if (!json.is_object() || json.value("version", Json()) != kVersion) return std::nullopt;
  for (const char* key : {"commit_id", "pack_path", "pack"}) {
    if (!json.contains(key) || !json[key].is_string()) return std::nullopt;
  }
  if (!json.contains("nodes") || !json["nodes"].is_array() || !json.contains("commit")) return std::nullopt;
  Change change;
  change.commit_id = json["commit_id"].get<std::string>();
  change.pack_path = json["pack_path"].get<std::string>();
  change.pack = json["pack"].get<std::string>();
  for (const Json& each : json["nodes"]) {
    auto append = parse_append(each);
    if (!append || !is_node_file(append->file)) return std::nullopt;
    change.nodes.push_back(std::move(*append));
  }
  auto commit = parse_append(json["commit"]);
  if (!commit || commit->file != kCommitsFile || !is_pack_path(change.pack_path)) return std::nullopt;
  change.commit = std::move(*commit);
  return change;
}

// Whether these are the first bytes of `wanted`, or those with zeros behind: what a cut-off append leaves.
bool is_cut_off(std::string_view there, std::string_view wanted) {
  const auto [end, unused] = std::mismatch(there.begin(), there.end(), wanted.begin(), wanted.end());
  return std::all_of(end, there.end(), [](char c) { return c == '\0'; });
}

Status finish_append(FileSystem& files, const std::string& folder, const Append& append) {
  const std::string path = join_path(folder, append.file);
  const auto info = files.info(path);
  if (!info.ok() && info.error().code != ErrorCode::kNotFound) return info.error();
  const uint64_t size = info.ok() ? info->size : 0;
  if (size < append.at) return strange(folder, fmt::format("does not fit {}, which is shorter", append.file));
  if (size == append.at) return files.append(path, append.at, append.bytes);
  KNAPSACK_TRY(const std::string there, files.read_part(path, append.at, size - append.at));
  if (std::string_view(there).starts_with(append.bytes)) return ok_status();
  if (there.size() <= append.bytes.size() && is_cut_off(there, append.bytes)) {
    return files.append(path, append.at, append.bytes);
  }
  // Somebody else has added lines meanwhile; theirs stay.
  if (there.find(append.bytes) != std::string::npos) return ok_status();
  return files.append(path, size, (there.ends_with('\n') ? "" : "\n") + append.bytes);
}

// Files that a crash left beside the ones they were to replace.
void sweep(FileSystem& files, const std::string& folder) {
  constexpr std::string_view kEnding = ".json.";
  constexpr size_t kRandomCharacters = 6;
  const auto entries = files.list(folder);
  if (!entries.ok()) return;
  for (const auto& entry : *entries) {
    const size_t at = entry.name.rfind(kEnding);
    if (entry.kind == FileKind::kRegular && at != std::string::npos &&
        entry.name.size() == at + kEnding.size() + kRandomCharacters) {
      (void)files.remove(join_path(folder, entry.name)).ok();  // the next one sweeps what is left
    }
  }
}

// Everything but writing the change down; each step may have been done before.
Status do_steps(FileSystem& files, const std::string& folder, const Change& change) {
  for (const Append& append : change.nodes) KNAPSACK_CHECK(finish_append(files, folder, append));
  KNAPSACK_CHECK(ensure_folder(files, join_path(folder, kPacksFolder)));
  const std::string pack = join_path(folder, change.pack_path);
  KNAPSACK_CHECK(files.replace(pack, change.pack));
  KNAPSACK_TRY(const std::string written, files.read(pack, kMaxPackBytes));
  if (written != change.pack || !Json::accept(written)) {
    return Error{ErrorCode::kIo, pack + " does not hold what was written to it", "check the disk"};
  }
  KNAPSACK_CHECK(files.replace(join_path(folder, kLatestPackFile), change.pack));
  KNAPSACK_CHECK(finish_append(files, folder, change.commit));
  return files.remove(join_path(folder, kPendingFile));
}

}  // namespace

Result<std::optional<Change>> read_pending(const FileSystem& files, const std::string& folder) {
  auto bytes = files.read(join_path(folder, kPendingFile), kMaxPackBytes * 4);
  if (!bytes.ok()) {
    if (bytes.error().code == ErrorCode::kNotFound) return std::optional<Change>();
    return bytes.error();
  }
  auto change = parse_change(parse_json(*bytes));
  if (!change) return strange(folder, "cannot be read");
  return change;
}

Status make_change(FileSystem& files, const std::string& folder, const Change& change) {
  Json nodes = Json::array();
  for (const Append& append : change.nodes) nodes.push_back(to_json(append));
  const Json pending = {{"version", kVersion}, {"commit_id", change.commit_id},
                        {"nodes", nodes},      {"pack_path", change.pack_path},
                        {"pack", change.pack}, {"commit", to_json(change.commit)}};
  KNAPSACK_CHECK(files.replace(join_path(folder, kPendingFile), pending.dump()));
  auto done = do_steps(files, folder, change);
  if (done.ok()) return done;
  Error error = done.error();
  error.next = (error.next.empty() ? "" : error.next + "; ") +
               "the change is kept in pending.json and the next graph command finishes it";
  return error;
}

Result<bool> finish_pending(FileSystem& files, const std::string& folder) {
  KNAPSACK_TRY(const auto pending, read_pending(files, folder));
  if (!pending) return false;
  KNAPSACK_CHECK(do_steps(files, folder, *pending));
  for (const std::string& each : {folder, join_path(folder, kPacksFolder)}) sweep(files, each);
  return true;
}

}  // namespace knapsack::graph
