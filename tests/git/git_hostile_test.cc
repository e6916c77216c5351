// Repositories that try to make a reader run something, leave the workspace, hang or crash.
//
// Every trick that names a program is first shown to work: the matching git command leaves the sentinel file.
// Then everything that this library can do with a repository is done, and no sentinel appears.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>

#include "code/walk/tree_walk.h"
#include "git/co_change.h"
#include "git/history.h"
#include "git/repository.h"
#include "support/repository_git.h"

namespace knapsack {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::now_seconds;
using testing::TemporaryFolder;
using testing::TestRepository;

std::string program(const TestRepository& made, const std::string& name, const std::string& body) {
  made.write(name, "#!/bin/sh\ntouch '" + made.file("SENTINEL") + "'\n" + body);
  EXPECT_EQ(::chmod(made.file(name).c_str(), 0755), 0);
  return made.file(name);
}

bool remove_sentinel(const TestRepository& made) {
  return std::filesystem::remove(made.file("SENTINEL"));
}

// Everything there is to do with a repository.
void use_all(const std::string& path) {
  const auto opened = GitRepository::open(path);
  ASSERT_OK(opened);
  ASSERT_TRUE(opened->has_value());
  const GitRepository& repository = **opened;
  const auto head = repository.resolve("HEAD");
  ASSERT_OK(head);
  std::vector<std::string> blobs;
  ASSERT_OK(repository.list_tree(*head, [&](const TreeItem& item) {
    if (item.kind != TreeItemKind::kSubmodule) blobs.push_back(item.id);
    return true;
  }));
  for (const auto& blob : blobs) ASSERT_OK(repository.read_blob(blob, 1 << 20));
  CoChangeCounter counter({});
  const auto history = walk_history(repository, *head, {}, [&](Commit&& commit) {
    counter.add(commit);
    return true;
  });
  ASSERT_OK(history);
  EXPECT_THAT(history->problems, IsEmpty());
  EXPECT_GT(history->commits, 0u);
  const auto root = open_disk_folder(path);
  ASSERT_OK(root);
  size_t files = 0;
  ASSERT_OK(code::walk_workspace(**root, path, &repository, [&](const code::TreeEntry& entry) {
    if (entry.info.kind == FileKind::kRegular) EXPECT_OK(read_beneath(**root, entry.path, 1 << 20));
    ++files;
  }));
  EXPECT_GT(files, 0u);
}

struct Trick {
  std::string name;
  std::function<void(const TestRepository&)> set;     // configures it; a commit with a.txt is there already
  std::function<void(const TestRepository&)> spring;  // the git command that runs the program
};

std::vector<Trick> tricks() {
  const auto change = [](const TestRepository& made) { made.write("a.txt", "changed\n"); };
  const auto run = [](std::vector<std::string> words) {
    return [words](const TestRepository& made) { made.try_git(words); };
  };
  return {
      {"core.fsmonitor",
       [](const TestRepository& made) {
         made.git({"config", "core.fsmonitor", program(made, "evil", "")});
       },
       run({"status"})},
      {"diff.external",
       [=](const TestRepository& made) {
         made.git({"config", "diff.external", program(made, "evil", "")});
         change(made);
       },
       run({"diff"})},
      {"diff driver command",
       [=](const TestRepository& made) {
         made.write(".gitattributes", "*.txt diff=evil\n");
         made.git({"config", "diff.evil.command", program(made, "evil", "")});
         change(made);
       },
       run({"diff"})},
      {"textconv",
       [](const TestRepository& made) {
         made.write(".gitattributes", "*.txt diff=evil\n");
         made.git({"config", "diff.evil.textconv", program(made, "evil", "cat \"$1\"\n")});
       },
       run({"log", "-p"})},
      {"clean filter",
       [=](const TestRepository& made) {
         made.write(".gitattributes", "*.txt filter=evil\n");
         made.git({"config", "filter.evil.clean", program(made, "evil", "cat\n")});
         change(made);
       },
       run({"add", "a.txt"})},
      {"smudge filter",
       [](const TestRepository& made) {
         made.write(".gitattributes", "*.txt filter=evil\n");
         made.git({"config", "filter.evil.smudge", program(made, "evil", "cat\n")});
         std::filesystem::remove(made.file("a.txt"));
       },
       run({"checkout", "--", "a.txt"})},
      {"process filter, as Git LFS has",
       [=](const TestRepository& made) {
         made.write(".gitattributes", "*.txt filter=lfs diff=lfs merge=lfs -text\n");
         made.git({"config", "filter.lfs.process", program(made, "evil", "")});
         change(made);
       },
       run({"add", "a.txt"})},
      {"core.hooksPath",
       [=](const TestRepository& made) {
         program(made, "hooks/post-index-change", "");
         program(made, "hooks/post-checkout", "");
         made.git({"config", "core.hooksPath", made.file("hooks")});
         change(made);
       },
       run({"checkout", "-f"})},
      {"a hook in .git/hooks",
       [](const TestRepository& made) { program(made, ".git/hooks/post-checkout", ""); },
       run({"checkout", "-f"})},
      {"credential.helper",
       [](const TestRepository& made) {
         made.git({"config", "credential.helper", "!" + program(made, "evil", "")});
       },
       [](const TestRepository& made) {
         made.try_git({"credential", "fill"}, "protocol=https\nhost=example.org\n\n");
       }},
      {"include.path",
       [](const TestRepository& made) {
         made.write(".git/more", "[core]\n\tfsmonitor = " + program(made, "evil", "") + "\n");
         made.git({"config", "include.path", "more"});
       },
       run({"status"})},
      {"includeIf",
       [](const TestRepository& made) {
         made.write("more", "[core]\n\tfsmonitor = " + program(made, "evil", "") + "\n");
         made.git({"config", "includeIf.gitdir:**.path", made.file("more")});
       },
       run({"status"})},
      {"core.sshCommand",
       [](const TestRepository& made) {
         made.git({"config", "core.sshCommand", program(made, "evil", "")});
       },
       run({"ls-remote", "ssh://example.org/x"})},
      {"gpg.program",
       [](const TestRepository& made) {
         made.git({"config", "gpg.program", program(made, "evil", "")});
         const std::string tree = made.id("HEAD^{tree}");
         const std::string signed_commit = made.git({"hash-object", "-t", "commit", "-w", "--stdin"},
                                                    "tree " + tree + "\nparent " + made.id("HEAD") +
                                                        "\nauthor A <a@b> 1700000000 +0000\n"
                                                        "committer A <a@b> 1700009000 +0000\n"
                                                        "gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n"
                                                        " -----END PGP SIGNATURE-----\n\nsigned\n");
         made.git({"update-ref", "HEAD", signed_commit.substr(0, 40)});
       },
       run({"log", "--show-signature"})},
      {"core.alternateRefsCommand",
       [](const TestRepository& made) {
         made.git({"config", "core.alternateRefsCommand", program(made, "evil", "")});
         made.git({"clone", "-q", "--bare", made.path(), made.file(".git/inner")});
         made.write(".git/objects/info/alternates", made.file(".git/inner/objects") + "\n");
       },
       [](const TestRepository& made) {
         made.try_git({"clone", "-q", "--bare", made.path(), made.file(".git/other")});
         made.try_git({"push", "-q", "file://" + made.path(), "HEAD:refs/heads/pushed"});
       }},
  };
}

TEST(GitHostile, NoProgramThatARepositoryNamesIsEverRun) {
  for (const auto& trick : tricks()) {
    const TestRepository made;
    made.write("a.txt", "one\n");
    made.commit("first");
    made.write("a.txt", "two\n");
    made.write("b.txt", "two\n");
    made.commit("second");
    trick.set(made);
    remove_sentinel(made);  // setting it up may have sprung it
    use_all(made.path());
    EXPECT_FALSE(remove_sentinel(made)) << trick.name << " ran";
    trick.spring(made);
    EXPECT_TRUE(remove_sentinel(made)) << trick.name << " is no trick: git did not run it either";
    use_all(made.path());
    EXPECT_FALSE(remove_sentinel(made)) << trick.name << " ran the second time";
  }
}

TEST(GitHostile, ReadingLeavesTheRepositoryAsItWas) {
  const TestRepository made;
  made.write("a.txt", "one\n");
  made.commit("first");
  std::filesystem::remove_all(made.file(".git/logs"));
  const auto state = [&] {
    std::map<std::string, std::pair<uintmax_t, int64_t>> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(made.path())) {
      files[entry.path()] = {entry.is_regular_file() ? entry.file_size() : 0,
                             entry.last_write_time().time_since_epoch().count()};
    }
    return files;
  };
  const auto before = state();
  use_all(made.path());
  EXPECT_FALSE((*GitRepository::open(made.path()))->resolve("HEAD@{1}").ok());
  EXPECT_EQ(state(), before);
}

TEST(GitHostile, AnIncludedFifoDoesNotBlock) {
  const TestRepository made;
  made.write("a.txt", "one\n");
  made.commit("first");
  ASSERT_EQ(::mkfifo(made.file("pipe").c_str(), 0600), 0);
  made.write(".git/config", "[include]\n\tpath = " + made.file("pipe") + "\n");
  use_all(made.path());
}

std::string refusal(const std::string& path) {
  const double start = now_seconds();
  const auto opened = GitRepository::open(path);
  EXPECT_LT(now_seconds() - start, 30);
  EXPECT_FALSE(opened.ok());
  if (opened.ok()) return "";
  const std::string line = opened.error().line();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  return line;
}

TEST(GitHostile, AGitFileThatPointsOutsideIsNotFollowed) {
  const TestRepository victim;
  victim.write("secret", "1");
  victim.commit("private");
  const TemporaryFolder workspace;
  workspace.write(".git", "gitdir: " + victim.file(".git") + "\n");
  EXPECT_THAT(refusal(workspace.path()), HasSubstr("does not point back: not followed"));
}

TEST(GitHostile, AGitFileIntoSomebodyElsesWorkTreeDataIsNotFollowed) {
  const TestRepository victim;
  victim.write("secret", "1");
  victim.commit("private");
  const TemporaryFolder trees;
  victim.git({"worktree", "add", "-q", "-b", "side", trees.file("linked")});
  const TemporaryFolder workspace;
  workspace.write(".git", "gitdir: " + victim.file(".git/worktrees/linked") + "\n");
  EXPECT_THAT(refusal(workspace.path()), HasSubstr("does not point back: not followed"));
}

TEST(GitHostile, AGitFileIntoAnotherSubmodulesDataIsNotFollowed) {
  const TestRepository inner;
  inner.write("in", "1");
  inner.commit("inner");
  const TestRepository outer;
  outer.git({"submodule", "--quiet", "add", inner.path(), "real"});
  outer.commit("with a submodule");
  outer.write("fake/.git", "gitdir: ../.git/modules/real\n");
  EXPECT_THAT(refusal(outer.file("fake")), HasSubstr("does not point back: not followed"));
}

TEST(GitHostile, AFolderThatPretendsToEncloseASubmoduleIsNotBelieved) {
  // Both ends agree, yet the data lies in no enclosing repository's modules.
  const TestRepository victim;
  victim.write("secret", "1");
  victim.commit("private");
  const TemporaryFolder workspace;
  victim.git({"config", "core.worktree", workspace.path()});
  workspace.write(".git", "gitdir: " + victim.file(".git") + "\n");
  EXPECT_THAT(refusal(workspace.path()), HasSubstr("does not point back: not followed"));
}

TEST(GitHostile, FoldersInEachOtherThatAllSayTheyAreSubmodulesAreLookedAtOnceEach) {
  const TemporaryFolder workspace;
  std::string level;
  for (int i = 0; i < 40; ++i) {  // asking each for all above it would be 2^40 looks
    level += "d/";
    workspace.write(level + ".git", "gitdir: data\n");
    workspace.write(level + "data/HEAD", "ref: refs/heads/main\n");
    workspace.write(level + "data/config", "[core]\n\tworktree = ..\n");
    std::filesystem::create_directory(workspace.file(level + "data/objects"));
    std::filesystem::create_directory(workspace.file(level + "data/refs"));
  }
  const auto opened = GitRepository::open(workspace.file(level));
  ASSERT_OK(opened);
  ASSERT_TRUE(opened->has_value());
  EXPECT_EQ((*opened)->location().layout, GitLayout::kPlain);
}

TEST(GitHostile, AGitFileThatNamesNothingSaysSo) {
  for (const std::string text : {"gitdir: /nowhere/at/all\n", "gitdir: \n", "nonsense\n", ""}) {
    const TemporaryFolder workspace;
    workspace.write(".git", text);
    EXPECT_THAT(refusal(workspace.path()), HasSubstr("names no git folder"));
  }
}

TEST(GitHostile, ALinkToAnotherRepositoryIsNotFollowed) {
  const TestRepository victim;
  victim.commit("private");
  const TemporaryFolder workspace;
  ASSERT_EQ(::symlink(victim.file(".git").c_str(), workspace.file(".git").c_str()), 0);
  EXPECT_THAT(refusal(workspace.path()), HasSubstr("leads out of the workspace: not followed"));
}

TEST(GitHostile, ObjectsOfAnotherRepositoryAreNotReachedThroughItsParts) {
  const TestRepository victim;
  victim.write("secret", "1");
  victim.commit("private");
  const std::vector<std::function<void(const TestRepository&)>> ways = {
      [&](const TestRepository& made) { made.write(".git/commondir", victim.file(".git")); },
      [&](const TestRepository& made) {
        std::filesystem::remove_all(made.file(".git/objects"));
        std::filesystem::create_directory_symlink(victim.file(".git/objects"), made.file(".git/objects"));
      },
      [&](const TestRepository& made) {
        std::filesystem::create_directory_symlink(victim.file(".git/refs/heads"),
                                                  made.file(".git/refs/stolen"));
      },
      [&](const TestRepository& made) {
        std::filesystem::create_symlink(victim.file(".git/config"), made.file(".git/packed-refs"));
      },
  };
  for (const auto& way : ways) {
    const TestRepository made;
    made.write("a", "1");
    made.commit("one");
    way(made);
    refusal(made.path());
  }
}

TEST(GitHostile, BorrowedObjectsOutsideAreReadOnlyWhenAsked) {
  const TestRepository lender;
  lender.write("a", "1");
  const std::string commit = lender.commit("one");
  const TemporaryFolder clones;
  lender.git({"clone", "-q", "--shared", lender.path(), clones.file("borrower")});
  const auto careful = GitRepository::open(clones.file("borrower"));
  ASSERT_OK(careful);
  EXPECT_THAT((*careful)->location().notes, Contains(HasSubstr("are not read")));
  const auto listing = (*careful)->list_tree(commit, [](const TreeItem&) { return true; });
  ASSERT_FALSE(listing.ok());
  EXPECT_EQ(listing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(listing.error().line(), HasSubstr("borrowed objects that are not read"));

  GitOpenOptions trusting;
  trusting.read_outside_alternates = true;
  const auto asked = GitRepository::open(clones.file("borrower"), trusting);
  ASSERT_OK(asked);
  EXPECT_THAT((*asked)->location().notes, Contains(HasSubstr("also read from")));
  EXPECT_OK((*asked)->list_tree(commit, [](const TreeItem&) { return true; }));
}

TEST(GitHostile, AWorkTreeConfiguredElsewhereIsNotFollowedAndSaidSo) {
  const TestRepository made;
  made.write("a", "1");
  made.commit("one");
  const TemporaryFolder elsewhere;
  elsewhere.write("secret", "2");
  made.git({"config", "core.worktree", elsewhere.path()});
  const auto opened = GitRepository::open(made.path());
  ASSERT_OK(opened);
  EXPECT_THAT((*opened)->location().notes, ElementsAre(HasSubstr("core.worktree names " + elsewhere.path())));
  const auto root = open_disk_folder(made.path());
  std::vector<std::string> paths;
  ASSERT_OK(code::walk_workspace(**root, made.path(), &**opened,
                                 [&](const code::TreeEntry& entry) { paths.push_back(entry.path); }));
  EXPECT_THAT(paths, ElementsAre("a"));
}

TEST(GitHostile, AFifoWhereGitKeepsAFileIsRefusedAtOnce) {
  for (const std::string place :
       {"HEAD", "config", "index", "packed-refs", "shallow", "refs/heads/main", "refs/heads/x",
        "info/exclude", "objects/pack/pack-1.idx", "objects/ab/cdef", "ORIG_HEAD"}) {
    const TestRepository made;
    made.write("a", "1");
    made.commit("one");
    const std::string path = made.file(".git/" + place);
    std::filesystem::remove(path);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0) << place;
    EXPECT_THAT(refusal(made.path()), HasSubstr(place)) << place;
  }
  const TemporaryFolder workspace;
  ASSERT_EQ(::mkfifo(workspace.file(".git").c_str(), 0600), 0);
  EXPECT_THAT(refusal(workspace.path()), HasSubstr("FIFO"));
}

TEST(GitHostile, ALinkToADeviceWhereGitKeepsAFileIsRefused) {
  const TestRepository made;
  made.write("a", "1");
  made.commit("one");
  ASSERT_EQ(::symlink("/dev/zero", made.file(".git/packed-refs").c_str()), 0);
  EXPECT_THAT(refusal(made.path()), HasSubstr("packed-refs"));
}

TEST(GitHostile, TheSocketOfGitsOwnMonitorIsNoReasonToRefuse) {
  const TestRepository made;
  made.write("a", "1");
  made.commit("one");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = made.file(".git/fsmonitor--daemon.ipc");
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  use_all(made.path());
  ::close(socket);
}

}  // namespace
}  // namespace knapsack
