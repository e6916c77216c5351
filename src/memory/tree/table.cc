#include "memory/tree/table.h"

#include <xxhash.h>

#include <algorithm>

#include "core/byte_reader.h"
#include "core/in_parts.h"
#include "memory/tree/memory_record.h"
#include "search/segments/segment_set.h"

namespace knapsack::memory {
namespace {

constexpr std::string_view kMagic = "knapmemo";
constexpr uint32_t kVersion = 2;
constexpr size_t kHeaderBytes = 24;        // magic, version, zero, checksum
constexpr size_t kRecordsOfThread = 2000;  // fewer are unpacked before a thread has started

Error unusable(const std::string& path) {
  return {ErrorCode::kCorrupt, path + " is no table of memories that can be used", "it will be rebuilt"};
}

void append_text(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out += text;
}

std::string_view take_text(ByteReader& reader) {
  return reader.take(reader.varint());
}

void append_record(std::string& out, const Memory& memory, const Stamp& stamp) {
  append_varint(out, stamp.size);
  append_number(out, stamp.mtime_nanos);
  append_varint(out, stamp.inode);
  append_varint(out, stamp.settled ? 1 : 0);
  append_memory(out, memory);
}

void take_record(ByteReader& reader, Memory& memory, Stamp& stamp) {
  stamp.size = reader.varint();
  stamp.mtime_nanos = reader.number<int64_t>();
  stamp.inode = reader.varint();
  stamp.settled = reader.varint() != 0;
  memory = take_memory(reader);
}

// Records `begin` to `end`; `ends` says where each of them ends among the bytes. False for damaged ones.
bool take_records(std::string_view bytes, const char* ends, size_t begin, size_t end, Table& table) {
  const auto end_of = [ends](size_t i) { return load<uint64_t>(ends + i * sizeof(uint64_t)); };
  uint64_t at = begin == 0 ? 0 : end_of(begin - 1);
  for (size_t i = begin; i < end; ++i) {
    const uint64_t stop = end_of(i);
    if (stop < at || stop > bytes.size()) return false;
    ByteReader reader(bytes.substr(at, stop - at));
    take_record(reader, table.memories[i], table.stamps[i]);
    if (reader.failed() || !reader.at_end()) return false;
    at = stop;
  }
  return true;
}

bool take_all_records(std::string_view bytes, const char* ends, Table& table) {
  const size_t parts = part_count(table.memories.size(), kRecordsOfThread);
  std::vector<char> good(parts, 0);
  in_parts(table.memories.size(), parts, [&](size_t part, size_t begin, size_t end) {
    good[part] = take_records(bytes, ends, begin, end, table) ? 1 : 0;
  });
  return std::all_of(good.begin(), good.end(), [](char each) { return each != 0; });
}

bool in_path_order(const Table& table) {
  for (size_t i = 0; i < table.by_path.size(); ++i) {
    if (table.by_path[i] >= table.memories.size()) return false;
    if (i > 0 && table.memories[table.by_path[i - 1]].path >= table.memories[table.by_path[i]].path)
      return false;
  }
  return true;
}

bool take_table(ByteReader reader, Table& table) {
  table.fingerprint = take_text(reader);
  for (uint64_t left = reader.varint(); left > 0; --left) {
    TableSegment segment;
    segment.name = take_text(reader);
    auto live = search::LiveSet::from_bytes(take_text(reader));
    if (reader.failed() || !live.ok() || !search::is_segment_name(segment.name)) return false;
    segment.live = std::move(*live);
    table.segments.push_back(std::move(segment));
  }
  for (uint64_t left = reader.varint(); left > 0; --left) {
    const uint32_t position = reader.varint32();
    table.remarks.emplace_back(position, take_text(reader));
    if (reader.failed()) return false;
  }
  const auto count = reader.number<uint64_t>();
  if (reader.failed() || count > UINT32_MAX) return false;
  const std::string_view by_path = reader.take(count * sizeof(uint32_t));
  const std::string_view ends = reader.take(count * sizeof(uint64_t));
  if (reader.failed()) return false;
  const auto size = count == 0 ? 0 : load<uint64_t>(ends.data() + (count - 1) * sizeof(uint64_t));
  const std::string_view records = reader.take(size);
  if (reader.failed() || !reader.at_end()) return false;
  table.memories.resize(count);
  table.stamps.resize(count);
  table.by_path.resize(count);
  std::memcpy(table.by_path.data(), by_path.data(), by_path.size());
  return take_all_records(records, ends.data(), table) && in_path_order(table) &&
         std::all_of(table.remarks.begin(), table.remarks.end(),
                     [count](const auto& remark) { return remark.first < count; });
}

}  // namespace

knapsack::Status save_table(FileSystem& files, const std::string& path, const Table& table) {
  std::string body;
  append_text(body, table.fingerprint);
  append_varint(body, table.segments.size());
  for (const TableSegment& segment : table.segments) {
    append_text(body, segment.name);
    append_text(body, segment.live.to_bytes());
  }
  append_varint(body, table.remarks.size());
  for (const auto& [position, line] : table.remarks) {
    append_varint(body, position);
    append_text(body, line);
  }
  append_number(body, uint64_t{table.memories.size()});
  for (const uint32_t position : table.by_path) append_number(body, position);
  std::string records;
  for (size_t i = 0; i < table.memories.size(); ++i) {
    append_record(records, table.memories[i], table.stamps[i]);
    append_number(body, uint64_t{records.size()});
  }
  body += records;
  std::string header(kMagic);
  append_number(header, kVersion);
  append_number(header, uint32_t{0});
  append_number(header, uint64_t{XXH3_64bits(body.data(), body.size())});
  KNAPSACK_TRY(const auto file, files.create(parent_path(path)));
  KNAPSACK_CHECK(file->append(header));
  KNAPSACK_CHECK(file->append(body));
  return file->commit(path);
}

Result<Table> load_table(const FileSystem& files, const std::string& path) {
  KNAPSACK_TRY(const auto mapped, files.map(path));
  const std::string_view all = mapped->bytes();
  if (all.size() < kHeaderBytes) return unusable(path);
  ByteReader header(all);
  const bool known = header.take(kMagic.size()) == kMagic && header.number<uint32_t>() == kVersion;
  header.number<uint32_t>();
  const auto checksum = header.number<uint64_t>();
  const std::string_view body = all.substr(kHeaderBytes);
  if (!known || XXH3_64bits(body.data(), body.size()) != checksum) return unusable(path);
  Table table;
  if (!take_table(ByteReader(body), table)) return unusable(path);
  return table;
}

}  // namespace knapsack::memory
