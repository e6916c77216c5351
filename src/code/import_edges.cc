#include "code/import_edges.h"

#include "core/byte_reader.h"

namespace knapsack::code {
namespace {

Error damaged() {
  return {ErrorCode::kCorrupt, "the code index is damaged: its import edges do not add up",
          "run `knapsack index --full`"};
}

}  // namespace

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
  const uint64_t count = reader.varint();
  if (count > packed.size()) return damaged();
  std::vector<ImportEdge> edges(static_cast<size_t>(count));
  int64_t from = 0;
  for (ImportEdge& edge : edges) {
    from += static_cast<int64_t>(reader.varint32());
    edge.from = from;
    edge.import = reader.varint32();
    edge.to = static_cast<int64_t>(reader.varint32());
    edge.confidence = static_cast<uint8_t>(reader.varint32());
    edge.name = static_cast<int32_t>(reader.varint32()) - 1;
  }
  if (reader.failed() || !reader.at_end()) return damaged();
  return edges;
}

}  // namespace knapsack::code
