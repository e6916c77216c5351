#include "engine/published/publish_index.h"

#include <algorithm>
#include <map>

#include "code/ask/published_texts.h"
#include "code/index/curated.h"
#include "team/packed_bytes.h"

namespace knapsack {
namespace {

struct CutPart {
  team::FilePart part;
  std::string packed;
};

CutPart cut(std::string_view bytes, std::string packed) {
  CutPart made;
  made.part.size = bytes.size();
  made.part.name = team::content_name(bytes);
  made.part.packed = packed.size();
  made.packed = std::move(packed);
  for (size_t at = 0; at < made.packed.size(); at += team::kMaxObjectBytes)
    made.part.objects.push_back(
        team::content_name(std::string_view(made.packed).substr(at, team::kMaxObjectBytes)));
  return made;
}

class Publication {
 public:
  Publication(FileSystem& files, ContentCache& cache, team::Connection& connection,
              const PublishRequest& request, team::Deadline deadline)
      : files_(files), cache_(cache), connection_(connection), request_(request), deadline_(deadline) {}

  Result<team::NewSnapshot> run() {
    team::Manifest manifest;
    manifest.commit = request_.commit;
    team::NewSnapshot snapshot;
    KNAPSACK_TRY(const auto paths, published_paths());
    for (const std::string& path : paths) {
      KNAPSACK_TRY(team::PublishedFile file, publish(path));
      snapshot.size += file.parts.back().size;
      manifest.files.push_back(std::move(file));
    }
    const std::string json = team::to_json(manifest);
    snapshot.commit = request_.commit;
    snapshot.manifest = team::content_name(json);
    KNAPSACK_CHECK(send(json, {snapshot.manifest}));
    snapshot.added = added_;
    return snapshot;
  }

 private:
  Result<std::vector<std::string>> published_paths() const {
    std::vector<std::string> paths = {"curated.db", "texts.db"};
    KNAPSACK_TRY(const auto segments, files_.list(code::segments_folder(request_.state_folder)));
    for (const DirectoryEntry& entry : segments)
      if (entry.name.ends_with(".segment")) paths.push_back("segments/" + entry.name);
    return paths;
  }

  Result<team::PublishedFile> publish(const std::string& path) {
    KNAPSACK_TRY(const auto bytes, files_.map(join_path(request_.state_folder, path)));
    const team::PublishedFile* before = request_.before != nullptr ? request_.before->find(path) : nullptr;
    if (before != nullptr && before->name() == team::content_name(bytes->bytes())) return *before;
    team::PublishedFile file;
    file.path = path;
    std::optional<CutPart> part;
    if (before != nullptr) {
      KNAPSACK_TRY(part, from_before(*before, bytes->bytes()));
      if (part) file.parts = before->parts;
    }
    if (!part) {
      KNAPSACK_TRY(std::string packed, team::pack_bytes(bytes->bytes()));
      part = cut(bytes->bytes(), std::move(packed));
    }
    KNAPSACK_CHECK(send(part->packed, part->part.objects));
    file.parts.push_back(std::move(part->part));
    return file;
  }

  // Nothing where it is better packed whole: when the later parts are many, or together half as large as the first. Whoever
  // fetches it for the first time fetches them all.
  Result<std::optional<CutPart>> from_before(const team::PublishedFile& before, std::string_view bytes) {
    if (before.parts.size() >= team::kMaxFileParts) return std::optional<CutPart>();
    KNAPSACK_TRY(const auto old, cache_.content(connection_, request_.repository, before, deadline_));
    KNAPSACK_TRY(std::string packed, team::pack_bytes(bytes, old->bytes()));
    uint64_t later = packed.size();
    for (size_t i = 1; i < before.parts.size(); ++i) later += before.parts[i].packed;
    if (later > before.parts.front().packed / 2) return std::optional<CutPart>();
    return std::optional(cut(bytes, std::move(packed)));
  }

  Status send(std::string_view bytes, const std::vector<std::string>& names) {
    KNAPSACK_TRY(const auto missing,
                 team::missing_objects(connection_, request_.repository, names, deadline_));
    for (size_t i = 0; i < names.size(); ++i) {
      if (std::find(missing.begin(), missing.end(), names[i]) == missing.end()) continue;
      const std::string_view object = bytes.substr(i * team::kMaxObjectBytes, team::kMaxObjectBytes);
      KNAPSACK_CHECK(team::put_object(connection_, request_.repository, object, deadline_));
      added_ += object.size();
    }
    return ok_status();
  }

  FileSystem& files_;
  ContentCache& cache_;
  team::Connection& connection_;
  const PublishRequest& request_;
  team::Deadline deadline_;
  uint64_t added_ = 0;
};

}  // namespace

Result<team::NewSnapshot> publish_index(FileSystem& files, ContentCache& cache, team::Connection& connection,
                                        const PublishRequest& request, team::Deadline deadline) {
  return Publication(files, cache, connection, request, deadline).run();
}

}  // namespace knapsack
