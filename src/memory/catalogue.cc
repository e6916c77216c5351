#include "memory/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/escape.h"
#include "core/memory_file_system.h"
#include "memory/documents.h"
#include "memory/read_memory.h"
#include "memory/tree.h"
#include "search/segment_set.h"

namespace knapsack::memory {
namespace {

bool in_order(const Memory& a, const Memory& b) {
  return std::tie(a.name_space, a.session, a.created, a.id, a.path) <
         std::tie(b.name_space, b.session, b.created, b.id, b.path);
}

}  // namespace

Result<Catalogue> Catalogue::open(FileSystem& files, const CatalogueRequest& request) {
  Catalogue catalogue;
  KNAPSACK_TRY(const Tree tree, walk_tree(files, request.memory_dir));
  catalogue.warnings_ = tree.warnings;
  search::SegmentBuilder builder;
  if (!tree.files.empty()) {
    KNAPSACK_TRY(const auto root, files.open_folder(request.memory_dir));
    for (const TreeFile& file : tree.files) {
      const auto bytes = read_beneath(*root, file.path, kMaxMemoryBytes);
      if (!bytes.ok()) {
        catalogue.warnings_.push_back(escape_control(bytes.error().what));
        continue;
      }
      ReadMemory read = read_memory(file.path, *bytes);
      add_document(builder, read.memory);
      catalogue.warnings_.insert(catalogue.warnings_.end(), read.warnings.begin(), read.warnings.end());
      catalogue.memories_.push_back(std::move(read.memory));
    }
  }
  std::sort(catalogue.memories_.begin(), catalogue.memories_.end(), in_order);
  std::vector<search::Index::Part> parts;
  if (builder.documents() > 0) {
    MemoryFileSystem scratch;
    KNAPSACK_TRY(const std::string name, builder.write(scratch, "/segments"));
    KNAPSACK_TRY(auto segment, search::open_segment(scratch, "/segments", name));
    auto live = search::LiveSet::all(segment->documents());
    parts.push_back({std::move(segment), std::move(live)});
  }
  KNAPSACK_TRY(auto index, search::Index::open(std::move(parts)));
  catalogue.index_ = std::make_shared<const search::Index>(std::move(index));
  catalogue.work_.files = catalogue.work_.read = catalogue.memories_.size();
  return catalogue;
}

const Memory* Catalogue::find(std::string_view path) const {
  const auto found = std::find_if(memories_.begin(), memories_.end(),
                                  [path](const Memory& memory) { return memory.path == path; });
  return found == memories_.end() ? nullptr : &*found;
}

std::vector<const Memory*> Catalogue::with_id(std::string_view id) const {
  std::vector<const Memory*> found;
  for (const Memory& memory : memories_) {
    if (memory.id == id) found.push_back(&memory);
  }
  return found;
}

}  // namespace knapsack::memory
