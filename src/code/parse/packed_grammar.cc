#include "code/parse/packed_grammar.h"

#include <parser.h>  // tree-sitter's own: what is in a TSLanguage
#include <zlib.h>

#include <cstddef>
#include <cstring>
#include <memory>

namespace knapsack::code {
namespace {

// The first version whose languages end behind `name`; an older one has no bytes there.
constexpr uint32_t kVersionWithName = 15;

struct UnpackedTable {
  std::unique_ptr<uint16_t[]> values;  // null where the packed bytes are damaged
  uint64_t size = 0;                   // in bytes
};

UnpackedTable unpack_table(const void* place) {
  PackedTable header{};
  std::memcpy(&header, place, sizeof header);
  UnpackedTable table;
  table.size = header.size;
  table.values = std::make_unique_for_overwrite<uint16_t[]>(header.size / sizeof(uint16_t));
  uLongf unpacked = header.size;
  if (::uncompress(reinterpret_cast<Bytef*>(table.values.get()), &unpacked,
                   static_cast<const Bytef*>(place) + sizeof header, header.packed_size) != Z_OK ||
      unpacked != header.size) {
    table.values = nullptr;
  }
  return table;
}

}  // namespace

const TSLanguage* unpack_grammar(const TSLanguage& packed) {
  auto language = std::make_unique<TSLanguage>();
  const bool has_name = packed.abi_version >= kVersionWithName;
  std::memcpy(language.get(), &packed, has_name ? sizeof packed : offsetof(TSLanguage, name));
  UnpackedTable large = unpack_table(packed.parse_table);
  UnpackedTable small = unpack_table(packed.small_parse_table);
  const uint64_t expected = uint64_t{packed.large_state_count} * packed.symbol_count * sizeof(uint16_t);
  if (large.values == nullptr || small.values == nullptr || large.size != expected) return nullptr;
  language->parse_table = large.values.release();
  language->small_parse_table = small.values.release();
  return language.release();
}

}  // namespace knapsack::code
