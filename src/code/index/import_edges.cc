#include "code/index/import_edges.h"

#include "code/index/packing.h"

namespace knapsack::code {

std::string pack_edges(const std::vector<ImportEdge>& edges) {
  std::string packed;
  append_varint(packed, edges.size());
  int64_t from = 0;
  for (const ImportEdge& edge : edges) {
    append_varint(packed, static_cast<uint64_t>(edge.from - from));
    from = edge.from;
    append_varint(packed, edge.import);
    append_varint(packed, static_cast<uint64_t>(edge.to));
    append_varint(packed, edge.confidence);
    append_varint(packed, static_cast<uint64_t>(edge.name) + 1);
  }
  return packed;
}

Result<std::vector<ImportEdge>> unpack_edges(std::string_view packed) {
  if (packed.empty()) return std::vector<ImportEdge>();
  ByteReader reader(packed);
  KNAPSACK_TRY(const size_t count, read_count(reader, packed, "its import edges do not add up"));
  std::vector<ImportEdge> edges(count);
  int64_t from = 0;
  for (ImportEdge& edge : edges) {
    from += static_cast<int64_t>(reader.varint32());
    edge.from = from;
    edge.import = reader.varint32();
    edge.to = static_cast<int64_t>(reader.varint32());
    edge.confidence = static_cast<uint8_t>(reader.varint32());
    edge.name = static_cast<int32_t>(reader.varint32()) - 1;
  }
  if (reader.failed() || !reader.at_end()) return damaged_index("its import edges do not add up");
  return edges;
}

}  // namespace knapsack::code
