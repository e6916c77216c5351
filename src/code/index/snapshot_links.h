// The import edges of a snapshot: found from scratch, or from those of the snapshot before where little has
// changed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "code/imports/import_resolver.h"
#include "code/index/curated.h"
#include "code/index/import_edges.h"
#include "code/index/known_index.h"

namespace knapsack::code {

// What resolving has to know of each file, as views of the rows. `blob` gives null for what is listed only.
std::vector<ResolverFile> resolver_files(const std::vector<FileRow>& files,
                                         const std::function<const BlobRow*(int64_t blob)>& blob);

struct LinkRequest {
  const std::vector<FileRow>* files = nullptr;  // of the snapshot, sorted by name, with their numbers
  const KnownIndex* known = nullptr;            // has the blobs of all of them
  std::function<std::optional<std::string>(size_t position)> read;  // the bytes of a configuration file
  // The files that differ from the snapshot whose edges are `before`; all of them where this is nothing.
  std::optional<std::vector<size_t>> changed;
  std::vector<ImportEdge> before;
};

struct SnapshotLinks {
  std::vector<ImportEdge> edges;
  std::vector<std::string> notes;
};

Result<SnapshotLinks> resolve_imports(Curated& rows, const LinkRequest& request);

// Whether a file that changed from one content to another can change how the imports of other files resolve.
bool changes_resolution(const FileRow& file, const BlobRow* before, const BlobRow* after);

}  // namespace knapsack::code
