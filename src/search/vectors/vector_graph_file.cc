#include "search/vectors/vector_graph_file.h"

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "search/vectors/vector_graph.h"

namespace knapsack::search {
namespace {

constexpr std::string_view kGraphFileMagic = "knapgrph";
constexpr uint32_t kGraphFileVersion = 1;

// Everything before the hashes.
std::string header_of(const VectorSpace& space, uint32_t count) {
  std::string bytes(kGraphFileMagic);
  append_number(bytes, kGraphFileVersion);
  append_number(bytes, kGraphLinks);
  append_number(bytes, space.dimensions);
  append_number(bytes, count);
  return bytes.append(reinterpret_cast<const char*>(space.probe.data()), space.probe.size() * sizeof(float));
}

}  // namespace

Result<GraphFile> open_graph_file(const FileSystem& files, const std::string& folder, const std::string& name,
                                  const VectorSpace& space) {
  const Error wrong{ErrorCode::kCorrupt, fmt::format("the graph of vectors {} cannot be used", name),
                    "it will be rebuilt"};
  GraphFile file;
  file.name = name;
  KNAPSACK_TRY(file.bytes, files.map(join_path(folder, name)));
  const std::string_view bytes = file.bytes->bytes();
  if (name != content_hash(bytes) + std::string(kGraphFileEnding)) return wrong;
  ByteReader reader(bytes);
  const bool ours = reader.take(kGraphFileMagic.size()) == kGraphFileMagic &&
                    reader.number<uint32_t>() == kGraphFileVersion &&
                    reader.number<uint32_t>() == kGraphLinks && reader.number<uint32_t>() == space.dimensions;
  file.count = reader.number<uint32_t>();
  const std::string_view probe = reader.take(space.dimensions * sizeof(float));
  file.hashes = reader.take(size_t{file.count} * kUnitHashBytes);
  if (!ours || reader.failed()) return wrong;
  VectorSpace made_in = space;
  std::memcpy(made_in.probe.data(), probe.data(), probe.size());
  if (!same_space(made_in, space)) return wrong;
  file.links = bytes.substr(static_cast<size_t>(file.hashes.end() - bytes.begin()));
  return file;
}

Result<std::string> write_graph_file(FileSystem& files, const std::string& folder, const VectorSpace& space,
                                     std::string_view hashes, std::string_view links) {
  const std::string header = header_of(space, static_cast<uint32_t>(hashes.size() / kUnitHashBytes));
  KNAPSACK_TRY(const auto file, files.create(folder));
  ContentHasher hasher;
  for (const std::string_view part : {std::string_view(header), hashes, links}) {
    hasher.add(part);
    KNAPSACK_CHECK(file->append(part));
  }
  std::string name = hasher.hash() + std::string(kGraphFileEnding);
  KNAPSACK_CHECK(file->commit(join_path(folder, name)));
  return name;
}

}  // namespace knapsack::search
