// BlobWriter and the reads of what is known of a blob. Private to code/index/ and its Curated class.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "code/index/curated_rows.h"
#include "store/sqlite/sqlite.h"

namespace knapsack::code {

// Inserts blobs; its statements are prepared once. The caller holds a transaction.
class BlobWriter {
 public:
  static Result<BlobWriter> prepare(sqlite::Database& database);

  // Its number: a new one for 0.
  Result<int64_t> add(const BlobFacts& facts, int64_t number);
  Status remove(int64_t blob);

 private:
  BlobWriter() = default;
  Status add_symbols(int64_t blob, const BlobFacts& facts);
  Status add_chunks(int64_t blob, const BlobFacts& facts);
  Status add_imports(int64_t blob, const code::ParsedFile& parsed);
  Status add_comments(int64_t blob, const code::ParsedFile& parsed);
  Status add_tests(int64_t blob, const code::ParsedFile& parsed);

  sqlite::Database* database_ = nullptr;
  sqlite::Statement blob_, symbol_, chunk_, import_, references_, comment_, test_;
};

Result<std::vector<BlobRow>> read_blobs(sqlite::Database& database);
Result<std::optional<BlobRow>> read_blob(sqlite::Database& database, int64_t blob);
Result<std::vector<BlobRow>> read_declaring_blobs(sqlite::Database& database);
Result<std::vector<SymbolRow>> read_symbols(sqlite::Database& database, int64_t blob);
Result<std::vector<SymbolRow>> read_symbols_named(sqlite::Database& database, std::string_view name);
Result<std::vector<DefinitionRow>> read_definitions_named(sqlite::Database& database, std::string_view name);
Result<std::vector<ChunkRow>> read_chunks(sqlite::Database& database, int64_t blob);
Result<std::vector<code::Import>> read_imports(sqlite::Database& database, int64_t blob);
Status visit_imports(
    sqlite::Database& database,
    const std::function<Status(int64_t blob, uint32_t position, const code::Import& import)>& visit);
Result<std::vector<code::Comment>> read_comments(sqlite::Database& database, int64_t blob);
Result<std::vector<code::TestCase>> read_tests(sqlite::Database& database, int64_t blob);
// Sets `names` and `references`.
Status read_references(sqlite::Database& database, int64_t blob, code::ParsedFile& file);
// Sets `symbols` and `imports` too.
Status read_facts(sqlite::Database& database, int64_t blob, code::ParsedFile& file);

}  // namespace knapsack::code
