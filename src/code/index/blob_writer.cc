#include <optional>

#include "code/index/blob_rows.h"
#include "code/index/curated_schema.h"
#include "code/index/packing.h"

namespace knapsack::code {
namespace {

// The tables whose rows belong to a blob, by their key.
constexpr const char* kOwned[][2] = {{"symbols", "symbol"},
                                     {"chunks", "chunk"},
                                     {"imports", "import"},
                                     {"comments", "comment"},
                                     {"tests", "test"}};

int flags_of(const code::Symbol& symbol) {
  return (symbol.is_test ? kTest : 0) | (symbol.is_exported ? kExported : 0) |
         (symbol.is_declaration ? kDeclaration : 0);
}

template <class Enum>
int64_t number_of(Enum value) {
  return static_cast<int64_t>(value);
}

int64_t number(uint32_t value) {
  return static_cast<int64_t>(value);
}

}  // namespace

Result<BlobWriter> BlobWriter::prepare(sqlite::Database& database) {
  BlobWriter writer;
  writer.database_ = &database;
  KNAPSACK_TRY(writer.blob_, database.prepare("INSERT INTO blobs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  KNAPSACK_TRY(writer.symbol_,
               database.prepare("INSERT INTO symbols VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  KNAPSACK_TRY(writer.chunk_, database.prepare("INSERT INTO chunks VALUES (?,?,?,?,?,?,?,?,?)"));
  KNAPSACK_TRY(writer.import_, database.prepare("INSERT INTO imports VALUES (?,?,?,?,?,?,?,?)"));
  KNAPSACK_TRY(writer.references_, database.prepare("INSERT INTO \"references\" VALUES (?,?)"));
  KNAPSACK_TRY(writer.comment_, database.prepare("INSERT INTO comments VALUES (?,?,?,?,?,?,?)"));
  KNAPSACK_TRY(writer.test_, database.prepare("INSERT INTO tests VALUES (?,?,?)"));
  return writer;
}

Result<int64_t> BlobWriter::add(const BlobFacts& facts, int64_t wanted) {
  const code::ParsedFile& parsed = facts.parsed;
  KNAPSACK_CHECK(blob_
                     .bind(wanted == 0 ? std::nullopt : std::optional(wanted), column_bytes(facts.hash),
                           facts.language, static_cast<int64_t>(facts.bytes),
                           static_cast<int64_t>(facts.characters), number(parsed.line_count),
                           number(facts.tokens.cl100k), number(facts.tokens.o200k), number_of(parsed.status),
                           number_of(parsed.fallback), number(parsed.error_nodes), parsed.package,
                           facts.declares)
                     .run());
  const int64_t blob = database_->last_insert_rowid();
  KNAPSACK_CHECK(add_symbols(blob, facts));
  KNAPSACK_CHECK(add_chunks(blob, facts));
  KNAPSACK_CHECK(add_imports(blob, parsed));
  KNAPSACK_CHECK(add_comments(blob, parsed));
  KNAPSACK_CHECK(add_tests(blob, parsed));
  if (!parsed.references.empty()) {
    const std::string packed = pack_references(parsed);
    KNAPSACK_CHECK(references_.bind(blob, column_bytes(packed)).run());
  }
  return blob;
}

Status BlobWriter::add_symbols(int64_t blob, const BlobFacts& facts) {
  for (size_t i = 0; i < facts.parsed.symbols.size(); ++i) {
    const code::Symbol& symbol = facts.parsed.symbols[i];
    const TokenCounts tokens = facts.symbol_tokens[i];
    KNAPSACK_CHECK(symbol_
                       .bind(row_number(blob, i), number_of(symbol.kind), symbol.name, symbol.qualified_name,
                             symbol.native_name, number(symbol.start_line), number(symbol.end_line),
                             number(symbol.start_byte), number(symbol.end_byte), number(symbol.name_line),
                             symbol.parent, flags_of(symbol), number(symbol.doc_start_line),
                             number(symbol.doc_end_line), number(tokens.cl100k), number(tokens.o200k),
                             symbol.signature, symbol.docstring)
                       .run());
  }
  return ok_status();
}

Status BlobWriter::add_chunks(int64_t blob, const BlobFacts& facts) {
  for (size_t i = 0; i < facts.parsed.chunks.size(); ++i) {
    const code::Chunk& chunk = facts.parsed.chunks[i];
    const TokenCounts tokens = facts.chunk_tokens[i];
    KNAPSACK_CHECK(chunk_
                       .bind(row_number(blob, i), number(chunk.start_line), number(chunk.end_line),
                             number(chunk.start_byte), number(chunk.end_byte), chunk.enclosing,
                             number(tokens.cl100k), number(tokens.o200k), chunk.header)
                       .run());
  }
  return ok_status();
}

Status BlobWriter::add_imports(int64_t blob, const code::ParsedFile& parsed) {
  for (size_t i = 0; i < parsed.imports.size(); ++i) {
    const code::Import& import = parsed.imports[i];
    const std::string names = pack_imported_names(import.names);
    KNAPSACK_CHECK(import_
                       .bind(row_number(blob, i), number_of(import.kind), import.module, import.alias,
                             number(import.line), import.is_relative, import.is_wildcard, column_bytes(names))
                       .run());
  }
  return ok_status();
}

Status BlobWriter::add_comments(int64_t blob, const code::ParsedFile& parsed) {
  for (size_t i = 0; i < parsed.comments.size(); ++i) {
    const code::Comment& comment = parsed.comments[i];
    const std::string issues = pack_numbers(comment.issues);
    KNAPSACK_CHECK(comment_
                       .bind(row_number(blob, i), number_of(comment.kind), number(comment.start_line),
                             number(comment.end_line), comment.enclosing, column_bytes(issues), comment.text)
                       .run());
  }
  return ok_status();
}

Status BlobWriter::add_tests(int64_t blob, const code::ParsedFile& parsed) {
  for (size_t i = 0; i < parsed.tests.size(); ++i) {
    const std::string assertions = pack_strings(parsed.tests[i].assertions);
    KNAPSACK_CHECK(test_.bind(row_number(blob, i), parsed.tests[i].symbol, column_bytes(assertions)).run());
  }
  return ok_status();
}

Status BlobWriter::remove(int64_t blob) {
  for (const auto& [table, key] : kOwned) {
    KNAPSACK_TRY(auto removal, database_->prepare(std::string("DELETE FROM ") + table + " WHERE " + key +
                                                  " >= ?1 AND " + key + " < ?2"));
    KNAPSACK_CHECK(removal.bind(first_row(blob), first_row(blob + 1)).run());
  }
  KNAPSACK_TRY(auto references, database_->prepare("DELETE FROM \"references\" WHERE blob = ?"));
  KNAPSACK_CHECK(references.bind(blob).run());
  KNAPSACK_TRY(auto row, database_->prepare("DELETE FROM blobs WHERE blob = ?"));
  return row.bind(blob).run();
}

}  // namespace knapsack::code
