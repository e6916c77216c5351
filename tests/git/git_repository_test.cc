#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "git/repository.h"
#include "support/repository_git.h"

namespace knapsack {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::split_nul;
using testing::TemporaryFolder;
using testing::TestRepository;

GitRepository open_or_die(const std::string& path, const GitOpenOptions& options = {}) {
  auto opened = GitRepository::open(path, options);
  if (!opened.ok()) throw std::runtime_error(opened.error().line());
  if (!*opened) throw std::runtime_error("no repository in " + path);
  return std::move(**opened);
}

std::vector<std::string> paths_of(const GitRepository& repository, const std::string& commit) {
  std::vector<std::string> paths;
  const auto listing = repository.list_tree(commit, [&](const TreeItem& item) {
    paths.emplace_back(item.path);
    return true;
  });
  EXPECT_OK(listing);
  return paths;
}

TEST(GitRepository, NoRepositoryIsNotAnError) {
  const TemporaryFolder folder;
  folder.write("a.c", "int a;\n");
  const auto opened = GitRepository::open(folder.path());
  ASSERT_OK(opened);
  EXPECT_FALSE(opened->has_value());
}

TEST(GitRepository, AnEmptyFolderCalledGitIsNoRepository) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file(".git"));
  const auto opened = GitRepository::open(folder.path());
  ASSERT_OK(opened);
  EXPECT_FALSE(opened->has_value());
}

TEST(GitRepository, AGitFolderWithoutItsHeadIsDamagedAndSaysSo) {
  const TestRepository made;
  std::filesystem::remove(made.file(".git/HEAD"));
  const auto opened = GitRepository::open(made.path());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(opened.error().line(), HasSubstr(".git is damaged"));
}

// However HEAD is written, it is the commit that git says it is; and odd ones are no error of ours.
TEST(GitRepository, FindsTheCommitOfHeadHoweverItIsWritten) {
  const TestRepository made;
  made.write("a", "1");
  const std::string first = made.commit("one");
  made.write("a", "2");
  const std::string second = made.commit("two");
  const std::string git = made.file(".git");
  const auto head = [&] { return open_or_die(made.path()).head()->value_or("none"); };
  EXPECT_EQ(head(), second);
  made.git({"checkout", "-q", "-b", "deep/er/topic", first});
  EXPECT_EQ(head(), first);
  made.git({"checkout", "-q", "--detach", second});
  EXPECT_EQ(head(), second);
  made.git({"checkout", "-q", "main"});
  made.git({"pack-refs", "--all"});
  ASSERT_FALSE(std::filesystem::exists(git + "/refs/heads/main"));
  EXPECT_EQ(head(), second);
  made.write(".git/refs/heads/main", first);  // without a line feed, and before what is packed
  EXPECT_EQ(head(), first);
  made.write(".git/refs/heads/main", "ref: refs/heads/deep/er/topic\n");
  EXPECT_EQ(head(), made.id("deep/er/topic"));
  made.write(".git/HEAD", "ref: refs/heads/nowhere\n");
  EXPECT_EQ(head(), "none");
  made.write(".git/HEAD", "ref: refs/heads/../../config\n");
  EXPECT_FALSE(open_or_die(made.path()).head().ok());
}

TEST(GitRepository, NamesThatAreNoReferencesReadNothingElse) {
  const TestRepository made;
  made.write("a", "1");
  const std::string first = made.commit("one");
  made.git({"tag", "v1"});
  made.write(".git/refs/heads/empty", "");
  made.write(".git/refs/heads/words", "no id\n");
  made.write(".git/refs/heads/round", "ref: refs/heads/round\n");
  const auto repository = open_or_die(made.path());
  for (const char* name : {"config", "../secret", "refs/heads/../../config", "heads/", "logs/HEAD", "index",
                           "main.lock", "ma in", "refs", "objects"}) {
    const auto id = repository.resolve(name);
    ASSERT_FALSE(id.ok()) << name;
    EXPECT_EQ(id.error().code, ErrorCode::kUsage) << name << ": " << id.error().line();
  }
  for (const char* name : {"empty", "words", "round"}) {
    const auto id = repository.resolve(name);
    ASSERT_FALSE(id.ok()) << name;
    EXPECT_EQ(id.error().code, ErrorCode::kCorrupt) << name;
    EXPECT_THAT(id.error().line(), HasSubstr(name));
  }
  // In packed-refs only whole names of whole lines count.
  std::filesystem::remove(made.file(".git/refs/tags/v1"));
  made.write(".git/packed-refs", "# pack-refs with: peeled fully-peeled sorted \n" + first +
                                     " refs/tags/v1.2\n^" + first + "\nxx" + first + " refs/tags/v1\n" +
                                     first + " refs/tags/v3");
  EXPECT_FALSE(open_or_die(made.path()).resolve("v1").ok());
  EXPECT_EQ(*open_or_die(made.path()).resolve("v1.2"), first);
  EXPECT_EQ(*open_or_die(made.path()).resolve("v3"), first);
}

TEST(GitRepository, ResolvesEveryUsualWayToNameACommit) {
  const TestRepository made;
  made.write("a", "1");
  const std::string first = made.commit("one");
  made.git({"tag", "light"});
  made.git({"tag", "-a", "-m", "annotated", "heavy"});
  made.write("a", "2");
  const std::string second = made.commit("two");
  made.git({"branch", "topic/x", first});
  for (const bool packed : {false, true}) {
    if (packed) made.git({"gc", "-q"});
    const auto repository = open_or_die(made.path());
    const std::pair<std::string, std::string> cases[] = {
        {"HEAD", second},
        {"@", second},
        {"main", second},
        {"refs/heads/main", second},
        {"HEAD~1", first},
        {"@~1", first},
        {"HEAD^", first},
        {"main^0", second},
        {"light", first},
        {"heavy", first},
        {"topic/x", first},
        {second, second},
        {second.substr(0, 9), second},
        {first.substr(0, 7), first},
        {"heavy^{commit}", first},
    };
    for (const auto& [name, expected] : cases) {
      const auto id = repository.resolve(name);
      ASSERT_TRUE(id.ok()) << name << ": " << id.error().line();
      EXPECT_EQ(*id, expected) << name;
    }
    EXPECT_EQ(repository.head()->value(), second);
  }
}

TEST(GitRepository, StepsThroughParentsAsGitDoes) {
  const TestRepository made;
  made.commit("base");
  made.git({"tag", "v1"});
  made.git({"checkout", "-q", "-b", "side"});
  made.commit("s1");
  made.commit("s2");
  made.git({"checkout", "-q", "main"});
  made.commit("m1");
  made.git({"merge", "-q", "--no-ff", "-m", "merge", "side"});
  const auto repository = open_or_die(made.path());
  std::vector<std::string> names = {"HEAD",     "HEAD^",     "HEAD^1",         "HEAD^2", "HEAD^2^",
                                    "HEAD^2~1", "HEAD~2",    "HEAD~1~1",       "HEAD^^", "HEAD~0",
                                    "HEAD^0",   "HEAD^2^{}", "side^{commit}~2"};
  std::string described = made.git({"describe", "--tags", "--long", "side"});
  described.pop_back();
  ASSERT_THAT(described, HasSubstr("v1-2-g"));
  names.push_back(described);
  names.push_back(described + "~1");
  for (const auto& name : names) {
    const auto id = repository.resolve(name);
    ASSERT_TRUE(id.ok()) << name << ": " << id.error().line();
    EXPECT_EQ(*id, made.id(name)) << name;
  }
}

TEST(GitRepository, AnUnknownRevisionIsAUsageErrorThatNamesIt) {
  const TestRepository made;
  made.write("a", "1");
  made.commit("one");
  const auto repository = open_or_die(made.path());
  for (const std::string name :
       {"nowhere", "HEAD~7", "0123456789012345678901234567890123456789", "feature..main", "a b", "", "HEAD:a",
        ":/one", "HEAD^{/one}", "main@{yesterday}"}) {
    const auto id = repository.resolve(name);
    ASSERT_FALSE(id.ok()) << name;
    EXPECT_EQ(id.error().code, ErrorCode::kUsage) << name << ": " << id.error().line();
    EXPECT_THAT(id.error().line(), HasSubstr("'" + name + "'"));
    EXPECT_EQ(id.error().line().find('\n'), std::string::npos);
  }
}

TEST(GitRepository, AnAmbiguousAbbreviationIsAUsageErrorThatNamesIt) {
  const TestRepository made;
  for (int i = 0; i < 1500; ++i) made.write("f" + std::to_string(i), "content " + std::to_string(i));
  made.git({"add", "-A"});
  std::map<std::string, int> beginnings;
  std::string twice;
  const std::string listed = made.git({"ls-files", "-s", "-z"});
  for (const auto& line : split_nul(listed)) {
    if (++beginnings[line.substr(7, 4)] == 2) twice = line.substr(7, 4);
  }
  ASSERT_FALSE(twice.empty()) << "1,500 objects must share four digits somewhere";
  const auto id = open_or_die(made.path()).resolve(twice);
  ASSERT_FALSE(id.ok());
  EXPECT_EQ(id.error().code, ErrorCode::kUsage);
  EXPECT_THAT(id.error().line(), HasSubstr("'" + twice + "' matches several objects"));
}

TEST(GitRepository, ABlobIsNotACommit) {
  const TestRepository made;
  made.write("a", "1");
  made.commit("one");
  const std::string blob = made.id("HEAD:a");
  const auto id = open_or_die(made.path()).resolve(blob);
  ASSERT_FALSE(id.ok());
  EXPECT_THAT(id.error().line(), HasSubstr("is not a commit"));
}

TEST(GitRepository, ListsATreeAsGitDoesWhateverTheNames) {
  const TestRepository made;
  const std::vector<std::string> names = {"a-b",
                                          "a.c",
                                          "a/b",
                                          "a/b.c",
                                          "a0",
                                          "line\nbreak",
                                          "quote\"'s",
                                          "\x1b[31mred",
                                          "tab\t",
                                          "bad\xff\xfeutf8",
                                          "sp ace/in ner",
                                          "deep/er/still",
                                          "\xc3\xa9t\xc3\xa9"};
  for (const auto& name : names) made.write(name, "content of " + name);
  ASSERT_EQ(::chmod(made.file("a.c").c_str(), 0755), 0);
  ASSERT_EQ(::symlink("a.c", made.file("link").c_str()), 0);
  made.git({"add", "-A"});
  made.git({"update-index", "--add", "--cacheinfo", "160000," + std::string(40, '1') + ",vendor/sub"});
  made.git({"commit", "-q", "-m", "odd names"});
  const std::string commit = made.id("HEAD");

  std::vector<std::string> expected;  // "mode id path"
  for (const auto& line : split_nul(made.git({"ls-tree", "-r", "-z", "HEAD"}))) {
    const size_t tab = line.find('\t');
    expected.push_back(line.substr(0, 6) + " " + line.substr(tab - 40, 40) + " " + line.substr(tab + 1));
  }
  std::vector<std::string> listed, paths;
  const auto repository = open_or_die(made.path());
  const auto listing = repository.list_tree(commit, [&](const TreeItem& item) {
    const char* mode = item.kind == TreeItemKind::kExecutable  ? "100755"
                       : item.kind == TreeItemKind::kSymlink   ? "120000"
                       : item.kind == TreeItemKind::kSubmodule ? "160000"
                                                               : "100644";
    listed.push_back(std::string(mode) + " " + item.id + " " + std::string(item.path));
    paths.emplace_back(item.path);
    return true;
  });
  ASSERT_OK(listing);
  EXPECT_EQ(listed, expected);
  EXPECT_EQ(listing->items, names.size() + 2);
  EXPECT_EQ(listing->left_out_count, 0u);
  EXPECT_TRUE(std::is_sorted(paths.begin(), paths.end()));
}

TEST(GitRepository, ListingStopsWhenTheVisitorHasEnough) {
  const TestRepository made;
  made.write("a", "1");
  made.write("b", "2");
  const std::string commit = made.commit("two files");
  int seen = 0;
  ASSERT_OK(open_or_die(made.path()).list_tree(commit, [&](const TreeItem&) {
    ++seen;
    return false;
  }));
  EXPECT_EQ(seen, 1);
}

TEST(GitRepository, ReadsBlobsRawAndRefusesLargeOnesByTheirHeader) {
  const TestRepository made;
  const std::string bytes = std::string("a\r\nb\0c\n", 7) + std::string(100'000, 'x');
  made.write("f", bytes);
  made.commit("one");
  const std::string blob = made.id("HEAD:f");
  for (const bool packed : {false, true}) {
    if (packed) made.git({"gc", "-q"});
    const auto repository = open_or_die(made.path());
    EXPECT_EQ(*repository.read_blob(blob, bytes.size()), bytes);
    EXPECT_EQ(*repository.blob_size(blob), bytes.size());
    const auto refused = repository.read_blob(blob, bytes.size() - 1);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
    EXPECT_THAT(refused.error().line(), HasSubstr(blob + " holds 100007 bytes"));
    const auto tree = repository.read_blob(made.id("HEAD^{tree}"), 1 << 20);
    ASSERT_FALSE(tree.ok());
    EXPECT_THAT(tree.error().line(), HasSubstr("is not a blob"));
    const auto nothing = repository.read_blob(std::string(40, '7'), 1 << 20);
    ASSERT_FALSE(nothing.ok());
    EXPECT_EQ(nothing.error().code, ErrorCode::kNotFound);
    EXPECT_THAT(nothing.error().line(), HasSubstr(std::string(40, '7') + " is missing"));
    EXPECT_EQ(repository.read_blob("HEAD", 10).error().code, ErrorCode::kUsage);
  }
}

TEST(GitRepository, GivesBytesTheIdThatGitGivesThem) {
  const TestRepository made;
  for (const std::string& bytes : {std::string(), std::string("hello\n"), std::string("\0\xff", 2)}) {
    const std::string id = made.git({"hash-object", "--stdin"}, bytes);
    EXPECT_EQ(git_blob_id(bytes), id.substr(0, 40));
  }
}

TEST(GitRepository, OpensABareRepository) {
  const TestRepository made({"--bare"});
  const TestRepository work;
  work.write("a", "1");
  const std::string commit = work.commit("one");
  work.git({"push", "-q", made.path(), "main"});
  const auto repository = open_or_die(made.path());
  EXPECT_EQ(repository.location().layout, GitLayout::kBare);
  EXPECT_EQ(*repository.resolve("main"), commit);
  EXPECT_THAT(paths_of(repository, commit), ElementsAre("a"));
  EXPECT_THAT(repository.tracked_files()->files(), IsEmpty());
}

TEST(GitRepository, ARepositoryWithoutACommitHasNoHead) {
  const TestRepository made;
  const auto repository = open_or_die(made.path());
  const auto head = repository.head();
  ASSERT_OK(head);
  EXPECT_FALSE(head->has_value());
  const auto id = repository.resolve("HEAD");
  ASSERT_FALSE(id.ok());
  EXPECT_EQ(id.error().code, ErrorCode::kUsage);
  EXPECT_THAT(id.error().line(), HasSubstr("'HEAD' names nothing yet"));
  EXPECT_THAT(repository.tracked_files()->files(), IsEmpty());
}

TEST(GitRepository, ADetachedHeadIsAsGoodAsABranch) {
  const TestRepository made;
  made.write("a", "1");
  const std::string first = made.commit("one");
  made.write("a", "2");
  made.commit("two");
  made.git({"checkout", "-q", first});
  EXPECT_EQ(open_or_die(made.path()).head()->value(), first);
}

TEST(GitRepository, AShallowCloneSaysWhereItEnds) {
  const TestRepository made;
  for (int i = 0; i < 4; ++i) {
    made.write("a", std::to_string(i));
    made.commit("commit " + std::to_string(i));
  }
  const TemporaryFolder clones;
  made.git({"clone", "-q", "--depth", "2", "file://" + made.path(), clones.file("shallow")});
  const auto repository = open_or_die(clones.file("shallow"));
  EXPECT_TRUE(repository.is_shallow());
  EXPECT_TRUE(repository.is_shallow_boundary(made.id("HEAD~1")));
  EXPECT_FALSE(repository.is_shallow_boundary(made.id("HEAD")));
  EXPECT_THAT(repository.location().notes, Contains(HasSubstr("shallow")));
  const auto beyond = repository.resolve("HEAD~3");
  ASSERT_FALSE(beyond.ok());
  EXPECT_THAT(beyond.error().line(), HasSubstr("shallow"));
}

TEST(GitRepository, ALinkedWorkTreeReadsItsOwnHeadAndTheSharedObjects) {
  const TestRepository made;
  made.write("a", "1");
  const std::string first = made.commit("one");
  made.write("a", "2");
  const std::string second = made.commit("two");
  const TemporaryFolder elsewhere;
  const std::string tree = elsewhere.file("linked");
  made.git({"worktree", "add", "-q", "-b", "side", tree, first});
  const auto repository = open_or_die(tree);
  EXPECT_EQ(repository.location().layout, GitLayout::kLinkedWorkTree);
  EXPECT_EQ(repository.head()->value(), first);
  EXPECT_EQ(*repository.resolve("main"), second);
  EXPECT_THAT(repository.tracked_files()->files(), ElementsAre("a"));
  EXPECT_THAT(repository.location().notes, Contains(HasSubstr("outside the workspace (linked work tree)")));
  // The main work tree has nothing to say of it.
  EXPECT_THAT(open_or_die(made.path()).location().notes, IsEmpty());
}

TEST(GitRepository, ASubmoduleReadsItsDataFromTheEnclosingRepository) {
  const TestRepository inner;
  inner.write("in", "1");
  const std::string commit = inner.commit("inner");
  const TestRepository outer;
  outer.git({"submodule", "--quiet", "add", inner.path(), "libs/inner"});
  outer.commit("with a submodule");
  const auto repository = open_or_die(outer.file("libs/inner"));
  EXPECT_EQ(repository.location().layout, GitLayout::kSubmodule);
  EXPECT_EQ(repository.head()->value(), commit);
  EXPECT_THAT(repository.location().notes, Contains(HasSubstr("outside the workspace (submodule)")));
  const auto tracked = open_or_die(outer.path()).tracked_files();
  ASSERT_OK(tracked);
  EXPECT_TRUE(tracked->has_submodule("libs/inner"));
  EXPECT_THAT(tracked->files(), ElementsAre(".gitmodules"));
}

TEST(GitRepository, ASubmoduleOfALinkedWorkTreeIsFoundToo) {
  const TestRepository inner;
  inner.write("in", "1");
  inner.commit("inner");
  const TestRepository outer;
  outer.git({"submodule", "--quiet", "add", inner.path(), "inner"});
  outer.commit("with a submodule");
  const TemporaryFolder elsewhere;
  const std::string tree = elsewhere.file("linked");
  outer.git({"worktree", "add", "-q", tree, "-b", "side"});
  outer.git_in(tree, {"submodule", "--quiet", "update", "--init"});
  const auto opened = GitRepository::open(tree + "/inner");
  ASSERT_OK(opened);
  ASSERT_TRUE(opened->has_value());
  EXPECT_EQ((*opened)->location().layout, GitLayout::kSubmodule);
}

TEST(GitRepository, AGitFolderKeptElsewhereInsideTheWorkspaceIsFine) {
  const TestRepository made({"--separate-git-dir", "data.git"});
  made.write("a", "1");
  made.git({"add", "a"});
  made.git({"commit", "-q", "-m", "one"});
  const auto repository = open_or_die(made.path());
  EXPECT_EQ(repository.head()->value(), made.id("HEAD"));
  EXPECT_THAT(repository.location().notes, IsEmpty());
}

TEST(GitRepository, AnotherObjectFormatIsRefusedInOneLine) {
  const TestRepository made({"--object-format=sha256"});
  made.write("a", "1");
  made.commit("one");
  const auto opened = GitRepository::open(made.path());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, ErrorCode::kConfig);
  EXPECT_THAT(opened.error().line(), HasSubstr("sha256, and only sha1 can be read"));
}

TEST(GitRepository, UnknownFormatsAreRefusedAndKnownOnesAreNot) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"1", "extensions.refStorage=reftable", "reftable"},
      {"1", "extensions.fancy=true", "'fancy'"},
      {"7", "", "version 7"},
      {"1", "extensions.worktreeConfig=true", nullptr},
      {"1", "extensions.partialClone=origin", nullptr},
      {"0", "extensions.fancy=true", nullptr},
  };
  for (const auto& [version, setting, expected] : cases) {
    const TestRepository made;
    const std::string pair = setting;
    if (!pair.empty()) {
      made.git(
          {"config", "-f", ".git/config", pair.substr(0, pair.find('=')), pair.substr(pair.find('=') + 1)});
    }
    made.git({"config", "-f", ".git/config", "core.repositoryFormatVersion", version});
    const auto opened = GitRepository::open(made.path());
    if (expected == nullptr) {
      EXPECT_TRUE(opened.ok()) << setting << ": " << opened.error().line();
    } else {
      ASSERT_FALSE(opened.ok()) << setting;
      EXPECT_THAT(opened.error().line(), HasSubstr(expected));
    }
  }
}

TEST(GitRepository, EachThreadReadsThroughAHandleOfItsOwn) {
  const TestRepository made;
  for (int i = 0; i < 200; ++i) made.write("f" + std::to_string(i), "content " + std::to_string(i));
  const std::string commit = made.commit("many");
  made.git({"gc", "-q"});
  const auto repository = open_or_die(made.path());
  std::vector<int> read(4, 0);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < read.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto own = repository.another();
      if (!own.ok()) return;
      std::vector<std::string> ids;
      (void)own->list_tree(commit, [&](const TreeItem& item) {
        ids.push_back(item.id);
        return true;
      });
      for (const auto& id : ids) read[t] += own->read_blob(id, 1000).ok() ? 1 : 0;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(read, ElementsAre(200, 200, 200, 200));
}

TEST(GitRepository, RecognisesLfsPointers) {
  const std::string pointer =
      "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') + "\nsize 12345\n";
  EXPECT_TRUE(is_lfs_pointer(pointer));
  EXPECT_TRUE(is_lfs_pointer("version https://git-lfs.github.com/spec/v1\next-0-foo sha256:" +
                             std::string(64, 'b') + "\noid sha256:" + std::string(64, 'a') + "\nsize 1\n"));
  EXPECT_FALSE(is_lfs_pointer(""));
  EXPECT_FALSE(is_lfs_pointer("version https://git-lfs.github.com/spec/v1\n"));
  EXPECT_FALSE(is_lfs_pointer("# about\n" + pointer));
  EXPECT_FALSE(is_lfs_pointer(pointer + std::string(2000, 'x')));
}

}  // namespace
}  // namespace knapsack
