#include "search/segments/segment_set.h"

#include <unistd.h>

#include <algorithm>

#include "search/support_corpus.h"

namespace knapsack::search {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names(const FileSystem& files, const std::string& folder) {
  std::vector<std::string> all;
  const auto entries = files.list(folder);
  EXPECT_OK(entries);
  for (const auto& entry : *entries) all.push_back(entry.name);
  return all;
}

TEST(SegmentSet, NamesFilesByTheirContent) {
  MemoryFileSystem files;
  const std::string name = build(files, {{"a", {{{0, "x"}}}}});
  EXPECT_TRUE(is_segment_name(name));
  EXPECT_THAT(names(files, kFolder), ElementsAre(name + ".segment"));
  for (const char* wrong : {"", "abc", "../../etc/passwd", "ABCDEFABCDEFABCDEFABCDEFABCDEFAB"}) {
    EXPECT_FALSE(is_segment_name(wrong)) << wrong;
    EXPECT_FALSE(open_segment(files, kFolder, wrong).ok()) << wrong;
  }
}

TEST(SegmentSet, TellsBrokenSegmentsFromWholeOnes) {
  MemoryFileSystem files;
  const std::string whole = build(files, {{"a", {{{0, "x"}}}}}), damaged = build(files, {{"b", {}}});
  const std::string renamed = build(files, {{"c", {}}}), missing(32, '0');
  files.put(join_path(kFolder, damaged + ".segment"), "not a segment");
  files.put(join_path(kFolder, renamed + ".segment"),
            *files.read(join_path(kFolder, whole + ".segment"), 1 << 20));
  const OpenedSegments opened = open_segments(files, kFolder, {damaged, whole, missing, renamed});
  ASSERT_EQ(opened.segments.size(), 1u);
  EXPECT_EQ(opened.segments[0]->name(), whole);
  ASSERT_EQ(opened.broken.size(), 3u);
  EXPECT_EQ(opened.broken[0].name, damaged);
  EXPECT_EQ(opened.broken[0].error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(opened.broken[1].name, missing);
  EXPECT_EQ(opened.broken[1].error.code, ErrorCode::kNotFound);
  EXPECT_EQ(opened.broken[2].name, renamed);
  EXPECT_EQ(opened.broken[2].error.code, ErrorCode::kCorrupt);
}

TEST(SegmentSet, SweepsWhatNobodyNamesAndNothingElse) {
  MemoryFileSystem files;
  const std::string kept = build(files, {{"a", {}}}), unnamed = build(files, {{"b", {}}});
  files.put(join_path(kFolder, ".new.x7Yq2z"), "left by a crash");
  files.put(join_path(kFolder, "new.txt"), "not ours");
  files.put(join_path(kFolder, "new.thesis.doc"), "not ours");
  files.put(join_path(kFolder, "notes.txt"), "not ours");
  files.put(join_path(kFolder, "other.segment"), "not ours either");
  files.put_kind(join_path(kFolder, std::string(32, 'a') + ".segment"), FileKind::kDirectory);
  const auto reader = open_segment(files, kFolder, unnamed);
  const auto removed = sweep_segments(files, kFolder, {kept});
  ASSERT_OK(removed);
  EXPECT_EQ(*removed, 2u);
  std::vector<std::string> expected = {kept + ".segment", "new.txt",       "new.thesis.doc",
                                       "notes.txt",       "other.segment", std::string(32, 'a') + ".segment"};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(names(files, kFolder), expected);
  EXPECT_OK((*reader)->verify());  // a reader keeps what it opened
}

TEST(SegmentSet, SweepsNothingBehindALink) {
  testing::TemporaryFolder elsewhere, folder;
  const std::string theirs = std::string(32, 'a') + ".segment";
  elsewhere.write(theirs, "of another workspace");
  ASSERT_EQ(::symlink(elsewhere.path().c_str(), folder.file("segments").c_str()), 0);
  const auto disk = make_disk_file_system();
  const auto refused = sweep_segments(*disk, folder.file("segments"), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().line(), ::testing::HasSubstr("is a symbolic link"));
  EXPECT_TRUE(elsewhere.exists(theirs));
}

TEST(SegmentSet, WorksOnTheDiskAsInMemory) {
  testing::TemporaryFolder folder;
  const auto disk = make_disk_file_system();
  std::mt19937 random(41);
  const Corpus corpus = random_corpus(random, 3000, 5000);  // more than one flush of the writer
  MemoryFileSystem memory;
  const std::string expected = build(memory, corpus);
  SegmentBuilder builder;
  for (const auto& document : corpus) {
    builder.begin_document(document.key);
    for (const auto& unit : document.units) {
      builder.begin_unit();
      for (const auto& token : unit) builder.add(token.field, token.term);
    }
  }
  const auto name = builder.write(*disk, folder.path());
  ASSERT_OK(name);
  EXPECT_EQ(*name, expected);
  EXPECT_THAT(names(*disk, folder.path()), ElementsAre(expected + ".segment"));
  const auto segment = open_segment(*disk, folder.path(), *name);
  ASSERT_OK(segment);
  EXPECT_OK((*segment)->verify());
  EXPECT_EQ(folder.read(expected + ".segment"),
            *memory.read(join_path(kFolder, expected + ".segment"), 1 << 30));
  ASSERT_OK(sweep_segments(*disk, folder.path(), {}));
  EXPECT_THAT(names(*disk, folder.path()), IsEmpty());
  EXPECT_OK((*segment)->verify());
}

TEST(SegmentSet, LeavesNothingBehindWhenWritingFails) {
  MemoryFileSystem files;
  ASSERT_OK(files.make_directory(kFolder));
  SegmentBuilder builder;
  builder.begin_document("a");
  files.fail_at(1, {ErrorCode::kIo, "disk full", "free some disk space"});
  const auto failed = builder.write(files, kFolder);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().what, "disk full");
  EXPECT_THAT(names(files, kFolder), IsEmpty());
  // The documents are still there to be written once there is room.
  const auto written = builder.write(files, kFolder);
  ASSERT_OK(written);
  EXPECT_EQ((*open_segment(files, kFolder, *written))->documents(), 1u);
}

}  // namespace
}  // namespace knapsack::search
