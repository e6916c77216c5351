#include <sys/stat.h>
#include <unistd.h>

#include <limits>

#include "core/escape.h"
#include "core/files/disk_support.h"
#include "core/files/memory_file_system.h"
#include "core/ids.h"
#include "core/log.h"
#include "core/nearest.h"
#include "packet/budget.h"
#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::HasSubstr;

TEST(Budget, TakesWholeNumbersInItsRange) {
  EXPECT_EQ(*parse_budget("0", "--budget"), 0U);
  EXPECT_EQ(*parse_budget("1000000000", "--budget"), kMaxBudget);
  for (const char* text : {"", "-1", "1.5", "1e3", "8k", " 8", "1000000001", "99999999999999999999999"}) {
    const auto budget = parse_budget(text, "--budget");
    ASSERT_FALSE(budget.ok()) << text;
    EXPECT_EQ(exit_code(budget.error().code), 2);
    EXPECT_THAT(budget.error().line(), HasSubstr("give a whole number of tokens"));
  }
}

TEST(Escape, MakesOneHarmlessLine) {
  EXPECT_EQ(escape_control("a\nb\t\x1b[31m\x7f"), "a\\nb\\t\\x1b[31m\\x7f");
  EXPECT_EQ(escape_control("é 検索 \U0001F392 \xc2\xa0"), "é 検索 \U0001F392 \xc2\xa0") << "text stays";
  EXPECT_EQ(escape_control("\xc2\x9b"
                           "31m"),
            "\\xc2\\x9b31m")
      << "a control sequence in one character";
  EXPECT_EQ(escape_control("\x9b\xff \xc3"), "\\x9b\\xff \\xc3") << "no UTF-8";
  EXPECT_EQ(escape_control("\xe0\x80\x80\xed\xa0\x80\xf4\x90\x80\x80"),
            "\\xe0\\x80\\x80\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(escape_control("a\u202eb\u2066c\u2028d\u200fe\u061cf"),
            "a\\u202eb\\u2066c\\u2028d\\u200fe\\u061cf")
      << "what turns the direction of writing or breaks a line";
  EXPECT_EQ(escape_control("\u2013 \u20ac \u2065"), "\u2013 \u20ac \u2065") << "their neighbours stay";
}

TEST(Ids, HashPartsApart) {
  EXPECT_NE(hash_parts({"ab", "c"}), hash_parts({"a", "bc"}));
  EXPECT_EQ(content_hash("").size(), 32U);
}

TEST(Ids, MakeSlugs) {
  EXPECT_EQ(slug("Use SQLite, for state!"), "use-sqlite-for-state");
  EXPECT_EQ(slug("--a--"), "a");
  EXPECT_EQ(slug("решение").size(), 12U) << "a hash where there is no ASCII letter";
  EXPECT_EQ(slug(std::string(100, 'x')).size(), 48U);
}

TEST(NearestName, FindsTheOneThatWasMeant) {
  EXPECT_EQ(nearest_name("notes.bugdet", {"notes.tokenizer", "notes.budget"}), "notes.budget");
  EXPECT_EQ(nearest_name("x", {}), "");
}

TEST(Paths, JoinAndSplit) {
  EXPECT_EQ(join_path("a", "b"), "a/b");
  EXPECT_EQ(join_path("a/", "b"), "a/b");
  EXPECT_EQ(join_path("a", "/b"), "/b");
  EXPECT_EQ(parent_path("/a/b/"), "/a");
  EXPECT_EQ(parent_path("/a"), "/");
  EXPECT_EQ(parent_path("a"), ".");
}

// Both forms of the seam, one contract.
class FileSystemContract : public ::testing::TestWithParam<bool> {
 protected:
  FileSystemContract()
      : files_(GetParam() ? make_disk_file_system() : std::make_unique<MemoryFileSystem>()),
        root_(GetParam() ? folder_.path() : "/root") {
    if (!GetParam()) static_cast<MemoryFileSystem&>(*files_).put_kind(root_, FileKind::kDirectory);
  }
  std::string at(const std::string& name) const { return root_ + "/" + name; }

  testing::TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_;
  std::string root_;
};

TEST_P(FileSystemContract, WritesReadsListsRenamesAndRemoves) {
  ASSERT_OK(files_->make_directory(at("d")));
  ASSERT_OK(files_->make_directory(at("d")));  // again is no error
  ASSERT_OK(files_->replace(at("d/b"), "one"));
  ASSERT_OK(files_->replace(at("d/b"), "two"));
  ASSERT_OK(files_->replace(at("d/a"), ""));
  EXPECT_EQ(*files_->read(at("d/b"), 3), "two");
  EXPECT_EQ(files_->read(at("d/b"), 2).error().code, ErrorCode::kLimit);
  EXPECT_EQ(files_->info(at("d/b"))->size, 3U);
  const auto entries = files_->list(at("d"));
  ASSERT_OK(entries);
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].name, "a");
  ASSERT_OK(files_->rename(at("d/b"), at("d/c")));
  EXPECT_EQ(*files_->read(at("d/c"), 100), "two");
  ASSERT_OK(files_->remove(at("d/c")));
  EXPECT_EQ(files_->info(at("d/c")).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(files_->read(at("d"), 100).error().code, ErrorCode::kIo) << "a folder is no file";
  EXPECT_EQ(files_->list(at("nothing")).error().code, ErrorCode::kNotFound);
}

TEST_P(FileSystemContract, TakesNoLinkAndNoFileForAFolderThatItMade) {
  ASSERT_OK(files_->make_directory(at("real")));
  ASSERT_OK(files_->replace(at("file"), ""));
  if (GetParam()) {
    ASSERT_EQ(::symlink(at("real").c_str(), at("link").c_str()), 0);
  } else {
    static_cast<MemoryFileSystem&>(*files_).put_link(at("link"), at("real"));
  }
  for (const char* name : {"file", "link"}) {
    const Status refused = files_->make_directory(at(name));
    ASSERT_FALSE(refused.ok()) << name;
    EXPECT_THAT(refused.error().line(), ::testing::HasSubstr(at(name) + " is a")) << name;
    EXPECT_FALSE(refused.error().next.empty()) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, FileSystemContract, ::testing::Values(true, false),
                         [](const auto& form) { return form.param ? "Disk" : "Memory"; });

TEST(DiskFileSystem, KeepsWhoMayReadAFileThatANewOneReplaces) {
  const testing::TemporaryFolder folder;
  const auto files = make_disk_file_system();
  folder.write("shared", "old");
  ASSERT_EQ(::chmod(folder.file("shared").c_str(), 0640), 0);
  for (const auto& [name, mode] : {std::pair("shared", 0640U), {"own", 0600U}}) {
    const auto made = files->create(folder.path());
    ASSERT_OK(made);
    ASSERT_OK((*made)->append("new"));
    ASSERT_OK((*made)->commit(folder.file(name)));
    struct stat status {};
    ASSERT_EQ(::lstat(folder.file(name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, mode) << name;
    EXPECT_EQ(folder.read(name), "new");
  }
}

TEST(DiskFileSystem, CountsTheTimeOfAFileThatIsFartherAwayThanNanosecondsReach) {
  constexpr int64_t kYear2200 = 7'258'118'400;
  struct stat status {};
  for (const int64_t seconds : {kYear2200, int64_t{10'000'000'000}, std::numeric_limits<int64_t>::max()}) {
    status.st_mtim.tv_sec = seconds;
    status.st_mtim.tv_nsec = 999'999'999;
    EXPECT_GE(file_info(status).mtime_nanos, kYear2200 * 1'000'000'000) << seconds;
    status.st_mtim.tv_sec = -seconds;
    EXPECT_LT(file_info(status).mtime_nanos, 0) << seconds;
  }
}

TEST(NewFiles, AreToldFromThoseOfTheUser) {
  for (const char* ours : {".new.AbCdEf", ".new.x7Yq2z"}) EXPECT_TRUE(is_new_file_name(ours)) << ours;
  for (const char* theirs :
       {"new.AbCdEf", "new.api.md", ".new.api.md", ".new.AbCdE", ".new.AbCdEfg", ".new.a_b-cd", ".new."})
    EXPECT_FALSE(is_new_file_name(theirs)) << theirs;
  const testing::TemporaryFolder folder;
  const auto files = make_disk_file_system();
  const auto made = files->create(folder.path());
  ASSERT_OK(made);
  EXPECT_TRUE(is_new_file_name(files->list(folder.path())->at(0).name));
}

TEST(MemoryFileSystem, FailsAtTheNthCallAndWorksAgain) {
  MemoryFileSystem files;
  files.put("/a", "x");
  files.fail_at(2, {ErrorCode::kIo, "gone", ""});
  EXPECT_OK(files.info("/a"));
  EXPECT_EQ(files.info("/a").error().what, "gone");
  EXPECT_OK(files.info("/a"));
}

TEST(Log, WritesFromItsLevelOn) {
  std::vector<std::string> lines;
  const auto keep = [&](LogLevel level, std::string_view line) {
    lines.push_back(std::string(to_string(level)) + " " + std::string(line));
  };
  for (const char* name : {"debug", "info", "warning", "error", "off"}) {
    lines.clear();
    const Log log(*parse_log_level(name), keep);
    for (const LogLevel level :
         {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarning, LogLevel::kError, LogLevel::kOff}) {
      log.write(level, "line");
      EXPECT_EQ(log.wants(level), !lines.empty() && lines.back() == std::string(to_string(level)) + " line");
    }
    EXPECT_EQ(lines.size(), 4U - static_cast<size_t>(*parse_log_level(name))) << name;
  }
  Log().write(LogLevel::kError, "nobody listens");
  EXPECT_EQ(parse_log_level("loud").error().code, ErrorCode::kUsage);
}

TEST(Ids, HashPiecesAsTheWholeTheyMake) {
  const std::string bytes(100'000, 'x');
  ContentHasher hasher;
  EXPECT_EQ(hasher.hash(), content_hash(""));
  for (size_t at = 0; at < bytes.size(); at += 777) hasher.add(std::string_view(bytes).substr(at, 777));
  EXPECT_EQ(hasher.hash(), content_hash(bytes));
  hasher.add("y");
  EXPECT_EQ(hasher.hash(), content_hash(bytes + "y"));
}

}  // namespace
}  // namespace knapsack
