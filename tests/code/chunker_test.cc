#include "code/parse/chunker.h"

#include <string>
#include <vector>

#include "code/parse/parser.h"
#include "code/support_fixtures.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;

ParsedFile parse(std::string_view language, const std::string& bytes) {
  Parser parser;
  auto file = parser.parse(*find_language(language), bytes);
  EXPECT_TRUE(file.ok());
  return std::move(file).value();
}

std::string lines(int count, const std::string& line = "call()\n") {
  std::string text;
  for (int i = 0; i < count; ++i) text += line;
  return text;
}

std::vector<uint32_t> starts(const ParsedFile& file) {
  std::vector<uint32_t> found;
  for (const Chunk& chunk : file.chunks) found.push_back(chunk.start_line);
  return found;
}

void expect_tiles(const ParsedFile& file, const std::string& bytes) {
  uint32_t line = 1;
  uint32_t byte = 0;
  for (const Chunk& chunk : file.chunks) {
    EXPECT_EQ(chunk.start_line, line);
    EXPECT_EQ(chunk.start_byte, byte);
    EXPECT_LE(chunk.end_line - chunk.start_line + 1, kMaxChunkLines);
    line = chunk.end_line + 1;
    byte = chunk.end_byte;
  }
  EXPECT_EQ(byte, bytes.size());
  EXPECT_EQ(line, file.line_count + 1);
}

TEST(Chunker, CoversEveryLineOfEveryFixtureOnce) {
  for (const Fixture& fixture : read_fixtures()) {
    SCOPED_TRACE(fixture.language->name);
    expect_tiles(parse(fixture.language->name, fixture.bytes), fixture.bytes);
  }
}

TEST(Chunker, CutsAtADefinitionAfterFifteenLines) {
  const std::string function = "def f():\n    pass\n";
  EXPECT_THAT(starts(parse("python", lines(14) + function)), ElementsAre(1));
  EXPECT_THAT(starts(parse("python", lines(15) + function)), ElementsAre(1, 16));
  EXPECT_THAT(starts(parse("python", lines(15) + function + function)), ElementsAre(1, 16));
}

TEST(Chunker, CutsAfterSixtyLinesWhateverStandsThere) {
  EXPECT_THAT(starts(parse("python", lines(60))), ElementsAre(1));
  EXPECT_THAT(starts(parse("python", lines(61))), ElementsAre(1, 61));
  EXPECT_THAT(starts(parse("text", lines(150))), ElementsAre(1, 61, 121));
}

TEST(Chunker, KeepsACommentAndDecoratorsWithTheirDefinition) {
  const std::string bytes = lines(15) + "\n# About f.\n# More.\n@decorated\ndef f():\n    pass\n";
  EXPECT_THAT(starts(parse("python", bytes)), ElementsAre(1, 17));
}

TEST(Chunker, DoesNotPartAFunctionFromTheFunctionsInsideIt) {
  const std::string bytes = "def outer():\n" + lines(20, "    call()\n") + "    def inner():\n        pass\n";
  EXPECT_THAT(starts(parse("python", bytes)), ElementsAre(1));
}

TEST(Chunker, NamesTheSymbolThatAChunkContinues) {
  const std::string bytes = "class Shop:\n    def open(self, key):\n" + lines(80, "        call()\n");
  const ParsedFile file = parse("python", bytes);
  ASSERT_THAT(starts(file), ElementsAre(1, 61));
  EXPECT_EQ(file.chunks[0].header, "");
  EXPECT_EQ(file.chunks[0].enclosing, kNoSymbol);
  EXPECT_EQ(file.chunks[1].header, "Shop.open: def open(self, key)");
  EXPECT_EQ(file.chunks[1].enclosing, 1);
}

TEST(Chunker, NamesTheImplBlockThatAMethodStandsIn) {
  const std::string bytes =
      "struct A;\nimpl Display for A {\n" + lines(15, "    // filler\n") + "\n    fn f() {}\n}\n";
  const ParsedFile file = parse("rust", bytes);
  ASSERT_THAT(starts(file), ElementsAre(1, 19));
  EXPECT_EQ(file.chunks[1].header, "A: impl Display for A");
}

TEST(Chunker, BoundsTheBytesOfAChunk) {
  const std::string bytes = lines(10, std::string(5'000, 'x') + "\n");
  const ParsedFile file = parse("text", bytes);
  EXPECT_THAT(starts(file), ElementsAre(1, 4, 7, 10));
  expect_tiles(file, bytes);
}

TEST(Chunker, CutsMarkdownAtHeadingsOutsideOfCode) {
  const std::string bytes = "# One\n" + lines(15, "text\n") + "## Two\n" + lines(3, "text\n") + "```\n" +
                            lines(12, "# not a heading\n") + "```\n## Three\n" + lines(60, "text\n");
  const ParsedFile file = parse("markdown", bytes);
  ASSERT_THAT(starts(file), ElementsAre(1, 17, 35, 95));
  EXPECT_EQ(file.chunks[3].header, "Three");
  EXPECT_EQ(file.chunks[1].header, "One");
}

}  // namespace
}  // namespace knapsack::code
