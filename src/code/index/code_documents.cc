#include "code/index/code_documents.h"

#include <algorithm>

#include "core/paths.h"

namespace knapsack::code {

WordOptions body_words() {
  return {};
}

WordOptions name_words() {
  WordOptions options;
  options.stemming = Stemming::kByScript;
  return options;
}

std::string blob_key(std::string_view hash, std::string_view language) {
  return std::string(hash).append(language);
}

void add_blob_document(search::SegmentBuilder& builder, std::string_view key, std::string_view bytes,
                       const ParsedFile& parsed) {
  builder.begin_document(key);
  // Symbols come in the order in which they start, and so do chunks.
  size_t symbol = 0;
  for (const Chunk& chunk : parsed.chunks) {
    builder.begin_unit();
    builder.add_text(kBodyField, bytes.substr(chunk.start_byte, chunk.end_byte - chunk.start_byte),
                     body_words());
    for (; symbol < parsed.symbols.size() && parsed.symbols[symbol].start_line <= chunk.end_line; ++symbol) {
      builder.add_text(kDefinitionField, parsed.symbols[symbol].name, name_words());
    }
  }
}

void add_path_document(search::SegmentBuilder& builder, std::string_view path) {
  const std::string_view name = base_name(path), stem = stem_of(path);
  builder.begin_document(path);
  builder.begin_unit();
  builder.add_text(kFileNameField, stem, name_words());
  if (stem.size() < name.size()) builder.add_text(kExtensionField, name.substr(stem.size()), name_words());
  if (name.size() < path.size()) builder.add_text(kFolderField, folder_of(path), name_words());
}

void add_commit_document(search::SegmentBuilder& builder, const Commit& commit) {
  builder.begin_document(commit.id);
  builder.begin_unit();
  builder.add_text(kMessageField, std::string_view(commit.message).substr(0, kSearchedMessageBytes),
                   name_words());
}

}  // namespace knapsack::code
