#include "graph/store/index_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "core/byte_reader.h"
#include "graph/store/index_order.h"

namespace knapsack::graph {
namespace {

constexpr std::string_view kMagic = "knapgrph";
constexpr uint32_t kIndexVersion = 3;
constexpr size_t kHeaderBytes = 32;  // magic, version, sizes of two records, checksum, zero
constexpr size_t kCounts = 9;

static_assert(sizeof(FileStamp) == 40 && sizeof(Reference) == 8 && sizeof(Marked) == 4);
static_assert(std::is_trivially_copyable_v<NodeRecord> && std::is_trivially_copyable_v<NodeHistory>);

Error unusable(const std::string& path) {
  return {ErrorCode::kCorrupt, path + " is not a usable graph index", "it will be rebuilt"};
}

template <class T>
std::string_view bytes_of(const T& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])};
}

size_t padding_of(size_t bytes) {
  return (8 - bytes % 8) % 8;
}

template <class T>
bool take_array(ByteReader& reader, uint64_t count, std::span<const T>& values) {
  if (count > UINT32_MAX) return false;
  const std::string_view bytes = reader.take(count * sizeof(T));
  reader.take(padding_of(bytes.size()));
  if (reader.failed()) return false;
  values = {reinterpret_cast<const T*>(bytes.data()), count};
  return true;
}

bool ascend_within(std::span<const uint32_t> ends, size_t size) {
  return std::is_sorted(ends.begin(), ends.end()) && (ends.empty() || ends.back() <= size);
}

// Nothing in it leads outside of it. What the lists of terms hold is checked where they are followed.
bool consistent(const IndexTables& tables, std::span<const NodeRecord> nodes) {
  return ascend_within(tables.id_ends, tables.id_text.size()) &&
         ascend_within(tables.posting_ends, tables.postings.size()) &&
         std::all_of(nodes.begin(), nodes.end(),
                     [&](const NodeRecord& node) {
                       return static_cast<size_t>(node.layer) < kLayers.size() &&
                              node.state <= State::kDeprecated && node.in_tail == 0 &&
                              uint64_t{node.references_begin} + node.references_count <=
                                  tables.references.size();
                     }) &&
         std::all_of(tables.references.begin(), tables.references.end(), [&](const Reference& reference) {
           return reference.target < nodes.size() && reference.kind <= ReferenceKind::kSupersedes;
         });
}

std::string problem_bytes(const std::vector<Problem>& problems) {
  std::string bytes;
  for (const Problem& problem : problems) {
    for (const std::string* text : {&problem.file, &problem.reason}) {
      append_varint(bytes, text->size());
      bytes += *text;
    }
    append_varint(bytes, problem.line);
  }
  return bytes;
}

bool take_problems(std::string_view bytes, std::vector<Problem>& problems) {
  for (ByteReader list(bytes); !list.at_end();) {
    Problem problem;
    problem.file = list.take(list.varint());
    problem.reason = list.take(list.varint());
    problem.line = list.varint();
    if (list.failed()) return false;
    problems.push_back(std::move(problem));
  }
  return true;
}

}  // namespace

Status save_index(FileSystem& files, const std::string& path, const GraphIndex& index) {
  if (index.size() > Marked::kMaxNumber) return Error{ErrorCode::kLimit, "the graph has too many ids", ""};
  const OrderedIndex ordered = in_order(index);
  const std::string problems = problem_bytes(index.problems);
  std::string counts;
  for (const uint64_t number :
       {uint64_t{ordered.nodes.size()}, uint64_t{ordered.id_text.size()}, uint64_t{ordered.references.size()},
        uint64_t{ordered.terms.size()}, uint64_t{ordered.postings.size()}, uint64_t{problems.size()},
        index.problem_count, index.content_sum().low, index.content_sum().high}) {
    append_number(counts, number);
  }
  const std::string_view arrays[] = {bytes_of(index.stamps),
                                     counts,
                                     bytes_of(ordered.nodes),
                                     bytes_of(ordered.histories),
                                     bytes_of(ordered.id_ends),
                                     bytes_of(ordered.references),
                                     bytes_of(ordered.terms),
                                     bytes_of(ordered.posting_ends),
                                     bytes_of(ordered.postings),
                                     ordered.id_text,
                                     problems};
  constexpr std::string_view kZeros("\0\0\0\0\0\0\0", 7);
  XXH3_state_t hash;
  XXH3_64bits_reset(&hash);
  for (const std::string_view array : arrays) {
    XXH3_64bits_update(&hash, array.data(), array.size());
    XXH3_64bits_update(&hash, kZeros.data(), padding_of(array.size()));
  }
  std::string header(kMagic);
  append_number(header, kIndexVersion);
  append_number(header, static_cast<uint32_t>(sizeof(NodeRecord) << 16U | sizeof(NodeHistory)));
  append_number(header, uint64_t{XXH3_64bits_digest(&hash)});
  append_number(header, uint64_t{0});
  KNAPSACK_TRY(const auto file, files.create(parent_path(path)));
  KNAPSACK_CHECK(file->append(header));
  for (const std::string_view array : arrays) {
    KNAPSACK_CHECK(file->append(array));
    KNAPSACK_CHECK(file->append(kZeros.substr(0, padding_of(array.size()))));
  }
  return file->commit(path);
}

Result<GraphIndex> load_index(const FileSystem& files, const std::string& path) {
  IndexTables tables;
  KNAPSACK_TRY(tables.bytes, files.map(path));
  const std::string_view all = tables.bytes->bytes();
  ByteReader header(all);
  const bool known = header.take(kMagic.size()) == kMagic && header.number<uint32_t>() == kIndexVersion &&
                     header.number<uint32_t>() == (sizeof(NodeRecord) << 16U | sizeof(NodeHistory));
  const auto checksum = header.number<uint64_t>();
  const bool ends_in_zero = header.number<uint64_t>() == 0;
  if (!known || !ends_in_zero || all.size() < kHeaderBytes) return unusable(path);
  const std::string_view body = all.substr(kHeaderBytes);
  if (XXH3_64bits(body.data(), body.size()) != checksum) return unusable(path);

  ByteReader reader(body);
  std::span<const FileStamp> stamps;
  std::span<const NodeRecord> nodes;
  std::span<const char> id_text, problem_text;
  if (!take_array(reader, kLayers.size(), stamps)) return unusable(path);
  uint64_t counts[kCounts];
  for (uint64_t& each : counts) each = reader.number<uint64_t>();
  if (!take_array(reader, counts[0], nodes) || !take_array(reader, counts[0], tables.histories) ||
      !take_array(reader, counts[0], tables.id_ends) || !take_array(reader, counts[2], tables.references) ||
      !take_array(reader, counts[3], tables.terms) || !take_array(reader, counts[3], tables.posting_ends) ||
      !take_array(reader, counts[4], tables.postings) || !take_array(reader, counts[1], id_text) ||
      !take_array(reader, counts[5], problem_text)) {
    return unusable(path);
  }
  tables.id_text = {id_text.data(), id_text.size()};
  std::vector<Problem> problems;
  if (!consistent(tables, nodes) || !take_problems({problem_text.data(), problem_text.size()}, problems)) {
    return unusable(path);
  }
  GraphIndex index(std::move(tables), nodes, {counts[7], counts[8]});
  std::copy(stamps.begin(), stamps.end(), index.stamps.begin());
  index.problems = std::move(problems);
  index.problem_count = counts[6];
  return index;
}

}  // namespace knapsack::graph
