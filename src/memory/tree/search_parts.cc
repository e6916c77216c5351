#include "memory/tree/search_parts.h"

#include "core/files/memory_file_system.h"
#include "core/in_parts.h"
#include "memory/tree/documents.h"
#include "search/segments/segment_merge.h"
#include "search/segments/segment_set.h"

namespace knapsack::memory {
namespace {

constexpr size_t kDocumentsOfThread = 500;  // fewer are indexed before a thread has started
const std::string kUnsavedFolder = "/unsaved";

knapsack::Status add_segment(const FileSystem& files, const std::string& folder, const std::string& name,
                             SearchParts& parts) {
  KNAPSACK_TRY(auto segment, search::open_segment(files, folder, name));
  auto live = search::LiveSet::all(segment->documents());
  parts.push_back({std::move(segment), std::move(live)});
  return ok_status();
}

}  // namespace

Result<std::string> documents_fingerprint() {
  // A memory with something for every field and every rule of the tokenizer; a segment is named by what it
  // holds.
  Memory probe;
  probe.path = "facts/2026-01-01/fact-1-probe.md";
  probe.id = "fact-1-probe";
  probe.text =
      "# Release rules\n\nAnna's HTTPServer2 parses parse_rfc3339 running runs; сборки собирали 検索結果.";
  probe.tags = {"build", "сборка"};
  probe.entity = "person-anna";
  probe.session = "2026-01-01";
  probe.speaker = "Anna";
  search::SegmentBuilder builder;
  add_document(builder, probe);
  MemoryFileSystem scratch;
  return builder.write(scratch, kUnsavedFolder);
}

Result<SearchParts> open_parts(const FileSystem& files, const std::string& folder,
                               const std::vector<TableSegment>& segments) {
  SearchParts parts;
  for (const TableSegment& each : segments) {
    KNAPSACK_TRY(auto segment, search::open_segment(files, folder, each.name));
    KNAPSACK_CHECK(segment->verify());
    parts.push_back({std::move(segment), each.live});
  }
  return parts;
}

knapsack::Status retire(SearchParts& parts, std::span<const std::string_view> paths) {
  for (const std::string_view path : paths) {
    for (search::Index::Part& part : parts) {
      KNAPSACK_TRY(const auto document, part.segment->find_document(path));
      if (document) part.live.remove(*document);
    }
  }
  return ok_status();
}

knapsack::Status add_documents(FileSystem& files, const std::string& folder,
                               std::span<const Memory* const> memories, size_t most, SearchParts& parts) {
  if (memories.empty()) return ok_status();
  const size_t count = std::min(most, part_count(memories.size(), kDocumentsOfThread));
  std::vector<Result<std::string>> names(count, std::string());
  in_parts(memories.size(), count, [&](size_t part, size_t begin, size_t end) {
    search::SegmentBuilder builder;
    for (size_t i = begin; i < end; ++i) add_document(builder, *memories[i]);
    names[part] = builder.write(files, folder);
  });
  for (const auto& name : names) {
    if (!name.ok()) return name.error();
    KNAPSACK_CHECK(add_segment(files, folder, *name, parts));
  }
  return ok_status();
}

knapsack::Status add_unsaved_documents(std::span<const Memory* const> memories, SearchParts& parts) {
  if (memories.empty()) return ok_status();
  search::SegmentBuilder builder;
  for (const Memory* memory : memories) add_document(builder, *memory);
  MemoryFileSystem scratch;
  KNAPSACK_TRY(const std::string name, builder.write(scratch, kUnsavedFolder));
  return add_segment(scratch, kUnsavedFolder, name, parts);
}

knapsack::Status merge_parts(FileSystem& files, const std::string& folder, SearchParts& parts) {
  std::erase_if(parts, [](const search::Index::Part& part) { return part.live.size() == 0; });
  while (true) {
    std::vector<search::SegmentSize> sizes;
    for (const search::Index::Part& part : parts) {
      // One unit a document.
      sizes.push_back({part.segment->units(), part.live.size()});
    }
    const std::vector<size_t> chosen = search::choose_merge(sizes);
    if (chosen.empty()) return ok_status();
    std::vector<search::MergeInput> inputs;
    SearchParts rest;
    for (size_t i = 0, next = 0; i < parts.size(); ++i) {
      if (next < chosen.size() && chosen[next] == i) {
        inputs.push_back({parts[i].segment, parts[i].live});
        ++next;
      } else {
        rest.push_back(parts[i]);
      }
    }
    KNAPSACK_TRY(const std::string name, search::merge_segments(files, folder, inputs));
    KNAPSACK_CHECK(add_segment(files, folder, name, rest));
    parts = std::move(rest);
  }
}

std::vector<TableSegment> table_segments(const SearchParts& parts) {
  std::vector<TableSegment> segments;
  for (const search::Index::Part& part : parts) segments.push_back({part.segment->name(), part.live});
  return segments;
}

}  // namespace knapsack::memory
