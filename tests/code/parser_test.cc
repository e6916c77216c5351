#include "code/parse/parser.h"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "code/support_dump.h"
#include "code/support_fixtures.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ParsedFile parse(std::string_view language, std::string_view bytes, const ParseLimits& limits = {}) {
  Parser parser;
  auto file = parser.parse(*find_language(language), bytes, limits);
  EXPECT_TRUE(file.ok());
  return std::move(file).value();
}

std::vector<std::string> names(const ParsedFile& file) {
  std::vector<std::string> found;
  for (const Symbol& symbol : file.symbols) found.push_back(symbol.qualified_name);
  return found;
}

TEST(Parser, GivesEachOfSeveralNamesItsOwnLine) {
  const ParsedFile file = parse("ruby",
                                "class A\n  attr_accessor :name,\n                # how old\n                "
                                ":age\n  attr_reader :a, :b\n"
                                "end\n");
  std::vector<uint32_t> lines;
  for (const Symbol& symbol : file.symbols) {
    if (symbol.name == "A") continue;
    EXPECT_EQ(symbol.start_line, symbol.end_line) << symbol.name;
    EXPECT_LE(symbol.start_byte, symbol.end_byte) << symbol.name;
    lines.push_back(symbol.start_line);
  }
  EXPECT_THAT(names(file), ElementsAre("A", "A.name", "A.age", "A.a", "A.b"));
  EXPECT_THAT(lines, ElementsAre(2, 4, 5, 5));
  EXPECT_EQ(file.symbols[2].docstring, "how old");
}

TEST(Parser, LeavesTheLinesOfValuesToTheirNames) {
  const ParsedFile file = parse("csharp", "class A {\n  int a = f(\n      1),\n    b = 2;\n}\n");
  ASSERT_THAT(names(file), ElementsAre("A", "A.a", "A.b"));
  EXPECT_EQ(file.symbols[1].end_line, 4U);
}

TEST(Parser, TakesAPythonFunctionWithThreeDotsForADeclaration) {
  const ParsedFile file =
      parse("python",
            "@overload\ndef find(name: str) -> str: ...\n@overload\ndef find(name: int) -> int:\n    ...\n"
            "def find(name):\n    return name\n\n\ndef rest():\n    return ...\n");
  std::vector<bool> declarations;
  for (const Symbol& symbol : file.symbols) declarations.push_back(symbol.is_declaration);
  EXPECT_THAT(names(file), ElementsAre("find", "find", "find", "rest"));
  EXPECT_THAT(declarations, ElementsAre(true, true, false, false));
}

TEST(Parser, FindsNothingInAnEmptyFile) {
  const ParsedFile file = parse("python", "");
  EXPECT_EQ(file.status, ParseStatus::kParsed);
  EXPECT_EQ(file.line_count, 0U);
  EXPECT_THAT(file.symbols, IsEmpty());
  EXPECT_THAT(file.chunks, IsEmpty());
  EXPECT_THAT(file.names, ElementsAre(""));
}

TEST(Parser, CountsLinesWithAndWithoutALastLineBreak) {
  EXPECT_EQ(parse("python", "\n").line_count, 1U);
  EXPECT_EQ(parse("python", "a = 1").line_count, 1U);
  EXPECT_EQ(parse("python", "a = 1\n").line_count, 1U);
  EXPECT_EQ(parse("python", "a = 1\nb = 2").line_count, 2U);
}

TEST(Parser, ReadsAFileWithAByteOrderMark) {
  const ParsedFile file = parse("python", "\xEF\xBB\xBF# About it.\ndef run():\n    return 1\n");
  ASSERT_THAT(names(file), ElementsAre("run"));
  EXPECT_EQ(file.symbols[0].start_line, 2U);
  EXPECT_EQ(file.symbols[0].start_byte, 15U);
  EXPECT_EQ(file.symbols[0].docstring, "About it.");
}

TEST(Parser, ReadsWindowsLineBreaks) {
  const ParsedFile file =
      parse("cpp",
            "// Adds.\r\n// Twice.\r\nint add(int a,\r\n        int b) {\r\n  return a;\r\n}\r\n"
            "\r\nint last() { return add(1, 2); }\r\n");
  ASSERT_THAT(names(file), ElementsAre("add", "last"));
  EXPECT_EQ(file.symbols[0].signature, "int add(int a, int b)");
  EXPECT_EQ(file.symbols[0].docstring, "Adds.\nTwice.");
  EXPECT_EQ(file.symbols[0].end_line, 6U);
  EXPECT_EQ(file.symbols[1].start_line, 8U);
  EXPECT_EQ(file.line_count, 8U);
}

TEST(Parser, ReplacesInvalidUtf8WithoutMovingAnything) {
  const std::string bytes =
      "# caf\xE9 \xFF\xFE\ndef run(x):\n    return \"\xC3\"\n\ndef na\xC3\xAFve(): pass\n";
  const ParsedFile file = parse("python", bytes);
  ASSERT_THAT(names(file), ElementsAre("run", "na\xC3\xAFve"));
  EXPECT_EQ(file.symbols[0].docstring, "caf? ??");
  EXPECT_EQ(bytes.substr(file.symbols[1].start_byte, 3), "def");
  for (const Symbol& symbol : file.symbols) {
    EXPECT_TRUE(is_utf8(symbol.name) && is_utf8(symbol.signature) && is_utf8(symbol.docstring));
  }
}

TEST(Parser, CutsLongTextBetweenCharacters) {
  std::string bytes = "# ";
  for (int i = 0; i < 3'000; ++i) bytes += "\xE2\x82\xAC";
  bytes += "\ndef run(" + std::string(1'000, 'a') + "): pass\n";
  const ParsedFile file = parse("python", bytes);
  ASSERT_THAT(file.symbols, SizeIs(1));
  EXPECT_LE(file.symbols[0].docstring.size(), kMaxDocstringBytes);
  EXPECT_GT(file.symbols[0].docstring.size(), kMaxDocstringBytes - 4);
  EXPECT_TRUE(is_utf8(file.symbols[0].docstring));
  EXPECT_EQ(file.symbols[0].signature.size(), kMaxSignatureBytes);
}

TEST(Parser, GivesTheSameResultForTheSameBytesWhateverCameBefore) {
  Parser used;
  std::string hostile;
  for (int i = 0; i < 5'000; ++i) hostile += "/*\n";
  for (const Fixture& fixture : read_fixtures()) {
    Parser fresh;
    const std::string first = dump(*fresh.parse(*fixture.language, fixture.bytes));
    ASSERT_OK(used.parse(*find_language("python"), hostile));
    EXPECT_EQ(dump(*used.parse(*fixture.language, fixture.bytes)), first) << fixture.language->name;
    EXPECT_EQ(dump(*fresh.parse(*fixture.language, fixture.bytes)), first) << fixture.language->name;
  }
}

TEST(Parser, WorksOnSeveralThreadsAtOnce) {
  const auto fixtures = read_fixtures();
  std::vector<std::string> expected;
  Parser parser;
  for (const Fixture& fixture : fixtures)
    expected.push_back(dump(*parser.parse(*fixture.language, fixture.bytes)));
  std::vector<std::vector<std::string>> actual(3);
  std::vector<std::thread> threads;
  for (auto& dumps : actual) {
    threads.emplace_back([&fixtures, &dumps] {
      Parser own;
      for (const Fixture& fixture : fixtures)
        dumps.push_back(dump(*own.parse(*fixture.language, fixture.bytes)));
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& dumps : actual) EXPECT_EQ(dumps, expected);
}

// The line of a byte, counted by hand.
uint32_t line_at(const std::string& bytes, uint32_t byte) {
  return 1 + static_cast<uint32_t>(std::count(bytes.begin(), bytes.begin() + byte, '\n'));
}

TEST(Parser, NumbersLinesTrulyInEveryLanguage) {
  Parser parser;
  for (const Fixture& fixture : read_fixtures()) {
    const auto parsed = parser.parse(*fixture.language, fixture.bytes);
    ASSERT_OK(parsed);
    for (const Symbol& symbol : parsed->symbols) {
      ASSERT_LE(symbol.start_byte, symbol.end_byte);
      ASSERT_LE(symbol.end_byte, fixture.bytes.size());
      EXPECT_EQ(symbol.start_line, line_at(fixture.bytes, symbol.start_byte)) << symbol.qualified_name;
      EXPECT_EQ(symbol.end_line, line_at(fixture.bytes, symbol.end_byte)) << symbol.qualified_name;
      EXPECT_GE(symbol.name_line, symbol.start_line) << symbol.qualified_name;
      EXPECT_LE(symbol.name_line, symbol.end_line) << symbol.qualified_name;
    }
    for (const Reference& reference : parsed->references) {
      if (reference.kind == ReferenceKind::kText) continue;  // a symbol spells the name of a class otherwise
      const std::string& name = parsed->names.at(reference.name);
      size_t start = 0;
      for (uint32_t line = 1; line < reference.line; ++line) start = fixture.bytes.find('\n', start) + 1;
      const std::string line = fixture.bytes.substr(start, fixture.bytes.find('\n', start) - start);
      EXPECT_NE(line.find(name), std::string::npos)
          << fixture.language->name << ": " << name << " is not in " << line;
    }
  }
}

TEST(Parser, ParentsComeBeforeTheirChildren) {
  Parser parser;
  for (const Fixture& fixture : read_fixtures()) {
    const auto parsed = parser.parse(*fixture.language, fixture.bytes);
    ASSERT_OK(parsed);
    const auto count = static_cast<int32_t>(parsed->symbols.size());
    for (int32_t i = 0; i < count; ++i) {
      EXPECT_LT(parsed->symbols[static_cast<size_t>(i)].parent, i);
      if (i > 0) {
        EXPECT_GE(parsed->symbols[static_cast<size_t>(i)].start_byte,
                  parsed->symbols[static_cast<size_t>(i) - 1].start_byte);
      }
    }
    for (const Reference& reference : parsed->references) {
      EXPECT_LT(reference.enclosing, count);
      EXPECT_GE(reference.count, 1U);
    }
  }
}

TEST(Parser, KeepsOneRowForRepeatedReferences) {
  const ParsedFile file = parse("python", "def run():\n    step()\n    step()\n    other.step()\n");
  ASSERT_THAT(file.references, SizeIs(3));  // step, other.step and other itself
  EXPECT_EQ(file.names[file.references[0].name], "step");
  EXPECT_EQ(file.references[0].count, 2U);
  EXPECT_EQ(file.references[0].line, 2U);
  EXPECT_EQ(file.names[file.references[1].qualifier], "other");
}

TEST(Parser, TellsAFunctionsOwnNamesFromOthers) {
  const ParsedFile file = parse("python", "def run(given):\n    made = given + LIMIT\n    return made\n");
  ASSERT_THAT(file.references, SizeIs(1));
  EXPECT_EQ(file.names[file.references[0].name], "LIMIT");
}

TEST(Parser, LeavesLargeFilesAlone) {
  ParseLimits limits;
  limits.max_bytes = 10;
  const ParsedFile file = parse("python", "a = 1\nb = 2\n", limits);
  EXPECT_EQ(file.status, ParseStatus::kTooLarge);
  EXPECT_THAT(file.symbols, IsEmpty());
  EXPECT_THAT(file.chunks, IsEmpty());
}

TEST(Parser, ReadsAProgramOfMegabytes) {
  std::string bytes;
  for (int i = 0; bytes.size() < 3'900'000; ++i)
    bytes += "int f" + std::to_string(i) + "(int a) {\n  /* " + std::string(2'000, 'x') +
             " */\n  return g(a);\n}\n";
  const ParsedFile file = parse("c", bytes);
  EXPECT_EQ(file.status, ParseStatus::kParsed);
  EXPECT_GT(file.symbols.size(), 1'800U);
}

TEST(Parser, FallsBackToLineBlocksAtTheDeadline) {
  std::string bytes;
  for (int i = 0; i < 200; ++i)
    bytes += "def run" + std::to_string(i) + "(): return call(" + std::to_string(i) + ")\n";
  ParseLimits limits;
  limits.deadline_micros = -1;
  const ParsedFile file = parse("python", bytes, limits);
  EXPECT_EQ(file.status, ParseStatus::kDeadlineFallback);
  EXPECT_EQ(file.fallback, FallbackReason::kDeadline);
  EXPECT_THAT(file.symbols, IsEmpty());
  EXPECT_THAT(file.chunks, SizeIs(4));  // 60, 60, 60, 20 lines
  EXPECT_EQ(parse("python", bytes).symbols.size(), 200U);
}

// A machine that is too slow for the second reading of a file must not see another file than a fast one, unless it says so.
TEST(Parser, ReadsAFileTwiceOrSaysThatTheDeadlineStoppedIt) {
  std::string bytes = "// @flow\n";
  for (int i = 0; i < 500; ++i)
    bytes += "export type T" + std::to_string(i) + " = {depth: number, path: ?Path};\n";
  const std::vector<std::string> all = names(parse("javascript", bytes));
  size_t stopped = 0;
  for (int64_t deadline = 1; deadline < 2'000'000; deadline += 1 + deadline / 8) {
    ParseLimits limits;
    limits.deadline_micros = deadline;
    const ParsedFile file = parse("javascript", bytes, limits);
    if (file.fallback == FallbackReason::kDeadline) {
      ++stopped;
      EXPECT_THAT(file.symbols, IsEmpty());
    } else {
      EXPECT_EQ(names(file), all) << deadline;
    }
  }
  EXPECT_GT(stopped, 0U);
}

TEST(Parser, ReadsDocumentsWithoutParsingThem) {
  const ParsedFile file = parse("markdown", "# Title\n\ntext\n");
  EXPECT_EQ(file.status, ParseStatus::kDocument);
  EXPECT_THAT(file.symbols, IsEmpty());
  ASSERT_THAT(file.chunks, SizeIs(1));
  EXPECT_EQ(file.chunks[0].end_line, 3U);
}

// What it cannot read may put an export around a definition and others before it.
TEST(Parser, SymbolsStandInTheOrderOfTheirStartsWhateverTheGrammarCouldNotRead) {
  const std::string text =
      "export default class CollectionReader extends TableOfStrings<UnchangedList<string> | null> {\n"
      "  constructor(options: CollectionReaderOptions) {\n"
      "    const {collectionSeparator, containsHeaderLines} = options;\n"
      "    if (collectionSeparator != null) {\n"
      "    } else {\n"
      "      keyField = 'the-separator-of-collections';\n"
      "    }\n"
      "\n"
      "    super({\n"
      "      filter: ({headerLine, isLastOfLines}) => {\n"
      "      },\n"
      "    });\n"
      "  }\n"
      "\n"
      "  readCollections(someLines: Text): ?UnchangedList<string> {\n"
      "    const result = this.openTableFile().search(someLines);\n";
  Language plain = *find_language("javascript");
  plain.dialect = "";
  Parser parser;
  const auto file = parser.parse(plain, text);
  ASSERT_TRUE(file.ok());
  EXPECT_THAT(*file, ::testing::Field(&ParsedFile::symbols, SizeIs(::testing::Ge(2))));
  EXPECT_TRUE(std::is_sorted(file->symbols.begin(), file->symbols.end(),
                             [](const Symbol& a, const Symbol& b) { return a.start_byte < b.start_byte; }));
}

TEST(Parser, JavaScriptWithTypesIsReadAsFlow) {
  const std::string text =
      "// @flow\n"
      "import type {Path} from './types';\n"
      "export type Options = {depth: number, path: ?Path};\n"
      "export class Reader extends Plugin<Array<string> | null> {\n"
      "  depth: number = 0;\n"
      "  find(path: Path, all?: boolean): ?Array<string> {\n"
      "    return (this.at(path): any);\n"
      "  }\n"
      "}\n";
  for (const char* language : {"javascript", "jsx"}) {
    const ParsedFile file = parse(language, text);
    EXPECT_THAT(names(file), ::testing::IsSupersetOf({"Options", "Reader", "Reader.depth", "Reader.find"}));
    EXPECT_EQ(file.error_nodes, 0U);
  }
}

TEST(Parser, AFunctionThatIsRegisteredByNameIsOneOfThatName) {
  const std::string body = "{\n  one();\n  two();\n  three();\n}";
  const auto registered = [&](const std::string& head, const std::string& end = ");") {
    const std::string text = head + " " + body + end + "\n";
    const ParsedFile file = parse("javascript", text);
    EXPECT_EQ(names(parse("typescript", text)), names(file)) << text;
    return names(file);
  };
  EXPECT_THAT(registered("def('toHaveProperty', function (a, b)"), ElementsAre("toHaveProperty"));
  EXPECT_THAT(registered("utils.addMethod(proto, 'x', function ()"), IsEmpty());
  EXPECT_THAT(registered("utils.addMethod('equal', async (a) =>"), ElementsAre("equal"));
  EXPECT_THAT(registered("registerCommand(\"editor.action.open\", {}, a =>"),
              ElementsAre("editor.action.open"));
  for (const char* head :
       {"app.get('users', (a) =>", "def('/users', (a) =>", "def('foo bar', (a) =>", "def('x', (a) =>",
        "stream.on('data', function (a)", "it('adds', () =>", "test.only('adds', () =>",
        "t.test('adds', (t) =>", "jest.mock('fs', () =>", "load('main', (err, a) =>",
        "parse('package.json', (a) =>", "def(`equal`, (a) =>", "const a = def('equal', (a) =>"})
    EXPECT_THAT(registered(head), ::testing::Not(::testing::Contains(
                                      ::testing::AnyOf("equal", "users", "data", "fs", "main", "json", "x"))))
        << head;
  EXPECT_THAT(registered("def('equal', (a) =>", ", {});"), IsEmpty()) << "the function is not the last";
  EXPECT_THAT(names(parse("javascript", "def('equal', (a) => {\n  one();\n});\n")), IsEmpty()) << "too short";
  EXPECT_THAT(names(parse("javascript", "it('adds', () => {\n  def('equal', (a) => " + body + ");\n});\n")),
              ElementsAre("adds"));
  const ParsedFile file = parse(
      "javascript", "export const plugin = (chai) => {\n  def('equal', function (a, b) " + body + ");\n};\n");
  EXPECT_THAT(names(file), ElementsAre("plugin", "plugin.equal"));
  EXPECT_EQ(file.symbols[1].kind, SymbolKind::kMethod);
  EXPECT_EQ(file.symbols[1].signature, "def('equal', function (a, b))");
}

// A type of Flow and a mistake of JavaScript are told apart by what is left unread.
TEST(Parser, JavaScriptWithAMistakeStaysJavaScript) {
  const ParsedFile file = parse("javascript", "function a() { return 1; }\nfunction b( { return <B />; }\n");
  EXPECT_THAT(names(file), ::testing::Contains("a"));
  EXPECT_GT(file.error_nodes, 0U);
}

}  // namespace
}  // namespace knapsack::code
