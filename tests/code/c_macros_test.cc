#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "code/parse/hooks.h"
#include "code/parse/parser.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;

// The text with every blanked byte as a dot, or "as it is".
std::string seen(const std::string& text) {
  std::string blanked;
  if (!blank_c_macros(text, blanked)) return "as it is";
  EXPECT_EQ(blanked.size(), text.size());
  for (size_t i = 0; i < text.size(); ++i)
    if (blanked[i] != text[i]) blanked[i] = '.';
  return blanked;
}

TEST(CMacros, OnALineOfTheirOwnBetweenStatements) {
  EXPECT_EQ(
      seen("#pragma once\nAPI_BEGIN\n\n// why\nclass A {\n  Q_OBJECT\n public:\n  int a();\n};\nAPI_END\n"),
      "#pragma once\n.........\n\n// why\nclass A {\n  ........\n public:\n  int a();\n};\n.......\n");
  EXPECT_EQ(seen("class A {\n  Q_PROPERTY(int_x)\n  int x_;\n  NO_COPIES(A)\n};\n"),
            "class A {\n  .................\n  int x_;\n  ............\n};\n");
  EXPECT_EQ(
      seen(
          "class A {\n signals:\n  void a();\n public slots:\n  void b();\n TESTED_ONLY:\n  void c();\n};\n"),
      "class A {\n ........\n  void a();\n public .....:\n  void b();\n ............\n  void c();\n};\n");
}

TEST(CMacros, BeforeADeclarationAndBeforeTheNameOfAClass) {
  EXPECT_EQ(seen("class API Name : public Base {\nINLINE_FN bool f();\nstatic my_inline void g();\n};\n"),
            "class ... Name : public Base {\n......... bool f();\nstatic ......... void g();\n};\n");
}

TEST(CMacros, BeforeATypeAndTheNameOfAFunction) {
  EXPECT_EQ(seen("WARN_UNUSED my_inline result<T>& doc::get(int a) noexcept {\n}\n"),
            "........... ......... result<T>& doc::get(int a) noexcept {\n}\n");
  EXPECT_EQ(seen("template <class T> static my_inline result operator==(T a);\n"),
            "template <class T> static ......... result operator==(T a);\n");
}

TEST(CMacros, BeforeConstructorsAndDestructorsAndBehindParameters) {
  EXPECT_EQ(seen("class API Name {\n  MY_INLINE Name(int a) : a_(a) {}\n  MY_INLINE ~Name();\n"
                 "  MY_INLINE operator bool() const { return a_; }\n};\n"),
            "class ... Name {\n  ......... Name(int a) : a_(a) {}\n  ......... ~Name();\n"
            "  ......... operator bool() const { return a_; }\n};\n");
  EXPECT_EQ(seen("struct Name {\n  my_inline Name(int a);\n  my_inline operator int();\n};\n"),
            "struct Name {\n  ......... Name(int a);\n  ......... operator int();\n};\n");
  EXPECT_EQ(seen("static subclass close(char a) {\n}\n"), "as it is");
  EXPECT_EQ(seen("BOOL open(int a) {\n}\nBOOL operator new(int a);\n"), "as it is") << "types";
  EXPECT_EQ(seen("int put(char*, ...) PRINTF_LIKE(1, 2);\nint get() PURE {\n}\n"),
            "int put(char*, ...) .............. ..;\nint get() .... {\n}\n");
  EXPECT_EQ(seen("int get(int a) my_noexcept\n{\n}\n"), "int get(int a) ...........\n{\n}\n");
  EXPECT_EQ(seen("if (a) FAIL(b);\nelse if (a) FAIL(b);\nreturn f(x) FAIL;\n"), "as it is");
  EXPECT_EQ(seen("int f() {\n  if MY_CONSTEXPR (a) b();\n}\n"), "int f() {\n  if ............ (a) b();\n}\n");
}

TEST(CMacros, ThatTakeTypesAndConditionsOfTemplates) {
  EXPECT_EQ(seen("TYPE_CONSTANT(double, double_type);\nSIGNED_OF(unsigned short, short);\n"),
            "..................... .............\n.................. ...... .......\n");
  EXPECT_EQ(seen("CHECK_THAT(sizeof(int) == 4);\n"), "as it is");
  std::string blanked;
  const std::string text = "template <class T,\n          ENABLE_IF(is_small<T>() <= 2)>\nvoid f(T a);\n";
  EXPECT_TRUE(blank_c_macros(text, blanked));
  EXPECT_EQ(blanked, "template <class T,\n          int = 0                      >\nvoid f(T a);\n");
  EXPECT_EQ(seen("template <class T> bool g(T a) {\n  return MAX(a, 1) > 2;\n}\n"), "as it is");
}

TEST(CMacros, ValuesTypesAndTestsStay) {
  for (const char* text :
       {"enum E {\n  FIRST,\n  SECOND\n};\n", "enum E {\n  ONLY\n};\n", "int a[] = {\n  ONE,\n  TWO,\n};\n",
        "TEST(Suite, Name)\n{\n  check();\n}\n", "f(a,\n  MAX_SIZE,\n  b);\n",
        "#define A(x) \\\n  BEGIN_LOOP \\\n  int y;\n", "/* first\n  NOT_CODE\n  more */\nint x;\n",
        "struct HANDLE h;\n", "const unsigned int x = 1;\n", "return bool(x);\n", "x = a\n  + MAX\n  - b;\n",
        "call(\"API class X\", 'a');\n", "const result_t name(int a);\n", "std::string doc::get(int a);\n",
        "else value name(1);\n", "static unsigned long f(int a);\n"}) {
    EXPECT_EQ(seen(text), "as it is") << text;
  }
}

// Each place is looked at once, however long the line.
TEST(CMacros, OneInsideOfAnotherIsReadOnce) {
  std::string text = "template <class T, ";
  for (int i = 0; i < 150'000; ++i) text += "ABC(";
  EXPECT_EQ(seen(text + "\n"), "as it is");
  text += std::string(150'000, ')');
  EXPECT_EQ(seen(text + "\n"), "as it is");
}

TEST(CMacros, AClassBehindThemIsFoundWithItsMembers) {
  const std::string text =
      "LIB_NAMESPACE_BEGIN\n"
      "template <typename T> class Pointer\n"
      "{\n"
      "    LIB_TPL_DECLARATION\n"
      "    friend class Other;\n"
      "  public:\n"
      "    LIB_CONSTEXPR bool empty() const { return true; }\n"
      "};\n"
      "LIB_NAMESPACE_END\n";
  Parser parser;
  auto file = parser.parse(*find_language("cpp"), text);
  ASSERT_TRUE(file.ok());
  std::vector<std::string> found;
  for (const Symbol& symbol : file->symbols) found.push_back(symbol.qualified_name);
  EXPECT_THAT(found, ElementsAre("Pointer", "Pointer.empty"));
  EXPECT_EQ(file->error_nodes, 0U);
  EXPECT_EQ(file->symbols[1].signature, "bool empty() const");
}

// A grammar that reads a file as it is gets it as it is.
TEST(CMacros, WhatTheGrammarReadsKeepsItsMacros) {
  Parser parser;
  auto file = parser.parse(*find_language("c"), "int f(void) {\n  return MAX_SIZE;\n}\n");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->error_nodes, 0U);
}

}  // namespace
}  // namespace knapsack::code
