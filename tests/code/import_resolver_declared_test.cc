#include "code/imports/import_resolver.h"
#include "code/support_repository.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(JvmImports, FindTheFileThatDeclaresTheNameWhereverItLies) {
  const LittleRepository repository({
      {"app/src/main/java/org/acme/Main.java",
       "package org.acme;\nimport org.acme.bank.Account;\nimport org.acme.bank.Account.Kind;\n"
       "import static org.acme.bank.Rates.daily;\nimport static org.acme.bank.Rates.*;\nimport "
       "java.util.List;\n"
       "import org.acme.lang.Player;\nimport org.acme.lang.helperFunction;\n"},
      {"lib/core/src/main/java/org/acme/bank/Account.java",
       "package org.acme.bank;\npublic class Account { enum Kind { A } }\n"},
      {"lib/core/src/main/java/org/acme/bank/Rates.java",
       "package org.acme.bank;\npublic class Rates { static int daily() { return 1; } }\n"},
      {"lib/kotlin/anything.kt", "package org.acme.lang\nclass Player\nfun helperFunction() {}\n"},
      {"lib/odd/Account.java", "package other.bank;\nclass Account {}\n"},
  });
  EXPECT_THAT(repository.resolved("app/src/main/java/org/acme/Main.java"),
              ElementsAre("org.acme.bank.Account -> lib/core/src/main/java/org/acme/bank/Account.java",
                          "org.acme.bank.Account.Kind -> lib/core/src/main/java/org/acme/bank/Account.java",
                          "org.acme.bank.Rates.daily -> lib/core/src/main/java/org/acme/bank/Rates.java",
                          "org.acme.bank.Rates -> lib/core/src/main/java/org/acme/bank/Rates.java",
                          "org.acme.lang.Player -> lib/kotlin/anything.kt",
                          "org.acme.lang.helperFunction -> lib/kotlin/anything.kt"));
}

TEST(JvmImports, OpenAWholePackageByWildcard) {
  const LittleRepository repository({
      {"a/A.kt", "package org.acme\nimport org.acme.model.*\n"},
      {"a/One.kt", "package org.acme.model\nclass One\n"},
      {"b/Two.java", "package org.acme.model;\nclass Two {}\n"},
      {"c/Deep.java", "package org.acme.model.deep;\nclass Deep {}\n"},
  });
  EXPECT_THAT(repository.resolved("a/A.kt"),
              ElementsAre("org.acme.model -> a/One.kt", "org.acme.model -> b/Two.java"));
}

TEST(JvmImports, TakeTheNearestOfTwoFilesThatDeclareTheSame) {
  const LittleRepository repository({
      {"one/src/A.java", "package p;\nclass A {}\n"},
      {"one/test/Use.java", "package q;\nimport p.A;\n"},
      {"two/src/A.java", "package p;\nclass A {}\n"},
      {"two/test/Use.java", "package q;\nimport p.A;\n"},
  });
  EXPECT_THAT(repository.resolved("one/test/Use.java"), ElementsAre("p.A -> one/src/A.java"));
  EXPECT_THAT(repository.resolved("two/test/Use.java"), ElementsAre("p.A -> two/src/A.java"));
  EXPECT_FLOAT_EQ(repository.confidence("two/test/Use.java", "p.A"), 0.8F);
}

TEST(JvmImports, UseThePathOfAFileThatDeclaresNothingReadable) {
  const LittleRepository repository({{"Main.java", "import org.acme.Broken;\n"},
                                     {"src/org/acme/Broken.java", "%%%"},
                                     {"src/Broken.java", ""}});
  EXPECT_THAT(repository.resolved("Main.java"), ElementsAre("org.acme.Broken -> src/org/acme/Broken.java"));
}

TEST(ScalaImports, NameSeveralAndStartAtThePackagesAround) {
  const LittleRepository repository({
      {"Engine.scala", "package org.acme.core\nclass Engine\nobject Engine { def start = 1 }\n"},
      {"Model.scala", "package org.acme.core\ncase class Part(x: Int)\ncase class Whole(y: Int)\n"},
      {"Use.scala",
       "package org.acme.app\nimport org.acme.core.{Part, Engine => E}\nimport scala.util.Try\n"},
      {"Near.scala", "package org.acme.core\nimport Engine._\nimport core.Whole\n"},
  });
  EXPECT_THAT(repository.resolved("Use.scala"),
              ElementsAre("org.acme.core [Engine] -> Engine.scala", "org.acme.core [Part] -> Model.scala"));
  EXPECT_THAT(repository.resolved("Near.scala"),
              ElementsAre("Engine -> Engine.scala", "core [Whole] -> Model.scala"));
}

TEST(CSharpImports, MeanTheFilesOfANamespaceInEitherForm) {
  const LittleRepository repository({
      {"App/Program.cs",
       "using System;\nusing Shop.Orders;\nusing static Shop.Tools.Helper;\nusing Alias = "
       "Shop.Tools.Other;\nusing global::Shop.Flat;\n"},
      {"Lib/Order.cs", "namespace Shop.Orders { public class Order {} }\n"},
      {"Lib/Line.cs", "namespace Shop.Orders { public class Line {} }\n"},
      {"Lib/Helper.cs", "namespace Shop.Tools { public static class Helper {} public class Other {} }\n"},
      {"Lib/Flat.cs", "namespace Shop.Flat;\npublic class F {}\n"},
  });
  EXPECT_THAT(repository.resolved("App/Program.cs"),
              ElementsAre("Shop.Orders -> Lib/Line.cs", "Shop.Orders -> Lib/Order.cs",
                          "Shop.Tools.Helper -> Lib/Helper.cs", "Shop.Tools.Other -> Lib/Helper.cs",
                          "global::Shop.Flat -> Lib/Flat.cs"));
}

TEST(CSharpImports, StartAtTheNamespacesAroundToo) {
  const LittleRepository repository({
      {"Rules.cs", "namespace Acme.Shop.Internal;\nusing Carts;\nusing System.Text;\n"},
      {"Cart.cs", "namespace Acme.Shop.Carts;\npublic class Cart {}\n"},
      {"Other.cs", "namespace Elsewhere.Carts;\npublic class Cart {}\n"},
  });
  EXPECT_THAT(repository.resolved("Rules.cs"), ElementsAre("Carts -> Cart.cs"));
}

TEST(ElixirImports, FindModulesByTheirDeclaredNames) {
  const LittleRepository repository({
      {"lib/bank/account.ex", "defmodule Bank.Account do\n  defmodule Nested do\n  end\nend\n"},
      {"lib/odd_place.ex", "defmodule Bank.Ledger do\nend\ndefprotocol Bank.Printable do\nend\n"},
      {"test/account_test.exs",
       "defmodule Bank.AccountTest do\n  use ExUnit.Case\n  alias Bank.{Account, Ledger}\n"
       "  alias Bank.Account.Nested\n  import Bank.Printable\nend\n"},
  });
  EXPECT_THAT(
      repository.resolved("test/account_test.exs"),
      ElementsAre("Bank [Account] -> lib/bank/account.ex", "Bank [Ledger] -> lib/odd_place.ex",
                  "Bank.Account.Nested -> lib/bank/account.ex", "Bank.Printable -> lib/odd_place.ex"));
}

TEST(HaskellImports, FindModulesByNameInAnySourceFolder) {
  const LittleRepository repository({
      {"app/Main.hs",
       "module Main where\nimport Geometry.Shapes\nimport qualified Data.Map as Map\nimport Util (helper)\n"},
      {"lib/Util.hs", "module Util where\nhelper = 1\n"},
      {"src/Geometry/Shapes.hs", "module Geometry.Shapes where\n"},
      {"tests/Geometry/Shapes.hs", "module Other where\n"},
  });
  EXPECT_THAT(repository.resolved("app/Main.hs"),
              ElementsAre("Geometry.Shapes -> src/Geometry/Shapes.hs", "Util -> lib/Util.hs"));
}

TEST(DeclaredImports, KeepLanguagesApartThatCannotSeeEachOther) {
  const LittleRepository repository({{"a.ex", "defmodule Shared do\nend\n"},
                                     {"b.cs", "namespace Shared { class X {} }\n"},
                                     {"c.cs", "using Shared;\n"},
                                     {"d.ex", "defmodule D do\n  alias Shared\nend\n"}});
  EXPECT_THAT(repository.resolved("c.cs"), ElementsAre("Shared -> b.cs"));
  EXPECT_THAT(repository.resolved("d.ex"), ElementsAre("Shared -> a.ex"));
}

TEST(PhpImports, FollowComposersAutoloading) {
  const LittleRepository repository({
      {"composer.json", R"({"autoload": {"psr-4": {"Shop\\": "src/", "Shop\\Deep\\": ["other/", "deep/"]},
                                         "psr-0": {"Old_": "legacy/"}},
                            "autoload-dev": {"psr-4": {"Shop\\Tests\\": "tests"}}})"},
      {"deep/Thing.php", "<?php\n"},
      {"legacy/Old/Name.php", "<?php\n"},
      {"src/Deep/Thing.php", "<?php\n"},
      {"src/Models/Item.php", "<?php\n"},
      {"src/Models/Order.php", "<?php\n"},
      {"tests/Base.php", "<?php\n"},
      {"tests/ItemTest.php",
       "<?php\nuse Shop\\Models\\Item;\nuse Shop\\Models\\{Order, Item as I};\nuse Shop\\Deep\\Thing;\n"
       "use Shop\\Tests\\Base;\nuse Old_Name;\nuse Psr\\Log\\Logger;\n"},
  });
  EXPECT_THAT(
      repository.resolved("tests/ItemTest.php"),
      ElementsAre("Shop\\Models\\Item -> src/Models/Item.php", "Shop\\Models [Item] -> src/Models/Item.php",
                  "Shop\\Models [Order] -> src/Models/Order.php", "Shop\\Deep\\Thing -> deep/Thing.php",
                  "Shop\\Tests\\Base -> tests/Base.php", "Old_Name -> legacy/Old/Name.php"));
}

TEST(PhpImports, FindDeclaredNamesAndRequiredFiles) {
  const LittleRepository repository({
      {"lib/all.php", "<?php\nnamespace Kit\\Tools;\nclass Hammer {}\nfunction nail() {}\n"},
      {"inc/boot.php", "<?php\n"},
      {"web/index.php",
       "<?php\nuse Kit\\Tools\\Hammer;\nuse function Kit\\Tools\\nail;\nrequire __DIR__ . "
       "'/../inc/boot.php';\n"
       "include 'part.php';\nrequire_once 'inc/boot.php';\nrequire '/../../../../etc/passwd';\n"},
      {"web/part.php", "<?php\n"},
  });
  EXPECT_THAT(repository.resolved("web/index.php"),
              ElementsAre("Kit\\Tools\\Hammer -> lib/all.php", "Kit\\Tools\\nail -> lib/all.php",
                          "/../inc/boot.php -> inc/boot.php", "part.php -> web/part.php",
                          "inc/boot.php -> inc/boot.php"));
  EXPECT_THAT(repository.resolved("lib/all.php"), IsEmpty());
}

TEST(DeclaredNames, AreFullNamesOfWhatOthersCanImport) {
  const LittleRepository repository({
      {"a.java", "package p.q;\nclass A { class Inner {} void m() {} }\ninterface B {}\n"},
      {"b.kt", "package p\nclass K\nfun top() {}\nval value = 1\n"},
      {"c.cs", "namespace N.M { class C { void F() {} } }\n"},
      {"d.ex", "defmodule Outer do\n  defmodule Inner do\n  end\n  def f, do: 1\nend\n"},
      {"e.py", "class P: pass\n"},
  });
  const auto declares = [&](std::string_view path) {
    return repository.files()[repository.number(path)].declares;
  };
  EXPECT_EQ(declares("a.java"), "p.q.A p.q.B");
  EXPECT_EQ(declares("b.kt"), "p.K p.top p.value");
  EXPECT_EQ(declares("c.cs"), "N.M N.M.C");
  EXPECT_EQ(declares("d.ex"), "Outer Outer.Inner");
  EXPECT_EQ(declares("e.py"), "");
}

}  // namespace
}  // namespace knapsack::code
