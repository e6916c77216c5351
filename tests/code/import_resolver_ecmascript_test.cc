#include "code/imports/import_resolver.h"
#include "code/support_repository.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(EcmaScriptImports, FindRelativeFilesWithAndWithoutEnding) {
  const LittleRepository repository({
      {"src/a.ts",
       "import './b';\nimport './c.js';\nimport '../d';\nimport './folder';\nimport '.';\n"
       "import './e.jsx';\nimport './data.json';\nimport './logo.svg?raw';\nimport './missing';\n"},
      {"src/b.ts", ""},
      {"src/b.js", ""},
      {"src/c.ts", ""},
      {"src/data.json", "{}"},
      {"src/e.tsx", ""},
      {"src/folder/index.tsx", ""},
      {"src/index.ts", ""},
      {"src/logo.svg", ""},
      {"d.mjs", ""},
  });
  EXPECT_THAT(repository.resolved("src/a.ts"),
              ElementsAre("./b -> src/b.ts", "./c.js -> src/c.ts", "../d -> d.mjs",
                          "./folder -> src/folder/index.tsx", ". -> src/index.ts", "./e.jsx -> src/e.tsx",
                          "./data.json -> src/data.json", "./logo.svg?raw -> src/logo.svg"));
  EXPECT_EQ(repository.confidence("src/a.ts", "./b"), 1.0F);
}

TEST(EcmaScriptImports, PreferTheOwnLanguageAmongFilesOfOneName) {
  const LittleRepository repository(
      {{"a.js", "require('./b');\n"}, {"a.ts", "import './b';\n"}, {"b.js", ""}, {"b.ts", ""}});
  EXPECT_THAT(repository.resolved("a.js"), ElementsAre("./b -> b.js"));
  EXPECT_THAT(repository.resolved("a.ts"), ElementsAre("./b -> b.ts"));
}

TEST(EcmaScriptImports, NeverLeaveTheRoot) {
  const LittleRepository repository(
      {{"src/a.ts", "import '../../../src/b';\nimport '../../b';\n"}, {"src/b.ts", ""}, {"b.ts", ""}});
  EXPECT_THAT(repository.resolved("src/a.ts"), IsEmpty());
}

TEST(EcmaScriptImports, FollowPathMappingsWithCommentsAndTrailingCommas) {
  const LittleRepository repository({
      {"app/tsconfig.json",
       "\xEF\xBB\xBF{\n  // where things are\n  \"compilerOptions\": {\n"
       "    \"baseUrl\": \"./code\", /* from here */\n"
       "    \"paths\": {\"@lib/*\": [\"missing/*\", \"lib/*\",], \"@lib/special\": [\"other.ts\"],\n"
       "              \"*-page\": [\"pages/*\"],},\n  },\n}\n"},
      {"app/code/lib/x.ts", ""},
      {"app/code/lib/special.ts", ""},
      {"app/code/other.ts", ""},
      {"app/code/pages/home.ts", ""},
      {"app/code/plain.ts", ""},
      {"app/main.ts",
       "import '@lib/x';\nimport '@lib/special';\nimport 'home-page';\nimport 'plain';\nimport 'react';\n"},
  });
  EXPECT_THAT(repository.resolved("app/main.ts"),
              ElementsAre("@lib/x -> app/code/lib/x.ts", "@lib/special -> app/code/other.ts",
                          "home-page -> app/code/pages/home.ts", "plain -> app/code/plain.ts"));
  EXPECT_THAT(repository.resolver().notes(), IsEmpty());
}

TEST(EcmaScriptImports, InheritPathMappingsThroughExtends) {
  const LittleRepository repository({
      {"base/common.json", R"({"compilerOptions": {"paths": {"#shared/*": ["../shared/*"]}}})"},
      {"base/tsconfig.base.json", R"({"extends": "./common"})"},
      {"packages/config/package.json", R"({"name": "@acme/config"})"},
      {"packages/config/strict.json", R"({"compilerOptions": {"baseUrl": "${configDir}/src"}})"},
      {"shared/util.ts", ""},
      {"web/src/local.ts", ""},
      {"web/src/main.ts", "import '#shared/util';\nimport 'local';\n"},
      {"web/tsconfig.json", R"({"extends": ["../base/tsconfig.base.json", "@acme/config/strict.json"]})"},
  });
  EXPECT_THAT(repository.resolved("web/src/main.ts"),
              ElementsAre("#shared/util -> shared/util.ts", "local -> web/src/local.ts"));
  std::vector<std::string> read;
  for (const uint32_t file : repository.resolver().config_files()) read.push_back(repository.path(file));
  EXPECT_THAT(read, ElementsAre("base/common.json", "base/tsconfig.base.json", "packages/config/package.json",
                                "packages/config/strict.json", "web/tsconfig.json"));
}

TEST(EcmaScriptImports, UseTheProjectThatASolutionDelegatesTo) {
  const LittleRepository repository({
      {"src/main.ts", "import '@/deep/x';\n"},
      {"src/deep/x.ts", ""},
      {"tsconfig.app.json", R"({"compilerOptions": {"paths": {"@/*": ["./src/*"]}}})"},
      {"tsconfig.json",
       R"({"files": [], "references": [{"path": "./tsconfig.node.json"}, {"path": "./tsconfig.app.json"}]})"},
      {"tsconfig.node.json", "{}"},
  });
  EXPECT_THAT(repository.resolved("src/main.ts"), ElementsAre("@/deep/x -> src/deep/x.ts"));
  EXPECT_FLOAT_EQ(repository.confidence("src/main.ts", "@/deep/x"), 0.95F);
}

TEST(EcmaScriptImports, EndCyclicAndExplodingExtends) {
  std::map<std::string, std::string> files = {
      {"a.ts", "import 'x';\n"},
      {"tsconfig.json", R"({"extends": "./t1.json"})"},
      {"cycle/tsconfig.json", R"({"extends": "./other.json"})"},
      {"cycle/other.json", R"({"extends": "./tsconfig.json", "compilerOptions": {"baseUrl": "lib"}})"},
      {"cycle/a.ts", "import 'x';\n"},
      {"cycle/lib/x.ts", ""},
  };
  // Each extends the next one eight times: 8^30 reads if nobody counts.
  for (int i = 1; i < 30; ++i) {
    std::string list;
    for (int k = 0; k < 8; ++k) list += (k == 0 ? "\"./t" : ", \"./t") + std::to_string(i + 1) + ".json\"";
    files["t" + std::to_string(i) + ".json"] = "{\"extends\": [" + list + "]}";
  }
  files["t30.json"] = "{}";
  const LittleRepository repository(files);
  EXPECT_THAT(repository.resolved("cycle/a.ts"), ElementsAre("x -> cycle/lib/x.ts"));
  EXPECT_THAT(repository.resolved("a.ts"), IsEmpty());
}

TEST(EcmaScriptImports, FindWorkspacePackagesByName) {
  const LittleRepository repository({
      {"package.json", R"({"name": "root", "workspaces": ["packages/*"]})"},
      {"packages/app/main.ts",
       "import '@acme/ui';\nimport '@acme/ui/button';\nimport 'plain/sub/x';\nimport 'plain';\n"},
      {"packages/plain/lib/sub/x.ts", ""},
      {"packages/plain/index.js", ""},
      {"packages/plain/package.json", R"({"name": "plain", "main": "./index"})"},
      {"packages/plain/src/sub/x.ts", ""},
      {"packages/ui/package.json",
       R"({"name": "@acme/ui", "main": "dist/index.js", "exports": {
            ".": {"types": "./dist/index.d.ts", "import": {"default": "./dist/index.mjs"}},
            "./*": {"import": "./dist/components/*.js"}}})"},
      {"packages/ui/src/components/button.tsx", ""},
      {"packages/ui/src/index.ts", ""},
  });
  EXPECT_THAT(repository.resolved("packages/app/main.ts"),
              ElementsAre("@acme/ui -> packages/ui/src/index.ts",
                          "@acme/ui/button -> packages/ui/src/components/button.tsx",
                          "plain/sub/x -> packages/plain/src/sub/x.ts", "plain -> packages/plain/index.js"));
}

TEST(EcmaScriptImports, PreferAMemberOfTheWorkspaceToACopy) {
  const LittleRepository repository({
      {"apps/web/main.ts", "import 'ui';\n"},
      {"apps/web/copy/package.json", R"({"name": "ui"})"},
      {"apps/web/copy/index.ts", ""},
      {"libs/ui/index.ts", ""},
      {"libs/ui/package.json", R"({"name": "ui"})"},
      {"pnpm-workspace.yaml",
       "packages:\n  - 'libs/*'\n# more\n  - \"apps/**\"\n  - '!apps/web/copy'\nother:\n  - x\n"},
  });
  EXPECT_THAT(repository.resolved("apps/web/main.ts"), ElementsAre("ui -> libs/ui/index.ts"));
  const LittleRepository strict({
      {"apps/web/main.ts", "import 'ui';\n"},
      {"apps/web/fixtures/ui/package.json", R"({"name": "ui"})"},
      {"apps/web/fixtures/ui/index.ts", ""},
      {"libs/ui/index.ts", ""},
      {"libs/ui/package.json", R"({"name": "ui"})"},
      {"package.json", R"({"workspaces": {"packages": ["./libs/*/", "apps/*"]}})"},
  });
  EXPECT_THAT(strict.resolved("apps/web/main.ts"), ElementsAre("ui -> libs/ui/index.ts"));
}

TEST(EcmaScriptImports, ResolveAPackagesOwnImportsAndName) {
  const LittleRepository repository({
      {"package.json", R"({"name": "me", "exports": "./lib/entry.js",
                           "imports": {"#db": {"node": "./lib/db.js"}, "#lib/*": "./lib/*.js", "#lib/secret/*": null}})"},
      {"lib/db.js", ""},
      {"lib/entry.js", ""},
      {"lib/util.js", ""},
      {"lib/secret/x.js", ""},
      {"test/a.js", "import '#db';\nimport '#lib/util';\nimport 'me';\nimport '#lib/secret/x';\n"},
  });
  EXPECT_THAT(repository.resolved("test/a.js"),
              ElementsAre("#db -> lib/db.js", "#lib/util -> lib/util.js", "me -> lib/entry.js"));
}

TEST(EcmaScriptImports, TakeAFoldersPackageMain) {
  const LittleRepository repository({{"a.js", "require('./part');\n"},
                                     {"part/package.json", R"({"main": "./lib/start"})"},
                                     {"part/lib/start.js", ""}});
  EXPECT_THAT(repository.resolved("a.js"), ElementsAre("./part -> part/lib/start.js"));
}

TEST(EcmaScriptImports, TryTheUsualAliasesWithoutConfiguration) {
  const LittleRepository repository({
      {"app/package.json", "{}"},
      {"app/pages/a.js", "import '@/x/y';\nimport '~/x/y';\nimport 'x/y';\nimport 'y';\n"},
      {"app/src/x/y.js", ""},
      {"app/src/y.js", ""},
  });
  EXPECT_THAT(repository.resolved("app/pages/a.js"),
              ElementsAre("@/x/y -> app/src/x/y.js", "~/x/y -> app/src/x/y.js", "x/y -> app/src/x/y.js"));
  EXPECT_EQ(repository.confidence("app/pages/a.js", "@/x/y"), 0.5F);
}

TEST(EcmaScriptImports, SurviveHostileConfigurations) {
  const LittleRepository repository({
      {"a.ts", "import 'x';\nimport './b';\n"},
      {"b.ts", ""},
      {"big/package.json", "{\"name\": \"" + std::string(2'000'000, 'x') + "\"}"},
      {"deep/tsconfig.json", std::string(200'000, '[')},
      {"deeper/tsconfig.json", "{\"a\":" + std::string(100'000, '{') + "}"},
      {"list/package.json", "[1, 2]"},
      {"odd/package.json",
       R"({"name": 7, "main": [], "exports": 3, "imports": "x", "workspaces": {"packages": 5}})"},
      {"odd/tsconfig.json",
       R"({"extends": 5, "references": [3, {"path": 4}], "compilerOptions": {"paths": {"*": 9}, "baseUrl": 1}})"},
      {"odder/tsconfig.json",
       R"({"references": 3, "compilerOptions": {"baseUrl": "../../..", "paths": {"x": ["../../../../etc/x"]}}})"},
      {"odder/a.ts", "import 'x';\n"},
      {"truncated/package.json", "{\"name\": \"x\\"},
  });
  EXPECT_THAT(repository.resolved("a.ts"), ElementsAre("./b -> b.ts"));
  EXPECT_THAT(repository.resolved("odder/a.ts"), IsEmpty());
  EXPECT_THAT(repository.resolver().notes(),
              ::testing::UnorderedElementsAre(
                  "big/package.json is larger than 1000000 bytes; imports are resolved without it",
                  "deep/tsconfig.json nests too deep; imports are resolved without it",
                  "deeper/tsconfig.json nests too deep; imports are resolved without it",
                  "list/package.json is not a JSON object; imports are resolved without it",
                  "truncated/package.json is not a JSON object; imports are resolved without it"));
}

}  // namespace
}  // namespace knapsack::code
