#include "notes/folder.h"

#include <fmt/format.h>

#include "core/files/memory_file_system.h"
#include "support/counting_files.h"
#include "support/support.h"

namespace knapsack::notes {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const FolderRequest kRequest{"/w/.context", ".context", {}};

// The disk, with one file or folder that the system keeps from us; root may read whatever its mode says.
class OneUnreadable final : public testing::CountingFiles {
 public:
  explicit OneUnreadable(std::string path) : path_(std::move(path)) {}

  Result<std::string> read(const std::string& path, uint64_t max_bytes) const override {
    return path == path_ ? Result<std::string>(refusal("read")) : CountingFiles::read(path, max_bytes);
  }
  Result<std::vector<DirectoryEntry>> list(const std::string& path) const override {
    return path == path_ ? Result<std::vector<DirectoryEntry>>(refusal("list")) : CountingFiles::list(path);
  }

 private:
  Error refusal(std::string_view action) const {
    return {ErrorCode::kIo, fmt::format("cannot {} {}: Permission denied", action, path_),
            "check its permissions"};
  }

  std::string path_;
};

TEST(NotesFolder, ListsFilesWithContentInReadingOrder) {
  MemoryFileSystem files;
  files.put("/w/.context/GLOSSARY.md", "# Glossary\n\n- packet: the result\n");
  files.put("/w/.context/TASKS.md", "# Tasks\n\n<!-- none -->\n");
  files.put("/w/.context/LEARNINGS.md", "## [2026-01-01] L\n");
  files.put("/w/.context/CONSTITUTION.md", "- [ ] rule\n");
  files.put("/w/.context/OTHER.md", "text");
  const auto folder = read_folder(files, kRequest);
  ASSERT_OK(folder);
  EXPECT_THAT(folder->read_order,
              ElementsAre(".context/CONSTITUTION.md", ".context/LEARNINGS.md", ".context/GLOSSARY.md"))
      << "a title with a date is content, an empty list is none";
  FolderRequest reordered = kRequest;
  reordered.priority_order = {"GLOSSARY.md", "NOT_THERE.md", "OTHER.md"};
  EXPECT_THAT(read_folder(files, reordered)->read_order,
              ElementsAre(".context/GLOSSARY.md", ".context/OTHER.md", ".context/CONSTITUTION.md",
                          ".context/LEARNINGS.md"));
}

TEST(NotesFolder, ReadsThemeFoldersAsMoreOfTheSame) {
  MemoryFileSystem files;
  files.put("/w/.context/DECISIONS.md",
            "## [2026-01-01] Root\n\nx\n\n## Themes\n\n- storage → [storage](decisions/storage.md)\n");
  files.put("/w/.context/decisions/storage.md", "# storage\n\n## [2026-01-02] Themed\n\ny\n");
  files.put("/w/.context/learnings/a.md", "# a\n\nOnly prose.\n");
  files.put("/w/.context/conventions/style.md", "# style\n\n- use tabs\n");
  files.put("/w/.context/CONVENTIONS.md",
            "## Themes\n\n- style → [style](conventions/style.md)\n\n## Own\n\n- be kind\n");
  files.put("/w/.context/decisions/notes.txt", "## [2026-01-03] not Markdown\n");
  const auto folder = read_folder(files, kRequest);
  ASSERT_OK(folder);
  ASSERT_EQ(folder->decisions.size(), 2U);
  EXPECT_EQ(folder->decisions[1].entry.title, "Themed");
  EXPECT_EQ(folder->decisions[1].file, "decisions/storage.md");
  ASSERT_EQ(folder->learnings.size(), 1U);
  ASSERT_EQ(folder->conventions.size(), 2U);
  EXPECT_EQ(folder->conventions[0].text, "be kind");
  EXPECT_EQ(folder->conventions[1].text, "use tabs");
}

TEST(NotesFolder, ReadsTheTagsOfTasks) {
  MemoryFileSystem files;
  files.put("/w/.context/TASKS.md",
            "- [ ] Fix it #priority:high #in-progress #added:2026-02-16-111948 C# code\n- [ ] Second\n- [x] "
            "done\n");
  const auto folder = read_folder(files, kRequest);
  ASSERT_OK(folder);
  ASSERT_EQ(folder->tasks.size(), 2U);
  EXPECT_EQ(folder->tasks[0].title, "Fix it C# code");
  EXPECT_THAT(folder->tasks[0].text, HasSubstr("#priority:high"));
  EXPECT_TRUE(folder->tasks[0].in_progress);
  EXPECT_EQ(folder->tasks[0].stamp, "2026-02-16-111948");
  EXPECT_FALSE(folder->tasks[1].in_progress);
}

TEST(NotesFolder, FallsBackToPlainBulletsForAConstitutionWithoutBoxes) {
  MemoryFileSystem files;
  files.put("/w/.context/CONSTITUTION.md", "- never push to main\n- ask first\n");
  EXPECT_THAT(read_folder(files, kRequest)->constitution, ElementsAre("never push to main", "ask first"));
}

TEST(NotesFolder, SaysHowToCreateAMissingFolder) {
  MemoryFileSystem files;
  const auto folder = read_folder(files, kRequest);
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(folder.error().line(), HasSubstr("mkdir .context"));
}

TEST(NotesFolder, PassesOverWhatIsNotAFileAndLinksThatLeadOutAndReadsTheRest) {
  const auto warning_for = [](auto&& plant) {
    MemoryFileSystem files;
    files.put("/w/.context/CONSTITUTION.md", "- [ ] rule\n");
    files.put("/etc/passwd", "- [ ] root\n");
    plant(files);
    const auto folder = read_folder(files, kRequest);
    if (!folder.ok()) return folder.error().line();
    EXPECT_THAT(folder->constitution, ElementsAre("rule"));
    EXPECT_TRUE(folder->tasks.empty());
    EXPECT_EQ(folder->warnings.size(), 1U);
    return folder->warnings.empty() ? std::string() : folder->warnings.front();
  };
  EXPECT_THAT(warning_for([](auto& files) { files.put_kind("/w/.context/TASKS.md", FileKind::kOther); }),
              HasSubstr(".context/TASKS.md is a FIFO"));
  EXPECT_THAT(warning_for([](auto& files) { files.put_link("/w/.context/TASKS.md", "/etc/passwd"); }),
              HasSubstr("leads out of the notes folder"));
  EXPECT_THAT(warning_for([](auto& files) { files.put_link("/w/.context/decisions", "/etc"); }),
              HasSubstr("leads out of the notes folder"));
  EXPECT_THAT(warning_for([](auto& files) { files.put_kind("/w/.context/TASKS.md", FileKind::kDirectory); }),
              HasSubstr("not a regular file"));
}

TEST(NotesFolder, PassesOverALinkThatStaysInsideAndSaysSo) {
  MemoryFileSystem files;
  files.put("/w/.context/CONSTITUTION.md", "- [ ] rule\n");
  files.put_link("/w/.context/TASKS.md", "/w/.context/CONSTITUTION.md");
  const auto folder = read_folder(files, kRequest);
  ASSERT_OK(folder);
  EXPECT_TRUE(folder->tasks.empty());
  EXPECT_THAT(folder->warnings, ElementsAre(HasSubstr("TASKS.md is a symbolic link and was not followed")));
}

TEST(NotesFolder, NamesWhatCannotBeReadAndReadsTheRest) {
  for (const char* unread : {"LEARNINGS.md", "decisions"}) {
    const testing::TemporaryFolder folder;
    folder.write(".context/CONSTITUTION.md", "- [ ] rule\n");
    folder.write(".context/LEARNINGS.md", "## [2026-11-01] Ports\n\nThey differ.\n");
    folder.write(".context/decisions/storage.md", "## [2026-11-02] One file\n\nIt is enough.\n");
    const OneUnreadable files(folder.file(std::string(".context/") + unread));
    const auto read = read_folder(files, {folder.file(".context"), ".context", {}});
    ASSERT_OK(read);
    EXPECT_THAT(read->constitution, ElementsAre("rule"));
    EXPECT_EQ(read->learnings.size() + read->decisions.size(), 1U);
    EXPECT_THAT(read->warnings, ElementsAre(fmt::format(".context/{} was not read: Permission denied; "
                                                        "check its permissions",
                                                        unread)));
  }
}

TEST(NotesFolder, ReportsEveryFailedCallAndNeverHalfAFolderInSilence) {
  MemoryFileSystem files;
  for (const char* name : {"CONSTITUTION.md", "TASKS.md", "decisions/a.md"}) {
    files.put(std::string("/w/.context/") + name, "- [ ] rule\n");
  }
  ASSERT_OK(read_folder(files, kRequest));
  files.fail_at(1'000, {});
  ASSERT_OK(read_folder(files, kRequest));
  const uint64_t calls = files.calls();
  ASSERT_GT(calls, 4U);
  for (uint64_t nth = 1; nth <= calls; ++nth) {
    files.fail_at(nth, {ErrorCode::kIo, "the disk is on fire", ""});
    const auto folder = read_folder(files, kRequest);
    const std::string said =
        folder.ok() ? fmt::format("{}", fmt::join(folder->warnings, "\n")) : folder.error().what;
    EXPECT_THAT(said, HasSubstr("the disk is on fire")) << nth;
  }
}

TEST(NotesFolder, CleansControlCharactersAndInvalidBytes) {
  MemoryFileSystem files;
  files.put("/w/.context/TASKS.md", "\xEF\xBB\xBF- [ ] a\x1b[31m\xff b\r\n");
  EXPECT_EQ(read_folder(files, kRequest)->tasks[0].text, "a\uFFFD[31m\uFFFD b");
}

TEST(NotesFolder, ShortensAtAWord) {
  EXPECT_EQ(shorten("one two three", 20), "one two three");
  EXPECT_EQ(shorten("one two three", 9), "one two …");
  EXPECT_EQ(shorten("одно два три", 9), "одно два …");
  EXPECT_EQ(shorten("first line\nsecond", 40), "first line …");
}

}  // namespace
}  // namespace knapsack::notes
