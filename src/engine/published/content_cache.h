// ContentCache: what this machine has fetched of published indexes, as files named by their content, up to a size.
//
//   contents/<name>                    a file of an index, as FilePart::name says
//   snapshots/<repository>/<commit>/   a workspace: .knapsack/ with links to contents, and the files that are read as files
//   snapshots/…/.used                  touched when it is used; locked, shared, while it is
//
// All of it may be deleted and comes back. A snapshot is made beside its place and renamed, so that one who is killed leaves
// nothing half made. Any number of processes.
// Private to engine/published/.
#pragma once

#include <memory>
#include <string>

#include "core/files/file_system.h"
#include "store/file_lock.h"
#include "team/published.h"

namespace knapsack {

inline constexpr const char* kUsedMark = ".used";

// A snapshot that stays while this lives.
struct HeldSnapshot {
  std::string repository, commit, folder;
  std::shared_ptr<FileLock> lock;
};

class ContentCache {
 public:
  // `root` is created where it is missing.
  ContentCache(FileSystem& files, std::string root, uint64_t max_bytes)
      : files_(files), root_(std::move(root)), max_bytes_(max_bytes) {}

  // Nothing where it is not here.
  std::optional<HeldSnapshot> find(const std::string& repository, const std::string& commit) const;
  // Makes it from what is here and what the server has.
  Result<HeldSnapshot> make(team::Connection& connection, const std::string& repository,
                            const team::SnapshotName& snapshot, team::Deadline deadline);

  // The bytes of a published file, fetched as far as they are not here, and kept.
  Result<std::shared_ptr<const FileBytes>> content(team::Connection& connection,
                                                   const std::string& repository,
                                                   const team::PublishedFile& file, team::Deadline deadline);
  static Result<team::Manifest> manifest(team::Connection& connection, const std::string& repository,
                                         const team::SnapshotName& snapshot, team::Deadline deadline);
  std::string folder_for(const std::string& what) const { return join_path(root_, what); }

 private:
  std::string content_path(const std::string& name) const;
  Status fetch(team::Connection& connection, const std::string& repository, const team::PublishedFile& file,
               team::Deadline deadline);
  Status fill(const team::Manifest& manifest, const std::string& folder);
  Status make_room();

  FileSystem& files_;
  std::string root_;
  uint64_t max_bytes_;
};

}  // namespace knapsack
