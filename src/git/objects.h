// GitObjects: bounded reading of commits, trees and blobs from a repository's object folders. Private to
// git/; everybody else asks GitRepository.
//
// An object's size is looked up before it is inflated, so a small pack cannot unfold into all of memory;
// packs are read behind a guard (pack_guard.h) and loose objects by a reader of our own
// (loose_objects.h). One handle belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "git/library.h"
#include "git/location.h"

namespace knapsack {

class GitRepository;

class GitObjects {
 public:
  static Result<std::unique_ptr<GitObjects>> open(const GitLocation& location);

  // The size of an object that must be of this type and hold at most max_bytes.
  Result<uint64_t> size(const git_oid& id, git_object_t type, uint64_t max_bytes) const;
  Result<GitOdbObjectHandle> read_blob(const git_oid& id, uint64_t max_bytes) const;
  Result<GitTreeHandle> read_tree(const git_oid& id) const;
  Result<GitCommitHandle> read_commit(const git_oid& id) const;
  // The one object whose id begins with these digits (4 to 40): kNotFound for none, kUsage for several.
  Result<git_oid> find_by_prefix(const std::string& digits) const;
  // The commit itself, or the one that a tag names, directly or through other tags; kUsage for anything else.
  Result<git_oid> commit_named_by(git_oid id) const;

 private:
  GitObjects(const GitLocation& location, GitRepositoryHandle repository, GitOdbHandle odb);
  // kNotFound for an object that is not there, kCorrupt for one that cannot be read; both name it.
  Error unreadable(const git_oid& id, git_object_t type, int error) const;
  Result<git_object_t> type_of(const git_oid& id) const;

  std::string folder_;              // for messages
  std::string when_missing_;        // what to do about a missing object
  GitRepositoryHandle repository_;  // the objects alone, with an empty configuration
  GitOdbHandle odb_;
};

// Those that the repository reads; they live as long as it does.
Result<const GitObjects*> objects_of(const GitRepository& repository);

}  // namespace knapsack
