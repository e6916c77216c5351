// Items that Rust has in macros are read as what they are, and a macro that is a language of its own costs nothing.
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

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

ParsedFile read_rust(std::string_view text) {
  Parser parser;
  auto file = parser.parse(*find_language("rust"), text);
  EXPECT_TRUE(file.ok());
  return *std::move(file);
}

std::vector<std::string> rust_names(std::string_view text) {
  return names_in(read_rust(text));
}

// What the grammar sees; empty where it sees the text as it is.
std::string opened(std::string_view text, std::vector<ByteRange> errors = {}) {
  std::string seen;
  if (!open_item_macros(text, errors, seen)) return "";
  EXPECT_EQ(seen.size(), text.size());
  return seen;
}

TEST(ItemMacros, TheirItemsAreFoundWhereTheyStand) {
  const ParsedFile file = read_rust(
      "cfg_rt! {\n"
      "    /// Spawns a task.\n"
      "    #[track_caller]\n"
      "    pub fn spawn<F>(future: F) -> JoinHandle<F::Output>\n"
      "    where\n"
      "        F: Future,\n"
      "    {\n"
      "        spawn_inner(future)\n"
      "    }\n"
      "}\n");
  ASSERT_THAT(names_in(file), ElementsAre("spawn"));
  EXPECT_EQ(file.symbols[0].start_line, 3U);
  EXPECT_EQ(file.symbols[0].end_line, 9U);
  EXPECT_EQ(file.symbols[0].docstring, "Spawns a task.");
  EXPECT_EQ(file.symbols[0].signature, "pub fn spawn<F>(future: F) -> JoinHandle<F::Output> where F: Future");
  EXPECT_TRUE(file.symbols[0].is_exported);
  EXPECT_EQ(file.error_nodes, 0U);
  // The macro is used all the same.
  EXPECT_THAT(file.references, Contains(::testing::Field(&Reference::line, 1U)));
}

TEST(ItemMacros, OfEveryKindOfItemAndAtEveryPlaceOfItems) {
  EXPECT_THAT(rust_names("pin_project! {\n  #[derive(Debug)]\n  pub struct Map<F> { #[pin] future: F }\n}\n"),
              ElementsAre("Map", "Map.future"));
  EXPECT_THAT(
      rust_names(
          "impl A {\n  a();\n  cfg_x! {\n    pub fn f(&self) {}\n    fn g() {}\n  }\n  fn h() {}\n}\n"),
      Contains("A.g"));
  EXPECT_THAT(rust_names("pub(crate) mod m {\n  cfg_x! { pub const A: u8 = 1; }\n}\n"), Contains("m.A"));
  EXPECT_THAT(rust_names("unsafe impl Send for [A; 3] {\n  cfg_x! { fn f() {} }\n}\n"), ElementsAre("f"));
  EXPECT_THAT(
      rust_names("cfg_a! {\n  mod b;\n  cfg_c! { enum D { E } }\n  impl D { cfg_f! { fn g() {} } }\n}\n"),
      ElementsAre("D", "D.E", "D.g"));
  EXPECT_THAT(rust_names("cfg_a! { cfg_b! { fn c() {} } fn d() {} }\n"), ElementsAre("c", "d"));
  EXPECT_THAT(rust_names("feature! {\n  #![all(a, b)]\n  // as it is\n  pub trait T { fn f(); }\n}\n"),
              ElementsAre("T", "T.f"));
  EXPECT_THAT(rust_names("#[macro_use]\nmod a;\n::loom::thread_local! { static A: u8 = 1; }\n"),
              ElementsAre("A"));
}

TEST(ItemMacros, BracesInStringsCharactersAndCommentsAreNone) {
  for (const char* text :
       {"const A: char = '{';\n", "const A: &str = \"{ \\\" {\n {\";\n", "const A: u8 = b'\\'';\n",
        "const A: &str = r#\"{\" \\\"#;\n", "const A: &[u8] = br\"{\\\";\n", "/* /* { */ { */\n",
        "const A: char = '\xE2\x82\xAC';\n", "fn f<'a, 'b>(x: &'a str, y: &'b [char]) {}\n",
        "const A: char = '\\u{10FFFF}';\n", "struct R(r#type);\n", "// it's {\n"})
    EXPECT_THAT(rust_names(text + std::string("cfg_x! { fn found() {} }\n")), Contains("found")) << text;
}

TEST(ItemMacros, WhatIsNoItemStaysAsItIs) {
  for (const char* text :
       {"fn f() { cfg_x! { fn g() {} } }\n", "macro_rules! m { () => { fn g() {} } }\n",
        "macro_rules! cfg_x {\n  ($($item:item)*) => { $(cfg_y! { pub fn g() {} })* }\n}\n",
        "variants! { stable: { fn g() {} } }\n", "const A: u8 = m! { fn g() {} };\n", "m! { a }\n",
        "m!(fn g() {});\n", "static A: [T; 2] = [m! { fn a() {} }, m! { fn b() {} }];\n",
        "struct A { x: m! { fn g() {} } }\n", "m! { fn g() {}\n", "m! { #[a pub fn g() {} }\n", "m! {}\n",
        "m! {", "m!", "m! { r#", "}}}\n", "// cfg_x! { fn g() {} }\n",
        "const A: &str = \"\ncfg_x! { fn g() {} }\n\";\n"})
    EXPECT_EQ(opened(text), "") << text;
}

TEST(ItemMacros, LeaveTheirNameWhereThereIsRoomForIt) {
  EXPECT_EQ(opened("a! { fn f() {} }\n"), "a!{} fn f() {}  \n");
  EXPECT_EQ(opened("b::a!  { fn f() {} }"), "b::a!{}  fn f() {}  ");
  EXPECT_EQ(opened("a!{ fn f() {} }"), "    fn f() {}  ");
  EXPECT_EQ(opened("a!\n{ fn f() {} }"), "  \n  fn f() {}  ");
}

TEST(ItemMacros, ThatAreLanguagesOfTheirOwnCostTheOthersNothing) {
  const std::string flags =
      "bitflags! {\n  pub struct Flags: u32 {\n    const A = 1;\n    const B = 2;\n  }\n}\n";
  EXPECT_THAT(rust_names(flags), IsEmpty());
  EXPECT_EQ(read_rust(flags).error_nodes, 0U);
  const ParsedFile file =
      read_rust("cfg_a! { fn before() {} }\n" + flags + "cfg_b! {\n  fn behind() {}\n" + flags + "}\n");
  EXPECT_THAT(names_in(file), ElementsAre("before", "behind"));
  EXPECT_EQ(file.error_nodes, 0U);
}

TEST(ItemMacros, AreFoundInAFileThatHasErrorsElsewhere) {
  const ParsedFile file = read_rust("fn f() { let = ; }\ncfg_a! { fn g() {} }\n");
  EXPECT_THAT(names_in(file), Contains("g"));
  EXPECT_GT(file.error_nodes, 0U);
}

TEST(ItemMacros, TheInnermostAroundAnErrorStays) {
  const std::string text = "a! { fn f() {} b! { fn g() {} } }\nc! { fn h() {} }\n";
  const auto at = [&](std::string_view word) { return static_cast<uint32_t>(text.find(word)); };
  EXPECT_EQ(opened(text, {{at("g"), at("g") + 1}}), "a!{} fn f() {} b! { fn g() {} }  \nc!{} fn h() {}  \n");
  EXPECT_EQ(opened(text, {{at("f"), at("f")}}), "a! { fn f() {} b!{} fn g() {}   }\nc!{} fn h() {}  \n");
  EXPECT_EQ(opened(text, {{0, at("h")}}), "");
  // What no macro is to blame for changes nothing.
  EXPECT_EQ(opened(text, {{static_cast<uint32_t>(text.size()), static_cast<uint32_t>(text.size())}}), "");
}

TEST(ItemMacros, AreReadOrTheDeadlineSaysSo) {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += "cfg_a! { fn f" + std::to_string(i) + "() {} }\nflags! { pub struct B: u8 { const C = 1; } }\n";
  Parser parser;
  size_t stopped = 0;
  for (int64_t deadline = 1; deadline < 1'000'000; deadline += 1 + deadline / 2) {
    ParseLimits limits;
    limits.deadline_micros = deadline;
    const auto file = parser.parse(*find_language("rust"), text, limits);
    ASSERT_TRUE(file.ok());
    if (file->fallback == FallbackReason::kDeadline) ++stopped;
    EXPECT_EQ(file->symbols.size(), file->fallback == FallbackReason::kDeadline ? 0U : 40U) << deadline;
  }
  EXPECT_GT(stopped, 0U);
}

// Each place is looked at once, however the text goes on.
TEST(ItemMacros, AreFoundInOneReadingOfAnyText) {
  for (const std::string_view piece : {"a! { pub fn f() {} }\n", "a!{", "a! { pub ", "a!{#[", "a!{#[}",
                                       "mod a {", "a::", "a ! ", "#[", "r#\"", "r", "'", "/*", "\"", "pub(",
                                       "}", "impl a!{fn f(){}}", "a! { b! { c! { d! {", "extern fn {"}) {
    std::string text = "x! {}\n";
    while (text.size() < 1'000'000) text += piece;
    opened(text);
    std::vector<ByteRange> errors;
    for (uint32_t i = 0; i < 1'000'000; i += 7) errors.push_back({i, 1'000'000});
    opened(text, errors);
  }
}

}  // namespace
}  // namespace knapsack::code
