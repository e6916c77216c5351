#include "graph/index_file.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/byte_reader.h"

namespace knapsack::graph {
namespace {

constexpr std::string_view kMagic = "knapgrph";
constexpr uint32_t kVersion = 1;
constexpr size_t kHeaderBytes = 32;  // magic, version, size of a record, checksum, zero

static_assert(sizeof(FileStamp) == 40 && sizeof(Reference) == 8 && std::is_trivially_copyable_v<NodeRecord>);

Error unusable(const std::string& path) {
  return {ErrorCode::kCorrupt, path + " is no graph index that can be used", "it will be made anew"};
}

template <class T>
void append_array(std::string& out, std::span<const T> values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  out.resize((out.size() + 7) / 8 * 8);
}

template <class T>
bool take_array(ByteReader& reader, uint64_t count, std::span<const T>& values) {
  if (count > UINT32_MAX) return false;
  const std::string_view bytes = reader.take((count * sizeof(T) + 7) / 8 * 8);
  if (reader.failed()) return false;
  values = {reinterpret_cast<const T*>(bytes.data()), count};
  return true;
}

bool consistent(const IndexTables& tables, const std::vector<NodeRecord>& nodes) {
  std::string_view last;
  uint32_t begin = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const uint32_t end = tables.id_ends[i];
    if (end <= begin || end > tables.id_text.size()) return false;
    const std::string_view id = tables.id_text.substr(begin, end - begin);
    if (i > 0 && id <= last) return false;
    last = id;
    begin = end;
    const NodeRecord& node = nodes[i];
    if (static_cast<size_t>(node.layer) >= kLayers.size() || node.state > State::kDeprecated ||
        node.in_tail != 0 ||
        uint64_t{node.references_begin} + node.references_count > tables.references.size() ||
        uint64_t{node.terms_begin} + node.terms_count > tables.terms.size()) {
      return false;
    }
  }
  return std::all_of(tables.references.begin(), tables.references.end(), [&](const Reference& reference) {
    return reference.target < nodes.size() && reference.kind <= ReferenceKind::kSupersedes;
  });
}

// Everything in the order of ids, without what older revisions left behind.
struct InOrder {
  std::vector<uint32_t> old_numbers, id_ends;
  std::string id_text;
  std::vector<NodeRecord> nodes;
  std::vector<Reference> references;
  std::vector<Term> terms;

  explicit InOrder(const GraphIndex& index) : old_numbers(index.size()) {
    std::iota(old_numbers.begin(), old_numbers.end(), 0);
    std::sort(old_numbers.begin(), old_numbers.end(),
              [&](uint32_t a, uint32_t b) { return index.id(a) < index.id(b); });
    std::vector<uint32_t> new_numbers(index.size());
    for (uint32_t i = 0; i < old_numbers.size(); ++i) new_numbers[old_numbers[i]] = i;
    for (const uint32_t old : old_numbers) {
      id_text += index.id(old);
      id_ends.push_back(static_cast<uint32_t>(id_text.size()));
      NodeRecord node = index.node(old);
      node.in_tail = 0;
      node.references_begin = static_cast<uint32_t>(references.size());
      node.terms_begin = static_cast<uint32_t>(terms.size());
      for (const Reference& reference : index.references(old)) {
        references.push_back({new_numbers[reference.target], reference.kind, {}});
      }
      const auto own = index.terms(old);
      terms.insert(terms.end(), own.begin(), own.end());
      nodes.push_back(node);
    }
  }
};

}  // namespace

Status save_index(FileSystem& files, const std::string& path, const GraphIndex& index) {
  const InOrder ordered(index);
  std::string problems;
  for (const Problem& problem : index.problems) {
    for (const std::string* text : {&problem.file, &problem.reason}) {
      append_varint(problems, text->size());
      problems += *text;
    }
    append_varint(problems, problem.line);
  }
  std::string body;
  append_array<FileStamp>(body, index.stamps);
  for (const uint64_t number :
       {uint64_t{ordered.nodes.size()}, uint64_t{ordered.id_text.size()}, uint64_t{ordered.references.size()},
        uint64_t{ordered.terms.size()}, uint64_t{problems.size()}, index.problem_count}) {
    append_number(body, number);
  }
  append_array<NodeRecord>(body, ordered.nodes);
  append_array<uint32_t>(body, ordered.id_ends);
  append_array<Reference>(body, ordered.references);
  append_array<Term>(body, ordered.terms);
  append_array<char>(body, ordered.id_text);
  append_array<char>(body, problems);
  std::string header(kMagic);
  append_number(header, kVersion);
  append_number(header, static_cast<uint32_t>(sizeof(NodeRecord)));
  append_number(header, uint64_t{XXH3_64bits(body.data(), body.size())});
  append_number(header, uint64_t{0});
  KNAPSACK_TRY(const auto file, files.create(parent_path(path)));
  KNAPSACK_CHECK(file->append(header));
  KNAPSACK_CHECK(file->append(body));
  return file->commit(path);
}

Result<GraphIndex> load_index(const FileSystem& files, const std::string& path) {
  IndexTables tables;
  KNAPSACK_TRY(tables.bytes, files.map(path));
  const std::string_view all = tables.bytes->bytes();
  ByteReader header(all);
  const bool known = header.take(kMagic.size()) == kMagic && header.number<uint32_t>() == kVersion &&
                     header.number<uint32_t>() == sizeof(NodeRecord);
  const auto checksum = header.number<uint64_t>();
  if (!known || all.size() < kHeaderBytes) return unusable(path);
  const std::string_view body = all.substr(kHeaderBytes);
  if (XXH3_64bits(body.data(), body.size()) != checksum) return unusable(path);

  ByteReader reader(body);
  std::span<const FileStamp> stamps;
  std::span<const NodeRecord> records;
  std::span<const char> id_text, problem_bytes;
  if (!take_array(reader, kLayers.size(), stamps)) return unusable(path);
  uint64_t counts[6];
  for (uint64_t& each : counts) each = reader.number<uint64_t>();
  if (!take_array(reader, counts[0], records) || !take_array(reader, counts[0], tables.id_ends) ||
      !take_array(reader, counts[2], tables.references) || !take_array(reader, counts[3], tables.terms) ||
      !take_array(reader, counts[1], id_text) || !take_array(reader, counts[4], problem_bytes)) {
    return unusable(path);
  }
  tables.id_text = {id_text.data(), id_text.size()};
  std::vector<NodeRecord> nodes(records.begin(), records.end());
  if (!consistent(tables, nodes)) return unusable(path);

  std::vector<Problem> problems;
  for (ByteReader list(std::string_view(problem_bytes.data(), problem_bytes.size())); !list.at_end();) {
    Problem problem;
    problem.file = list.take(list.varint());
    problem.reason = list.take(list.varint());
    problem.line = list.varint();
    if (list.failed()) return unusable(path);
    problems.push_back(std::move(problem));
  }
  GraphIndex index(std::move(tables), std::move(nodes));
  std::copy(stamps.begin(), stamps.end(), index.stamps.begin());
  index.problems = std::move(problems);
  index.problem_count = counts[5];
  return index;
}

}  // namespace knapsack::graph
