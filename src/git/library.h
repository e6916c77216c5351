// The one place where libgit2 is started and its handles and errors become ours.
//
// libgit2 is used as a reader of objects, nothing else: no repository is opened, and no reference, index, work tree,
// filter, diff driver, remote or configuration function of it is ever called. Its search paths for the user's and the
// system's configuration are emptied besides. Starting is thread-safe.
#pragma once

#include <git2.h>
#if __has_include(<git2/sys/errors.h>)
#include <git2/sys/errors.h>  // from libgit2 1.9 on, the functions that set an error
#endif

#include <exception>
#include <memory>
#include <string>

#include "core/result.h"

namespace knapsack {

template <auto release>
struct GitRelease {
  template <class T>
  void operator()(T* handle) const {
    release(handle);
  }
};
// Turns anything thrown into an error code: nothing may be thrown through libgit2.
template <class Call>
int without_exceptions(const Call& call) {
  try {
    return call();
  } catch (const std::exception& error) {
    git_error_set_str(GIT_ERROR_NOMEMORY, error.what());
    return GIT_ERROR;
  }
}

using GitRepositoryHandle = std::unique_ptr<git_repository, GitRelease<git_repository_free>>;
using GitOdbHandle = std::unique_ptr<git_odb, GitRelease<git_odb_free>>;
using GitOdbObjectHandle = std::unique_ptr<git_odb_object, GitRelease<git_odb_object_free>>;
using GitConfigHandle = std::unique_ptr<git_config, GitRelease<git_config_free>>;
using GitTagHandle = std::unique_ptr<git_tag, GitRelease<git_tag_free>>;
using GitTreeHandle = std::unique_ptr<git_tree, GitRelease<git_tree_free>>;
using GitCommitHandle = std::unique_ptr<git_commit, GitRelease<git_commit_free>>;

// Starts libgit2 once in the process.
Status start_git_library();

// "WHAT: what libgit2 said of its last failure on this thread".
Error git_failure(ErrorCode code, const std::string& what, const std::string& next = "");

std::string git_hex(const git_oid& id);
Result<git_oid> parse_git_hex(const std::string& hex);  // kUsage unless exactly 40 hexadecimal digits

}  // namespace knapsack
