#include "memory/tree/catalogue.h"

#include <algorithm>

#include "memory/tree/catalogue_reader.h"

namespace knapsack::memory {

Result<Catalogue> Catalogue::open(FileSystem& files, const CatalogueRequest& request) {
  return CatalogueReader(files, request).run();
}

const Memory* Catalogue::find(std::string_view path) const {
  const auto found = std::lower_bound(
      by_path_.begin(), by_path_.end(), path,
      [this](uint32_t position, std::string_view wanted) { return memories_[position].path < wanted; });
  return found == by_path_.end() || memories_[*found].path != path ? nullptr : &memories_[*found];
}

std::vector<const Memory*> Catalogue::with_id(std::string_view id) const {
  std::vector<const Memory*> found;
  for (const Memory& memory : memories_) {
    if (memory.id == id) found.push_back(&memory);
  }
  return found;
}

}  // namespace knapsack::memory
