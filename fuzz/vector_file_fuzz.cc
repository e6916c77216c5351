// Any bytes as a file of vectors and as the links of a graph: reading never crashes, what opens can be
// searched, and what is found is there.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/files/memory_file_system.h"
#include "search/vectors/vector_store.h"

namespace {

using namespace knapsack;
using namespace knapsack::search;

constexpr uint32_t kNodes = 8, kSize = 4;

void check(bool right) {
  if (!right) std::abort();
}

void read_file(std::string_view bytes) {
  MemoryFileSystem files;
  const std::string name = content_hash(bytes) + std::string(kVectorFileEnding);
  files.put("/v/" + name, std::string(bytes));
  const auto file = VectorFile::open(files, "/v", name);
  if (!file.ok()) return;
  const VectorRows& rows = file->rows();
  for (uint32_t row = 0; row < rows.count; ++row) check(file->hash(row).size() == kUnitHashBytes);
  const std::vector<float> query(rows.dimensions, 0.5F);
  for (const Neighbour& near : nearest(rows, VectorProbe(query), 3)) check(near.row < rows.count);
}

void read_links(std::string_view bytes) {
  std::vector<float> numbers;
  for (uint32_t i = 0; i < kNodes * kSize; ++i) numbers.push_back(static_cast<float>(i * i % 7) - 3);
  GraphVectors vectors;
  vectors.tables.push_back({VectorEncoding::kFloat32, kSize, kNodes, numbers.data(), nullptr, nullptr});
  for (uint32_t row = 0; row < kNodes; ++row) vectors.places.push_back({0, row});
  auto graph = VectorGraph::read(bytes, std::move(vectors));
  if (!graph.ok()) return;
  check(graph->links() == bytes);
  std::vector<bool> live(kNodes, true);
  live[3] = false;
  const auto found = graph->nearest(VectorProbe(std::vector<float>(kSize, 0.5F)), kNodes, live);
  check(found.ok());
  for (const Neighbour& near : *found) check(near.row < kNodes && near.row != 3);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_file(bytes);
  read_links(bytes);
  return 0;
}
