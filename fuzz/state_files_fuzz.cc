// Any bytes as a file or value that lies in .knapsack/ or in the memory folder, where a clone can bring them:
// read or refused. The first byte chooses the reader. Where a checksum stands before the rest it is made to
// fit, which gets behind it.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "clients/change_record.h"
#include "code/index/packing.h"
#include "code/index/snapshot_report.h"
#include "core/byte_reader.h"
#include "core/files/memory_file_system.h"
#include "engine/recipes/code/retrieval_request.h"
#include "graph/store/change.h"
#include "graph/store/index_file.h"
#include "memory/tree/access_journal.h"
#include "memory/tree/table.h"
#include "search/segments/live_set.h"
#include "search/segments/segment_format.h"
#include "stages/stage_context.h"
#include "store/deflate.h"

namespace {

using namespace knapsack;

void check(bool holds) {
  if (!holds) std::abort();
}

std::string sealed(std::string bytes, size_t at, size_t header) {
  if (bytes.size() < header) return bytes;
  std::string checksum;
  append_number(checksum, uint64_t{XXH3_64bits(bytes.data() + header, bytes.size() - header)});
  return bytes.replace(at, checksum.size(), checksum);
}

// Every line with the sum that it should have.
std::string sealed_lines(std::string_view text) {
  std::string lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string words(text.substr(at, end - at));
    char sum[18] = "";
    (void)std::snprintf(sum, sizeof sum, "%016llx ",
                        static_cast<unsigned long long>(XXH3_64bits(words.data(), words.size())));
    lines += sum + words + "\n";
    at = end + 1;
  }
  return lines;
}

void read_journal(const std::string& bytes) {
  for (const std::string& text : {bytes, sealed_lines(bytes)}) {
    MemoryFileSystem files;
    files.put("/m/" + std::string(memory::kJournalFile), text);
    files.put("/m/" + std::string(memory::kFoldPlanFile), text);
    (void)memory::read_accesses(files, "/m").ok();
  }
}

void read_json(const std::string& bytes) {
  if (const auto context = stages::context_from_json(bytes); context.ok())
    check(*stages::context_from_json(stages::to_json(*context)) == *context);
  (void)request_from_json(bytes).ok();
  (void)code::SnapshotReport::from_json(bytes).ok();
  if (const auto record = clients::read_record(bytes, "f"); record.ok())
    check(clients::read_record(clients::write_record(*record), "f").ok());
}

void read_columns(const std::string& bytes) {
  (void)code::unpack_strings(bytes).ok();
  (void)code::unpack_numbers(bytes).ok();
  (void)code::unpack_imported_names(bytes).ok();
  code::ParsedFile file;
  (void)code::unpack_references(bytes, file).ok();
  for (const int64_t size : {int64_t{-1}, int64_t{0}, int64_t{100}, int64_t{1} << 40U})
    (void)inflate_text(bytes, size).has_value();
  std::string live;
  append_number(live, search::page_checksum(bytes));
  if (const auto set = search::LiveSet::from_bytes(live + bytes); set.ok())
    check(search::LiveSet::from_bytes(set->to_bytes()).ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  MemoryFileSystem files;
  switch (data[0] % 6) {
    case 0:
      files.put("/table", sealed(bytes, 16, 24));
      (void)memory::load_table(files, "/table").ok();
      break;
    case 1:
      files.put("/index", sealed(bytes, 16, 32));
      (void)graph::load_index(files, "/index").ok();
      break;
    case 2:
      files.put("/g/pending.json", bytes);
      (void)graph::read_pending(files, "/g").ok();
      break;
    case 3:
      read_journal(bytes);
      break;
    case 4:
      read_json(bytes);
      break;
    default:
      read_columns(bytes);
  }
  return 0;
}
