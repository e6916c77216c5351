#include <algorithm>

#include "code/index/blob_rows.h"
#include "code/index/curated_schema.h"
#include "code/index/packing.h"

namespace knapsack::code {
namespace {

using sqlite::Statement;

uint32_t number_at(const Statement& row, int column) {
  return static_cast<uint32_t>(row.integer(column));
}

// What is stored is what we wrote, unless the file is damaged: an unknown number becomes the last one known.
template <class Enum>
Enum enum_at(const Statement& row, int column, Enum last) {
  const int64_t value = row.integer(column);
  return value >= 0 && value <= static_cast<int64_t>(last) ? static_cast<Enum>(value) : last;
}

constexpr const char* kBlobColumns =
    "SELECT blob, hash, language, bytes, characters, lines, cl100k, o200k, status, fallback, error_nodes,"
    " package, declares FROM blobs";

BlobRow blob_at(const Statement& row) {
  BlobRow blob;
  blob.blob = row.integer(0);
  blob.hash = column_view(row.bytes(1));
  blob.language = row.string(2);
  blob.bytes = static_cast<uint64_t>(row.integer(3));
  blob.characters = static_cast<uint64_t>(row.integer(4));
  blob.lines = number_at(row, 5);
  blob.tokens = {number_at(row, 6), number_at(row, 7)};
  blob.status = enum_at(row, 8, code::ParseStatus::kDocument);
  blob.fallback = enum_at(row, 9, code::FallbackReason::kCrash);
  blob.error_nodes = number_at(row, 10);
  blob.package = row.string(11);
  blob.declares = row.string(12);
  return blob;
}

constexpr const char* kSymbolColumns =
    "SELECT symbol, kind, name, qualified_name, native_name, start_line, end_line, start_byte, end_byte,"
    " name_line, parent, flags, doc_start_line, doc_end_line, cl100k, o200k, signature, docstring FROM "
    "symbols";

SymbolRow symbol_at(const Statement& row) {
  SymbolRow found;
  found.blob = owner_of(row.integer(0));
  found.position = position_of(row.integer(0));
  code::Symbol& symbol = found.symbol;
  symbol.kind = enum_at(row, 1, code::SymbolKind::kTest);
  symbol.name = row.string(2);
  symbol.qualified_name = row.string(3);
  symbol.native_name = row.string(4);
  symbol.start_line = number_at(row, 5);
  symbol.end_line = number_at(row, 6);
  symbol.start_byte = number_at(row, 7);
  symbol.end_byte = number_at(row, 8);
  symbol.name_line = number_at(row, 9);
  symbol.parent = static_cast<int32_t>(row.integer(10));
  const int64_t flags = row.integer(11);
  symbol.is_test = (flags & kTest) != 0;
  symbol.is_exported = (flags & kExported) != 0;
  symbol.is_declaration = (flags & kDeclaration) != 0;
  symbol.doc_start_line = number_at(row, 12);
  symbol.doc_end_line = number_at(row, 13);
  found.tokens = {number_at(row, 14), number_at(row, 15)};
  symbol.signature = row.string(16);
  symbol.docstring = row.string(17);
  return found;
}

// A file that is parsed has at most a million bytes, and so no more lines.
constexpr uint32_t kLastLine = uint32_t{1} << kOwnerShift;

// The database may come with a clone, and whoever reads a symbol finds others by its parent and lines by its
// range.
bool is_sound(const SymbolRow& row) {
  const code::Symbol& symbol = row.symbol;
  const bool has_parent = symbol.parent != code::kNoSymbol;
  return (!has_parent || static_cast<uint32_t>(symbol.parent) < row.position) && symbol.start_line >= 1 &&
         symbol.start_line <= symbol.end_line && symbol.end_line <= kLastLine &&
         symbol.start_byte <= symbol.end_byte;
}

constexpr const char* kImportColumns =
    "SELECT import, kind, module, alias, line, relative, wildcard, names FROM imports";

Result<code::Import> import_at(const Statement& row) {
  code::Import import;
  import.kind = enum_at(row, 1, code::ImportKind::kDynamic);
  import.module = row.string(2);
  import.alias = row.string(3);
  import.line = number_at(row, 4);
  import.is_relative = row.boolean(5);
  import.is_wildcard = row.boolean(6);
  KNAPSACK_TRY(import.names, unpack_imported_names(column_view(row.bytes(7))));
  return import;
}

Result<Statement> rows_of(sqlite::Database& database, const std::string& columns, const std::string& key,
                          int64_t blob) {
  KNAPSACK_TRY(auto rows,
               database.prepare(columns + " WHERE " + key + " >= ?1 AND " + key + " < ?2 ORDER BY " + key));
  rows.bind(first_row(blob), first_row(blob + 1));
  return rows;
}

// Every row that is left, as `read` makes it.
template <class Read>
auto all_of(Statement& row, Read read) -> Result<std::vector<decltype(read(row))>> {
  std::vector<decltype(read(row))> rows;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return rows;
    rows.push_back(read(row));
  }
}

Result<std::vector<SymbolRow>> sound_symbols(Statement& rows) {
  KNAPSACK_TRY(auto symbols, all_of(rows, symbol_at));
  if (!std::all_of(symbols.begin(), symbols.end(), is_sound))
    return damaged_index("a symbol does not add up");
  return symbols;
}

}  // namespace

Result<std::vector<BlobRow>> read_blobs(sqlite::Database& database) {
  KNAPSACK_TRY(auto rows, database.prepare(kBlobColumns));
  return all_of(rows, blob_at);
}

Result<std::optional<BlobRow>> read_blob(sqlite::Database& database, int64_t blob) {
  KNAPSACK_TRY(auto row, database.prepare(std::string(kBlobColumns) + " WHERE blob = ?"));
  row.bind(blob);
  KNAPSACK_TRY(const bool found, row.step());
  return found ? std::optional(blob_at(row)) : std::nullopt;
}

Result<std::vector<BlobRow>> read_declaring_blobs(sqlite::Database& database) {
  KNAPSACK_TRY(auto rows, database.prepare("SELECT blob, package, declares FROM blobs"
                                           " WHERE package <> '' OR declares <> ''"));
  return all_of(rows, [](const Statement& row) {
    BlobRow blob;
    blob.blob = row.integer(0);
    blob.package = row.string(1);
    blob.declares = row.string(2);
    return blob;
  });
}

Result<std::vector<SymbolRow>> read_symbols(sqlite::Database& database, int64_t blob) {
  KNAPSACK_TRY(auto rows, rows_of(database, kSymbolColumns, "symbol", blob));
  KNAPSACK_TRY(auto symbols, sound_symbols(rows));
  // They come in order and no two have the same position, so the last tells whether one is missing.
  if (!symbols.empty() && symbols.back().position + 1 != symbols.size())
    return damaged_index("a symbol is missing");
  return symbols;
}

Result<std::vector<SymbolRow>> read_symbols_named(sqlite::Database& database, std::string_view name) {
  KNAPSACK_TRY(auto rows, database.prepare(std::string(kSymbolColumns) + " WHERE name = ? ORDER BY symbol"));
  rows.bind(name);
  return sound_symbols(rows);
}

Result<std::vector<DefinitionRow>> read_definitions_named(sqlite::Database& database, std::string_view name) {
  KNAPSACK_TRY(auto rows, database.prepare("SELECT symbol, kind, qualified_name, flags FROM symbols"
                                           " WHERE name = ? ORDER BY symbol"));
  rows.bind(name);
  return all_of(rows, [](const Statement& row) {
    const int64_t flags = row.integer(3);
    return DefinitionRow{owner_of(row.integer(0)),
                         position_of(row.integer(0)),
                         enum_at(row, 1, code::SymbolKind::kTest),
                         row.string(2),
                         (flags & kExported) != 0,
                         (flags & kDeclaration) != 0};
  });
}

Result<std::vector<ChunkRow>> read_chunks(sqlite::Database& database, int64_t blob) {
  KNAPSACK_TRY(auto rows,
               rows_of(database,
                       "SELECT start_line, end_line, start_byte, end_byte, enclosing, cl100k, o200k,"
                       " header FROM chunks",
                       "chunk", blob));
  return all_of(rows, [](const Statement& row) {
    return ChunkRow{{number_at(row, 0), number_at(row, 1), number_at(row, 2), number_at(row, 3),
                     static_cast<int32_t>(row.integer(4)), row.string(7)},
                    {number_at(row, 5), number_at(row, 6)}};
  });
}

Result<std::vector<code::Import>> read_imports(sqlite::Database& database, int64_t blob) {
  KNAPSACK_TRY(auto row, rows_of(database, kImportColumns, "import", blob));
  std::vector<code::Import> imports;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return imports;
    KNAPSACK_TRY(code::Import import, import_at(row));
    imports.push_back(std::move(import));
  }
}

Status visit_imports(
    sqlite::Database& database,
    const std::function<Status(int64_t blob, uint32_t position, const code::Import& import)>& visit) {
  KNAPSACK_TRY(auto row, database.prepare(std::string(kImportColumns) + " ORDER BY import"));
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return ok_status();
    KNAPSACK_TRY(const code::Import import, import_at(row));
    KNAPSACK_CHECK(visit(owner_of(row.integer(0)), position_of(row.integer(0)), import));
  }
}

Result<std::vector<code::Comment>> read_comments(sqlite::Database& database, int64_t blob) {
  KNAPSACK_TRY(auto row,
               rows_of(database, "SELECT kind, start_line, end_line, enclosing, issues, text FROM comments",
                       "comment", blob));
  std::vector<code::Comment> comments;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return comments;
    code::Comment& comment = comments.emplace_back();
    comment.kind = enum_at(row, 0, code::CommentKind::kPlain);
    comment.start_line = number_at(row, 1);
    comment.end_line = number_at(row, 2);
    comment.enclosing = static_cast<int32_t>(row.integer(3));
    KNAPSACK_TRY(comment.issues, unpack_numbers(column_view(row.bytes(4))));
    comment.text = row.string(5);
  }
}

Result<std::vector<code::TestCase>> read_tests(sqlite::Database& database, int64_t blob) {
  KNAPSACK_TRY(auto row, rows_of(database, "SELECT symbol, assertions FROM tests", "test", blob));
  std::vector<code::TestCase> tests;
  while (true) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return tests;
    code::TestCase& test = tests.emplace_back();
    test.symbol = static_cast<int32_t>(row.integer(0));
    KNAPSACK_TRY(test.assertions, unpack_strings(column_view(row.bytes(1))));
  }
}

Status read_references(sqlite::Database& database, int64_t blob, code::ParsedFile& file) {
  KNAPSACK_TRY(auto row, database.prepare("SELECT packed FROM \"references\" WHERE blob = ?"));
  row.bind(blob);
  KNAPSACK_TRY(const bool found, row.step());
  if (!found) return ok_status();
  return unpack_references(column_view(row.bytes(0)), file);
}

Status read_facts(sqlite::Database& database, int64_t blob, code::ParsedFile& file) {
  KNAPSACK_CHECK(read_references(database, blob, file));
  KNAPSACK_TRY(auto symbols, read_symbols(database, blob));
  for (SymbolRow& row : symbols) file.symbols.push_back(std::move(row.symbol));
  for (const code::Reference& reference : file.references) {
    if (reference.enclosing >= static_cast<int32_t>(file.symbols.size()))
      return damaged_index("a reference is inside of a symbol that is not there");
  }
  KNAPSACK_TRY(file.imports, read_imports(database, blob));
  return ok_status();
}

}  // namespace knapsack::code
