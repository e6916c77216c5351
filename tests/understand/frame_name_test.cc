// What functions are called that frames of traces print, whatever a language adds to their names.
#include "understand/traces/frame_name.h"

#include "support/support.h"

namespace knapsack {
namespace {

struct Printed {
  const char* path;
  const char* function;
  const char* dotted;  // empty: no name is told
};

void expect_names(std::initializer_list<Printed> rows) {
  for (const Printed& row : rows)
    EXPECT_EQ(name_of({row.path, 1, row.function}).dotted(), row.dotted) << row.function;
}

TEST(FrameName, OfGoIsOfTheFunctionThatAClosureIsWrittenIn) {
  expect_names({
      {"a/cart.go", "main.main", "main"},
      {"a/cart.go", "shop/cart.(*Cart).First", "Cart.First"},
      {"a/cart.go", "github.com/acme/shop/cart.Cart.Total", "Cart.Total"},
      {"a/proxy.go", "github.com/labstack/echo/v4/middleware.proxyHTTP.func2", "proxyHTTP"},
      {"a/proxy.go", "middleware.ProxyConfig.ToMiddleware.func2.1", "ProxyConfig.ToMiddleware"},
      {"a/proxy.go", "middleware.(*Group).Use.func1.2", "Group.Use"},
      {"a/cart.go", "shop.start.gowrap1", "start"},
      {"a/cart.go", "shop.(*Cart).close.deferwrap2", "Cart.close"},
      {"a/cart.go", "shop.(*Cart).Total-fm", "Cart.Total"},
      {"a/cart.go", "shop.All.func1-range1", "All"},
      {"a/cart.go", "shop.Map[...]", "Map"},
      {"a/cart.go", "shop.(*List[...]).Push", "List.Push"},
      {"a/cart.go", "shop.(*List[...]).Push.func1", "List.Push"},
      {"a/cart.go", "main.func2", "func2"},
      {"a/cart.go", "shop.function1", "function1"},
      {"a/cart.go", "shop.glob..func1", ""},
      {"a/cart.go", "shop.init.0", "init"},
      {"a/cart.go", "gopkg.in/yaml%2ev3.(*parser).peek", "parser.peek"},
  });
}

TEST(FrameName, OfRustHasNeitherClosuresNorHashes) {
  expect_names({
      {"src/a.rs", "lexer::Lexer::next_token", "Lexer.next_token"},
      {"src/a.rs", "shop::chan::recv_many::{{closure}}", "chan.recv_many"},
      {"src/a.rs", "shop::chan::recv_many::{closure#0}::{closure#1}", "chan.recv_many"},
      {"src/a.rs", "shop::total::h0123456789abcdef", "shop.total"},
      {"src/a.rs", "shop::total::{{closure}}::h0123456789abcdef", "shop.total"},
      {"src/a.rs", "shop::help", "shop.help"},
      {"src/a.rs", "<T as core::future::Future>::poll", "T.poll"},
      {"src/a.rs", "<shop::Cart<T> as core::fmt::Display>::fmt::{{closure}}", "Cart.fmt"},
      {"src/a.rs", "core::ptr::drop_in_place<shop::Cart>", "ptr.drop_in_place"},
      {"src/a.rs", "shop::pack::<u8>", "shop.pack"},
      {"src/a.rs", "core::ops::function::FnOnce::call_once{{vtable.shim}}", "FnOnce.call_once"},
  });
}

TEST(FrameName, OfCppHasNothingBehindItsArguments) {
  expect_names({
      {"src/a.cc", "shop::Cart::total", "Cart.total"},
      {"src/a.cc", "shop::Cart::total(int) const", "Cart.total"},
      {"src/a.cc", "shop::Cart::total(int) volatile", "Cart.total"},
      {"src/a.cc", "shop::Cart::total(int) const & noexcept", "Cart.total"},
      {"src/a.cc", "shop::Cart::total(int) const&&", "Cart.total"},
      {"src/a.cc", "shop::Cart::total(int) [clone .part.0]", "Cart.total"},
      {"src/a.cc", "shop::Cart::total(int) const [clone .constprop.0] [clone .cold]", "Cart.total"},
      {"src/a.cc", "shop::Cart::name[abi:cxx11](int) const", "Cart.name"},
      {"src/a.cc", "shop::Cart<std::map<int, int> >::push<char>(char)", "Cart.push"},
      {"src/a.cc", "shop::(anonymous namespace)::total(int)", "shop.total"},
      {"src/a.cc", "shop::Cart::~Cart()", "Cart.~Cart"},
      {"src/a.cc", "shop::total(int)::{lambda(int)#1}::operator()(int) const", "shop.total"},
      {"src/a.c", "total.constprop.0", "total"},
      {"src/a.js", "Cart.coldStart", "Cart.coldStart"},
  });
}

TEST(FrameName, KeepsOperatorsWhole) {
  expect_names({
      {"src/a.h", "shop::Cart::operator[](int)", "Cart.operator[]"},
      {"src/a.h", "shop::Cart::operator[](int) const", "Cart.operator[]"},
      {"src/a.h", "shop::Cart::operator()(int) const", "Cart.operator()"},
      {"src/a.h", "shop::Cart::operator()", "Cart.operator()"},
      {"src/a.h", "shop::operator<< <char>(std::ostream&)", "shop.operator<<"},
      {"src/a.h", "shop::Cart::operator->() const", "Cart.operator->"},
      {"src/a.h", "shop::Cart::operator bool() const", "Cart.operatorbool"},
      {"src/a.js", "Cart.operator", "Cart.operator"},
  });
  EXPECT_TRUE(name_of({"a.h", 1, "Cart::operator()"}).is_of("operator ()"));
  EXPECT_TRUE(name_of({"a.h", 1, "Cart::operator bool"}).is_of("operator bool"));
  EXPECT_FALSE(name_of({"a.h", 1, "Cart::operator()"}).is_of("operator[]"));
}

TEST(FrameName, OfOtherLanguagesHasNothingOfWhatTheyAdd) {
  expect_names({
      {"a.py", "total", "total"},
      {"a.py", "Cart.total", "Cart.total"},
      {"a.js", "Checkout.submit", "Checkout.submit"},
      {"a.js", "Object.total [as sum]", "Object.total"},
      {"a.js", "Object.<anonymous> [as total]", "total"},
      {"a.js", "new Session", "Session"},
      {"a.js", "total/<", "total"},
      {"com/shop/Cart.java", "com.shop.db.Pool$Lease.query", "Lease.query"},
      {"com/shop/Cart.java", "com.shop.Cart.lambda$total$0", "Cart.total"},
      {"com/shop/Cart.java", "com.shop.db.Pool$Lease.<init>", "Lease.Lease"},
      {"com/shop/Cart.kt", "com.shop.Cart$total$1.invokeSuspend", "Cart.total"},
      {"com/shop/Cart.kt", "com.shop.Cart.total$default", "Cart.total"},
      {"Cart.cs", "Shop.Cart.<Total>d__3.MoveNext", "Cart.Total"},
      {"Cart.cs", "Shop.Cart..ctor", "Cart.Cart"},
      {"Cart.php", "Shop\\Cart->total", "Cart.total"},
      {"Cart.php", "Shop\\Cart->{closure:Shop\\Cart::total():12}", "Cart.total"},
      {"cart.rb", "block in run", "run"},
      {"cart.rb", "Cart#empty?", "Cart.empty?"},
      {"cart.ex", "Shop.Cart.total/1", "Cart.total"},
      {"cart.ex", "anonymous fn/1 in Shop.Cart.total/2", "Cart.total"},
      {"cart.dart", "Cart.total.<anonymous closure>", "Cart.total"},
  });
}

TEST(FrameName, OfAFrameWithoutAFileHasTheLanguageOfItsMarks) {
  expect_names({
      {"", "Shop.TestResult`1.Normalize", "TestResult.Normalize"},
      {"", "Shop.TestResult`1.<>c__DisplayClass9_0.<ShouldFail>b__0", "TestResult.ShouldFail"},
      {"", "Shop.Validator`1.<ValidateAsync>d__27.MoveNext", "Validator.ValidateAsync"},
      {"", "Shop.Cart`2..ctor", "Cart.Cart"},
      {"", "Shop.Extensions.ChildRules[T,TProperty]", "Extensions.ChildRules"},
      {"", "com.shop.Cart.lambda$total$0", "Cart.total"},
      {"", "com.shop.db.Pool$Lease.<init>", "Lease.Lease"},
      {"", "<bat::printer::InteractivePrinter as bat::printer::Printer>::print_snip",
       "InteractivePrinter.print_snip"},
      {"", "YAML::Scanner::PopIndent()", "Scanner.PopIndent"},
      {"", "closure #1 in DataRequest._response<A>", "DataRequest._response"},
      {"Cart.swift", "Cart.total.getter", "Cart.total"},
      {"", "protocol witness for Cart.total() in conformance Shop", "Cart.total"},
  });
}

TEST(FrameName, OfTheRuntimeIsToldByItsRoot) {
  for (const char* function :
       {"core::panicking::panic_fmt", "alloc::slice::<impl [T]>::repeat",
        "std::vector<int>::at(unsigned long)", "<alloc::vec::Vec<T> as core::clone::Clone>::clone",
        "<&mut std::io::Stdin as std::io::Read>::read", "System.String.Concat",
        "Microsoft.AspNetCore.Mvc.Run", "java.lang.Thread.run", "java.base/java.lang.Thread.run",
        "jdk.internal.reflect.Direct.invoke", "sun.misc.Unsafe.park", "__libc_start_main",
        "rust_begin_unwind"})
    EXPECT_TRUE(is_of_runtime({"", 0, function})) << function;
  for (const char* function :
       {"bat::printer::core::print", "<bat::Printer as core::fmt::Display>::fmt", "javassist.Loader.run",
        "sunrise", "std::string YAML::to_text<double>(double, int)",
        "YAML::Emitter& YAML::Emitter::Write<std::string>(double)", "Systems.Run", "start", "main"})
    EXPECT_FALSE(is_of_runtime({"", 0, function})) << function;
  EXPECT_TRUE(is_of_runtime({"/rustc/90b/library/std/src/panicking.rs", 662, "begin"}));
}

TEST(FrameName, IsEmptyWhereTheTraceTellsNone) {
  for (const char* function : {"", "<module>", "<lambda>", "<main>", "block in <main>", "<top (required)>",
                               "<anonymous>", "Object.<anonymous>", "com.shop.Cart.<clinit>"})
    EXPECT_EQ(name_of({"a.x", 1, function}), FrameName()) << function;
  EXPECT_EQ(name_of({"Cart.php", 1, "Shop\\Cart->Shop\\{closure}"}), FrameName());
}

TEST(FrameName, OfSeveralWordsIsCompound) {
  for (const char* name : {"cartTotal", "cart_total", "CartTotal", "HTTPServer", "_cart_total"})
    EXPECT_TRUE((FrameName{name, ""}).is_compound()) << name;
  for (const char* name : {"", "total", "Total", "__init__", "_total", "HTTP"})
    EXPECT_FALSE((FrameName{name, ""}).is_compound()) << name;
}

TEST(FrameName, OfAnythingIsRead) {
  for (const char* path : {"a.go", "a.rs", "a.cc", "a.php", "a.kt", "a.cs", "a.ex", "a.js"})
    for (const char* function :
         {"(",  ")", "<", ">",  "}",  "{",         "]",    "operator", "operator ", "::",  "->", ").",
          "a.", ".", "$", "a$", "<>", "{closure:", " in ", "[abi:",    "::h",       "-fm", "/"})
      EXPECT_LE(name_of({path, 1, function}).name.size(), 9U) << path << ' ' << function;
}

}  // namespace
}  // namespace knapsack
