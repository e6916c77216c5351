// What the search engine holds of a repository: three collections of documents, and their fields.
//
//   code     one document a blob and language; a unit a chunk
//   paths    one document a path
//   commits  one document a commit
//
// A document depends on its key alone, so that any number of snapshots share it. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "code/parse/parsed_file.h"
#include "git/commit.h"
#include "search/segments/segment_builder.h"

namespace knapsack::code {

inline constexpr const char* kCodeCollection = "code";
inline constexpr const char* kPathCollection = "paths";
inline constexpr const char* kCommitCollection = "commits";

// Fields of `code`. Bodies are unstemmed: identifiers are names, not words of a language.
inline constexpr uint32_t kBodyField = 0;
inline constexpr uint32_t kDefinitionField = 1;  // names of what the chunk defines, stemmed
// Fields of `paths`, stemmed.
inline constexpr uint32_t kFileNameField = 0;
inline constexpr uint32_t kFolderField = 1;
inline constexpr uint32_t kExtensionField = 2;
// The field of `commits`, stemmed.
inline constexpr uint32_t kMessageField = 0;
// What a message is about stands at its beginning; lists and logs behind it only make it long.
inline constexpr size_t kSearchedMessageBytes = 2000;

// How each field's words are read, for indexing and for queries.
WordOptions body_words();
WordOptions name_words();

// The key of a blob's document: git's id of 20 bytes and the language.
std::string blob_key(std::string_view hash, std::string_view language);

void add_blob_document(search::SegmentBuilder& builder, std::string_view key, std::string_view bytes,
                       const ParsedFile& parsed);
void add_path_document(search::SegmentBuilder& builder, std::string_view path);
void add_commit_document(search::SegmentBuilder& builder, const Commit& commit);

}  // namespace knapsack::code
