#include "git/history.h"

#include <filesystem>
#include <random>
#include <set>

#include "support/repository_git.h"
#include "understand/message_references.h"

namespace knapsack {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::now_seconds;
using ::testing::SizeIs;
using testing::split_nul;
using testing::TemporaryFolder;
using testing::TestRepository;
using ::testing::UnorderedElementsAre;

struct Told {
  std::vector<Commit> commits;
  HistorySummary summary;
  std::vector<std::string> ids() const {
    std::vector<std::string> out;
    for (const auto& commit : commits) out.push_back(commit.id);
    return out;
  }
  const Commit& at(const std::string& id) const {
    for (const auto& commit : commits) {
      if (commit.id == id) return commit;
    }
    throw std::runtime_error("no commit " + id);
  }
};

Told tell(const std::string& path, const std::string& revision, const HistoryOptions& options = {}) {
  Told told;
  const auto opened = GitRepository::open(path);
  EXPECT_OK(opened);
  const auto id = (*opened)->resolve(revision);
  EXPECT_OK(id);
  const auto summary = walk_history(**opened, *id, options, [&](Commit&& commit) {
    told.commits.push_back(std::move(commit));
    return true;
  });
  EXPECT_OK(summary);
  if (summary.ok()) told.summary = *summary;
  return told;
}

// "A path", "R old -> new", … of a commit.
std::vector<std::string> changes(const Commit& commit) {
  std::vector<std::string> out;
  for (const auto& file : commit.files) {
    const char letter = "AMDR"[static_cast<int>(file.kind)];
    out.push_back(std::string(1, letter) + " " + (file.old_path.empty() ? "" : file.old_path + " -> ") +
                  file.path);
  }
  return out;
}

TEST(History, TellsEveryCommitNewestFirstWithItsFiles) {
  const TestRepository made;
  made.write("a", "1");
  made.write("dir/b", "1");
  const std::string first = made.commit("first\n\nwith a body\n");
  made.write("a", "2");
  made.write("dir/new\nline", "x");
  const std::string second = made.commit("second");
  std::filesystem::remove(made.file("dir/b"));
  const std::string third = made.commit("third");
  const auto told = tell(made.path(), "HEAD");
  EXPECT_THAT(told.ids(), ElementsAre(third, second, first));
  EXPECT_THAT(changes(told.commits[0]), ElementsAre("D dir/b"));
  EXPECT_THAT(changes(told.commits[1]), ElementsAre("M a", "A dir/new\nline"));
  EXPECT_THAT(changes(told.commits[2]), ElementsAre("A a", "A dir/b"));
  EXPECT_THAT(told.commits[1].parents, ElementsAre(first));
  EXPECT_THAT(told.commits[2].parents, IsEmpty());
  EXPECT_EQ(told.commits[2].subject, "first");
  EXPECT_EQ(told.commits[2].message, "first\n\nwith a body\n");
  EXPECT_EQ(told.commits[2].author, "Ada");
  EXPECT_EQ(told.commits[2].author_time, 1'700'000'000);
  EXPECT_EQ(told.commits[1].commit_time, 1'700'003'600);
  EXPECT_FALSE(told.summary.more);
  EXPECT_FALSE(told.summary.shallow);
}

TEST(History, KnowsNothingOfWhatCameLater) {
  const TestRepository made;
  made.write("a", "1");
  const std::string first = made.commit("first");
  made.write("a", "2");
  const std::string second = made.commit("second");
  made.git({"checkout", "-q", "-b", "other", first});
  made.write("b", "3");
  made.commit("elsewhere");
  EXPECT_THAT(tell(made.path(), second).ids(), ElementsAre(second, first));
  EXPECT_THAT(tell(made.path(), first).ids(), ElementsAre(first));
}

TEST(History, AModeChangeAndAFileThatBecomesAFolderAreChanges) {
  const TestRepository made;
  made.write("x", "1");
  made.write("run", "1");
  made.commit("first");
  std::filesystem::permissions(made.file("run"), std::filesystem::perms::owner_all);
  std::filesystem::remove(made.file("x"));
  made.write("x/y", "quite another thing");
  made.commit("second");
  EXPECT_THAT(changes(tell(made.path(), "HEAD").commits[0]), ElementsAre("M run", "D x", "A x/y"));
}

std::string lines(int from, int to) {
  std::string out;
  for (int i = from; i < to; ++i) out += "this is line number " + std::to_string(i) + "\n";
  return out;
}

TEST(History, FollowsFilesThatMove) {
  const TestRepository made;
  made.write("exact", lines(0, 20));
  made.write("edited", lines(100, 140));
  made.write("rewritten", lines(200, 240));
  made.write("empty", "");
  made.write("lib/twin.c", lines(300, 310));
  made.commit("first");
  made.git({"mv", "exact", "moved-exact"});
  made.git({"rm", "-q", "edited", "rewritten", "empty", "lib/twin.c"});
  made.write("sub/moved-edited", lines(100, 138) + "something new\n");
  made.write("unlike", lines(900, 940));
  made.write("other-empty", "");
  made.write("a/other.c", lines(300, 310));
  made.write("a/twin.c", lines(300, 310));
  made.commit("moves");
  EXPECT_THAT(changes(tell(made.path(), "HEAD").commits[0]),
              ElementsAre("A a/other.c", "R lib/twin.c -> a/twin.c", "D empty", "R exact -> moved-exact",
                          "A other-empty", "D rewritten", "R edited -> sub/moved-edited", "A unlike"));
  HistoryOptions plain;
  plain.follow_renames = false;
  const auto told = tell(made.path(), "HEAD", plain);
  for (const auto& file : told.commits[0].files) {
    EXPECT_NE(file.kind, FileChangeKind::kRenamed);
  }
}

TEST(History, AboveTheCostBoundOnlyIdenticalFilesAreFollowed) {
  const TestRepository made;
  for (int i = 0; i < 60; ++i) {
    made.write("old/same" + std::to_string(i), "content " + std::to_string(i) + "\n");
    made.write("old/edited" + std::to_string(i), lines(i * 100, i * 100 + 20));
  }
  made.commit("first");
  made.git({"mv", "old", "new"});
  for (int i = 0; i < 60; ++i)
    made.write("new/edited" + std::to_string(i), lines(i * 100, i * 100 + 19) + "x\n");
  made.commit("move all");
  int renamed = 0, added = 0;
  const auto told = tell(made.path(), "HEAD");
  for (const auto& file : told.commits[0].files) {
    if (file.kind == FileChangeKind::kRenamed) ++renamed;
    if (file.kind == FileChangeKind::kAdded) ++added;
  }
  EXPECT_EQ(renamed, 60);
  EXPECT_EQ(added, 60);
}

TEST(History, AMergeHasTheFilesAndTheCommitsOfItsSideBranch) {
  const TestRepository made;
  made.write("base", "1");
  made.commit("base");
  made.git({"checkout", "-q", "-b", "side"});
  made.write("s1", "1");
  const std::string s1 = made.commit("s1");
  made.write("s2", "1");
  const std::string s2 = made.commit("s2");
  made.git({"checkout", "-q", "main"});
  made.write("m1", "1");
  const std::string m1 = made.commit("m1");
  made.git({"merge", "-q", "--no-ff", "-m", "Merge side (#12)", "side"});
  const auto told = tell(made.path(), "HEAD");
  const Commit& merge = told.commits[0];
  EXPECT_TRUE(merge.is_merge);
  EXPECT_THAT(merge.parents, ElementsAre(m1, s2));
  EXPECT_THAT(changes(merge), ElementsAre("A s1", "A s2"));
  EXPECT_THAT(merge.side_commits, ElementsAre(s2, s1));
  EXPECT_FALSE(merge.side_commits_truncated);
  EXPECT_FALSE(told.at(m1).is_merge);
  EXPECT_THAT(told.at(m1).side_commits, IsEmpty());
  HistoryOptions options;
  options.max_side_commits = 1;
  const auto capped = tell(made.path(), "HEAD", options);
  EXPECT_THAT(capped.commits[0].side_commits, ElementsAre(s2));
  EXPECT_TRUE(capped.commits[0].side_commits_truncated);
}

TEST(History, AtOneTimeChildrenComeBeforeParents) {
  const TestRepository made;
  // A ladder of merges, every commit within the same second.
  std::string stream;
  const auto commit = [&](int mark, std::vector<int> parents) {
    stream += "commit refs/heads/main\nmark :" + std::to_string(mark) +
              "\ncommitter A <a@b> 1700000000 +0000\ndata 1\nm\n";
    for (size_t i = 0; i < parents.size(); ++i) {
      stream += (i == 0 ? "from :" : "merge :") + std::to_string(parents[i]) + "\n";
    }
    stream += "M 100644 inline f" + std::to_string(mark) + "\ndata 1\nx\n";
  };
  commit(1, {});
  int left = 1, right = 1;
  for (int mark = 2; mark < 62; mark += 3) {
    commit(mark, {left});
    commit(mark + 1, {right});
    commit(mark + 2, {mark, mark + 1});
    left = mark + 2;
    right = mark % 2 == 0 ? mark + 1 : mark + 2;
  }
  made.git({"fast-import", "--quiet"}, stream);
  const auto told = tell(made.path(), "main");
  EXPECT_THAT(told.commits, SizeIs(61));
  std::set<std::string> seen;
  for (const auto& one : told.commits) {
    for (const auto& parent : one.parents)
      EXPECT_EQ(seen.count(parent), 0u) << "a parent was told before its child";
    seen.insert(one.id);
  }
  // A long run of one time is bounded by the walk, not by the run.
  HistoryOptions few;
  few.max_commits = 3;
  const auto begun = tell(made.path(), "main", few);
  EXPECT_THAT(begun.commits, SizeIs(3));
  EXPECT_EQ(begun.commits[0].id, told.commits[0].id);
  EXPECT_TRUE(begun.summary.more);
}

TEST(History, AShallowCloneEndsWhereItEndsAndSaysSo) {
  const TestRepository made;
  for (int i = 0; i < 5; ++i) {
    made.write("a", std::to_string(i));
    made.commit("commit " + std::to_string(i));
  }
  const TemporaryFolder clones;
  made.git({"clone", "-q", "--depth", "3", "file://" + made.path(), clones.file("shallow")});
  const auto told = tell(clones.file("shallow"), "HEAD");
  EXPECT_THAT(told.commits, SizeIs(3));
  EXPECT_TRUE(told.summary.shallow);
  EXPECT_THAT(told.summary.problems, IsEmpty());
  EXPECT_THAT(told.commits[2].parents, IsEmpty());
  EXPECT_TRUE(told.commits[2].files_unknown);
  EXPECT_FALSE(told.commits[1].files_unknown);
}

TEST(History, DescribesOnlyWhatTheCallerDoesNotHave) {
  const TestRepository made;
  for (int i = 0; i < 3; ++i) {
    made.write("a", std::to_string(i));
    made.commit("commit " + std::to_string(i));
  }
  const auto before = tell(made.path(), "HEAD");
  made.write("b", "1");
  const std::string newest = made.commit("newest");
  std::set<std::string> known;
  for (const auto& commit : before.commits) known.insert(commit.id);
  HistoryOptions options;
  options.is_described = [&](const std::string& id) { return known.count(id) > 0; };
  const auto told = tell(made.path(), "HEAD", options);
  EXPECT_EQ(told.ids(), tell(made.path(), "HEAD").ids()) << "all of them are told, in the same order";
  EXPECT_THAT(told.at(newest).files, SizeIs(1));
  for (const auto& commit : before.commits) {
    EXPECT_EQ(told.at(commit.id).commit_time, commit.commit_time);
    EXPECT_THAT(told.at(commit.id).files, IsEmpty());
    EXPECT_EQ(told.at(commit.id).message, "");
  }
}

TEST(History, StopsAtItsBoundAndWhenTheVisitorHasEnough) {
  const TestRepository made;
  for (int i = 0; i < 4; ++i) made.commit("commit " + std::to_string(i));
  HistoryOptions options;
  options.max_commits = 4;
  EXPECT_FALSE(tell(made.path(), "HEAD", options).summary.more);
  options.max_commits = 2;
  const auto told = tell(made.path(), "HEAD", options);
  EXPECT_THAT(told.commits, SizeIs(2));
  EXPECT_TRUE(told.summary.more);
  const auto opened = GitRepository::open(made.path());
  int seen = 0;
  const auto summary = walk_history(**opened, made.id("HEAD"), {}, [&](Commit&&) { return ++seen < 2; });
  ASSERT_OK(summary);
  EXPECT_EQ(seen, 2);
  EXPECT_TRUE(summary->more);
}

TEST(History, ALongMessageIsCutBetweenCharacters) {
  const TestRepository made;
  std::string message = "subject\n\n";
  while (message.size() < kMaxMessageBytes + 100) message += "\xc3\xa9";
  made.write("a", "1");
  made.git({"add", "a"});
  made.git({"commit", "-q", "-F", "-"}, message);
  const auto told = tell(made.path(), "HEAD");
  EXPECT_LE(told.commits[0].message.size(), kMaxMessageBytes);
  EXPECT_GE(told.commits[0].message.size(), kMaxMessageBytes - 1);
  EXPECT_EQ(told.commits[0].message, message.substr(0, told.commits[0].message.size()));
  EXPECT_EQ(static_cast<unsigned char>(told.commits[0].message.back()), 0xa9);
  EXPECT_EQ(told.commits[0].subject, "subject");
}

TEST(History, TimesBeyondReasonAreOnlyNumbers) {
  const TestRepository made;
  const std::string tree = made.git({"mktree"}, "").substr(0, 40);
  std::string parent;
  for (const char* time : {"0", "99999999999", "4611686018427387904", "1", "9223372036854775807"}) {
    const std::string commit = "tree " + tree + "\n" + (parent.empty() ? "" : "parent " + parent + "\n") +
                               "author A <a@b> " + time + " +0000\ncommitter A <a@b> " + time +
                               " +0000\n\nm\n";
    parent = made.git({"hash-object", "-t", "commit", "--literally", "-w", "--stdin"}, commit).substr(0, 40);
  }
  EXPECT_THAT(tell(made.path(), parent).commits, SizeIs(5));
}

// A history of branches and merges with additions, edits, deletions and moves.
std::string random_history(unsigned seed, int commits) {
  std::mt19937 random(seed);
  const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  std::string stream;
  std::vector<int> heads;
  std::vector<std::set<std::string>> files(static_cast<size_t>(commits) + 1);
  for (int mark = 1; mark <= commits; ++mark) {
    std::vector<int> parents;
    if (!heads.empty()) parents.push_back(heads[static_cast<size_t>(pick(static_cast<int>(heads.size())))]);
    if (heads.size() > 1 && pick(4) == 0) {
      const int other = heads[static_cast<size_t>(pick(static_cast<int>(heads.size())))];
      if (other != parents[0]) parents.push_back(other);
    }
    if (pick(3) != 0)
      std::erase_if(
          heads, [&](int head) { return std::find(parents.begin(), parents.end(), head) != parents.end(); });
    heads.push_back(mark);
    stream += "commit refs/heads/main\nmark :" + std::to_string(mark) + "\ncommitter A <a@b> " +
              std::to_string(1'600'000'000 + mark * 60) + " +0000\ndata 1\nm\n";
    for (size_t i = 0; i < parents.size(); ++i)
      stream += (i == 0 ? "from :" : "merge :") + std::to_string(parents[i]) + "\n";
    auto& mine = files[static_cast<size_t>(mark)];
    if (!parents.empty()) mine = files[static_cast<size_t>(parents[0])];
    for (int edits = pick(5); edits >= 0; --edits) {
      const std::string path = std::string("d") + std::to_string(pick(4)) + (pick(2) == 0 ? "/e" : "/") +
                               std::to_string(pick(3)) + "/f" + std::to_string(pick(12));
      if (pick(5) == 0 && mine.count(path) > 0) {
        stream += "D " + path + "\n";
        mine.erase(path);
      } else {
        const std::string body = "body " + std::to_string(pick(1000)) + "\n";
        stream += "M 100644 inline " + path + "\ndata " + std::to_string(body.size()) + "\n" + body;
        mine.insert(path);
      }
    }
  }
  return stream;
}

TEST(History, AgreesWithGitOnRandomHistories) {
  int merges = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const TestRepository made;
    made.git({"fast-import", "--quiet", "--force"}, random_history(seed, 150));
    HistoryOptions options;
    options.follow_renames = false;
    const auto told = tell(made.path(), "main", options);

    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> expected;
    const auto pieces = split_nul(made.git(
        {"log", "-z", "--format=%H", "--name-status", "--no-renames", "--diff-merges=first-parent", "main"}));
    for (size_t i = 0; i < pieces.size(); ++i) {
      std::string piece = pieces[i];
      if (piece.starts_with('\n')) piece.erase(0, 1);
      if (piece.size() == 40) {
        order.push_back(piece);
      } else if (piece.size() == 1) {
        expected[order.back()].push_back(piece + " " + pieces[++i]);
      }
    }
    EXPECT_EQ(told.ids(), order);
    for (const auto& commit : told.commits) {
      EXPECT_EQ(changes(commit), expected[commit.id]) << commit.id;
      if (!commit.is_merge) continue;
      ++merges;
      std::string listed = made.git({"rev-list", commit.id + "^1.." + commit.id});
      std::string found = commit.id + "\n";
      for (const auto& id : commit.side_commits) found += id + "\n";
      EXPECT_EQ(found, listed);
    }
  }
  EXPECT_GT(merges, 30);
}

TEST(History, FindsWhatAMessageRefersTo) {
  using Reference = MessageReference;
  const auto number = [](const char* value) { return Reference{Reference::kNumber, value}; };
  const auto commit = [](const char* value) { return Reference{Reference::kCommit, value}; };
  EXPECT_THAT(
      scan_references("Fix #123, GH-45 and gh-6; see https://example.org/o/r/pull/789#discussion, "
                      "/issues/10 and #123 again (#007)"),
      ElementsAre(number("123"), number("45"), number("6"), number("789"), number("10"), number("7")));
  EXPECT_THAT(scan_references("reverts 1f2e3d4 and 1F2E3D4C5B6A79881F2E3D4C5B6A79881F2E3D4C."),
              ElementsAre(commit("1f2e3d4"), commit("1f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c")));
  EXPECT_THAT(scan_references("owner/name#77, (#8), [#9]"),
              ElementsAre(number("77"), number("8"), number("9")));
  EXPECT_THAT(
      scan_references("&#8217; ##12 C#7 (F#4) #x1 #12ab 1234567 deadbeef abcdef1x _1f2e3d4 highgh-12 #0 "
                      "#12345678901234 C# 5 a1b2c3"),
      IsEmpty());
  EXPECT_THAT(scan_references(""), IsEmpty());
  EXPECT_THAT(scan_references("#"), IsEmpty());
  std::string many;
  for (int i = 1; i <= 50; ++i) many += "#" + std::to_string(i) + " ";
  EXPECT_THAT(scan_references(many, 10), SizeIs(10));
}

}  // namespace
}  // namespace knapsack
