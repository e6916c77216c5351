// Choices of a preprocessor where the grammars of C, C++ and C# know none.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "code/parse/hooks.h"
#include "code/parse/language.h"
#include "code/parse/parser.h"
#include "code/support_dump.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

// The text without the lines that became blank.
std::string left_of(std::string text, bool every) {
  const std::string before = text;
  blank_choices(text, every);
  EXPECT_EQ(text.size(), before.size());
  std::string left;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    if (line.find_first_not_of(' ') != std::string::npos) left += line + "\n";
    start = end + 1;
  }
  return left;
}

TEST(Directives, OfBranchesThatArePiecesTheFirstStays) {
  EXPECT_EQ(left_of("#ifdef A\n  if (x) {\n#else\n  if (y) {\n#endif\n    f();\n  }\n", false),
            "  if (x) {\n    f();\n  }\n");
  EXPECT_EQ(left_of("#if A\nstatic int\n#elif B\nlong\n#else\nint\n#endif\nf(void) {}\n", false),
            "static int\nf(void) {}\n");
  EXPECT_EQ(left_of("int x = a\n#if A \\\n  && B\n  + 1\n#endif\n  ;\n", false), "int x = a\n  + 1\n  ;\n");
}

TEST(Directives, TheBranchForWindowsIsRarelyMeant) {
  EXPECT_EQ(left_of("#ifdef _WIN32\nint wmain(int a) {\n#else\nint main(int a) {\n#endif\n}\n", false),
            "int main(int a) {\n}\n");
  EXPECT_EQ(left_of("#if !defined(_WIN32)\nint main(int a) {\n#else\nint wmain(int a) {\n#endif\n}\n", false),
            "int main(int a) {\n}\n");
  EXPECT_EQ(left_of("#ifdef _WIN32\n  if (a) {\n#endif\n  f();\n#ifdef _WIN32\n  }\n#endif\n", false),
            "  if (a) {\n  f();\n  }\n");
}

TEST(Directives, OfTheBodiesOfWhatStandsAboveTheFirstStays) {
  EXPECT_EQ(left_of("int f(int a)\n#if A\n{\n  return g(a);\n}\n#else\n;\n#endif\nint h();\n", false),
            "int f(int a)\n{\n  return g(a);\n}\nint h();\n");
  EXPECT_EQ(
      left_of("int f(int a)\n  /* once; */\n#if A\n{ return 1; }\n#else\n{ return 2; }\n#endif\n", false),
      "int f(int a)\n  /* once; */\n{ return 1; }\n");
}

TEST(Directives, BranchesThatAreWholeStayAsTheyAre) {
  for (const char* text :
       {"#ifndef A_H\n#define A_H\nint f(void);\n#endif\n",
        "#if A\nint f(void) { return '{'; }\n#else\nint g(void);\n#endif\n", "#if A\n#endif\n",
        "#if A\n  /* if (x) {\n  */\n  // }\n  f(\"}\");\n#endif\n", "#pragma once\n#endif\nint x;\n"}) {
    std::string blanked = text;
    EXPECT_FALSE(blank_choices(blanked, false)) << text;
    EXPECT_EQ(blanked, text);
  }
  EXPECT_EQ(left_of("#if A\n  [One]\n  f();\n#else\n  g();\n#endif\n#region R\n", true),
            "  [One]\n  f();\n  g();\n#region R\n");
}

TEST(Directives, WhatGoesOnFromAboveLosesThem) {
  EXPECT_EQ(left_of("if (a) {\n}\n#ifdef B\nelse if (b) {\n}\n#endif\n", false),
            "if (a) {\n}\nelse if (b) {\n}\n");
  EXPECT_EQ(left_of("int a[] = {\n  1,\n#if B\n  2,\n#endif\n};\n", false), "int a[] = {\n  1,\n  2,\n};\n");
}

TEST(Directives, OneInsideOfAnother) {
  EXPECT_EQ(
      left_of("#if A\n#if B\n  if (x) {\n#endif\n#else\n  if (y) {\n#if C\n  f();\n#endif\n#endif\n  }\n",
              false),
      "  if (x) {\n  }\n");
}

ParsedFile read_as(const char* name, std::string_view text) {
  Parser parser;
  auto file = parser.parse(*find_language(name), text);
  EXPECT_TRUE(file.ok());
  return *std::move(file);
}

// What stands behind the choice belongs to its class.
TEST(Directives, DoNotEndTheClassAroundThem) {
  const ParsedFile file =
      read_as("csharp",
              "namespace N {\n  class Value : IA\n#if HAVE_B\n    , IB\n#endif\n  {\n"
              "    bool Is(object a) {\n      if (a == null) { return true; }\n#if HAVE_C\n"
              "      else if (a is C) { return true; }\n#endif\n      else if (a is D) { return true; }\n"
              "      return false;\n    }\n    void Last() {}\n  }\n}\n");
  EXPECT_EQ(file.error_nodes, 0U);
  EXPECT_THAT(names_in(file), IsSupersetOf({"N.Value.Is", "N.Value.Last"}));
  const ParsedFile c =
      read_as("c",
              "int f(int a) {\n#ifdef X\n  if (a) {\n#else\n  if (!a) {\n#endif\n    g();\n  }\n"
              "  return 1;\n}\nint h(void) { return 2; }\n");
  EXPECT_EQ(c.error_nodes, 0U);
  EXPECT_THAT(names_in(c), ElementsAre("f", "h"));
}

// Each line is read once for each choice around it, of which few count.
TEST(Directives, AreReadOnceHoweverDeepTheyLie) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "#if A\n";
  for (int i = 0; i < 100'000; ++i) text += "f(\n";
  EXPECT_FALSE(blank_choices(text, true)) << "none ends";
  for (int i = 0; i < 100'000; ++i) text += "#endif\n";
  EXPECT_TRUE(blank_choices(text, true));
  EXPECT_THAT(text, ::testing::HasSubstr("#if A\nf(\n")) << "too deep";
}

TEST(Directives, AreNoPartOfASignature) {
  const auto signature_of = [](const char* language, std::string_view text, std::string_view name) {
    Parser parser;
    const auto file = parser.parse(*find_language(language), text);
    for (const Symbol& symbol : file->symbols)
      if (symbol.name == name) return symbol.signature;
    return std::string("none");
  };
  EXPECT_EQ(signature_of(
                "csharp",
                "class A {\n  [X]\n#if NET5_0_OR_GREATER\n  [Y]\n#endif\n  public override int F(\n    int a)"
                " => 1;\n}\n",
                "F"),
            "public override int F(int a)");
  EXPECT_EQ(signature_of("csharp", "class A {\n#if DEBUG\n  [X]\n#endif\n  public int P { get; }\n}\n", "P"),
            "public int P");
  EXPECT_EQ(signature_of("c", "int f(int a,\n#  ifdef X \\\n  && Y\n  int b\n#endif\n) { return 1; }\n", "f"),
            "int f(int a, int b)");
  EXPECT_EQ(
      signature_of("c", "int f(int a,\n#ifdef X\n  int b\n#else\n  long b\n#endif\n) { return 1; }\n", "f"),
      "int f(int a, int b)");
  EXPECT_EQ(signature_of("cpp", "# define TWICE(x) ((x) * 2)\nint f();\n", "TWICE"), "# define TWICE(x)");
}

TEST(Directives, OfTwoHeadsOfABodyBothAreNames) {
  const std::string_view text =
      "#ifdef FUZZING\nint fuzz_main(int argc, char *argv[])\n#else\n\nint main(int argc, char "
      "*argv[])\n#endif\n{\n"
      "  return run(argc);\n}\n\nint after(void)\n{\n  return 1;\n}\n";
  Parser parser;
  const auto file = parser.parse(*find_language("c"), text);
  std::vector<std::string> rows;
  for (const Symbol& symbol : file->symbols)
    rows.push_back(std::to_string(symbol.start_line) + "-" + std::to_string(symbol.end_line) + " " +
                   symbol.qualified_name + ": " + symbol.signature);
  EXPECT_THAT(rows,
              ElementsAre("2-9 fuzz_main: int fuzz_main(int argc, char *argv[])",
                          "5-9 main: int main(int argc, char *argv[])", "11-14 after: int after(void)"));
}

}  // namespace
}  // namespace knapsack::code
