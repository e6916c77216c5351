#include "git/objects.h"

#include <fmt/format.h>
#include <git2/sys/repository.h>

#include <limits>

#include "git/loose_objects.h"
#include "git/pack_guard.h"

namespace knapsack {
namespace {

// A tree of a folder with half a million entries, and a commit with a very long message.
constexpr uint64_t kMaxTreeBytes = 32 << 20;
constexpr uint64_t kMaxCommitBytes = 16 << 20;
constexpr int kMaxTagHops = 64;  // tags of tags are rare, and of those none is deep

std::string_view type_name(git_object_t type) {
  switch (type) {
    case GIT_OBJECT_TREE:
      return "tree";
    case GIT_OBJECT_COMMIT:
      return "commit";
    case GIT_OBJECT_TAG:
      return "tag";
    case GIT_OBJECT_BLOB:
      return "blob";
    default:
      return "object";
  }
}

Result<GitOdbHandle> open_odb(const std::vector<std::string>& folders) {
  git_odb* raw = nullptr;
  if (git_odb_new(&raw) < 0) return git_failure(ErrorCode::kInternal, "cannot open an object database");
  GitOdbHandle odb(raw);
  // Folder by folder instead of git_odb_open, which follows alternates on its own. Packs come first: they
  // hold nearly everything.
  int priority = std::numeric_limits<int>::max();
  for (const auto& folder : folders) {
    git_odb_backend* packs = make_guarded_pack_backend(folder);
    if (packs == nullptr || git_odb_add_backend(odb.get(), packs, priority--) < 0 ||
        git_odb_add_backend(odb.get(), make_loose_backend(folder), priority--) < 0) {
      return git_failure(ErrorCode::kCorrupt, fmt::format("cannot open the objects in {}", folder));
    }
  }
  return odb;
}

}  // namespace

GitObjects::GitObjects(const GitLocation& location, GitRepositoryHandle repository, GitOdbHandle odb)
    : folder_(location.common_dir),
      when_missing_("run `git fsck` in the repository"),
      repository_(std::move(repository)),
      odb_(std::move(odb)) {
  if (location.alternates_left_out) when_missing_ = "it may be among the borrowed objects that are not read";
  if (location.is_partial_clone) {
    when_missing_ = "this is a partial clone: fetch the object with git first";
  }
}

Result<std::unique_ptr<GitObjects>> GitObjects::open(const GitLocation& location) {
  KNAPSACK_CHECK(start_git_library());
  KNAPSACK_TRY(auto odb, open_odb(location.object_folders));
  // The objects alone: from 1.9 on libgit2 reads the configuration of a repository that it opens, and what that includes.
  git_repository* raw = nullptr;
  if (git_repository_wrap_odb(&raw, odb.get()) < 0) {
    return git_failure(ErrorCode::kInternal, fmt::format("cannot open the repository {}", location.git_dir));
  }
  GitRepositoryHandle repository(raw);
  git_config* empty = nullptr;
  if (git_config_new(&empty) < 0) return git_failure(ErrorCode::kInternal, "cannot make a configuration");
  const GitConfigHandle config(empty);
  if (git_repository_set_config(raw, empty) < 0) {
    return git_failure(ErrorCode::kInternal, fmt::format("cannot open the repository {}", location.git_dir));
  }
  return std::unique_ptr<GitObjects>(new GitObjects(location, std::move(repository), std::move(odb)));
}

Error GitObjects::unreadable(const git_oid& id, git_object_t type, int error) const {
  if (error == GIT_ENOTFOUND) {
    git_error_clear();
    return {ErrorCode::kNotFound,
            fmt::format("{} {} is missing from {}", type_name(type), git_hex(id), folder_), when_missing_};
  }
  return git_failure(ErrorCode::kCorrupt,
                     fmt::format("cannot read {} {} of {}", type_name(type), git_hex(id), folder_),
                     "run `git fsck` in the repository");
}

Result<uint64_t> GitObjects::size(const git_oid& id, git_object_t type, uint64_t max_bytes) const {
  size_t size = 0;
  git_object_t actual = GIT_OBJECT_INVALID;
  const int error = git_odb_read_header(&size, &actual, odb_.get(), &id);
  if (error < 0) return unreadable(id, type, error);
  if (actual != type) {
    return Error{ErrorCode::kUsage, fmt::format("{} is not a {}", git_hex(id), type_name(type)), ""};
  }
  if (size > max_bytes) {
    return Error{
        ErrorCode::kLimit,
        fmt::format("{} {} holds {} bytes, more than {}", type_name(type), git_hex(id), size, max_bytes), ""};
  }
  return uint64_t{size};
}

Result<GitOdbObjectHandle> GitObjects::read_blob(const git_oid& id, uint64_t max_bytes) const {
  KNAPSACK_CHECK(size(id, GIT_OBJECT_BLOB, max_bytes));
  git_odb_object* raw = nullptr;
  const int error = git_odb_read(&raw, odb_.get(), &id);
  if (error < 0) return unreadable(id, GIT_OBJECT_BLOB, error);
  return GitOdbObjectHandle(raw);
}

Result<GitTreeHandle> GitObjects::read_tree(const git_oid& id) const {
  KNAPSACK_CHECK(size(id, GIT_OBJECT_TREE, kMaxTreeBytes));
  git_tree* raw = nullptr;
  const int error = git_tree_lookup(&raw, repository_.get(), &id);
  if (error < 0) return unreadable(id, GIT_OBJECT_TREE, error);
  return GitTreeHandle(raw);
}

Result<GitCommitHandle> GitObjects::read_commit(const git_oid& id) const {
  KNAPSACK_CHECK(size(id, GIT_OBJECT_COMMIT, kMaxCommitBytes));
  git_commit* raw = nullptr;
  const int error = git_commit_lookup(&raw, repository_.get(), &id);
  if (error < 0) return unreadable(id, GIT_OBJECT_COMMIT, error);
  return GitCommitHandle(raw);
}

Result<git_object_t> GitObjects::type_of(const git_oid& id) const {
  size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  const int error = git_odb_read_header(&size, &type, odb_.get(), &id);
  if (error < 0) return unreadable(id, GIT_OBJECT_ANY, error);
  return type;
}

Result<git_oid> GitObjects::find_by_prefix(const std::string& digits) const {
  git_oid beginning, found;
  const bool usable = digits.size() >= GIT_OID_MINPREFIXLEN && digits.size() <= GIT_OID_HEXSZ;
  const int error = !usable || git_oid_fromstrn(&beginning, digits.data(), digits.size()) < 0
                        ? GIT_ENOTFOUND
                        : git_odb_exists_prefix(&found, odb_.get(), &beginning, digits.size());
  git_error_clear();
  if (error == GIT_EAMBIGUOUS) {
    return Error{ErrorCode::kUsage, fmt::format("{} matches several objects", digits), "give more digits"};
  }
  if (error < 0) return Error{ErrorCode::kNotFound, fmt::format("{} matches no object", digits), ""};
  return found;
}

Result<git_oid> GitObjects::commit_named_by(git_oid id) const {
  for (int hops = 0; hops < kMaxTagHops; ++hops) {
    KNAPSACK_TRY(const git_object_t type, type_of(id));
    if (type == GIT_OBJECT_COMMIT) return id;
    if (type != GIT_OBJECT_TAG) break;
    KNAPSACK_CHECK(size(id, GIT_OBJECT_TAG, kMaxCommitBytes));
    git_tag* raw = nullptr;
    const int error = git_tag_lookup(&raw, repository_.get(), &id);
    const GitTagHandle tag(raw);
    if (error < 0) return unreadable(id, GIT_OBJECT_TAG, error);
    id = *git_tag_target_id(raw);
  }
  return Error{ErrorCode::kUsage, fmt::format("{} is not a commit", git_hex(id)), ""};
}

}  // namespace knapsack
