// What Swift and Kotlin have and their grammars do not know: it is hidden from them, and nothing is lost by it.
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

using ::testing::IsSupersetOf;

ParsedFile read_as(const Language& language, std::string_view text) {
  Parser parser;
  auto file = parser.parse(language, text);
  EXPECT_TRUE(file.ok());
  return *std::move(file);
}

// The grammar alone stumbles over it; the program does not.
void expect_read(const char* name, std::string_view text) {
  Language alone = *find_language(name);
  alone.hooks = nullptr;
  EXPECT_GT(read_as(alone, text).error_nodes, 0U) << text;
  EXPECT_EQ(read_as(*find_language(name), text).error_nodes, 0U) << text;
}

TEST(NewForms, OfSwiftAreRead) {
  for (const char* text :
       {"enum E {\n  case a\n  #if os(Linux)\n  case b\n  #endif\n}\n",
        "class C {\n  #if os(Linux)\n  func b() {}\n  #else\n  func c() {}\n  #endif\n  func d() {}\n}\n",
        "class C {\n  #if a\n  #error(\"no\")\n  #endif\n  func a() {}\n}\n",
        "func f() throws(E) -> Int { 1 }\n",
        "func f() throws { if let a = try await g() { h() } }\n",
        "func f() { if let a = try? await g() { h() } }\n",
        "func f() throws { switch try await g() { case .a: h()\n case .b: i() } }\n",
        "nonisolated(unsafe) var x = 1\n",
        "func f(_ a: sending A) -> sending B { a }\n",
        "func f(isolation: isolated (any Actor)? = #isolation) async {}\n",
        "func f() { _ = consume a }\n",
        "func f() { discard self }\n",
        "func f() { unsafe g(1) }\n",
        "func f() { p.succeed(()) }\n",
        "func f() { g((), promise: nil) }\n",
        "func f() {\n  return ()\n}\n",
        "func f() { switch x {\n case .a:\n  ()  // well\n case .b:\n  g()\n } }\n",
        "struct A { var x: Int { _read { yield y } _modify { yield &y } } }\n",
        "extension A { @_lifetime(borrow self) func f() -> S {} }\n",
        "struct A { var x: Int { borrowing get { 1 } } }\n",
        "func f(at: Location = #_sourceLocation) {}\n",
        "var _$id: Int { get }\n",
        "let a = Scope(state: /State.alert, action: /Action.alert) { B() }\n"})
    expect_read("swift", text);
}

TEST(NewForms, OfKotlinAreRead) {
  for (const char* text :
       {"fun f() { g().apply { open(closer) } }\n",
        "fun f() {\n  var final = false\n  while (a && !final) {\n    if (g()) {\n      final = true\n    "
        "}\n  }\n}\n",
        "fun f() {\n  data = 2\n  open.y()\n}\n",
        "fun f() { val x = T.insert { it[a] = 1 } get T.id\n g() }\n", "fun f() { val x = a get b }\n",
        "class A {\n  fun a() {\n    val copy = b()\n    get(copy)\n    return c\n  }\n}\n",
        "class A {\n  private var set: Int = 0\n  fun f() {\n    val bit = 1\n    set = set or bit\n"
        "    values[id] = value\n    return this\n  }\n}\n",
        "fun f() {\n  val in1 = g()\n  in1.close()\n  in1.skip(1)\n}\n",
        "data class S(\n    private val name: String,\n) {\n    val id\n        @OptIn(A::class)\n"
        "        get() = 1\n}\n",
        "internal open class B\ninternal actual constructor(\n  internal actual val data: ByteArray,\n"
        ") : C { fun f() = 1 }\n",
        "class A\n  @RequiresApi(37)\n  internal constructor() : B {\n    fun f() = 1\n}\n",
        "val a = $$\"x ${y.z-w:} $${z}\"\n", "val a = suspend { g() }\n", "context(a: A) fun f() {}\n",
        "fun f() = when (x) {\n  is A if x.y > 1 -> 1\n  is B if (\n    x.z\n  ) -> 2\n  else -> 3\n}\n"})
    expect_read("kotlin", text);
}

TEST(NewForms, AreCalledWhatTheTextCallsThem) {
  const ParsedFile swift = read_as(*find_language("swift"),
                                   "enum Kind {\n  case a\n  #if os(Linux)\n  case linux\n  #endif\n\n"
                                   "  func open() throws(E) -> String { \"#if not a line\" }\n}\n");
  EXPECT_THAT(names_in(swift), IsSupersetOf({"Kind", "Kind.linux", "Kind.open"}));
  const auto open = std::find_if(swift.symbols.begin(), swift.symbols.end(),
                                 [](const Symbol& each) { return each.name == "open"; });
  ASSERT_NE(open, swift.symbols.end());
  EXPECT_EQ(open->signature, "func open() throws(E) -> String");
  EXPECT_EQ(open->start_line, 7U);

  const ParsedFile kotlin = read_as(*find_language("kotlin"),
                                    "class Door {\n  fun open(value: Int) {\n    data.open(value)\n  }\n\n"
                                    "  fun final() { val final = open(1) }\n}\n");
  EXPECT_THAT(names_in(kotlin), IsSupersetOf({"Door", "Door.open", "Door.final"}));
}

TEST(NewForms, AreNotLookedForInStringsAndComments) {
  std::string hidden;
  for (const char* text : {"// func f() throws(E)\nlet a = \"(()) #_x \\(b(\"throws(E)\")) \"\n",
                           "/* /* #_x */ (()) */ let a = \"\"\"\n  #if x\n  \"\"\"\n", "let a = \"open\n"})
    EXPECT_FALSE(kSwiftHooks.blank_unknown(text, hidden)) << text;
  for (const char* text :
       {"// final = 1\nval a = \"final = ${b(\"open(x)\")} \"\n",
        "val a = '\"'; val b = '\\''; val c = \"\"\"\n open(x)\n\"\"\"\n",
        "open class A { final override fun f() = 1; private set }\n", "val a: Int get() = 1\n"})
    EXPECT_FALSE(kKotlinHooks.blank_unknown(text, hidden)) << text;
}

TEST(NewForms, BehindAStringIsCodeAgain) {
  std::string hidden;
  // A backslash hides no quote of a long string of Kotlin, and behind an empty string nothing is one.
  EXPECT_TRUE(kKotlinHooks.blank_unknown("val a = \"\"\"C:\\\"\"\"\nval b = open(x)\n", hidden));
  EXPECT_EQ(hidden, "val a = \"\"\"C:\\\"\"\"\nval b = xpen(x)\n");
  EXPECT_TRUE(kKotlinHooks.blank_unknown("val a = $$\"\" + `$b`\n", hidden));
  EXPECT_EQ(hidden, "val a =   \"\" + `$b`\n");
}

// Each place is looked at once, however the text goes on.
TEST(NewForms, AreFoundInOneReadingOfAnyText) {
  std::string hidden;
  for (const std::string_view piece : {"throws(", "@_a(", "get(", "@A ", "get() ", "is A if ", "/*", "\"\\(",
                                       "\"${", "try await ", "$$", "'", "  \n", "x / A "}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    kSwiftHooks.blank_unknown(text, hidden);
    EXPECT_EQ(hidden.size(), text.size());
    kKotlinHooks.blank_unknown(text, hidden);
    EXPECT_EQ(hidden.size(), text.size());
  }
}

}  // namespace
}  // namespace knapsack::code
