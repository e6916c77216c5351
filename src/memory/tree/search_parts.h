// The search segments of a catalogue: opening those that a table names, taking memories out, adding others.
//
// Segments never change; what changes is which of their documents are live, and each memory is live in one of
// them. One thread.
// Private to memory/tree/.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/files/file_system.h"
#include "memory/tree/memory.h"
#include "memory/tree/table.h"
#include "search/segments/index.h"

namespace knapsack::memory {

using SearchParts = std::vector<search::Index::Part>;

// Changes with how a memory becomes a document: segments that were made otherwise cannot be searched.
Result<std::string> documents_fingerprint();

// Every page is checked: an answer must not fail later for what can be made anew now.
Result<SearchParts> open_parts(const FileSystem& files, const std::string& folder,
                               const std::vector<TableSegment>& segments);

// Makes the documents of these paths dead.
knapsack::Status retire(SearchParts& parts, std::span<const std::string_view> paths);

// Adds the documents of these memories as at most `most` segments in `folder`, each made by a thread.
knapsack::Status add_documents(FileSystem& files, const std::string& folder,
                               std::span<const Memory* const> memories, size_t most, SearchParts& parts);
// The same without a disk: the segment lives as long as the parts do.
knapsack::Status add_unsaved_documents(std::span<const Memory* const> memories, SearchParts& parts);

// Makes few segments of many, in `folder`, where they are.
knapsack::Status merge_parts(FileSystem& files, const std::string& folder, SearchParts& parts);

std::vector<TableSegment> table_segments(const SearchParts& parts);

}  // namespace knapsack::memory
