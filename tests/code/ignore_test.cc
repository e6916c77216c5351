#include "code/walk/ignore.h"

#include <filesystem>
#include <random>

#include "code/walk/tree_walk.h"
#include "support/repository_git.h"

namespace knapsack {
namespace {

using testing::now_seconds;
using testing::split_nul;
using testing::TestRepository;

code::IgnoreVerdict verdict(std::string_view rules, std::string_view path) {
  const bool folder = path.ends_with('/');
  return code::IgnoreRules(rules).match(folder ? path.substr(0, path.size() - 1) : path, folder);
}

bool ignored(std::string_view rules, std::string_view path) {
  return verdict(rules, path) == code::IgnoreVerdict::kIgnored;
}

struct IgnoreCase {
  const char* rules;
  const char* path;  // ends in a slash for a folder
  bool ignored;
};

TEST(Ignore, MatchesAsTheManualSays) {
  const IgnoreCase cases[] = {
      {"a", "a", true},
      {"a", "x/a", true},
      {"a", "ab", false},
      {"/a", "a", true},
      {"/a", "x/a", false},
      {"x/a", "x/a", true},
      {"x/a", "y/x/a", false},
      {"a/", "a", false},
      {"a/", "a/", true},
      {"a/", "x/a/", true},
      {"/a/", "x/a/", false},
      {"*.o", "m.o", true},
      {"*.o", "x/m.o", true},
      {"*.o", ".o", true},
      {"*.o", "m.o.c", false},
      {"lib*", "libc", true},
      {"lib*", "x/lib", true},
      {"l*b*c", "lxbyc", true},
      {"x/*", "x/a", true},
      {"x/*", "x/a/b", false},
      {"x/*/b", "x/a/b", true},
      {"x/*/b", "x/b", false},
      {"**/b", "b", true},
      {"**/b", "x/y/b", true},
      {"**/x/b", "x/b", true},
      {"**/x/b", "a/x/b", true},
      {"x/**", "x/a/b", true},
      {"x/**", "x", false},
      {"x/**/b", "x/b", true},
      {"x/**/b", "x/y/z/b", true},
      {"x/**/b", "x/yb", false},
      {"x/**/y/**/b", "x/y/b", true},
      {"x/**/y/**/b", "x/a/y/c/d/b", true},
      {"x/**/y/**/b", "x/a/c/d/b", false},
      {"a**b", "axxb", true},
      {"x/a**b", "x/a/b", false},
      {"?", "a", true},
      {"x?b", "x/b", false},
      {"[abc]x", "bx", true},
      {"[a-c]x", "bx", true},
      {"[!a-c]x", "bx", false},
      {"[^a-c]x", "dx", true},
      {"[]x]y", "]y", true},
      {"[]-a]y", "^y", true},
      {"[a-]y", "-y", true},
      {"[[:digit:]]y", "7y", true},
      {"[[:digit:]]y", "ay", false},
      {"[[:bogus:]]y", "ay", false},
      {"[\\]]y", "]y", true},
      {"[abc", "[abc", false},
      {"x[/]y", "x/y", false},
      {"\\!a", "!a", true},
      {"\\#a", "#a", true},
      {"#a", "#a", false},
      {"a\\*", "a*", true},
      {"a\\*", "ab", false},
      {"a\\", "a\\", false},
      {"a ", "a", true},
      {"a\\ ", "a ", true},
      {"a\\ ", "a", false},
      {"a b", "a b", true},
      {"a\t", "a", false},
      {" a", "a", false},
      {"a\r\n", "a", true},
      {"\xef\xbb\xbf"
       "a",
       "a", true},
      {"\n\n\na\n", "a", true},
      {"/", "a/", false},
      {"a//", "a/", false},
      {"*", "anything", true},
      {"caf\xe9", "caf\xe9", true},
      {"?\xff", "a\xff", true},
  };
  for (const auto& [rules, path, expected] : cases) {
    EXPECT_EQ(ignored(rules, path), expected)
        << "rules " << ::testing::PrintToString(rules) << ", path " << path;
  }
}

TEST(Ignore, TheLastRuleThatMatchesDecides) {
  EXPECT_EQ(verdict("*.o\n!keep.o\n", "keep.o"), code::IgnoreVerdict::kIncluded);
  EXPECT_EQ(verdict("!keep.o\n*.o\n", "keep.o"), code::IgnoreVerdict::kIgnored);
  EXPECT_EQ(verdict("*.o\n!*.o\nx.o\n", "x.o"), code::IgnoreVerdict::kIgnored);
  EXPECT_EQ(verdict("*.o\n!*.o\nx.o\n", "y.o"), code::IgnoreVerdict::kIncluded);
  EXPECT_EQ(verdict("a/\n!a\n", "a/"), code::IgnoreVerdict::kIncluded);
  EXPECT_EQ(verdict("!a\na/\n", "a/"), code::IgnoreVerdict::kIgnored);
  EXPECT_EQ(verdict("!a\na/\n", "a"), code::IgnoreVerdict::kIncluded);
  EXPECT_EQ(verdict("*.o\n", "a.c"), code::IgnoreVerdict::kNoRule);
}

TEST(Ignore, ADeeperFileOverrulesTheOnesAbove) {
  const auto rules = [](std::string_view text) { return std::make_shared<const code::IgnoreRules>(text); };
  code::IgnoreStack stack({rules("*.built\n"), rules("*.local\n")});
  stack.enter("", rules("*.o\n/only-here\nsub/anchored\n"));
  EXPECT_TRUE(stack.is_ignored("a.o", false));
  EXPECT_TRUE(stack.is_ignored("a.built", false));
  EXPECT_TRUE(stack.is_ignored("only-here", false));
  stack.enter("sub", rules("!a.o\n!a.local\n"));
  EXPECT_FALSE(stack.is_ignored("a.o", false));
  EXPECT_FALSE(stack.is_ignored("a.local", false));
  EXPECT_TRUE(stack.is_ignored("b.o", false));
  EXPECT_TRUE(stack.is_ignored("anchored", false));
  EXPECT_FALSE(stack.is_ignored("only-here", false));
  stack.enter("below", nullptr);
  EXPECT_FALSE(stack.is_ignored("a.o", false));
  EXPECT_FALSE(stack.is_ignored("anchored", false));
  stack.leave();
  stack.leave();
  EXPECT_TRUE(stack.is_ignored("a.o", false));
}

TEST(Ignore, OutsideGitTheBuiltInListLeavesOutWhatNobodyWrote) {
  const code::IgnoreRules rules(code::built_in_ignore_rules());
  for (const char* folder :
       {"node_modules", "web/node_modules", ".venv", "__pycache__", "target", "dist", "build", ".git"}) {
    EXPECT_EQ(rules.match(folder, true), code::IgnoreVerdict::kIgnored) << folder;
  }
  for (const char* file : {"src/main.c", "build", "target.rs", "distance.py", "README.md"}) {
    EXPECT_EQ(rules.match(file, false), code::IgnoreVerdict::kNoRule) << file;
  }
}

// Patterns made of the pieces that matter, often nonsense, as git would meet them.
class PatternMaker {
 public:
  explicit PatternMaker(unsigned seed) : random_(seed) {}

  std::string pattern() {
    static const char* const kPieces[] = {"a",   "b",    "ab",          "c.o", "*",   "**",   "?",    "/",
                                          "/",   "/**/", "**/",         "/**", "*.",  "[ab]", "[!a]", "[a-c]",
                                          "\\a", "\\*",  "[[:alpha:]]", " ",   "\\ ", "[",    "]",    "[]a]",
                                          "-",   "***",  "!",           "#",   "\\/", "[/]",  "."};
    std::string out = pick(10) < 2 ? "!" : "";
    const int count = 1 + pick(5);
    for (int i = 0; i < count; ++i) out += kPieces[pick(static_cast<int>(std::size(kPieces)))];
    if (pick(5) == 0) out += "/";
    if (pick(8) == 0) out += " ";
    if (pick(12) == 0) out += "\r";
    return out;
  }

  std::string file() {
    std::string out;
    for (int count = pick(4); count >= 0; --count) out += pattern() + "\n";
    return out;
  }

  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

 private:
  std::mt19937 random_;
};

std::vector<std::string> walked(const TestRepository& made) {
  const auto opened = GitRepository::open(made.path());
  const auto root = open_disk_folder(made.path());
  std::vector<std::string> paths;
  if (!opened.ok() || !root.ok()) return {"cannot open"};
  const auto summary = code::walk_workspace(
      **root, made.path(), &**opened, [&](const code::TreeEntry& entry) { paths.push_back(entry.path); });
  if (!summary.ok()) return {summary.error().line()};
  return paths;
}

TEST(Ignore, AgreesWithGitOnRandomRulesInRandomTrees) {
  const TestRepository made;
  const std::vector<std::string> folders = {"",      "a/",       "b/",  "a/b/",    "a/a/",
                                            "b/ab/", "a/b/c.o/", "ab/", "a/b/a/b/"};
  const std::vector<std::string> names = {"a",   "b", "ab", "aab", "c.o", ".o", "a b",
                                          "ba ", "*", "x-", "[a]", "!a",  "#b"};
  for (const auto& folder : folders) std::filesystem::create_directories(made.file(folder));
  for (const auto& folder : folders) {
    for (const auto& name : names) {
      if (!std::filesystem::exists(made.file(folder + name))) made.write(folder + name, "x");
    }
  }
  PatternMaker maker(20240229);
  int differing_rounds = 0, ignored_somewhere = 0;
  for (int round = 0; round < 400 && differing_rounds < 5; ++round) {
    std::string shown;
    for (const std::string where : {"", "a/", "a/b/", "b/"}) {
      const std::string path = where + ".gitignore";
      std::filesystem::remove(made.file(path));
      if (!where.empty() && maker.pick(3) != 0) continue;
      const std::string rules = maker.file();
      made.write(path, rules);
      shown += path + " = " + ::testing::PrintToString(rules) + "\n";
    }
    const std::string exclude = maker.pick(3) == 0 ? maker.file() : "";
    made.write(".git/info/exclude", exclude);
    shown += "info/exclude = " + ::testing::PrintToString(exclude) + "\n";
    // Every third round some of it is tracked, ignored or not.
    std::filesystem::remove(made.file(".git/index"));
    if (round % 3 == 0) {
      made.git({"add", "-f", "--", ":(literal)a/b/ab", ":(literal)b/c.o", ":(literal)a/b/a/b/aab",
                ":(literal)ab/a b"});
    }
    auto expected = split_nul(made.git({"ls-files", "-z", "--cached", "--others", "--exclude-standard"}));
    std::sort(expected.begin(), expected.end());
    const auto found = walked(made);
    if (found.size() < folders.size() * names.size() / 2) ++ignored_somewhere;
    if (found != expected) ++differing_rounds;
    EXPECT_EQ(found, expected) << shown;
  }
  EXPECT_EQ(differing_rounds, 0);
  EXPECT_GT(ignored_somewhere, 50) << "the rules must really ignore something";
}

TEST(Ignore, AHundredThousandRulesAreNoBurden) {
  std::string literal, mixed, awkward;
  for (int i = 0; i < 100'000; ++i) {
    const std::string n = std::to_string(i);
    literal += "file" + n + ".tmp\n";
    mixed += i % 4 == 0   ? "*.x" + n + "\n"
             : i % 4 == 1 ? "/dir" + n + "/**/out\n"
             : i % 4 == 2 ? "pre" + n + "*suf\n"
                          : "**/gen" + n + "/*.c\n";
    awkward += "*" + n + "*q*\n";
  }
  const std::tuple<const char*, const std::string&, int, double> kinds[] = {
      {"literal", literal, 10'000, 3}, {"mixed", mixed, 10'000, 5}, {"awkward", awkward, 1000, 20}};
  for (const auto& [name, text, paths, limit] : kinds) {
    const double start = now_seconds();
    const code::IgnoreRules rules(text);
    const double parsed = now_seconds();
    int hits = 0;
    for (int i = 0; i < paths; ++i) {
      hits += rules.match("src/module" + std::to_string(i % 100) + "/file" + std::to_string(i * 20) + ".tmp",
                          false) == code::IgnoreVerdict::kIgnored
                  ? 1
                  : 0;
    }
    const double asked = now_seconds();
    EXPECT_EQ(rules.size(), 100'000u);
    EXPECT_EQ(hits, std::string_view(name) == "literal" ? 5000 : 0) << name;
    EXPECT_LT(asked - start, limit) << name;
    RecordProperty(name, std::to_string((parsed - start) * 1000) + " ms to parse, " +
                             std::to_string((asked - parsed) * 1000) + " ms for " + std::to_string(paths) +
                             " paths");
  }
}

TEST(Ignore, NoRuleTakesExponentialTime) {
  std::string stars, folders;
  for (int i = 0; i < 200; ++i) stars += "a*";
  for (int i = 0; i < 200; ++i) folders += "**/a*/";
  const std::string name(4000, 'a');
  std::string path;
  for (int i = 0; i < 1000; ++i) path += "aa/";
  const double start = now_seconds();
  EXPECT_FALSE(ignored(stars + "b", name));
  EXPECT_TRUE(ignored(stars, name));
  EXPECT_FALSE(ignored(folders + "b", path + "a"));
  EXPECT_TRUE(ignored(folders + "a", path + "a"));
  EXPECT_FALSE(ignored("x/" + folders + "b", "x/" + path + "a"));
  EXPECT_LT(now_seconds() - start, 30);
}

}  // namespace
}  // namespace knapsack
