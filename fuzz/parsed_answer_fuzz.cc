// Any bytes as what a parsing process answered: refused, or within the file, and what is made of it then
// holds. An odd first byte: the rest are changes (where, what) to a true answer, which gets behind its form.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "code/parse/chunker.h"
#include "code/parse/parsed_file_bytes.h"
#include "code/parse/parser.h"
#include "text/unicode/utf8.h"

namespace {

using namespace knapsack;
using namespace knapsack::code;

constexpr std::string_view kSource =
    "\"\"\"Orders.\"\"\"\nimport os\nfrom shop.items import Item as Thing\n\n\nclass Order(Thing):\n"
    "    # why: see #12\n    def total(self, tax=1):\n        \"\"\"What it costs.\"\"\"\n"
    "        return os.sum(self.items) * tax\n\n\ndef test_total():\n    assert Order().total() == 1\n";

void check(bool holds) {
  if (!holds) std::abort();
}

std::string true_answer() {
  Parser parser;
  const auto file = parser.read_syntax(*find_language("python"), kSource);
  check(file.ok() && file->symbols.size() == 3);
  return encode_parsed_file(*file);
}

void check_file(ParsedFile file) {
  for (size_t i = 0; i < file.symbols.size(); ++i) {
    const Symbol& symbol = file.symbols[i];
    check(symbol.start_byte <= symbol.end_byte && symbol.end_byte <= kSource.size());
    check(symbol.parent < static_cast<int32_t>(i) && valid_utf8(symbol.name + symbol.docstring));
  }
  for (const Reference& reference : file.references)
    check(reference.name < file.names.size() && reference.qualifier < file.names.size());
  add_chunks(*find_language("python"), kSource, file);
  check(!file.chunks.empty() && file.chunks.back().end_byte == kSource.size());
  check(decode_parsed_file(encode_parsed_file(file), kSource).ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string truth = true_answer();
  if (size == 0) return 0;
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 1) {
    bytes = truth;
    for (size_t at = 1; at + 3 <= size; at += 3)
      bytes[(data[at] | size_t{data[at + 1]} << 8U) % bytes.size()] = static_cast<char>(data[at + 2]);
  }
  auto file = decode_parsed_file(bytes, kSource);
  if (file.ok()) check_file(*std::move(file));
  return 0;
}
