#include "code/imports/import_resolver.h"
#include "code/support_repository.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

TEST(PythonImports, FindAModuleOrAPackageFromTheRoot) {
  const LittleRepository repository({
      {"app/__init__.py", ""},
      {"app/models.py", ""},
      {"app/views/__init__.py", ""},
      {"main.py", "import app.models\nimport app.views as v\nimport os\n"},
  });
  EXPECT_THAT(repository.resolved("main.py"),
              ElementsAre("app.models -> app/models.py", "app.views -> app/views/__init__.py"));
  EXPECT_EQ(repository.confidence("main.py", "app.models"), 1.0F);
}

TEST(PythonImports, TellAModuleFromANameOfItsPackage) {
  const LittleRepository repository({
      {"app/__init__.py", "VERSION = 1\n"},
      {"app/models.py", ""},
      {"main.py", "from app import models, VERSION\n"},
      {"other.py", "from app import models\n"},
  });
  EXPECT_THAT(repository.resolved("main.py"),
              ElementsAre("app -> app/__init__.py", "app [models] -> app/models.py"));
  // The package runs too, but nothing of its own was asked for: it comes second.
  EXPECT_THAT(repository.resolved("other.py"),
              ElementsAre("app [models] -> app/models.py", "app -> app/__init__.py"));
}

TEST(PythonImports, FollowTheDotsOfRelativeOnes) {
  const LittleRepository repository({
      {"app/__init__.py", ""},
      {"app/base.py", ""},
      {"app/deep/__init__.py", ""},
      {"app/deep/sibling.py", ""},
      {"app/deep/user.py",
       "from . import sibling\nfrom .sibling import x\nfrom ..base import *\nfrom .... import escaped\n"},
  });
  EXPECT_THAT(repository.resolved("app/deep/user.py"),
              ElementsAre(". [sibling] -> app/deep/sibling.py", ". -> app/deep/__init__.py",
                          ".sibling -> app/deep/sibling.py", "..base -> app/base.py"));
}

TEST(PythonImports, DiscoverASrcLayoutFromItsPackage) {
  const LittleRepository repository({
      {"src/shop/__init__.py", ""},
      {"src/shop/cart.py", ""},
      {"tests/test_cart.py", "from shop.cart import Cart\nimport shop\n"},
  });
  EXPECT_THAT(repository.resolved("tests/test_cart.py"),
              ElementsAre("shop.cart -> src/shop/cart.py", "shop -> src/shop/__init__.py"));
}

TEST(PythonImports, FindNamespacePackagesSpreadOverAMonorepo) {
  const LittleRepository repository({
      {"libs/one/pyproject.toml", "[project]\nname='one'\n"},
      {"libs/one/src/acme/one/__init__.py", ""},
      {"libs/one/src/acme/one/core.py", "from acme.two import helper, thing\nfrom acme import two\n"},
      {"libs/two/setup.py", ""},
      {"libs/two/src/acme/two/__init__.py", "thing = 1\n"},
      {"libs/two/src/acme/two/helper.py", ""},
  });
  EXPECT_THAT(repository.resolved("libs/one/src/acme/one/core.py"),
              ElementsAre("acme.two -> libs/two/src/acme/two/__init__.py",
                          "acme.two [helper] -> libs/two/src/acme/two/helper.py",
                          "acme [two] -> libs/two/src/acme/two/__init__.py"));
}

TEST(PythonImports, FollowPackagesWithoutInitInAFolderThatNothingConfigures) {
  const LittleRepository repository({
      {"backend/app/core/rates.py", "def rate_of(): pass\n"},
      {"backend/app/billing.py", "from app.core.rates import rate_of\n"},
      {"tests/test_rates.py", "from app.core.rates import rate_of\n"},
      {"one/kit/tools.py", ""},
      {"two/kit/tools.py", ""},
      {"checks/check.py", "from kit.tools import hammer\n"},
  });
  EXPECT_THAT(repository.resolved("backend/app/billing.py"),
              ElementsAre("app.core.rates -> backend/app/core/rates.py"));
  EXPECT_EQ(repository.confidence("backend/app/billing.py", "app.core.rates"), 0.8F)
      << "it imports its own package by the full name";
  EXPECT_EQ(repository.confidence("tests/test_rates.py", "app.core.rates"), 0.65F)
      << "there is no other of these names";
  EXPECT_EQ(repository.confidence("checks/check.py", "kit.tools"), 0.5F) << "which one cannot be told";
}

TEST(PythonImports, TakeTheRootsThatAConfigurationNames) {
  const LittleRepository repository({
      {"code/tools.py", ""},
      {"job/run.py", "import tools\nimport extra\nimport more\n"},
      {"old/extra.py", ""},
      {"poetry/more.py", ""},
      {"pyproject.toml",
       "[tool.setuptools.packages.find]\nwhere = "
       "['code']\n[[tool.poetry.packages]]\ninclude='x'\nfrom='poetry'\n"},
      {"setup.cfg", "[options]\npackage_dir =\n    =old\n"},
      {"unrelated/extra.py", ""},
  });
  EXPECT_THAT(repository.resolved("job/run.py"),
              ElementsAre("tools -> code/tools.py", "extra -> old/extra.py", "more -> poetry/more.py"));
}

TEST(PythonImports, PreferTheScriptsOwnFolderAndTheNearestRoot) {
  const LittleRepository repository({
      {"a/helpers.py", ""},
      {"a/pyproject.toml", ""},
      {"a/run.py", "import helpers\n"},
      {"b/helpers.py", ""},
      {"b/pyproject.toml", ""},
      {"b/tests/test_run.py", "import helpers\n"},
  });
  EXPECT_THAT(repository.resolved("a/run.py"), ElementsAre("helpers -> a/helpers.py"));
  EXPECT_THAT(repository.resolved("b/tests/test_run.py"), ElementsAre("helpers -> b/helpers.py"));
}

TEST(PythonImports, DoNotTakeAModuleInsideAPackageForTheLibrarysOwn) {
  const LittleRepository repository({
      {"app/__init__.py", ""},
      {"app/json.py", ""},
      {"app/views.py", "import json\nimport logging\n"},
      {"tools/__init__.py", ""},
      {"tools/sub/logging.py", ""},
  });
  EXPECT_THAT(repository.resolved("app/views.py"), IsEmpty());
}

TEST(PythonImports, DoNotReachIntoAnotherRootForTheLibrarysOwn) {
  const LittleRepository repository({
      {"app/views.py", "import types\nimport gadgets\n"},
      {"kit/gadgets.py", ""},
      {"kit/tools/__init__.py", ""},
      {"kit/types.py", ""},
  });
  EXPECT_THAT(repository.resolved("app/views.py"), ElementsAre("gadgets -> kit/gadgets.py"));
}

TEST(PythonImports, AddTheStubBesideTheModule) {
  const LittleRepository repository(
      {{"fast.py", ""}, {"fast.pyi", ""}, {"main.py", "import fast\nimport only\n"}, {"only.pyi", ""}});
  EXPECT_THAT(repository.resolved("main.py"),
              ElementsAre("fast -> fast.py", "fast -> fast.pyi", "only -> only.pyi"));
}

TEST(PythonImports, SurviveMalformedConfigurationWithANote) {
  const LittleRepository repository({{"app/__init__.py", ""},
                                     {"app/a.py", "import app\n"},
                                     {"pyproject.toml", "[tool\nx"},
                                     {"sub/pyproject.toml", "a" + std::string(500'000, '.') + "b = 1\n"}});
  EXPECT_THAT(repository.resolved("app/a.py"), ElementsAre("app -> app/__init__.py"));
  EXPECT_THAT(repository.resolver().notes(),
              UnorderedElementsAre("pyproject.toml is not TOML; imports are resolved without it",
                                   "sub/pyproject.toml nests too deep; imports are resolved without it"));
}

}  // namespace
}  // namespace knapsack::code
