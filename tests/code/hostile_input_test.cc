// Inputs that make parsers slow. The bounds are wide: a quadratic step would miss them by orders of
// magnitude.
#include <chrono>
#include <string>

#include "code/parse/parse_arena.h"
#include "code/parse/parser.h"
#include "code/support_dump.h"
#include "code/support_fixtures.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::SizeIs;

// Of this thread's own processor time, so that a busy machine cannot fail a test.
constexpr double kWideBoundSeconds = 60;

double processor_seconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string repeat(std::string_view text, size_t count) {
  std::string repeated;
  for (size_t i = 0; i < count; ++i) repeated += text;
  return repeated;
}

// Parses twice: quickly enough, and to the same result.
ParsedFile parse_hostile(std::string_view language, const std::string& bytes) {
  Parser parser;
  // What the bytes decide, a slow machine or a sanitizer must not: the deadline is out of the way.
  ParseLimits limits;
  limits.deadline_micros = 60'000'000;
  const double start = processor_seconds();
  const auto first = parser.parse(*find_language(language), bytes, limits);
  const auto second = parser.parse(*find_language(language), bytes, limits);
  EXPECT_LT(processor_seconds() - start, kWideBoundSeconds) << language;
  EXPECT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(dump(*first), dump(*second)) << language;
  return *first;
}

TEST(HostileInput, OpenBracketsEndInLineBlocksInEveryLanguage) {
  for (const Fixture& fixture : read_fixtures()) {
    for (const char* bracket : {"(", "[", "{"}) {
      const ParsedFile file =
          parse_hostile(fixture.language->name, repeat(bracket, 90'000) + "\n" + repeat(bracket, 90'000));
      EXPECT_EQ(file.status, ParseStatus::kDeadlineFallback);
      EXPECT_EQ(file.fallback, FallbackReason::kNesting) << fixture.language->name;
      EXPECT_THAT(file.chunks, SizeIs(2));
    }
  }
}

TEST(HostileInput, ALineOfAMegabyteEndsInLineBlocksInEveryLanguage) {
  for (const Fixture& fixture : read_fixtures()) {
    const ParsedFile file = parse_hostile(fixture.language->name, repeat("x = 1; ", 140'000));
    EXPECT_EQ(file.fallback, FallbackReason::kLineLength) << fixture.language->name;
    EXPECT_THAT(file.chunks, SizeIs(1));
  }
}

TEST(HostileInput, ErrorRecoveryThatCopiesEverythingIsCutOff) {
  // Each of these takes gigabytes or minutes without the limits on memory and work.
  EXPECT_EQ(parse_hostile("python", repeat("/*\n", 30'000)).fallback, FallbackReason::kWork);
  EXPECT_EQ(parse_hostile("java", repeat("a<b", 30'000)).fallback, FallbackReason::kWork);
  EXPECT_EQ(parse_hostile("csharp", repeat("a<b", 30'000)).fallback, FallbackReason::kWork);
  EXPECT_EQ(parse_hostile("swift", repeat("=> ", 30'000)).fallback, FallbackReason::kWork);
}

TEST(HostileInput, ALexerThatRunsToTheEndForEachTokenIsCutOff) {
  EXPECT_EQ(parse_hostile("scala", repeat("`", 90'000)).fallback, FallbackReason::kWork);
  EXPECT_EQ(parse_hostile("javascript", repeat("/*\n", 30'000)).fallback, FallbackReason::kWork);
  EXPECT_EQ(parse_hostile("kotlin", repeat("/*\n", 30'000)).fallback, FallbackReason::kWork);
}

TEST(HostileInput, DeepTreesAreWalkedWithoutRecursion) {
  const ParsedFile sum = parse_hostile("python", "total = " + repeat("1 +\\\n", 100'000) + "1\n");
  EXPECT_EQ(sum.status, ParseStatus::kParsed);
  EXPECT_THAT(sum.symbols, SizeIs(1));
  const ParsedFile chain = parse_hostile("javascript", "start" + repeat("\n.step()", 60'000) + "\n");
  EXPECT_EQ(chain.status, ParseStatus::kParsed);
  ASSERT_THAT(chain.references, ::testing::Not(::testing::IsEmpty()));
}

TEST(HostileInput, NestedDefinitionsDoNotGrowNamesWithTheSquare) {
  const ParsedFile file = parse_hostile("ruby", repeat("def a\n", 20'000) + repeat("end\n", 20'000));
  EXPECT_THAT(file.symbols, SizeIs(100));
  const ParsedFile modules =
      parse_hostile("ruby", repeat("module Abcdefgh\n", 20'000) + repeat("end\n", 20'000));
  EXPECT_THAT(modules.symbols, SizeIs(100));
}

TEST(HostileInput, LongListsTakeLinearTime) {
  std::string members;
  for (int i = 0; i < 40'000; ++i) members += "  M" + std::to_string(i) + " = " + std::to_string(i) + ",\n";
  EXPECT_THAT(parse_hostile("typescript", "enum Big {\n" + members + "}\n").symbols, SizeIs(40'001));
  std::string decorated;
  for (int i = 0; i < 20'000; ++i) decorated += "  @a()\n  m" + std::to_string(i) + "() {}\n";
  EXPECT_THAT(parse_hostile("typescript", "class Big {\n" + decorated + "}\n").symbols, SizeIs(20'001));
  std::string declared = "var a0 = 0";
  for (int i = 1; i < 40'000; ++i) declared += ",\n  a" + std::to_string(i) + " = 1";
  EXPECT_THAT(parse_hostile("javascript", "export " + declared + ";\n").symbols, SizeIs(40'000));
}

TEST(HostileInput, EveryExportedNameOfALongDeclarationIsExported) {
  std::string declared = "export const a0 = 0";
  for (int i = 1; i < 30; ++i) declared += ", a" + std::to_string(i) + " = 1";
  for (const Symbol& symbol : parse_hostile("typescript", declared + ";\n").symbols) {
    EXPECT_TRUE(symbol.is_exported) << symbol.name;
  }
}

TEST(ParseArena, EndsTheRunThatAsksForTooMuch) {
  KnapsackArena* arena = knapsack_arena_new();
  knapsack_arena_enter(arena);
  const auto fill = [](void* context) {
    for (int i = 0; i < 100; ++i) {
      ++*static_cast<int*>(context);
      knapsack_malloc(1'000'000);
    }
  };
  int count = 0;
  EXPECT_FALSE(knapsack_arena_run(arena, 10'000'000, 0, fill, &count));
  EXPECT_EQ(count, 10);
  knapsack_arena_leave(arena);
  knapsack_arena_enter(arena);
  count = 0;
  EXPECT_TRUE(knapsack_arena_run(arena, 200'000'000, 0, fill, &count));
  EXPECT_EQ(count, 100);
  knapsack_arena_leave(arena);
  knapsack_arena_delete(arena);
}

TEST(ParseArena, HandsOutMemoryThatGrowsAndIsZeroedOnRequest) {
  KnapsackArena* arena = knapsack_arena_new();
  for (int round = 0; round < 2; ++round) {
    knapsack_arena_enter(arena);
    auto* bytes = static_cast<char*>(knapsack_malloc(3));
    bytes[0] = 'a', bytes[1] = 'b', bytes[2] = 'c';
    bytes = static_cast<char*>(knapsack_realloc(bytes, 3'000'000));
    EXPECT_EQ(std::string_view(bytes, 3), "abc");
    bytes[2'999'999] = 'z';
    const auto* zeroed = static_cast<const char*>(knapsack_calloc(1'000, 3));
    EXPECT_EQ(std::string_view(zeroed, 3'000), std::string(3'000, '\0'));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(zeroed) % 16, 0U);
    knapsack_arena_leave(arena);
  }
  knapsack_arena_delete(arena);
}

}  // namespace
}  // namespace knapsack::code
