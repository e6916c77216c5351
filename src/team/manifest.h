// Manifest: which objects make the index of a repository at a commit. Plain data; no thread rule.
//
// A file is made of parts: the first is packed on its own, each later one from what the parts before it gave. So the index of the
// next commit shares all parts of this one and adds a small one. Parts are cut into objects, which are named by their content.
// Private to team/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace knapsack::team {

inline constexpr size_t kMaxObjectBytes = size_t{1} << 20U;
inline constexpr size_t kMaxFileParts = 20;

struct FilePart {
  uint64_t size = 0;                 // of the file up to this part
  std::string name;                  // … and its content_name()
  uint64_t packed = 0;               // bytes of the objects
  std::vector<std::string> objects;  // their names, in order
};

struct PublishedFile {
  std::string path;  // below the state folder
  std::vector<FilePart> parts;

  const std::string& name() const { return parts.back().name; }
};

struct Manifest {
  std::string commit;
  std::vector<PublishedFile> files;

  const PublishedFile* find(std::string_view path) const;
};

std::string to_json(const Manifest& manifest);
// kCorrupt for anything that to_json() would not have written, and for names that lead out of the state folder.
Result<Manifest> manifest_from_json(std::string_view json);

}  // namespace knapsack::team
