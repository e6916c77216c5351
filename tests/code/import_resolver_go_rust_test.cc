#include "code/imports/import_resolver.h"
#include "code/support_repository.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string go(const std::string& imports) {
  return "package p\nimport (\n" + imports + ")\n";
}

TEST(GoImports, MeanTheFilesOfAFolderBelowTheModule) {
  const LittleRepository repository({
      {"go.mod", "// the module\nmodule example.org/shop // here\n\ngo 1.22\n"},
      {"main.go",
       go("\"fmt\"\n\"example.org/shop/store\"\n\"example.org/shop\"\n\"example.org/shopping/x\"\n")},
      {"shop.go", "package shop\n"},
      {"store/disk.go", "package store\n"},
      {"store/disk_test.go", "package store\n"},
      {"store/memory.go", "package store\n"},
      {"store/readme.md", ""},
  });
  EXPECT_THAT(repository.resolved("main.go"),
              ElementsAre("example.org/shop/store -> store/disk.go",
                          "example.org/shop/store -> store/memory.go", "example.org/shop -> shop.go"));
}

TEST(GoImports, TellSeveralModulesAndTheirReplacements) {
  const LittleRepository repository({
      {"api/go.mod",
       "module example.org/api\nreplace (\n\texample.org/old v1.2.0 => ../legacy\n)\nreplace "
       "example.org/else => ../../outside\n"},
      {"api/main.go", go("\"example.org/old/x\"\n\"example.org/api/inner\"\n\"example.org/tools/"
                         "t\"\n\"example.org/else\"\n")},
      {"api/inner/i.go", "package inner\n"},
      {"go.work", "go 1.22\nuse (\n ./api\n ./tools\n)\n"},
      {"legacy/go.mod", "module example.org/legacy\n"},
      {"legacy/x/x.go", "package x\n"},
      {"tools/go.mod", "module \"example.org/tools\"\n"},
      {"tools/t/t.go", "package t\n"},
  });
  EXPECT_THAT(repository.resolved("api/main.go"),
              ElementsAre("example.org/old/x -> legacy/x/x.go", "example.org/api/inner -> api/inner/i.go",
                          "example.org/tools/t -> tools/t/t.go"));
}

TEST(GoImports, FindVendoredPackagesAndThoseOfAWorkspaceWithoutModules) {
  const LittleRepository vendored({{"go.mod", "module example.org/a\n"},
                                   {"main.go", go("\"github.com/x/y\"\n")},
                                   {"vendor/github.com/x/y/y.go", "package y\n"}});
  EXPECT_THAT(vendored.resolved("main.go"), ElementsAre("github.com/x/y -> vendor/github.com/x/y/y.go"));
  const LittleRepository old({{"cmd/main.go", go("\"github.com/me/project/pkg/util\"\n\"fmt\"\n")},
                              {"fmt/fmt.go", "package fmt\n"},
                              {"pkg/util/u.go", "package util\n"}});
  EXPECT_THAT(old.resolved("cmd/main.go"), ElementsAre("github.com/me/project/pkg/util -> pkg/util/u.go"));
}

TEST(GoImports, GiveAtMostSomeFilesOfALargePackageTheNearestFirst) {
  std::map<std::string, std::string> files = {{"go.mod", "module m\n"}, {"x.go", go("\"m/big\"\n")}};
  for (int i = 100; i < 300; ++i) files["big/f" + std::to_string(i) + ".go"] = "package big\n";
  const LittleRepository repository(files);
  const auto rows = repository.resolved("x.go");
  EXPECT_EQ(rows.size(), kMaxPackageFiles);
  EXPECT_EQ(rows, repository.resolved("x.go"));
}

TEST(RustImports, FollowModulesThroughACrate) {
  const LittleRepository repository({
      {"Cargo.toml", "[package]\nname = \"my-crate\"\n"},
      {"src/lib.rs", "mod store;\nmod deep;\nmod r#match;\nuse store::Disk;\n"},
      {"src/match.rs", ""},
      {"src/store.rs",
       "mod disk;\nuse self::disk::Disk;\nuse super::deep;\nuse crate::deep::{inner, Thing};\n"},
      {"src/store/disk.rs", "use crate::store;\nuse super::super::deep::inner::X;\nuse std::fs;\n"},
      {"src/deep/mod.rs", "pub mod inner;\n"},
      {"src/deep/inner.rs", "use crate::deep::Thing;\n"},
  });
  EXPECT_THAT(repository.resolved("src/lib.rs"),
              ElementsAre("store -> src/store.rs", "deep -> src/deep/mod.rs", "r#match -> src/match.rs",
                          "store -> src/store.rs"));
  EXPECT_THAT(repository.resolved("src/store.rs"),
              ElementsAre("disk -> src/store/disk.rs", "self::disk -> src/store/disk.rs",
                          "super [deep] -> src/deep/mod.rs", "crate::deep [inner] -> src/deep/inner.rs",
                          "crate::deep -> src/deep/mod.rs"));
  EXPECT_THAT(repository.resolved("src/store/disk.rs"),
              ElementsAre("crate [store] -> src/store.rs", "super::super::deep::inner -> src/deep/inner.rs"));
  EXPECT_THAT(repository.resolved("src/deep/mod.rs"), ElementsAre("inner -> src/deep/inner.rs"));
}

TEST(RustImports, ReachOtherCratesOfTheWorkspace) {
  const LittleRepository repository({
      {"Cargo.toml",
       "[workspace]\nmembers = ['crates/*']\n[workspace.dependencies]\nalias = {path = "
       "'crates/engine-core'}\n"},
      {"crates/app/Cargo.toml",
       "[package]\nname='app'\n[dependencies]\nrenamed = {path='../util', package='util'}\nalias.workspace = "
       "true\n"},
      {"crates/app/src/main.rs",
       "use engine_core::fast::Run;\nuse renamed::Thing;\nuse alias::fast;\nuse serde::Serialize;\n"},
      {"crates/app/tests/it.rs", "use app_lib::x;\nmod common;\n"},
      {"crates/app/tests/common/mod.rs", ""},
      {"crates/engine-core/Cargo.toml", "[package]\nname='engine-core'\n"},
      {"crates/engine-core/src/fast.rs", ""},
      {"crates/engine-core/src/lib.rs", "pub mod fast;\n"},
      {"crates/util/Cargo.toml", "[package]\nname='util'\n[lib]\npath='source/root.rs'\n"},
      {"crates/util/source/part.rs", "use crate::Thing;\n"},
      {"crates/util/source/root.rs", "mod part;\n"},
  });
  EXPECT_THAT(
      repository.resolved("crates/app/src/main.rs"),
      ElementsAre("engine_core::fast -> crates/engine-core/src/fast.rs",
                  "renamed -> crates/util/source/root.rs", "alias [fast] -> crates/engine-core/src/fast.rs"));
  EXPECT_THAT(repository.resolved("crates/app/tests/it.rs"),
              ElementsAre("common -> crates/app/tests/common/mod.rs"));
  EXPECT_THAT(repository.resolved("crates/util/source/root.rs"),
              ElementsAre("part -> crates/util/source/part.rs"));
  EXPECT_THAT(repository.resolved("crates/util/source/part.rs"),
              ElementsAre("crate -> crates/util/source/root.rs"));
}

TEST(RustImports, AreUnsureWhetherSuperIsTheFileItself) {
  const LittleRepository repository({{"Cargo.toml", "[package]\nname='a'\n"},
                                     {"src/lib.rs", "mod x;\n"},
                                     {"src/x.rs", "mod tests { use super::*; }\n"},
                                     {"src/x/tests.rs", "use super::*;\n"}});
  EXPECT_FLOAT_EQ(repository.confidence("src/x.rs", "super"), 0.3F);
  EXPECT_FLOAT_EQ(repository.confidence("src/x/tests.rs", "super"), 1.0F);
}

TEST(RustImports, SurviveHostileManifests) {
  const LittleRepository repository({
      {"Cargo.toml",
       "[package]\nname = 3\n[lib]\npath = ['x']\n[[bin]]\npath = 4\n[dependencies]\na = "
       "{path='../../..'}\n"},
      {"broken/Cargo.toml", "]]]]"},
      {"nested/Cargo.toml", "a = " + std::string(100'000, '[')},
      {"src/lib.rs", "mod a;\nuse a::x;\nuse super::super::super::x;\nuse crate::a::a::a::a::b;\n"},
      {"src/a.rs", ""},
  });
  EXPECT_THAT(repository.resolved("src/lib.rs"),
              ElementsAre("a -> src/a.rs", "a -> src/a.rs", "crate::a::a::a::a -> src/a.rs"));
  EXPECT_EQ(repository.resolver().notes().size(), 2U);
}

}  // namespace
}  // namespace knapsack::code
