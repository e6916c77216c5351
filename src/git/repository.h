// GitRepository: the commits, trees and blobs of a workspace's repository, read as stored.
//
// Blobs come raw from the object database and nothing else does any work: no filter, hook, attribute, diff
// driver, LFS, credential helper or other configured thing is looked up, let alone run; the git program is
// never called; nothing is ever written. Paths are raw bytes and may hold anything but NUL and a slash in a
// component. Every failure names the object or file that could not be read.
//
// A handle belongs to one thread at a time. Each thread of a pool takes its own with another(), which skips
// the checks that open() made.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "git/index.h"
#include "git/location.h"

namespace knapsack {

class GitObjects;

// How deep a path may lie, in commits and on disk alike. Real trees stay below 40 or so.
constexpr size_t kMaxTreeDepth = 256;
// How much one tree or folder walk visits before it gives up.
constexpr uint64_t kMaxTreeEntries = 2'000'000;

enum class TreeItemKind { kFile, kExecutable, kSymlink, kSubmodule };

struct TreeItem {
  std::string_view path;
  std::string id;  // of the blob, or of a submodule's commit
  TreeItemKind kind = TreeItemKind::kFile;
};

struct TreeListing {
  uint64_t items = 0;
  // Entries that were left out and why: too deep, a name that is no file name ("..", ".git", with a slash),
  // twice the same name, an unknown mode. At most kMaxLeftOut of them are kept.
  struct LeftOut {
    std::string path, reason;
  };
  static constexpr size_t kMaxLeftOut = 100;
  std::vector<LeftOut> left_out;
  uint64_t left_out_count = 0;
};

class GitRepository {
 public:
  // Nothing when the workspace holds no repository.
  static Result<std::optional<GitRepository>> open(const std::string& workspace,
                                                   const GitOpenOptions& options = {});
  Result<GitRepository> another() const;
  GitRepository(GitRepository&&) = default;  // not copied: two copies would be one handle
  GitRepository& operator=(GitRepository&&) = default;

  const GitLocation& location() const { return location_; }
  bool is_shallow() const { return !location_.shallow.empty(); }
  bool is_shallow_boundary(const std::string& commit) const;

  // The commit that HEAD names; nothing in a repository without a commit.
  Result<std::optional<std::string>> head() const;
  // Branches, tags, ids, unique beginnings of ids, `git describe` names; each with any number of `~N`, `^N`,
  // `^{}` and `^{commit}` behind. kUsage names what is not known, ambiguous or of another form: reflogs
  // (`@{…}`) and searches (`:/…`) are not consulted.
  Result<std::string> resolve(const std::string& revision) const;

  // Every file of a commit in the order of its path's bytes, until `visit` says false.
  Result<TreeListing> list_tree(const std::string& commit,
                                const std::function<bool(const TreeItem&)>& visit) const;

  Result<uint64_t> blob_size(const std::string& id) const;
  // kLimit, with the size known from the header, for more than max_bytes.
  Result<std::string> read_blob(const std::string& id, uint64_t max_bytes) const;

  // What the index tracks; when it cannot be used, what HEAD's tree holds, and a line in `note` says so.
  Result<TrackedFiles> tracked_files(std::string* note = nullptr) const;
  // What the next commit would hold; nothing where there is no index.
  Result<std::vector<IndexEntry>> staged_files() const;
  // .git/info/exclude; empty when there is none.
  Result<std::string> info_exclude() const;

 private:
  explicit GitRepository(GitLocation location);
  // Opened when they are first asked for: most runs find that nothing changed, for which they are not needed,
  // and libgit2 reads every certificate of the machine when it starts.
  Result<const GitObjects*> objects() const;
  friend Result<const GitObjects*> objects_of(const GitRepository& repository);  // for the rest of git/
  Result<TrackedFiles> head_files() const;

  GitLocation location_;
  mutable std::shared_ptr<const GitObjects> objects_;  // shared only so that its type can stay internal
};

// The id that git gives to these bytes as a blob.
std::string git_blob_id(std::string_view bytes);

// Whether a blob or file is a Git LFS pointer: a few lines that stand for content kept elsewhere.
bool is_lfs_pointer(std::string_view bytes);

}  // namespace knapsack
