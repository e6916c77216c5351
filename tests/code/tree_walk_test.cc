#include "code/walk/tree_walk.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/files/memory_file_system.h"
#include "support/repository_git.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::now_seconds;
using ::testing::Pair;
using testing::split_nul;
using testing::TemporaryFolder;
using testing::TestRepository;
using ::testing::UnorderedElementsAre;

struct Walked {
  std::vector<std::string> paths;
  std::vector<std::pair<std::string, code::SkipReason>> skipped;
  code::WalkSummary summary;
};

Walked walk(const std::string& path, code::WalkOptions options = {}) {
  Walked walked;
  const auto root = open_disk_folder(path);
  EXPECT_OK(root);
  options.root_path = path;
  const auto summary = code::walk_work_tree(
      **root, options, [&](const code::TreeEntry& entry) { walked.paths.push_back(entry.path); });
  EXPECT_OK(summary);
  if (!summary.ok()) return walked;
  walked.summary = *summary;
  for (const auto& entry : summary->skipped) walked.skipped.emplace_back(entry.path, entry.reason);
  return walked;
}

Walked walk_repository(const std::string& path) {
  Walked walked;
  const auto root = open_disk_folder(path);
  const auto opened = GitRepository::open(path);
  EXPECT_OK(opened);
  const auto summary =
      code::walk_workspace(**root, path, opened->has_value() ? &**opened : nullptr,
                           [&](const code::TreeEntry& entry) { walked.paths.push_back(entry.path); });
  EXPECT_OK(summary);
  if (!summary.ok()) return walked;
  walked.summary = *summary;
  for (const auto& entry : summary->skipped) walked.skipped.emplace_back(entry.path, entry.reason);
  return walked;
}

TEST(TreeWalk, ListsFilesInTheOrderOfTheirPathsBytes) {
  const TemporaryFolder folder;
  for (const char* name : {"a/b", "a-b", "a.c", "a0", "a/b.c", "a/c", "b", "a b", "Z",
                           "\xff"
                           "ff",
                           "new\nline"})
    folder.write(name, "x");
  const auto walked = walk(folder.path());
  EXPECT_TRUE(std::is_sorted(walked.paths.begin(), walked.paths.end()));
  EXPECT_THAT(walked.paths,
              ElementsAre("Z", "a b", "a-b", "a.c", "a/b", "a/b.c", "a/c", "a0", "b", "new\nline",
                          "\xff"
                          "ff"));
  EXPECT_EQ(walked.summary.files, 11u);
}

TEST(TreeWalk, TellsSizeTimeAndInode) {
  const TemporaryFolder folder;
  folder.write("f", "12345");
  const timespec times[2] = {{1'600'000'000, 0}, {1'600'000'000, 123'456'789}};
  ASSERT_EQ(::utimensat(AT_FDCWD, folder.file("f").c_str(), times, 0), 0);
  struct stat status {};
  ASSERT_EQ(::stat(folder.file("f").c_str(), &status), 0);
  const auto root = open_disk_folder(folder.path());
  int seen = 0;
  ASSERT_OK(code::walk_work_tree(**root, {}, [&](const code::TreeEntry& entry) {
    ++seen;
    EXPECT_EQ(entry.info.size, 5u);
    EXPECT_EQ(entry.info.mtime_nanos, 1'600'000'000'123'456'789);
    EXPECT_EQ(entry.info.inode, status.st_ino);
  }));
  EXPECT_EQ(seen, 1);
}

TEST(TreeWalk, NamesWhatItLeavesOutAndWhy) {
  const TemporaryFolder outside;
  outside.write("secret", "s");
  const TemporaryFolder folder;
  folder.write("real.c", "x");
  folder.write("dir/inner.c", "x");
  const auto link = [&](const std::string& target, const std::string& name) {
    ASSERT_EQ(::symlink(target.c_str(), folder.file(name).c_str()), 0);
  };
  link("real.c", "to-file");
  link("dir/../to-file", "to-link");
  link(folder.file("dir/inner.c"), "absolute");
  link("dir", "to-folder");
  link(".", "to-root");
  link("..", "to-parent");
  link("../../../../etc/passwd", "escape");
  link("/etc/passwd", "escape-absolute");
  link(outside.file("secret"), "escape-secret");
  link("dir/../../x", "escape-lexical");
  link(folder.path() + "x", "escape-sibling");
  link("loop-b", "loop-a");
  link("loop-a", "loop-b");
  link("self/self", "self");
  link("nothing", "dangling");
  ASSERT_EQ(::mkfifo(folder.file("a.c").c_str(), 0600), 0);
  link("a.c", "to-fifo.c");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string socket_path = folder.file("sock.c");
  socket_path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const double start = now_seconds();
  auto walked = walk(folder.path());
  EXPECT_LT(now_seconds() - start, 30);
  ::close(socket);
  EXPECT_THAT(walked.paths, ElementsAre("absolute", "dir/inner.c", "real.c", "to-file", "to-link"));
  EXPECT_THAT(
      walked.skipped,
      UnorderedElementsAre(
          Pair("to-folder", code::SkipReason::kLinkToFolder),
          Pair("to-root", code::SkipReason::kLinkToFolder), Pair("to-parent", code::SkipReason::kLinkOutside),
          Pair("escape", code::SkipReason::kLinkOutside),
          Pair("escape-absolute", code::SkipReason::kLinkOutside),
          Pair("escape-secret", code::SkipReason::kLinkOutside),
          Pair("escape-lexical", code::SkipReason::kLinkOutside),
          Pair("escape-sibling", code::SkipReason::kLinkOutside), Pair("loop-a", code::SkipReason::kLinkLoop),
          Pair("loop-b", code::SkipReason::kLinkLoop), Pair("self", code::SkipReason::kLinkLoop),
          Pair("dangling", code::SkipReason::kLinkDangling), Pair("a.c", code::SkipReason::kSpecial),
          Pair("to-fifo.c", code::SkipReason::kSpecial), Pair("sock.c", code::SkipReason::kSpecial)));
  EXPECT_EQ(walked.summary.skipped_count, 15u);
}

TEST(TreeWalk, ADeviceIsNeverOpened) {
  const TemporaryFolder folder;
  folder.write("b.c", "x");
  // Only root may make a device; a link to one is the next best thing.
  const bool real = ::mknod(folder.file("a.c").c_str(), S_IFCHR | 0600, makedev(1, 5)) == 0;
  if (!real) {
    ASSERT_EQ(::symlink("/dev/zero", folder.file("a.c").c_str()), 0);
  }
  const auto walked = walk(folder.path());
  EXPECT_THAT(walked.paths, ElementsAre("b.c"));
  EXPECT_THAT(walked.skipped,
              ElementsAre(Pair("a.c", real ? code::SkipReason::kSpecial : code::SkipReason::kLinkOutside)));
  const auto root = open_disk_folder(folder.path());
  EXPECT_FALSE(read_beneath(**root, "a.c", 100).ok());
}

TEST(TreeWalk, NeverEntersItsOwnStateOrGits) {
  const TestRepository made;
  made.write(".knapsack/curated.db", "x");
  made.write("sub/.knapsack/x", "x");
  made.write("sub/.git/x", "x");  // not a repository, and still not a source
  made.write("sub/a", "x");
  EXPECT_THAT(walk_repository(made.path()).paths, ElementsAre("sub/a"));
  EXPECT_THAT(walk(made.path()).paths, ElementsAre("sub/a"));
}

TEST(TreeWalk, TrackedFilesCountEvenWhenARuleIgnoresThem) {
  const TestRepository made;
  made.write(".gitignore", "*.log\nout/\n");
  made.write("kept.log", "x");
  made.write("other.log", "x");
  made.write("out/kept/deep.c", "x");
  made.write("out/kept/other.c", "x");
  made.write("out/other.c", "x");
  made.write("gone.c", "x");
  made.write("new.c", "x");
  made.git({"add", "-f", "kept.log", "out/kept/deep.c", "gone.c"});
  fs::remove(made.file("gone.c"));
  const auto walked = walk_repository(made.path());
  EXPECT_THAT(walked.paths, ElementsAre(".gitignore", "kept.log", "new.c", "out/kept/deep.c"));
  EXPECT_EQ(walked.summary.ignored_files, 3u);
}

TEST(TreeWalk, WalksSubmodulesThatAreCheckedOutAndNamesTheOthers) {
  const TestRepository inner;
  inner.write("in.c", "x");
  inner.commit("inner");
  const TestRepository made;
  made.write("a.c", "x");
  made.git({"submodule", "--quiet", "add", inner.path(), "libs/sub"});
  made.git({"clone", "-q", inner.path(), "nested"});
  made.write("empty/.git/HEAD", "x");
  made.write("empty/b.c", "x");
  const auto walked = walk_repository(made.path());
  EXPECT_THAT(walked.paths, ElementsAre(".gitmodules", "a.c", "empty/b.c", "libs/sub/in.c"));
  EXPECT_THAT(walked.skipped, ElementsAre(Pair("nested", code::SkipReason::kNestedRepository)));
  made.git({"submodule", "--quiet", "deinit", "-f", "libs/sub"});
  const auto without = walk_repository(made.path());
  EXPECT_THAT(without.paths, ElementsAre(".gitmodules", "a.c", "empty/b.c"));
  EXPECT_THAT(without.skipped, ElementsAre(Pair("libs/sub", code::SkipReason::kSubmodule),
                                           Pair("nested", code::SkipReason::kNestedRepository)));
}

TEST(TreeWalk, OutsideGitTheBuiltInRulesAndGitignoreFilesApply) {
  const TemporaryFolder folder;
  folder.write("src/a.c", "x");
  folder.write("src/a.tmp", "x");
  folder.write("src/.gitignore", "*.tmp\n");
  folder.write("node_modules/x/index.js", "x");
  folder.write("web/node_modules/y.js", "x");
  folder.write("keep/.gitignore", "!build/\n");
  folder.write("keep/build/b.c", "x");
  folder.write("build/c.c", "x");
  const auto walked = walk_repository(folder.path());
  EXPECT_THAT(walked.paths, ElementsAre("keep/.gitignore", "keep/build/b.c", "src/.gitignore", "src/a.c"));
  EXPECT_EQ(walked.summary.ignored_folders, 3u);
}

TEST(TreeWalk, AGitignoreThatIsALinkOrTooLargeIsNotApplied) {
  const TemporaryFolder folder;
  folder.write("rules", "*.c\n");
  folder.write("a.c", "x");
  ASSERT_EQ(::symlink("rules", folder.file(".gitignore").c_str()), 0);
  EXPECT_THAT(walk(folder.path()).paths, ElementsAre(".gitignore", "a.c", "rules"));
  fs::remove(folder.file(".gitignore"));
  folder.write(".gitignore", "*.c\n" + std::string(17 << 20, '#'));
  const auto walked = walk(folder.path());
  EXPECT_THAT(walked.paths, ElementsAre(".gitignore", "a.c", "rules"));
  EXPECT_THAT(walked.summary.notes, ElementsAre(HasSubstr("its rules are not applied")));
}

TEST(TreeWalk, ThreeThousandLevelsAreWalkedAsFarAsTheyAreSane) {
  const TemporaryFolder folder;
  folder.write("top.c", "x");
  int at = ::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(::mkdirat(at, "d", 0700), 0);
    const int below = ::openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ::close(at);
    at = below;
  }
  ::close(at);
  const double start = now_seconds();
  const auto walked = walk(folder.path());
  EXPECT_LT(now_seconds() - start, 30);
  EXPECT_THAT(walked.paths, ElementsAre("top.c"));
  ASSERT_EQ(walked.skipped.size(), 1u);
  EXPECT_EQ(walked.skipped[0].second, code::SkipReason::kTooDeep);
  EXPECT_EQ(walked.skipped[0].first.size(), 2 * kMaxTreeDepth - 1);
  testing::run_command({"rm", "-rf", folder.path()}, "/");  // deeper than remove_all recurses
}

TEST(TreeWalk, AnEntryLimitEndsTheWalkWithAnError) {
  const TemporaryFolder folder;
  for (int i = 0; i < 20; ++i) folder.write("d" + std::to_string(i % 4) + "/f" + std::to_string(i), "x");
  const auto root = open_disk_folder(folder.path());
  code::WalkOptions options;
  for (options.max_entries = 0; options.max_entries < 24; ++options.max_entries) {
    const auto summary = code::walk_work_tree(**root, options, [](const code::TreeEntry&) {});
    ASSERT_FALSE(summary.ok()) << options.max_entries;
    EXPECT_EQ(summary.error().code, ErrorCode::kLimit);
  }
  EXPECT_OK(code::walk_work_tree(**root, options, [](const code::TreeEntry&) {}));
}

TEST(TreeWalk, AFolderThatCannotBeReadIsSkippedAndTheRestIsThere) {
  MemoryFileSystem files;
  files.put("/w/a/x.c", "1");
  files.put("/w/b/y.c", "2");
  files.put("/w/c.c", "3");
  files.put_link("/w/out", "/etc/passwd");
  const auto root = files.open_folder("/w");
  ASSERT_OK(root);
  uint64_t calls = 0;
  {
    files.fail_at(1'000'000, {});
    ASSERT_OK(code::walk_work_tree(**root, {}, [](const code::TreeEntry&) {}));
    calls = files.calls();
  }
  // Whichever call fails, the walk ends, keeps its order and loses no more than that one thing.
  for (uint64_t nth = 1; nth <= calls; ++nth) {
    files.fail_at(nth, {ErrorCode::kIo, "cannot list: permission denied", ""});
    std::vector<std::string> paths;
    const auto summary =
        code::walk_work_tree(**root, {}, [&](const code::TreeEntry& entry) { paths.push_back(entry.path); });
    if (!summary.ok()) continue;  // the root itself
    EXPECT_TRUE(std::is_sorted(paths.begin(), paths.end()));
    EXPECT_GE(paths.size(), 2u) << nth;
    if (paths.size() == 2) {
      EXPECT_THAT(summary->skipped,
                  Contains(::testing::Field(&code::SkippedEntry::reason, code::SkipReason::kUnreadable)));
    }
  }
  files.fail_at(1'000'000, {});
  std::vector<std::string> paths;
  const auto summary =
      code::walk_work_tree(**root, {}, [&](const code::TreeEntry& entry) { paths.push_back(entry.path); });
  ASSERT_OK(summary);
  EXPECT_THAT(paths, ElementsAre("a/x.c", "b/y.c", "c.c"));
  ASSERT_EQ(summary->skipped.size(), 1u);
  EXPECT_EQ(summary->skipped[0].reason, code::SkipReason::kLinkOutside);
}

TEST(TreeWalk, AFolderSwappedForALinkLeadsNowhere) {
  const TemporaryFolder outside;
  outside.write("secret.c", "secret");
  const TemporaryFolder folder;
  folder.write("real/inside.c", "inside");
  fs::create_directory_symlink(outside.path(), folder.file("spare"));
  std::atomic<bool> stop = false;
  std::thread swapper([&] {
    // RENAME_EXCHANGE: the name is always there, now a folder, now a link out.
    while (!stop)
      ::renameat2(AT_FDCWD, folder.file("real").c_str(), AT_FDCWD, folder.file("spare").c_str(),
                  RENAME_EXCHANGE);
  });
  const auto root = open_disk_folder(folder.path());
  int inside = 0, refused = 0;
  const double deadline = now_seconds() + 1.5;
  while (now_seconds() < deadline) {
    ASSERT_OK(code::walk_work_tree(**root, {}, [&](const code::TreeEntry& entry) {
      EXPECT_EQ(entry.path.find("secret"), std::string::npos);
    }));
    for (const char* name : {"real/inside.c", "real/secret.c"}) {
      const auto bytes = read_beneath(**root, name, 100);
      EXPECT_EQ(bytes.ok() ? *bytes : "inside", "inside");
      (bytes.ok() ? inside : refused) += 1;
    }
  }
  stop = true;
  swapper.join();
  EXPECT_GT(inside, 0);
  EXPECT_GT(refused, 0);
}

TEST(TreeWalk, ReadsOnlyRegularFilesBelowTheRoot) {
  const TemporaryFolder outside;
  outside.write("secret", "s");
  const TemporaryFolder folder;
  folder.write("dir/f", "12345");
  fs::create_symlink("dir/f", folder.file("link"));
  fs::create_directory_symlink("dir", folder.file("dirlink"));
  fs::create_directory_symlink(outside.path(), folder.file("out"));
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  const auto root = open_disk_folder(folder.path());
  EXPECT_EQ(*read_beneath(**root, "dir/f", 5), "12345");
  const std::pair<const char*, ErrorCode> cases[] = {
      {"link", ErrorCode::kIo},
      {"dirlink/f", ErrorCode::kIo},
      {"out/secret", ErrorCode::kIo},
      {"pipe", ErrorCode::kIo},
      {"dir", ErrorCode::kIo},
      {"nothing", ErrorCode::kNotFound},
      {"dir/f/x", ErrorCode::kIo},
      {"", ErrorCode::kUsage},
      {"/etc/passwd", ErrorCode::kUsage},
      {"../x", ErrorCode::kUsage},
      {"dir/../dir/f", ErrorCode::kUsage},
      {"dir//f", ErrorCode::kUsage},
      {"dir/./f", ErrorCode::kUsage},
      {"dir/", ErrorCode::kUsage},
  };
  for (const auto& [path, code] : cases) {
    const auto bytes = read_beneath(**root, path, 100);
    ASSERT_FALSE(bytes.ok()) << path;
    EXPECT_EQ(bytes.error().code, code) << path << ": " << bytes.error().line();
  }
  const auto large = read_beneath(**root, "dir/f", 4);
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code, ErrorCode::kLimit);
}

TEST(TreeWalk, AFileThatKeepsChangingIsReportedNotMixed) {
  const TemporaryFolder folder;
  folder.write("f", std::string(8 << 20, 'a'));
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    const int file = ::open(folder.file("f").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    while (!stop) {
      if (::write(file, "b", 1) != 1) break;
    }
    ::close(file);
  });
  const auto root = open_disk_folder(folder.path());
  bool reported = false;
  const double deadline = now_seconds() + 20;
  while (!reported && now_seconds() < deadline) {
    const auto bytes = read_beneath(**root, "f", 1 << 30);
    reported = !bytes.ok();
    if (reported) {
      EXPECT_EQ(bytes.error().code, ErrorCode::kBusy) << bytes.error().line();
      EXPECT_THAT(bytes.error().line(), HasSubstr("f kept changing while it was read"));
    }
  }
  stop = true;
  writer.join();
  EXPECT_TRUE(reported);
  EXPECT_OK(read_beneath(**root, "f", 1 << 30));
}

TEST(TreeWalk, TenThousandFilesTakeAMoment) {
  const TestRepository made;
  std::string stream =
      "blob\nmark :1\ndata 1\nx\ncommit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 1\nm\n";
  for (int i = 0; i < 10'000; ++i) {
    stream += "M 100644 :1 src/module" + std::to_string(i / 50) + "/file" + std::to_string(i) + ".c\n";
  }
  made.git({"fast-import", "--quiet"}, stream);
  made.git({"checkout", "-q", "-f", "main"});
  made.write(".gitignore", "*.o\n/build/\n");
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double start = now_seconds();
    const auto opened = GitRepository::open(made.path());
    const auto root = open_disk_folder(made.path());
    uint64_t files = 0;
    ASSERT_OK(code::walk_workspace(**root, made.path(), &**opened, [&](const code::TreeEntry&) { ++files; }));
    EXPECT_EQ(files, 10'001u);
    best = std::min(best, now_seconds() - start);
  }
  RecordProperty("walk", std::to_string(best * 1000) + " ms for 10,000 files with opening and the index");
  EXPECT_LT(best, 0.5);  // the bound for an idle machine and a release build is 0.1
}

}  // namespace
}  // namespace knapsack
