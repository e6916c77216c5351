// What measurements on generated repositories rest on: that they are the same every time, that they are code,
// and that their parts belong together.
#include "support/repository_fixture.h"

#include <algorithm>
#include <map>
#include <set>

#include "code/parse/language.h"
#include "code/parse/parser.h"
#include "code/walk/notebook.h"
#include "support/repository_git.h"
#include "support/repository_history.h"

namespace knapsack::code {
namespace {

using testing::GeneratedFile;
using testing::make_history;
using testing::make_repository;
using testing::RepositoryShape;

bool same(const std::vector<GeneratedFile>& a, const std::vector<GeneratedFile>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& left, const auto& right) {
    return left.path == right.path && left.bytes == right.bytes;
  });
}

size_t total_bytes(const std::vector<GeneratedFile>& files) {
  size_t bytes = 0;
  for (const GeneratedFile& file : files) bytes += file.bytes.size();
  return bytes;
}

ParsedFile parsed(Parser& parser, const GeneratedFile& file) {
  auto result = parser.parse(detect_language(file.path, file.bytes), file.bytes);
  EXPECT_TRUE(result.ok()) << file.path;
  return result.ok() ? std::move(*result) : ParsedFile{};
}

TEST(GeneratedRepository, IsTheSameForTheSameSeedAndAnotherForAnother) {
  for (const bool mixed : {false, true}) {
    const RepositoryShape shape{.files = 60, .mixed = mixed, .seed = 5};
    EXPECT_TRUE(same(make_repository(shape), make_repository(shape)));
    RepositoryShape other = shape;
    other.seed = 6;
    EXPECT_FALSE(same(make_repository(shape), make_repository(other)));
  }
}

TEST(GeneratedRepository, HasTheFilesAndAboutTheBytesThatWereAskedFor) {
  for (const bool mixed : {false, true}) {
    for (const size_t files : {1, 7, 100, 400}) {
      const auto made = make_repository({.files = files, .mixed = mixed, .seed = 3});
      EXPECT_EQ(made.size(), files);
      std::set<std::string> paths;
      for (const GeneratedFile& file : made) paths.insert(file.path);
      EXPECT_EQ(paths.size(), files) << "two files of one path";
      if (files >= 100) {
        EXPECT_NEAR(static_cast<double>(total_bytes(made)) / (7000.0 * files), 1, 0.15);
      }
    }
    const auto small = make_repository({.files = 200, .bytes = 400'000, .mixed = mixed, .seed = 3});
    EXPECT_NEAR(static_cast<double>(total_bytes(small)) / 400'000, 1, 0.25);
  }
}

TEST(GeneratedRepository, ParsesWithoutErrorsInEveryLanguage) {
  Parser parser;
  std::set<std::string_view> seen;
  for (const bool mixed : {false, true}) {
    for (const GeneratedFile& file : make_repository({.files = 400, .mixed = mixed, .seed = 11})) {
      const Language& language = detect_language(file.path, file.bytes);
      if (!language.has_symbols()) continue;
      seen.insert(language.name);
      const ParsedFile result = parsed(parser, file);
      EXPECT_EQ(result.status, ParseStatus::kParsed) << file.path << '\n' << file.bytes.substr(0, 3000);
      EXPECT_EQ(result.error_nodes, 0U) << file.path;
      if (file.path.find("__init__") == std::string::npos) {
        EXPECT_FALSE(result.symbols.empty()) << file.path;
      }
    }
  }
  size_t languages_with_symbols = 0;
  for (const Language& language : languages())
    languages_with_symbols += language.has_symbols() && language.name != kNotebook ? 1 : 0;
  EXPECT_EQ(seen.size(), languages_with_symbols);
}

// Where "..a.b" leads from a module of the package "x.y".
std::string absolute_module(std::string_view package, std::string_view module) {
  size_t dots = 0;
  while (dots < module.size() && module[dots] == '.') ++dots;
  if (dots == 0) return std::string(module);
  std::string base(package);
  for (size_t i = 1; i < dots; ++i) base.erase(base.rfind('.'));
  return module.size() == dots ? base : base + "." + std::string(module.substr(dots));
}

TEST(GeneratedRepository, PythonImportsNamesThatItsModulesDefine) {
  Parser parser;
  std::map<std::string, std::set<std::string>> names_of_module;  // by "harbor.cargo.ledger"
  std::map<std::string, ParsedFile> parsed_by_path;
  const auto dotted = [](std::string path) {
    path.erase(path.rfind('.'));
    path.erase(0, path.find('/') + 1);
    if (path.size() > 9 && path.substr(path.size() - 9) == "/__init__") path.erase(path.size() - 9);
    std::replace(path.begin(), path.end(), '/', '.');
    return path;
  };
  for (const GeneratedFile& file : make_repository({.files = 300, .seed = 2})) {
    if (detect_language(file.path, file.bytes).name != "python") continue;
    ParsedFile result = parsed(parser, file);
    std::set<std::string>& names = names_of_module[dotted(file.path)];
    for (const Symbol& symbol : result.symbols) names.insert(symbol.qualified_name);
    parsed_by_path[file.path] = std::move(result);
  }
  size_t relative = 0;
  size_t absolute = 0;
  for (const auto& [path, result] : parsed_by_path) {
    std::string package = dotted(path);
    if (path.find("__init__") == std::string::npos) package.erase(package.rfind('.'));
    for (const Import& import : result.imports) {
      const std::string module = absolute_module(package, import.module);
      if (module.compare(0, 6, "harbor") != 0) continue;
      (import.is_relative ? relative : absolute) += 1;
      ASSERT_EQ(names_of_module.count(module), 1U) << path << " imports " << import.module;
      for (const ImportedName& name : import.names) {
        const bool defined = names_of_module[module].count(name.name) > 0 ||
                             names_of_module.count(module + "." + name.name) > 0;
        EXPECT_TRUE(defined) << path << " imports " << name.name << " from " << import.module;
      }
    }
  }
  EXPECT_GT(relative, 100U);
  EXPECT_GT(absolute, 100U);
}

TEST(GeneratedRepository, PythonHasTestsWithAssertionsAndCommentsOfEveryKind) {
  Parser parser;
  size_t assertions = 0;
  std::map<CommentKind, size_t> comments;
  for (const GeneratedFile& file : make_repository({.files = 200, .seed = 8})) {
    const ParsedFile result = parsed(parser, file);
    for (const TestCase& test : result.tests) assertions += test.assertions.size();
    for (const Comment& comment : result.comments) ++comments[comment.kind];
  }
  EXPECT_GT(assertions, 500U);
  for (const CommentKind kind : {CommentKind::kRationale, CommentKind::kTodo, CommentKind::kNote,
                                 CommentKind::kIssueReference, CommentKind::kPlain}) {
    EXPECT_GT(comments[kind], 50U) << static_cast<int>(kind);
  }
}

TEST(GeneratedHistory, IsARealRepositoryWithTheSameIdsEveryTime) {
  const auto files = make_repository({.files = 80, .bytes = 160'000, .seed = 4});
  const testing::GeneratedHistory history = make_history(files, 120, 9);
  std::string tip;
  for (int round = 0; round < 2; ++round) {
    const testing::TestRepository repository;
    repository.git({"fast-import", "--quiet"}, history.stream);
    if (round == 0) tip = repository.id("main");
    EXPECT_EQ(repository.id("main"), tip);
    EXPECT_EQ(repository.git({"rev-list", "--count", "main"}), "120\n");
    EXPECT_NE(repository.git({"rev-list", "--merges", "main"}), "");
    EXPECT_NE(repository.git({"log", "-M", "--diff-filter=R", "--format=%H", "main"}), "");
    EXPECT_NE(repository.git({"log", "--grep=#[0-9]", "--format=%H", "main"}), "");
    EXPECT_EQ(repository.git({"branch", "--format=%(refname)"}), "refs/heads/main\n");
    std::string names;
    for (const GeneratedFile& file : history.files) {
      names += file.path + "\n";
      ASSERT_EQ(repository.git({"show", "main:" + file.path}), file.bytes) << file.path;
    }
    EXPECT_EQ(repository.git({"ls-tree", "-r", "--name-only", "main"}), names);
  }
}

// A merge is what git makes of its parents, with nothing slipped in.
TEST(GeneratedHistory, MergesWithoutConflicts) {
  const auto files = make_repository({.files = 80, .bytes = 160'000, .seed = 4});
  const testing::TestRepository repository;
  repository.git({"fast-import", "--quiet"}, make_history(files, 150, 1).stream);
  std::istringstream merges(repository.git({"rev-list", "--merges", "--parents", "main"}));
  size_t count = 0;
  for (std::string merge, first, second; merges >> merge >> first >> second; ++count) {
    const std::string tree = repository.git({"merge-tree", "--write-tree", first, second});
    EXPECT_EQ(tree, repository.git({"rev-parse", merge + "^{tree}"}));
  }
  EXPECT_GE(count, 3U);
}

TEST(GeneratedHistory, LeavesPythonThatParsesWithoutErrors) {
  Parser parser;
  const auto files = make_repository({.files = 60, .seed = 21});
  for (const GeneratedFile& file : make_history(files, 200, 2).files) {
    if (detect_language(file.path, file.bytes).name != "python") continue;
    EXPECT_EQ(parsed(parser, file).error_nodes, 0U) << file.path;
  }
}

}  // namespace
}  // namespace knapsack::code
