#include "memory/tree/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "core/files/memory_file_system.h"
#include "memory/tree/catalogue_reader.h"
#include "search/query/query.h"
#include "support/support.h"

namespace knapsack::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

CatalogueRequest in_memory() {
  return {"/memory", "/state", false, false};
}

std::vector<std::string> ids(const Catalogue& catalogue) {
  std::vector<std::string> all;
  for (const Memory& memory : catalogue.memories()) all.push_back(memory.id);
  return all;
}

// The paths of the memories that hold a word of the query.
std::vector<std::string> found(const Catalogue& catalogue, const std::string& word) {
  std::vector<std::string> paths;
  const auto& index = catalogue.index();
  for (uint32_t part = 0; part < index.parts(); ++part) {
    auto lists = index.postings(part, word, search::kAllFields);
    EXPECT_TRUE(lists.ok());
    for (auto& list : *lists) {
      search::PostingBlock block;
      while (!list.reader.done()) {
        EXPECT_TRUE(list.reader.decode(block));
        search::PostingBlock live = block;
        if (!index.all_live(part)) index.keep_live(part, live);
        for (size_t i = 0; i < live.size; ++i) {
          paths.emplace_back(*index.key({part, index.segment(part).document_of(live.units[i])}));
        }
        list.reader.advance(block);
      }
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string memory_text(int number, const std::string& text) {
  return fmt::format("---\nid: m{0:04}\ncreated: 2026-11-15T{1:02}:00:00Z\n---\n{2}\n", number, number % 24,
                     text);
}

// A tree on disk and its state folder.
class CatalogueOnDisk : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_.file("state")); }

  void put(int number, const std::string& text) {
    folder_.write(fmt::format("memory/facts/2026-11-15/m{:04}.md", number), memory_text(number, text));
  }
  void put_many(int count) {
    for (int i = 0; i < count; ++i) put(i, "memory number" + std::to_string(i));
  }
  // Older than any doubt about its time.
  void age_all() {
    const auto then = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.file("memory"))) {
      if (entry.is_regular_file()) std::filesystem::last_write_time(entry, then);
    }
  }
  CatalogueRequest request() const { return {folder_.file("memory"), folder_.file("state"), false, true}; }
  Catalogue open() { return open(request()); }
  Catalogue open(const CatalogueRequest& wanted) {
    auto catalogue = Catalogue::open(*files_, wanted);
    EXPECT_TRUE(catalogue.ok()) << (catalogue.ok() ? "" : catalogue.error().line());
    return std::move(*catalogue);
  }
  std::vector<std::string> derived_files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.file("state"))) {
      if (entry.is_regular_file() && entry.path().filename() != "lock") names.push_back(entry.path());
    }
    return names;
  }

  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_ = make_disk_file_system();
};

TEST(Catalogue, OfNoTreeIsEmpty) {
  MemoryFileSystem files;
  const auto catalogue = Catalogue::open(files, in_memory());
  ASSERT_OK(catalogue);
  EXPECT_THAT(catalogue->memories(), IsEmpty());
  EXPECT_EQ(catalogue->index().documents(), 0U);
}

TEST(Catalogue, HoldsEveryMemoryInTheOrderOfTime) {
  MemoryFileSystem files;
  files.put("/memory/facts/2026-11-15/b.md", "---\nid: b\ncreated: 2026-11-15T09:00:00Z\n---\nSecond.\n");
  files.put("/memory/facts/2026-11-15/a.md", "---\nid: a\ncreated: 2026-11-15T10:00:00Z\n---\nThird.\n");
  files.put("/memory/facts/2026-11-14/c.md", "---\nid: c\n---\nFirst.\n");
  files.put("/memory/namespaces/shared/facts/2026-11-14/d.md", "Everybody's.\n");
  files.put("/memory/namespaces/Odd Name/facts/e.md", "No namespace.\n");
  files.put("/memory/profile.md", "# Profile\n");
  files.put("/memory/state/x.md", "No memory.\n");
  files.put("/memory/facts/2026-11-14/c.md.swp", "No memory.\n");
  const auto catalogue = Catalogue::open(files, in_memory());
  ASSERT_OK(catalogue);
  EXPECT_THAT(ids(*catalogue), ElementsAre("c", "b", "a", "d"));
  EXPECT_EQ(catalogue->memories()[3].name_space, "shared");
  EXPECT_EQ(catalogue->memories()[1].text, "Second.");
  EXPECT_EQ(catalogue->memories()[1].session, "2026-11-15");
  EXPECT_EQ(catalogue->index().documents(), 4U);
  EXPECT_THAT(catalogue->warnings(), ElementsAre(HasSubstr("namespaces/Odd Name is passed over")));
  ASSERT_NE(catalogue->find("facts/2026-11-15/b.md"), nullptr);
  EXPECT_EQ(catalogue->find("facts/2026-11-15/b.md")->id, "b");
  EXPECT_EQ(catalogue->find("facts/2026-11-15/x.md"), nullptr);
  EXPECT_EQ(catalogue->with_id("d").size(), 1U);
}

TEST_F(CatalogueOnDisk, IsTheSameWhenNothingIsReadAgain) {
  put_many(300);
  age_all();
  const Catalogue cold = open();
  EXPECT_EQ(cold.work().read, 300U);
  EXPECT_TRUE(cold.work().saved);
  const Catalogue warm = open();
  EXPECT_EQ(warm.work().read, 0U);
  EXPECT_FALSE(warm.work().saved);
  EXPECT_EQ(ids(warm), ids(cold));
  EXPECT_EQ(found(warm, "number7"), found(cold, "number7"));
  EXPECT_THAT(found(warm, "number7"), ElementsAre("facts/2026-11-15/m0007.md"));
}

TEST_F(CatalogueOnDisk, SeesAnEditAtTheNextOpening) {
  put_many(100);
  age_all();
  open();
  put(7, "about giraffes");
  const Catalogue edited = open();
  EXPECT_EQ(edited.work().read, 1U);
  EXPECT_EQ(edited.find("facts/2026-11-15/m0007.md")->text, "about giraffes");
  EXPECT_THAT(found(edited, "giraff"), ElementsAre("facts/2026-11-15/m0007.md"));
  EXPECT_THAT(found(edited, "number7"), IsEmpty());
  EXPECT_EQ(edited.index().documents(), 100U);
}

TEST_F(CatalogueOnDisk, SeesAnEditOfTheSameSizeWithinOneTickOfTheClock) {
  put_many(10);
  for (const char* text : {"aaaa", "bbbb", "cccc", "dddd", "eeee"}) {
    put(3, text);
    EXPECT_EQ(open().find("facts/2026-11-15/m0003.md")->text, text);
  }
}

TEST_F(CatalogueOnDisk, SeesNewAndRemovedFiles) {
  put_many(100);
  age_all();
  open();
  put(200, "about giraffes");
  std::filesystem::remove(folder_.file("memory/facts/2026-11-15/m0050.md"));
  const Catalogue changed = open();
  EXPECT_EQ(changed.memories().size(), 100U);
  EXPECT_EQ(changed.work().removed, 1U);
  EXPECT_THAT(found(changed, "giraff"), ElementsAre("facts/2026-11-15/m0200.md"));
  EXPECT_THAT(found(changed, "number50"), IsEmpty());
}

TEST_F(CatalogueOnDisk, KeepsManyChangesAndReadsFewOnesAgain) {
  put_many(200);
  age_all();
  open();
  put(1, "changed");
  age_all();
  EXPECT_FALSE(open().work().saved);
  for (int i = 0; i < 100; ++i) put(i, "giraffe");
  age_all();
  const Catalogue saved = open();
  EXPECT_TRUE(saved.work().saved);
  const Catalogue after = open();
  EXPECT_EQ(after.work().read, 0U);
  EXPECT_EQ(found(after, "giraff").size(), 100U);
  EXPECT_EQ(after.index().documents(), 200U);
}

TEST_F(CatalogueOnDisk, OfManyRoundsOfChangesIsThatOfTheTree) {
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 80; ++i) put(round * 40 + i, fmt::format("round{} text{}", round, i));
    open();
  }
  const Catalogue last = open();
  std::filesystem::remove_all(folder_.file("state"));
  std::filesystem::create_directory(folder_.file("state"));
  const Catalogue fresh = open();
  EXPECT_TRUE(fresh.work().rebuilt);
  EXPECT_EQ(ids(last), ids(fresh));
  for (const char* word : {"round3", "round11", "text5", "text79"})
    EXPECT_EQ(found(last, word), found(fresh, word));
  EXPECT_EQ(last.index().documents(), fresh.index().documents());
}

TEST_F(CatalogueOnDisk, DamagedAnywhereIsMadeAnew) {
  put_many(100);
  age_all();
  const auto expected = ids(open());
  for (const std::string& path : derived_files()) {
    const std::string bytes = [&] {
      std::ifstream in(path, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(in), {});
    }();
    const auto check = [&](std::string damaged, const std::string& how) {
      std::ofstream(path, std::ios::binary) << damaged;
      const Catalogue catalogue = open();
      EXPECT_EQ(ids(catalogue), expected) << path << how;
      EXPECT_THAT(found(catalogue, "number7"), ElementsAre("facts/2026-11-15/m0007.md")) << path << how;
      std::ofstream(path, std::ios::binary) << bytes;
    };
    for (size_t at = 0; at < bytes.size(); at += std::max<size_t>(1, bytes.size() / 15)) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
      check(damaged, fmt::format(" with byte {} changed", at));
    }
    check(bytes.substr(0, bytes.size() / 2), " cut in half");
    check("", " emptied");
    std::filesystem::remove(path);
    EXPECT_EQ(ids(open()), expected) << path << " removed";
    std::ofstream(path, std::ios::binary) << bytes;
  }
}

TEST_F(CatalogueOnDisk, WritesNothingWhenItMayNot) {
  put_many(100);
  CatalogueRequest reading = request();
  reading.read_only = true;
  EXPECT_EQ(open(reading).memories().size(), 100U);
  EXPECT_THAT(derived_files(), IsEmpty());
}

TEST_F(CatalogueOnDisk, WorksAndSaysSoWhereItCannotKeepItsIndex) {
  put_many(100);
  CatalogueRequest nowhere = request();
  nowhere.state_dir = folder_.file("missing");
  const Catalogue catalogue = open(nowhere);
  EXPECT_THAT(found(catalogue, "number7"), ElementsAre("facts/2026-11-15/m0007.md"));
  EXPECT_THAT(catalogue.warnings(), ElementsAre(HasSubstr("the index of the memories could not be kept")));
}

TEST_F(CatalogueOnDisk, KeepsAndDiscardsNothingBehindALink) {
  put_many(100);
  folder_.write("outside/memories.table", "not ours");
  const std::string name = std::filesystem::path(derived_folder(request())).filename();
  std::filesystem::create_directory_symlink(folder_.file("outside"), folder_.file("state/" + name));
  EXPECT_THAT(open().warnings(), ElementsAre(HasSubstr(name + " is a symbolic link")));
  const auto refused = discard_derived(*files_, request());
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().line(), HasSubstr(name + " is a symbolic link"));
  EXPECT_EQ(folder_.read("outside/memories.table"), "not ours");
  EXPECT_FALSE(folder_.exists("outside/lock"));
}

TEST_F(CatalogueOnDisk, FollowsNoLinkAndWaitsForNoFifo) {
  put_many(3);
  folder_.write("outside/secret.md", "not ours");
  std::filesystem::create_directory_symlink(folder_.file("outside"), folder_.file("memory/entities"));
  std::filesystem::create_directory_symlink(folder_.file("outside"), folder_.file("memory/facts/2026-11-16"));
  std::filesystem::create_symlink(folder_.file("outside/secret.md"), folder_.file("memory/facts/link.md"));
  ASSERT_EQ(::mkfifo(folder_.file("memory/facts/fifo.md").c_str(), 0600), 0);
  std::filesystem::create_directories(folder_.file("memory/namespaces"));
  std::filesystem::create_directory_symlink(folder_.file("outside"), folder_.file("memory/namespaces/other"));
  const Catalogue catalogue = open();
  EXPECT_THAT(ids(catalogue), ElementsAre("m0000", "m0001", "m0002"));
  EXPECT_THAT(catalogue.warnings(),
              ElementsAre(HasSubstr("entities is passed over: it is a symbolic link"),
                          HasSubstr("facts/2026-11-16 is passed over: it is a symbolic link"),
                          HasSubstr("facts/fifo.md is passed over: it is neither a file nor a folder"),
                          HasSubstr("facts/link.md is passed over: it is a symbolic link"),
                          HasSubstr("namespaces/other is passed over")));
}

TEST_F(CatalogueOnDisk, PassesOverWhatIsTooLargeAndTakesOddNames) {
  folder_.write("memory/facts/large.md", std::string(10 << 20, 'x'));
  folder_.write("memory/facts/bad\xFF\nname.md", "odd");
  folder_.write("memory/facts/ leading.md", "space");
  folder_.write("memory/facts/.hidden.md", "hidden");
  folder_.write("memory/facts/empty.md", "");
  const Catalogue catalogue = open();
  EXPECT_THAT(ids(catalogue), ElementsAre(" leading", "bad\xEF\xBF\xBD\nname", "empty"));
  EXPECT_THAT(catalogue.warnings(), ElementsAre(HasSubstr("facts/large.md is passed over")));
  EXPECT_EQ(open().memories().size(), 3U);
}

TEST_F(CatalogueOnDisk, TellsAgainOfWhatItDoesNotReadAgain) {
  folder_.write("memory/facts/broken.md", "---\nid: [\n---\nText");
  put_many(5);
  age_all();
  open();
  const Catalogue warm = open();
  EXPECT_EQ(warm.work().read, 0U);
  EXPECT_THAT(warm.warnings(), ElementsAre(HasSubstr("facts/broken.md: the front matter is broken")));
  EXPECT_TRUE(warm.find("facts/broken.md")->broken_front_matter);
}

TEST(Catalogue, SurvivesTheFailureOfAnyCall) {
  for (uint64_t call = 1; call < 400; ++call) {
    MemoryFileSystem files;
    files.put_kind("/state", FileKind::kDirectory);
    for (int i = 0; i < 5; ++i) {
      files.put(fmt::format("/memory/facts/2026-11-15/m{}.md", i), memory_text(i, "text"));
    }
    files.fail_at(call, {ErrorCode::kIo, "the disk is tired", ""});
    const auto first = Catalogue::open(files, in_memory());
    const bool reached = files.calls() >= call;
    if (first.ok() && first->memories().size() < 5) {
      EXPECT_THAT(first->warnings(), ::testing::Not(IsEmpty())) << call;
    }
    files.fail_at(UINT64_MAX, {});
    const auto second = Catalogue::open(files, in_memory());
    ASSERT_OK(second);
    EXPECT_EQ(second->memories().size(), 5U) << call;
    EXPECT_EQ(second->index().documents(), 5U) << call;
    if (!reached) return;
  }
  FAIL() << "opening five memories took more calls than expected";
}

}  // namespace
}  // namespace knapsack::memory
