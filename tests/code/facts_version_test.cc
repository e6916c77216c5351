// An index made by an older program must not keep what this one reads otherwise.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "code/index/curated_schema.h"
#include "code/parse/language.h"
#include "code/parse/parsed_file_bytes.h"
#include "code/parse/parser.h"
#include "code/support_fixtures.h"
#include "core/ids.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

struct Text {
  const char* language;
  const char* bytes;
};

// What is read a second time, which the fixtures of the languages hardly have.
constexpr Text kReadAgain[] = {
    {"cpp",
     "LIB_BEGIN\nclass API A {\n  LIB_INLINE A(int a) : a_(a) {}\n  int f(int a) LIB_PURE;\n};\nLIB_END\n"},
    {"c",
     "int f(int a) {\n#ifdef X\n  if (a) {\n#else\n  if (!a) {\n#endif\n    g();\n  }\n  return 1;\n}\n"},
    {"c", "#ifdef X\nint f(int a)\n#else\nint main(int a)\n#endif\n{\n  return a;\n}\n"},
    {"javascript", "def('equal', (a) => {\n  b();\n  c();\n  d();\n});\n"},
    {"csharp", "class A : B\n#if C\n  , C\n#endif\n{\n  void F() {}\n}\n"},
    {"csharp",
     "interface I\n{\n  I F(int a)\n#if C\n  {\n    return G(a);\n  }\n#else\n  ;\n#endif\n  I G(int a)\n#if "
     "C\n  => this\n"
     "#endif\n  ;\n}\n"},
    {"javascript", "// @flow\nclass A<T> { f(a: ?T): void {} }\n"},
    {"rust", "cfg_a! {\n  pub fn f() {}\n  flags! {\n    struct B: u8 { const C = 1; }\n  }\n}\n"},
    {"swift", "func f() throws { if let a = try await g() { h() } }\n"},
    {"kotlin", "fun f(x: Any) = when (x) {\n  is A if x.b -> 1\n  else -> 2\n}\n"},
};

TEST(FactsVersion, IsRaisedWhereTheSameBytesGiveOtherFacts) {
  Parser parser;
  std::string facts;
  const auto add = [&](const Language& language, std::string_view bytes) {
    const auto file = parser.parse(language, bytes);
    ASSERT_OK(file);
    facts += encode_parsed_file(*file);
  };
  for (const Fixture& fixture : read_fixtures()) add(*fixture.language, fixture.bytes);
  for (const Text& text : kReadAgain) add(*find_language(text.language), text.bytes);
  EXPECT_EQ(fmt::format("{} {}", kFactsVersion, content_hash(facts)), "12 062ad008aa016e533a275f5b06ef23d0")
      << "raise kFactsVersion in code/index/curated_schema.h, and write down here what came of it";
}

}  // namespace
}  // namespace knapsack::code
