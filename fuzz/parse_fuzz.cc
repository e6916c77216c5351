// Parses any bytes as any language: never crashes, and everything it says lies within the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "code/parse/language.h"
#include "code/parse/parser.h"
#include "code/walk/file_class.h"

namespace {

using namespace knapsack::code;  // NOLINT: a fuzz target is one function

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const ParsedFile& file, std::string_view bytes) {
  const auto symbols = static_cast<int32_t>(file.symbols.size());
  for (const Symbol& symbol : file.symbols) {
    require(!symbol.name.empty());
    require(symbol.start_byte <= symbol.end_byte && symbol.end_byte <= bytes.size());
    require(symbol.start_line >= 1 && symbol.start_line <= symbol.end_line &&
            symbol.end_line <= file.line_count);
    require(symbol.parent < symbols);
    require(symbol.signature.size() <= kMaxSignatureBytes + 201);  // a name may be added behind it
    require(symbol.docstring.size() <= kMaxDocstringBytes);
  }
  for (const Reference& reference : file.references) {
    require(reference.name < file.names.size() && reference.qualifier < file.names.size());
    require(reference.line >= 1 && reference.line <= file.line_count);
    require(reference.enclosing < symbols);
  }
  for (const Import& import : file.imports) require(import.line >= 1 && import.line <= file.line_count);
  for (const Comment& comment : file.comments) {
    require(comment.start_line >= 1 && comment.start_line <= comment.end_line &&
            comment.end_line <= file.line_count);
    require(comment.enclosing < symbols);
  }
  for (const TestCase& test : file.tests) require(test.symbol >= 0 && test.symbol < symbols);
  uint32_t line = 1;
  uint32_t byte = 0;
  for (const Chunk& chunk : file.chunks) {
    require(chunk.start_line == line && chunk.start_byte == byte && chunk.end_line >= chunk.start_line);
    line = chunk.end_line + 1;
    byte = chunk.end_byte;
  }
  require(byte == bytes.size() && line == file.line_count + 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static Parser parser;  // reused, as an index run does
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const Language& language = languages()[data[0] % languages().size()];
  const auto file = parser.parse(language, bytes);
  require(file.ok());
  if (file->status != ParseStatus::kTooLarge) check(*file, bytes);
  const std::string_view path = bytes.substr(0, 40);
  detect_language(path, bytes);
  classify_file(path, bytes);
  is_test_path(path);
  return 0;
}
