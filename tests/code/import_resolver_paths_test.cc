#include <thread>

#include "code/imports/import_resolver.h"
#include "code/support_repository.h"
#include "core/paths.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CImports, LookBesideTheFileFirst) {
  const LittleRepository repository(
      {{"include/list.h", ""},
       {"src/list.h", ""},
       {"src/main.c", "#include \"list.h\"\n#include <list.h>\n#include \"../include/list.h\"\n"}});
  EXPECT_THAT(repository.resolved("src/main.c"), ElementsAre("list.h -> src/list.h", "list.h -> src/list.h",
                                                             "../include/list.h -> include/list.h"));
}

TEST(CImports, DiscoverIncludeFoldersFromThePathsOfHeaders) {
  const LittleRepository repository({
      {"lib/net/include/net/socket.h", ""},
      {"lib/net/src/socket.cc", "#include \"net/socket.h\"\n#include <util/text.h>\n#include <vector>\n"},
      {"lib/util/include/util/text.h", ""},
      {"tools/net/socket.h", ""},
  });
  // Both fit; the header that shares more folders with the including file wins, and is less sure for it.
  EXPECT_THAT(repository.resolved("lib/net/src/socket.cc"),
              ElementsAre("net/socket.h -> lib/net/include/net/socket.h",
                          "util/text.h -> lib/util/include/util/text.h"));
}

TEST(CImports, DoNotTakeARepositorysFileForASystemHeader) {
  const LittleRepository repository({
      {"src/a.c", "#include <string.h>\n#include <sys/types.h>\n#include \"string.h\"\n"},
      {"src/util/string.h", ""},
      {"src/util/sys/types.h", ""},
  });
  EXPECT_THAT(repository.resolved("src/a.c"), ElementsAre("string.h -> src/util/string.h"));
}

TEST(CImports, FindHeadersWithoutEnding) {
  const LittleRepository repository({{"lib/Eigen/Dense", ""}, {"src/a.cpp", "#include <Eigen/Dense>\n"}});
  EXPECT_THAT(repository.resolved("src/a.cpp"), ElementsAre("Eigen/Dense -> lib/Eigen/Dense"));
}

TEST(CImports, FindTheTemplateOfAGeneratedHeader) {
  const LittleRepository repository({{"config.h.in", ""}, {"src/a.cpp", "#include \"config.h\"\n"}});
  EXPECT_THAT(repository.resolved("src/a.cpp"), ElementsAre("config.h -> config.h.in"));
}

TEST(RubyImports, FollowRelativePathsAndLoadPaths) {
  const LittleRepository repository({
      {"gems/mail/lib/mail.rb",
       "require 'mail/message'\nrequire_relative 'mail/version'\nrequire 'json'\nautoload :Queue, "
       "'mail/queue'\n"},
      {"gems/mail/lib/mail/message.rb", ""},
      {"gems/mail/lib/mail/queue.rb", ""},
      {"gems/mail/lib/mail/version.rb", ""},
      {"gems/mail/mail.gemspec", ""},
      {"gems/mail/spec/message_spec.rb", "require 'spec_helper'\nrequire 'mail'\n"},
      {"gems/mail/spec/spec_helper.rb", ""},
      {"gems/web/lib/web.rb", "require 'mail/message'\nrequire '../../../../etc/passwd'\n"},
      {"other/json.rb", ""},
  });
  EXPECT_THAT(repository.resolved("gems/mail/lib/mail.rb"),
              ElementsAre("mail/message -> gems/mail/lib/mail/message.rb",
                          "mail/version -> gems/mail/lib/mail/version.rb",
                          "mail/queue -> gems/mail/lib/mail/queue.rb"));
  EXPECT_THAT(repository.resolved("gems/mail/spec/message_spec.rb"),
              ElementsAre("spec_helper -> gems/mail/spec/spec_helper.rb", "mail -> gems/mail/lib/mail.rb"));
  EXPECT_THAT(repository.resolved("gems/web/lib/web.rb"),
              ElementsAre("mail/message -> gems/mail/lib/mail/message.rb"));
}

TEST(BashImports, SeeThroughVariablesToTheEndOfThePath) {
  const LittleRepository repository({
      {"bin/run.sh",
       "source ./common.sh\n. \"$(dirname \"$0\")/lib/a.sh\"\nsource \"${ROOT}/lib/shared.sh\"\nsource "
       "\"$FILE\"\nsource /etc/profile\n"},
      {"bin/common.sh", ""},
      {"bin/lib/a.sh", ""},
      {"lib/shared.sh", ""},
  });
  EXPECT_THAT(repository.resolved("bin/run.sh"),
              ElementsAre("./common.sh -> bin/common.sh", "$(dirname \"$0\")/lib/a.sh -> bin/lib/a.sh",
                          "${ROOT}/lib/shared.sh -> lib/shared.sh"));
}

TEST(LuaImports, TurnDotsIntoFoldersOfTheSearchPath) {
  const LittleRepository repository({
      {"game/main.lua",
       "require 'lib.json'\nlocal m = require('menu')\ndofile('setup.lua')\nrequire 'socket'\n"},
      {"game/lib/json.lua", ""},
      {"game/menu/init.lua", ""},
      {"game/setup.lua", ""},
      {"plugin/lua/acme/core.lua", "require 'acme.util'\n"},
      {"plugin/lua/acme/util.lua", ""},
      {"plugin/tests/core_spec.lua", "require 'acme.core'\n"},
  });
  EXPECT_THAT(repository.resolved("game/main.lua"),
              ElementsAre("lib.json -> game/lib/json.lua", "menu -> game/menu/init.lua",
                          "setup.lua -> game/setup.lua"));
  EXPECT_THAT(repository.resolved("plugin/lua/acme/core.lua"),
              ElementsAre("acme.util -> plugin/lua/acme/util.lua"));
  EXPECT_THAT(repository.resolved("plugin/tests/core_spec.lua"),
              ElementsAre("acme.core -> plugin/lua/acme/core.lua"));
}

TEST(ZigImports, AreRelativePathsOrModulesCalledLikeTheirFile) {
  const LittleRepository repository({
      {"src/main.zig",
       "const std = @import(\"std\");\nconst a = @import(\"lib/a.zig\");\nconst zls = @import(\"zls\");\n"},
      {"src/lib/a.zig", ""},
      {"src/zls.zig", ""},
  });
  EXPECT_THAT(repository.resolved("src/main.zig"),
              ElementsAre("lib/a.zig -> src/lib/a.zig", "zls -> src/zls.zig"));
}

TEST(SwiftImports, MeanTheFilesOfATarget) {
  const LittleRepository repository({
      {"Package.swift",
       "let package = Package(name: \"Kit\", targets: [.target(name: \"Net\", dependencies: [], path: "
       "\"Source\"), .target(name: \"Core\")])\n"},
      {"Source/Deep/Session.swift", "import Core\nimport Foundation\n"},
      {"Sources/Core/Store.swift", ""},
      {"Tests/NetTests/SessionTests.swift", "@testable import Net\nimport XCTest\n"},
  });
  EXPECT_THAT(repository.resolved("Tests/NetTests/SessionTests.swift"),
              ElementsAre("Net -> Source/Deep/Session.swift"));
  EXPECT_THAT(repository.resolved("Source/Deep/Session.swift"),
              ElementsAre("Core -> Sources/Core/Store.swift"));
}

TEST(RepositoryPaths, ResolveWithoutEverLeavingTheRoot) {
  struct Case {
    std::string_view folder, path;
    std::optional<std::string> expected;
  };
  const std::vector<Case> cases = {
      {"a/b", "c", "a/b/c"},
      {"a/b", "../c", "a/c"},
      {"a/b", "../../c", "c"},
      {"a/b", "../../../c", std::nullopt},
      {"", "./x//y/.", "x/y"},
      {"a", "..", ""},
      {"", "..", std::nullopt},
      {"a", "/b", "a/b"},
      {"a", "b/../../../x", std::nullopt},
      {"a", std::string_view("b\0c", 3), std::nullopt},
      {"a", "", "a"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(resolve_path(one.folder, one.path), one.expected) << one.folder << " + " << one.path;
}

TEST(ResolverConfigs, AreKnownByName) {
  for (const std::string_view path :
       {"package.json", "a/tsconfig.json", "tsconfig.base.json", "b/jsconfig.json", "go.mod", "go.work",
        "x/Cargo.toml", "composer.json", "pyproject.toml", "setup.cfg", "Package.swift",
        "pnpm-workspace.yaml"}) {
    EXPECT_TRUE(is_resolver_config(path)) << path;
  }
  for (const std::string_view path :
       {"package-lock.json", "data.json", "go.sum", "Cargo.lock", "setup.py", "go.mod/x", ""}) {
    EXPECT_FALSE(is_resolver_config(path)) << path;
  }
}

TEST(ImportResolver, TakesOddNamesAndDeepPathsAsTheyAre) {
  std::string deep;
  for (int i = 0; i < 3'000; ++i) deep += "d/";
  const LittleRepository repository({
      {"a\n.js", ""},
      {"b \"quoted\".js", ""},
      {"\xFF\xFE.js", ""},
      {deep + "x.h", ""},
      {deep + "y.c", "#include \"x.h\"\n#include \"d/x.h\"\n"},
      {"main.js", "import './b \"quoted\".js';\n"},
  });
  EXPECT_THAT(repository.resolved(deep + "y.c"),
              ElementsAre("x.h -> " + deep + "x.h", "d/x.h -> " + deep + "x.h"));
  Import odd;
  for (const std::string_view module : {"./\xFF\xFE", "./a\n"}) {
    odd.module = module;
    EXPECT_EQ(repository.resolver().resolve(repository.number("main.js"), odd).size(), 1U) << module;
  }
  odd.module = std::string("./a\0b", 5);
  EXPECT_THAT(repository.resolver().resolve(repository.number("main.js"), odd), IsEmpty());
  for (const std::string_view module :
       {"", "/", ".", "..", "*", "@", "@/", "#", "::", "\\", "$", "${", "...."}) {
    odd.module = module;
    for (uint32_t from = 0; from < repository.files().size(); ++from)
      repository.resolver().resolve(from, odd);
  }
}

TEST(ImportResolver, AnswersTheSameFromEveryThread) {
  std::map<std::string, std::string> files;
  for (int i = 0; i < 50; ++i) {
    const std::string name = "m" + std::to_string(i);
    files["pkg/" + name + ".py"] = "import pkg.m" + std::to_string((i + 1) % 50) + "\nfrom . import m3, m4\n";
  }
  files["pkg/__init__.py"] = "";
  const LittleRepository repository(files);
  const auto expected = repository.resolved("pkg/m7.py");
  EXPECT_EQ(expected.size(), 4U);
  std::vector<std::thread> threads;
  std::vector<std::vector<std::string>> answers(4);
  for (size_t i = 0; i < answers.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int repeat = 0; repeat < 200; ++repeat) answers[i] = repository.resolved("pkg/m7.py");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& answer : answers) EXPECT_EQ(answer, expected);
}

}  // namespace
}  // namespace knapsack::code
