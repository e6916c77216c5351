#include "search/vectors/vector_file.h"

#include <fmt/format.h>

#include "core/byte_reader.h"

namespace knapsack::search {
namespace {

constexpr std::string_view kVectorFileMagic = "knapvect";
constexpr uint32_t kVectorFileVersion = 1;
constexpr size_t kAlignment = 64;  // of each table; a line of the processor's cache
constexpr uint32_t kMaxModelName = 1024;

size_t padding_of(size_t bytes) {
  return (kAlignment - bytes % kAlignment) % kAlignment;
}

std::string_view bytes_of(std::span<const float> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace

bool same_space(const VectorSpace& a, const VectorSpace& b) {
  return a.model == b.model && a.dimensions == b.dimensions && a.encoding == b.encoding &&
         a.probe.size() == a.dimensions && b.probe.size() == b.dimensions &&
         dot_product(a.probe.data(), b.probe.data(), a.dimensions) >= kSameSpace;
}

Result<VectorFile> VectorFile::open(const FileSystem& files, const std::string& folder,
                                    const std::string& name) {
  VectorFile file;
  file.name_ = name;
  KNAPSACK_TRY(file.file_, files.map(join_path(folder, name)));
  const std::string_view bytes = file.file_->bytes();
  if (name != content_hash(bytes) + std::string(kVectorFileEnding) || !file.read(bytes).ok()) {
    return Error{ErrorCode::kCorrupt, fmt::format("the file of vectors {} is damaged", name),
                 "it will be rebuilt"};
  }
  return file;
}

Status VectorFile::read(std::string_view bytes) {
  const Error wrong{ErrorCode::kCorrupt, "not a file of vectors", ""};
  ByteReader reader(bytes);
  const bool ours = reader.take(kVectorFileMagic.size()) == kVectorFileMagic &&
                    reader.number<uint32_t>() == kVectorFileVersion;
  const auto encoding = reader.number<uint32_t>();
  space_.dimensions = reader.number<uint32_t>();
  rows_.count = reader.number<uint32_t>();
  const auto model_size = reader.number<uint32_t>();
  if (!ours || reader.failed() || encoding < 1 || encoding > 2 || model_size > kMaxModelName ||
      space_.dimensions == 0 || space_.dimensions > kMaxDimensions)
    return wrong;
  space_.encoding = static_cast<VectorEncoding>(encoding);
  space_.model = reader.take(model_size);
  size_t at = kVectorFileMagic.size() + 5 * sizeof(uint32_t) + model_size;
  const auto table = [&](size_t size) {
    reader.take(padding_of(at));
    at += padding_of(at) + size;
    return reader.take(size);
  };
  const std::string_view probe = table(space_.dimensions * sizeof(float));
  hashes_ = table(size_t{rows_.count} * kUnitHashBytes);
  const size_t numbers = size_t{rows_.count} * space_.dimensions;
  const bool whole = space_.encoding == VectorEncoding::kInt8;
  const std::string_view factors = table(whole ? rows_.count * sizeof(float) : 0);
  const std::string_view vectors = table(whole ? numbers : numbers * sizeof(float));
  if (reader.failed() || !reader.at_end()) return wrong;
  space_.probe.resize(space_.dimensions);
  std::memcpy(space_.probe.data(), probe.data(), probe.size());
  rows_.encoding = space_.encoding;
  rows_.dimensions = space_.dimensions;
  if (whole) {
    rows_.whole = reinterpret_cast<const int8_t*>(vectors.data());
    rows_.factors = reinterpret_cast<const float*>(factors.data());
  } else {
    rows_.floats = reinterpret_cast<const float*>(vectors.data());
  }
  return ok_status();
}

void VectorFileBuilder::add(std::string_view hash, std::span<const float> vector) {
  hashes_ += hash;
  ++count_;
  if (space_.encoding == VectorEncoding::kFloat32) {
    numbers_ += bytes_of(vector);
    return;
  }
  const WholeVector whole = to_whole(vector);
  append_number(factors_, whole.factor);
  numbers_.append(reinterpret_cast<const char*>(whole.numbers.data()), whole.numbers.size());
}

void VectorFileBuilder::add(const VectorFile& file, uint32_t row) {
  const VectorRows& rows = file.rows();
  hashes_ += file.hash(row);
  ++count_;
  const size_t begin = size_t{row} * rows.dimensions;
  if (rows.encoding == VectorEncoding::kFloat32) {
    numbers_ += bytes_of({rows.floats + begin, rows.dimensions});
    return;
  }
  append_number(factors_, rows.factors[row]);
  numbers_.append(reinterpret_cast<const char*>(rows.whole + begin), rows.dimensions);
}

std::string VectorFileBuilder::header() const {
  std::string bytes(kVectorFileMagic);
  append_number(bytes, kVectorFileVersion);
  append_number(bytes, static_cast<uint32_t>(space_.encoding));
  append_number(bytes, space_.dimensions);
  append_number(bytes, count_);
  const std::string_view model = std::string_view(space_.model).substr(0, kMaxModelName);
  append_number(bytes, static_cast<uint32_t>(model.size()));
  return bytes.append(model);
}

Result<std::string> VectorFileBuilder::write(FileSystem& files, const std::string& folder) {
  KNAPSACK_TRY(const auto file, files.create(folder));
  ContentHasher hasher;
  size_t at = 0;
  const auto append = [&](std::string_view bytes) -> Status {
    hasher.add(bytes);
    at += bytes.size();
    return file->append(bytes);
  };
  KNAPSACK_CHECK(append(header()));
  for (const std::string_view table : {bytes_of(space_.probe), std::string_view(hashes_),
                                       std::string_view(factors_), std::string_view(numbers_)}) {
    KNAPSACK_CHECK(append(std::string(padding_of(at), '\0')));
    KNAPSACK_CHECK(append(table));
  }
  std::string name = hasher.hash() + std::string(kVectorFileEnding);
  KNAPSACK_CHECK(file->commit(join_path(folder, name)));
  *this = VectorFileBuilder(std::move(space_));
  return name;
}

}  // namespace knapsack::search
