#include "code/references/reference_resolver.h"

#include "code/support_repository.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(References, MeanTheInnermostScopeOfTheirFile) {
  const LittleRepository repository({
      {"a.py",
       "def helper(): pass\n\ndef outer():\n    def helper(): pass\n    return helper()\n\ndef user():\n    "
       "return helper()\n"},
      {"b.py", "def helper(): pass\n"},
  });
  EXPECT_THAT(repository.meanings("a.py", "helper", "outer"),
              ElementsAre("a.py outer.helper, enclosing scope"));
  EXPECT_THAT(repository.meanings("a.py", "helper", "user"), ElementsAre("a.py helper, enclosing scope"));
}

TEST(References, DoNotMeanAMethodWithoutItsObjectInPython) {
  const LittleRepository repository(
      {{"a.py", "class A:\n    def run(self): pass\n    def go(self):\n        return run()\n"},
       {"b.py", ""}});
  EXPECT_THAT(repository.meanings("a.py", "run"), IsEmpty());
}

TEST(References, MeanMembersOfTheEnclosingTypeThroughSelf) {
  const LittleRepository repository({
      {"a.py",
       "class A:\n    def run(self): pass\n    def go(self):\n        self.run()\n\nclass B:\n    def "
       "run(self): pass\n"},
      {"a.ts", "class A { run() {} go() { this.run(); } }\nclass B { run() {} }\n"},
      {"A.java", "class A { void run() {} void go() { run(); this.run(); } }\nclass B { void run() {} }\n"},
      {"a.rs", "struct A;\nimpl A { fn run(&self) {} fn go(&self) { self.run(); Self::run(self); } }\n"},
      {"a.rb", "class A\n  def run; end\n  def go\n    run()\n  end\nend\n"},
      {"a.php", "<?php\nclass A { function run() {} function go() { $this->run(); } }\n"},
  });
  EXPECT_THAT(repository.meanings("a.py", "self|run"), ElementsAre("a.py A.run, enclosing type"));
  EXPECT_THAT(repository.meanings("a.ts", "this|run"), ElementsAre("a.ts A.run, enclosing type"));
  EXPECT_THAT(repository.meanings("A.java", "run"), ElementsAre("A.java A.run, enclosing type"));
  EXPECT_THAT(repository.meanings("A.java", "this|run"), ElementsAre("A.java A.run, enclosing type"));
  EXPECT_THAT(repository.meanings("a.rs", "self|run"), ElementsAre("a.rs A.run, enclosing type"));
  EXPECT_THAT(repository.meanings("a.rs", "Self|run"), ElementsAre("a.rs A.run, enclosing type"));
  EXPECT_THAT(repository.meanings("a.rb", "run"), ElementsAre("a.rb A.run, enclosing type"));
  EXPECT_THAT(repository.meanings("a.php", "$this|run"), ElementsAre("a.php A.run, enclosing type"));
}

TEST(References, FindInheritedMembersInTheNamedBase) {
  const LittleRepository repository({
      {"base.py", "class Base:\n    def run(self): pass\n"},
      {"other.py", "class Other:\n    def run(self): pass\n"},
      {"user.py",
       "from base import Base\n\nclass User(Base):\n    def go(self):\n        self.run()\n    def "
       "stop(self):\n        super().run()\n"},
  });
  EXPECT_THAT(repository.meanings("user.py", "self|run"), ElementsAre("base.py Base.run, inherited"));
}

TEST(References, DoNotMeanOfTheirOwnObjectWhatTheFileMentions) {
  const LittleRepository repository({
      {"door.py", "class Door:\n    def close(self): pass\n"},
      {"room.py",
       "from door import Door\n\nclass Room:\n    def leave(self):\n        Door()\n        self.close()\n"},
      {"a.hpp", "class Ship {\n  void sail();\n  void land();\n};\n"},
      {"a.cc", "void Ship::sail() {}\n"},
      {"b.cc", "void Ship::land() { this->sail(); }\n"},
  });
  EXPECT_THAT(repository.meanings("room.py", "self|close"), IsEmpty());
  // Another file has the rest of the type.
  EXPECT_THAT(repository.meanings("b.cc", "this|sail"),
              ElementsAre("a.cc Ship.sail, its type is used in this file",
                          "a.hpp Ship.sail, its type is used in this file"));
}

TEST(References, OfATypeAreNotSharedWithItsConstructors) {
  const LittleRepository repository({
      {"a/Cart.cs",
       "namespace Shop.A;\nclass Cart {\n  Cart() {}\n  Cart(int size) {}\n  void Fill() {}\n}\n"},
      {"b/Use.cs", "namespace Other;\nclass Use { void F() { new Cart(1); } }\n"},
      {"c/Use.cs", "using Shop.A;\nnamespace Another;\nclass Use { void F() { new Cart(1); } }\n"},
  });
  const std::vector<Meaning> meanings = repository.all_meanings("b/Use.cs", "Cart");
  ASSERT_EQ(meanings.size(), 1U);
  EXPECT_FLOAT_EQ(meanings[0].confidence, 0.6F);
  EXPECT_EQ(meanings[0].reason, ReferenceReason::kUniqueName);
  EXPECT_THAT(repository.meanings("c/Use.cs", "Cart"), ElementsAre("a/Cart.cs Cart, wildcard import"));
}

TEST(References, ReachWhatIsRegisteredByNameThroughAReceiverAlone) {
  const std::string body = "{\n  one();\n  two();\n  three();\n}";
  const LittleRepository repository({
      {"plugin.js", "def('equal', (a) => " + body + ");\nequal();\n"},
      {"use.js", "function f(x) {\n  expect(x).equal();\n  equal();\n}\n"},
  });
  EXPECT_THAT(repository.meanings("use.js", "?|equal"),
              ElementsAre("plugin.js equal, only definition of the name"));
  EXPECT_THAT(repository.meanings("use.js", "equal"), IsEmpty());
  EXPECT_THAT(repository.meanings("plugin.js", "equal"), IsEmpty());
}

TEST(References, SeeTheNamespacesAroundTheirOwnInCSharp) {
  const LittleRepository repository({
      {"Use.cs", "namespace Acme.Shop.Internal;\nclass Use { Cart cart; Bag bag; }\n"},
      {"Cart.cs", "namespace Acme.Shop;\nclass Cart {}\n"},
      {"Far.cs", "namespace Acme;\nclass Cart {}\n"},
      {"Other.cs", "namespace Acme.Shopping;\nclass Bag {}\nclass Cart {}\n"},
      {"A.java", "package acme.shop;\nclass A { Lid lid; }\n"},
      {"Lid.java", "package acme;\nclass Lid {}\n"},
  });
  // The innermost has it.
  EXPECT_THAT(repository.meanings("Use.cs", "Cart"), ElementsAre("Cart.cs Cart, same package"));
  EXPECT_THAT(repository.meanings("Use.cs", "Bag"), ElementsAre("Other.cs Bag, only definition of the name"));
  EXPECT_THAT(repository.meanings("A.java", "Lid"), ElementsAre("Lid.java Lid, only definition of the name"));
}

TEST(References, FollowImportsByNameThroughAliases) {
  const LittleRepository repository({
      {"shop/__init__.py", ""},
      {"shop/cart.py", "class Cart:\n    def total(self): pass\n\ndef total(): pass\n"},
      {"shop/other.py", "def total(): pass\nclass Cart: pass\n"},
      {"main.py",
       "from shop.cart import Cart as C, total\nfrom outside import thing\n\ndef f():\n    C.total(1)\n    "
       "total()\n    C()\n    thing()\n"},
      {"shop/thing.py", "def thing(): pass\n"},
  });
  EXPECT_THAT(repository.meanings("main.py", "total"), ElementsAre("shop/cart.py total, imported name"));
  EXPECT_THAT(repository.meanings("main.py", "C"), ElementsAre("shop/cart.py Cart, imported name"));
  EXPECT_THAT(repository.meanings("main.py", "C|total"),
              ElementsAre("shop/cart.py Cart.total, imported type"));
  // It comes from outside the repository, whatever else has that name.
  EXPECT_THAT(repository.meanings("main.py", "thing"), IsEmpty());
}

TEST(References, FollowQualifiersThatAreModules) {
  const LittleRepository repository({
      {"shop/__init__.py", ""},
      {"shop/cart.py", "def total(): pass\nclass Cart:\n    def total(self): pass\n"},
      {"shop/other.py", "def total(): pass\n"},
      {"main.py",
       "import shop.cart\nimport shop.other as o\nfrom shop import cart\nimport json\n\ndef f():\n"
       "    shop.cart.total()\n    o.total()\n    cart.total()\n    json.total()\n"},
  });
  EXPECT_THAT(repository.meanings("main.py", "shop.cart|total"),
              ElementsAre("shop/cart.py total, imported module"));
  EXPECT_THAT(repository.meanings("main.py", "o|total"), ElementsAre("shop/other.py total, imported module"));
  EXPECT_THAT(repository.meanings("main.py", "cart|total"),
              ElementsAre("shop/cart.py total, imported module"));
  EXPECT_THAT(repository.meanings("main.py", "json|total"), IsEmpty());
}

TEST(References, LookThroughPackagesThatReexport) {
  const LittleRepository repository({
      {"lib/__init__.py", "from .sessions import Session\n"},
      {"lib/sessions.py", "class Session:\n    pass\n"},
      {"elsewhere/sessions.py", "class Session:\n    pass\n"},
      {"main.py", "from lib import Session\nimport lib\n\ndef f():\n    Session()\n    lib.Session()\n"},
      {"web/src/ui/index.ts", "export * from './button';\n"},
      {"web/src/ui/button.ts", "export function Button() {}\n"},
      {"web/src/page.ts", "import { Button } from './ui';\nButton();\n"},
  });
  EXPECT_THAT(repository.meanings("main.py", "Session"), ElementsAre("lib/sessions.py Session, re-exported"));
  EXPECT_THAT(repository.meanings("main.py", "lib|Session"),
              ElementsAre("lib/sessions.py Session, re-exported"));
  EXPECT_THAT(repository.meanings("web/src/page.ts", "Button"),
              ElementsAre("web/src/ui/button.ts Button, re-exported"));
}

TEST(References, SeeTheWholePackageWhereTheLanguageDoes) {
  const LittleRepository repository({
      {"go.mod", "module m\n"},
      {"p/a.go",
       "package p\nfunc use(s *Server) { helper(); s.run(); q.Open() }\nfunc (s *Server) go1() { s.stop() "
       "}\n"},
      {"p/b.go",
       "package p\ntype Server struct{}\nfunc helper() {}\nfunc (s *Server) run() {}\nfunc (s *Server) "
       "stop() {}\n"},
      {"other/b.go", "package other\nfunc helper() {}\nfunc Open() {}\n"},
      {"q/q.go", "package q\nfunc Open() {}\n"},
      {"p/c.go", "package p\nimport \"m/q\"\nfunc c() { q.Open() }\n"},
      {"x/A.java", "package acme;\nclass A { B b; }\n"},
      {"y/B.java", "package acme;\nclass B {}\n"},
      {"z/B.java", "package other;\nclass B {}\n"},
      {"cs/One.cs", "namespace Acme;\nclass One { Two two; }\n"},
      {"cs/Two.cs", "namespace Acme;\nclass Two {}\n"},
      {"cs/Three.cs", "namespace Other;\nclass Two {}\n"},
  });
  EXPECT_THAT(repository.meanings("p/a.go", "helper"), ElementsAre("p/b.go helper, same package"));
  EXPECT_THAT(repository.meanings("p/a.go", "s|run"),
              ElementsAre("p/b.go Server.run, receiver is called like its type"));
  EXPECT_THAT(repository.meanings("p/a.go", "s|stop"), ElementsAre("p/b.go Server.stop, enclosing type"));
  EXPECT_THAT(repository.meanings("p/c.go", "q|Open"), ElementsAre("q/q.go Open, imported module"));
  EXPECT_THAT(repository.meanings("x/A.java", "B"), ElementsAre("y/B.java B, same package"));
  EXPECT_THAT(repository.meanings("cs/One.cs", "Two"), ElementsAre("cs/Two.cs Two, same package"));
}

TEST(References, FollowJavaImportsToTypesAndTheirMembers) {
  const LittleRepository repository({
      {"a/Main.java",
       "package a;\nimport b.Bank;\nimport static b.Rates.daily;\nclass Main { void f() { Bank.open(); "
       "daily(); new Bank(); } }\n"},
      {"b/Bank.java", "package b;\npublic class Bank { static void open() {} }\n"},
      {"b/Rates.java", "package b;\npublic class Rates { static int daily() { return 1; } }\n"},
      {"c/Bank.java",
       "package c;\npublic class Bank { static void open() {} static int daily() { return 2; } }\n"},
  });
  EXPECT_THAT(repository.meanings("a/Main.java", "Bank"), ElementsAre("b/Bank.java Bank, imported name"));
  EXPECT_THAT(repository.meanings("a/Main.java", "Bank|open"),
              ElementsAre("b/Bank.java Bank.open, imported type"));
  EXPECT_THAT(repository.meanings("a/Main.java", "daily"),
              ElementsAre("b/Rates.java Rates.daily, imported name"));
}

TEST(References, GoFromAnIncludedHeaderToTheSourceOfItsName) {
  const LittleRepository repository({
      {"include/list.h", "int list_push(int x);\nint list_odd(int x);\n"},
      {"src/list.c", "#include \"list.h\"\nint list_push(int x) { return x; }\n"},
      {"src/elsewhere.c", "int list_odd(int x) { return x; }\n"},
      {"src/main.c", "#include \"list.h\"\nint main(void) { return list_push(1) + list_odd(2); }\n"},
      {"other/list.c", "static int list_push(int x) { return -x; }\n"},
  });
  EXPECT_THAT(
      repository.meanings("src/main.c", "list_push"),
      ElementsAre("src/list.c list_push, included header", "include/list.h list_push, wildcard import"));
  EXPECT_THAT(
      repository.meanings("src/main.c", "list_odd"),
      ElementsAre("src/elsewhere.c list_odd, included header", "include/list.h list_odd, wildcard import"));
}

TEST(References, TakeWhatAWildcardImportOpens) {
  const LittleRepository repository({
      {"a.py", "from b import *\n\ndef f():\n    thing()\n"},
      {"b.py", "def thing(): pass\n"},
      {"c.py", "def thing(): pass\n"},
      {"A.hs", "module A where\nimport B\nf x = thing x\n"},
      {"B.hs", "module B where\nthing x = x\n"},
      {"C.hs", "module C where\nthing x = x\n"},
  });
  EXPECT_THAT(repository.meanings("a.py", "thing"), ElementsAre("b.py thing, wildcard import"));
  EXPECT_THAT(repository.meanings("A.hs", "thing"), ElementsAre("B.hs thing, wildcard import"));
}

TEST(References, MatchQualifiersAndReceiversWithTypes) {
  const LittleRepository repository({
      {"account.py", "class Account:\n    def transfer(self): pass\n    def close(self): pass\n"},
      {"door.py", "class Door:\n    def close(self): pass\nclass Window:\n    def shut(self): pass\n"},
      {"use.py",
       "from door import Door\n\ndef f(account, hatch, x):\n    Door()\n    account.transfer()\n    "
       "account.close()\n    "
       "hatch.close()\n    x.shut()\n"},
      {"bank.ex", "defmodule Bank.Account do\n  def open(x), do: x\nend\n"},
      {"use.ex", "defmodule Use do\n  def f(x), do: Bank.Account.open(x)\nend\n"},
  });
  EXPECT_THAT(repository.meanings("use.py", "account|close"),
              ElementsAre("account.py Account.close, receiver is called like its type"));
  // Both types close, but only Door is used here.
  EXPECT_THAT(repository.meanings("use.py", "hatch|close"),
              ElementsAre("door.py Door.close, its type is used in this file"));
  EXPECT_THAT(repository.meanings("use.py", "x|shut"),
              ElementsAre("door.py Window.shut, only definition of the name"));
  EXPECT_THAT(repository.meanings("use.ex", "Bank.Account|open"),
              ElementsAre("bank.ex Bank.Account.open, qualifier names its type"));
}

TEST(References, FollowRustPathsToModules) {
  const LittleRepository repository({
      {"src/lib.rs",
       "mod store;\nfn helper() {}\nfn f() { store::open(); crate::store::open(); }\n"
       "mod tests { fn t() { super::helper(); } }\n"},
      {"src/store.rs", "pub fn open() {}\npub fn g() { super::helper(); crate::helper(); }\n"},
      {"src/other.rs", "pub fn open() {}\n"},
  });
  EXPECT_THAT(repository.meanings("src/lib.rs", "store|open"),
              ElementsAre("src/store.rs open, imported module"));
  EXPECT_THAT(repository.meanings("src/lib.rs", "crate::store|open"),
              ElementsAre("src/store.rs open, qualifier names its type"));
  EXPECT_THAT(repository.meanings("src/lib.rs", "super|helper"),
              ElementsAre("src/lib.rs helper, enclosing scope"));
  EXPECT_THAT(repository.meanings("src/store.rs", "super|helper"),
              ElementsAre("src/lib.rs helper, same package"));
  EXPECT_THAT(repository.meanings("src/store.rs", "crate|helper"),
              ElementsAre("src/lib.rs helper, same package"));
}

TEST(References, ShareTheConfidenceAmongEquals) {
  const LittleRepository repository({{"a.rb", "class A\n  def save; end\nend\n"},
                                     {"b.rb", "class B\n  def save; end\nend\n"},
                                     {"c.rb", "def f(x)\n  x.save\nend\n"}});
  const std::vector<Meaning> meanings = repository.all_meanings("c.rb", "x|save");
  ASSERT_EQ(meanings.size(), 2U);
  EXPECT_FLOAT_EQ(meanings[0].confidence, 0.15F);
  EXPECT_FLOAT_EQ(meanings[1].confidence, 0.15F);
  EXPECT_LT(meanings[0].definition.file, meanings[1].definition.file);
}

TEST(References, SayNothingWhereANameIsTooCommon) {
  std::map<std::string, std::string> files = {{"use.py", "def f(x):\n    x.get()\n"}};
  for (int i = 0; i < 9; ++i)
    files["m" + std::to_string(i) + ".py"] = "class A" + std::to_string(i) + ":\n    def get(self): pass\n";
  EXPECT_THAT(LittleRepository(files).meanings("use.py", "x|get"), IsEmpty());
  files.erase("m8.py");
  EXPECT_EQ(LittleRepository(files).meanings("use.py", "x|get").size(), kMaxMeanings);
}

TEST(References, NeverCrossLanguagesThatCannotCallEachOther) {
  const LittleRepository repository({
      {"a.rb", "def unique_helper; end\n"},
      {"b.lua", "unique_helper()\n"},
      {"c.tsx", "import { part } from './d';\npart();\n"},
      {"d.js", "export function part() {}\n"},
      {"E.kt", "package p\nfun f() { J() }\n"},
      {"J.java", "package p;\nclass J {}\n"},
  });
  EXPECT_THAT(repository.meanings("b.lua", "unique_helper"), IsEmpty());
  EXPECT_THAT(repository.meanings("c.tsx", "part"), ElementsAre("d.js part, imported name"));
  EXPECT_THAT(repository.meanings("E.kt", "J"), ElementsAre("J.java J, same package"));
}

TEST(References, OfSourcesAreNotGuessedToMeanTests) {
  const LittleRepository repository({
      {"src/a.rb", "def f(x)\n  x.prepare\nend\n"},
      {"test/b_test.rb", "class Fake\n  def prepare; end\nend\ndef g(x)\n  x.prepare\nend\n"},
  });
  EXPECT_THAT(repository.meanings("src/a.rb", "x|prepare"), IsEmpty());
  EXPECT_THAT(repository.meanings("test/b_test.rb", "x|prepare"),
              ElementsAre("test/b_test.rb Fake.prepare, only definition of the name"));
}

TEST(References, PreferADefinitionToItsDeclaration) {
  const LittleRepository repository(
      {{"a.cc", "int f(int x);\nint f(int x) { return x; }\nint g() { return f(1); }\n"}, {"b.cc", ""}});
  const std::vector<Meaning> meanings = repository.all_meanings("a.cc", "f");
  ASSERT_EQ(meanings.size(), 2U);
  EXPECT_FALSE(meanings[0].definition.is_declaration);
  EXPECT_GT(meanings[0].confidence, meanings[1].confidence);
}

TEST(References, KnowTheStandardLibraryIsElsewhere) {
  const LittleRepository repository({{"a.cc", "int g() { return std::max(1, 2); }\n"},
                                     {"b.cc", "struct Range { int max(int a, int b); };\n"}});
  EXPECT_THAT(repository.meanings("a.cc", "std|max"), IsEmpty());
}

}  // namespace
}  // namespace knapsack::code
