// What comes back from a parsing process: everything that a grammar finds, and nothing that it makes up.
#include "code/parse/parsed_file_bytes.h"

#include <random>

#include "code/parse/chunker.h"
#include "code/parse/parser.h"
#include "code/support_dump.h"
#include "code/support_fixtures.h"
#include "support/repository_fixture.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using namespace knapsack::testing;

ParsedFile parse_one(const Language& language, std::string_view bytes) {
  Parser parser;
  auto file = parser.read_syntax(language, bytes);
  EXPECT_OK(file);
  return *std::move(file);
}

TEST(ParsedFileBytes, HoldAllThatIsFoundInEveryLanguage) {
  size_t symbols = 0;
  const auto check = [&](const Language& language, const std::string& bytes, const std::string& name) {
    if (!language.has_symbols()) return;
    const ParsedFile file = parse_one(language, bytes);
    const auto again = decode_parsed_file(encode_parsed_file(file), bytes);
    ASSERT_TRUE(again.ok()) << name;
    EXPECT_EQ(dump(*again), dump(file)) << name;
    EXPECT_EQ(encode_parsed_file(*again), encode_parsed_file(file)) << name;
    symbols += file.symbols.size();
  };
  for (const Fixture& fixture : read_fixtures()) check(*fixture.language, fixture.bytes, fixture.path);
  RepositoryShape shape;
  shape.files = 100;
  shape.mixed = true;
  for (const GeneratedFile& file : make_repository(shape))
    check(detect_language(file.path, file.bytes), file.bytes, file.path);
  EXPECT_GT(symbols, 1000U);
}

// A file to tell lies about: two lines, one symbol.
struct Lie {
  const char* about;
  std::function<void(ParsedFile&)> tell;
};

TEST(ParsedFileBytes, OfWhatCannotBeAreRefused) {
  const std::string source = "def f():\n    return 1\n";
  const ParsedFile truth = parse_one(*find_language("python"), source);
  ASSERT_EQ(truth.symbols.size(), 1U);
  ASSERT_OK(decode_parsed_file(encode_parsed_file(truth), source));
  const std::vector<Lie> lies = {
      {"a line behind the end", [](ParsedFile& file) { file.symbols[0].end_line = 99; }},
      {"line 0", [](ParsedFile& file) { file.symbols[0].start_line = 0; }},
      {"a byte behind the end", [](ParsedFile& file) { file.symbols[0].end_byte = 1000; }},
      {"an end before its start",
       [](ParsedFile& file) { file.symbols[0].end_byte = 0, file.symbols[0].start_byte = 3; }},
      {"its own parent", [](ParsedFile& file) { file.symbols[0].parent = 0; }},
      {"no UTF-8", [](ParsedFile& file) { file.symbols[0].name = "\xff"; }},
      {"a signature that is too long",
       [](ParsedFile& file) { file.symbols[0].signature = std::string(kMaxSignatureBytes + 300, 'x'); }},
      {"a kind that is none", [](ParsedFile& file) { file.symbols[0].kind = static_cast<SymbolKind>(77); }},
      {"a status that is none", [](ParsedFile& file) { file.status = static_cast<ParseStatus>(77); }},
      {"names without the empty one", [](ParsedFile& file) { file.names = {"a"}; }},
      {"a reference to no name",
       [](ParsedFile& file) {
         file.references.push_back({99, 0, 1, 1, -1, {}});
       }},
      {"a reference in no symbol",
       [](ParsedFile& file) {
         file.references.push_back({0, 0, 1, 1, 9, {}});
       }},
      {"a comment in no symbol",
       [](ParsedFile& file) {
         file.comments.push_back({{}, 1, 1, 9, "", {}});
       }},
      {"a test that is no symbol",
       [](ParsedFile& file) {
         file.tests.push_back({9, {}});
       }},
      {"too many assertions",
       [](ParsedFile& file) {
         file.tests.push_back({0, std::vector<std::string>(kMaxAssertions + 1)});
       }},
      {"symbols in no order",
       [](ParsedFile& file) { file.symbols.push_back(file.symbols[0]), file.symbols[0].start_byte = 5; }},
      {"more than the file could hold", [](ParsedFile& file) { file.names.emplace_back(2 << 20, 'x'); }}};
  for (const Lie& lie : lies) {
    ParsedFile file = truth;
    lie.tell(file);
    EXPECT_FALSE(decode_parsed_file(encode_parsed_file(file), source).ok()) << lie.about;
  }
  EXPECT_FALSE(decode_parsed_file(encode_parsed_file(truth) + "x", source).ok());
  EXPECT_FALSE(decode_parsed_file("", source).ok());
}

TEST(ParsedFileBytes, ThatAreDamagedAreRefusedOrHarmless) {
  std::mt19937 random(7);  // NOLINT: the same cases every time
  size_t refused = 0, taken = 0;
  for (const Fixture& fixture : read_fixtures()) {
    const std::string whole = encode_parsed_file(parse_one(*fixture.language, fixture.bytes));
    for (int i = 0; i < 400 / cases_divisor() + 1; ++i) {
      std::string bytes = whole;
      for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      if (random() % 8 == 0) bytes.resize(random() % bytes.size());
      auto file = decode_parsed_file(bytes, fixture.bytes);
      ++(file.ok() ? taken : refused);
      if (file.ok()) add_chunks(*fixture.language, fixture.bytes, *file);
    }
  }
  EXPECT_GT(refused, taken / 10);
  EXPECT_GT(taken, 0U);
}

}  // namespace
}  // namespace knapsack::code
