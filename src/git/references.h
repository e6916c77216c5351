// References: the commits that HEAD, branches and tags name, read from a repository's files.
//
// Read here rather than by libgit2: for its references it must open the repository, and from 1.9 on that reads the
// configuration and every file that it includes. Names are checked before they become paths, files are read as far as a
// reference is long, and a FIFO is none. One object serves one question; one thread.
// Private to git/.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/files/file_system.h"
#include "git/location.h"

namespace knapsack {

class References {
 public:
  // `location` must outlive this.
  explicit References(const GitLocation& location);

  // The id that a reference of this full name leads to, as hex: "HEAD", "refs/heads/main". kNotFound for none and for a
  // branch without a commit, kCorrupt for a file that holds neither an id nor a name.
  Result<std::string> read(const std::string& name);
  // The same of a name as people write it, looked for in git's order: "main", "origin/main", "v1.0", "heads/main".
  Result<std::string> find(const std::string& name);

 private:
  // An id, or "ref: NAME".
  Result<std::string> line_of(const std::string& name);
  Result<std::string> packed(const std::string& name);

  const GitLocation& location_;
  std::unique_ptr<FileSystem> files_;
  std::optional<std::string> packed_;  // packed-refs, once somebody needs it
};

}  // namespace knapsack
