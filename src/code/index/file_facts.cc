#include "code/index/file_facts.h"

#include "code/imports/import_resolver.h"
#include "code/index/code_documents.h"
#include "code/walk/clean_source.h"
#include "code/walk/file_class.h"
#include "code/walk/notebook.h"
#include "code/walk/sensitive_file.h"
#include "text/unicode/utf8.h"

namespace knapsack::code {
namespace {

const TokenCounter& counter(std::string_view name) {
  return **find_token_counter(name);  // one of ours, so it is there
}

}  // namespace

FileExaminer::FileExaminer(SourceReader reader, std::function<bool(const std::string& key)> claim,
                           std::vector<std::string> allowed, std::string parsing_program)
    : reader_(std::move(reader)),
      claim_(std::move(claim)),
      allowed_(std::move(allowed)),
      parser_(std::move(parsing_program)),
      cl100k_(counter("cl100k")),
      o200k_(counter("o200k")) {}

Result<ExaminedFile> FileExaminer::examine(const SourceFile& file) {
  ExaminedFile examined;
  FileRow& row = examined.row;
  row.name = file.path;
  row.hash = file.hash;
  row.size = file.info.size;
  if (file.is_link) {
    row.file_class = kLinkClass;
    return examined;
  }
  const bool allowed = is_allowed(allowed_, file.path);
  if (!allowed && is_sensitive_path(file.path)) {
    row.file_class = kSensitiveClass;
    row.size = reader_.size(file);
    return examined;
  }
  auto bytes = reader_.read(file, most_bytes_of(file.path));
  if (!bytes.ok()) {
    const bool large = bytes.error().code == ErrorCode::kLimit;
    row.file_class = large ? kLargeClass : kUnreadableClass;
    row.size = reader_.size(file);
    if (!large) examined.problem = bytes.error().line();
    return examined;
  }
  row.size = bytes->size();
  // Of the bytes as they lie there; a file of secrets is kept without one.
  const std::string hash = row.hash.empty() ? hash_from_hex(git_blob_id(*bytes)) : row.hash;
  decode_utf16(*bytes);
  if (!allowed && is_sensitive_file(file.path, *bytes)) {
    row.file_class = kSensitiveClass;
    return examined;
  }
  row.hash = hash;
  const Language& language = detect_language(file.path, *bytes);
  row.language = language.name;
  // A notebook is what its cells say, however long the lines of its pictures are.
  const std::optional<std::string> cells =
      language.name == kNotebook ? notebook_text(*bytes) : std::optional<std::string>();
  row.file_class =
      is_lfs_pointer(*bytes) ? kLfsClass : to_string(classify_file(file.path, cells ? *cells : *bytes));
  const uint64_t most = language.has_symbols() ? kMaxCodeBytes : kMaxSourceBytes;
  if (row.file_class == kSourceClass && (cells ? *cells : *bytes).size() > most) row.file_class = kLargeClass;
  if (row.file_class != kSourceClass) return examined;
  examined.key = blob_key(row.hash, row.language);
  if (!claim_(examined.key)) return examined;
  clean_source(*bytes, row.language);
  KNAPSACK_TRY(examined.facts, facts_of(language, row, *bytes, examined.key));
  return examined;
}

Result<std::unique_ptr<BlobFacts>> FileExaminer::facts_of(const Language& language, const FileRow& row,
                                                          std::string_view bytes, const std::string& key) {
  auto facts = std::make_unique<BlobFacts>();
  facts->hash = row.hash;
  facts->language = row.language;
  facts->bytes = row.size;
  facts->characters = count_code_points(bytes);
  KNAPSACK_TRY(facts->parsed, parser_.parse(language, bytes));
  facts->declares = declared_names(language, facts->parsed);
  count_tokens(bytes, *facts);
  add_blob_document(documents_, key, bytes, facts->parsed);
  return facts;
}

void FileExaminer::count_tokens(std::string_view bytes, BlobFacts& facts) {
  cl100k_.reset(bytes);
  o200k_.reset(bytes);
  const auto tokens = [this](uint32_t begin, uint32_t end) {
    return TokenCounts{static_cast<uint32_t>(cl100k_.tokens(begin, end)),
                       static_cast<uint32_t>(o200k_.tokens(begin, end))};
  };
  facts.tokens = tokens(0, static_cast<uint32_t>(bytes.size()));
  for (const Symbol& symbol : facts.parsed.symbols) {
    facts.symbol_tokens.push_back(tokens(symbol.start_byte, symbol.end_byte));
  }
  for (const Chunk& chunk : facts.parsed.chunks) {
    facts.chunk_tokens.push_back(tokens(chunk.start_byte, chunk.end_byte));
  }
}

}  // namespace knapsack::code
