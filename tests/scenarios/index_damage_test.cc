// Damage to what the index keeps: readers say so in one line, the next run names it and builds it anew.
#include <filesystem>
#include <fstream>

#include "scenarios/support_index_dump.h"
#include "scenarios/support_index_program.h"
#include "scenarios/support_little_shop.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;
using testing::dump_index;
using testing::dump_of;
using ::testing::HasSubstr;
using testing::index_report;
using testing::notes_of;
using testing::run_measured;
using testing::TestRepository;

constexpr uint64_t kPage = 4096;

void overwrite(const fs::path& path, uint64_t at, const std::string& bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file << bytes;
}

class IndexDamage : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_little_shop(made_);
    testing::write_generated(made_, 16);
    made_.commit("Begin the shop");
    index_report(made_.path());
    right_ = dump_of(made_.path());
    fs::copy(made_.file(".knapsack"), made_.file(".git/sound"), fs::copy_options::recursive);
  }
  // As it was before the damage.
  void restore() {
    fs::remove_all(made_.file(".knapsack"));
    fs::copy(made_.file(".git/sound"), made_.file(".knapsack"), fs::copy_options::recursive);
  }
  std::vector<fs::path> segments() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(made_.file(".knapsack/segments"))) found.push_back(entry);
    std::sort(found.begin(), found.end());
    return found;
  }
  // Whatever a view says of a damaged index, it is an answer or one line.
  void expect_clear_views() {
    for (const auto& words :
         std::vector<std::vector<std::string>>{{"overview"}, {"symbols", "Cart"}, {"deps", "cart.py"}}) {
      const auto outcome = run_measured(words, made_.path());
      if (outcome.exit_code == 0) continue;
      testing::expect_refusal(outcome, 1, {"knapsack index"});
    }
  }

  TestRepository made_;
  std::string right_;
};

TEST_F(IndexDamage, ASegmentIsNamedAndBuiltAnew) {
  const size_t count = segments().size();
  ASSERT_GE(count, 3U);
  for (size_t at = 0; at < count; ++at) {
    for (const char* damage : {"deleted", "emptied", "truncated", "one byte", "last byte"}) {
      restore();
      const fs::path segment = segments()[at];
      SCOPED_TRACE(segment.filename().string() + " " + damage);
      const uint64_t size = fs::file_size(segment);
      if (damage == std::string("deleted")) fs::remove(segment);
      if (damage == std::string("emptied")) fs::resize_file(segment, 0);
      if (damage == std::string("truncated")) fs::resize_file(segment, size / 2);
      if (damage == std::string("one byte")) {
        std::ifstream file(segment, std::ios::binary);
        file.seekg(static_cast<std::streamoff>(size / 2));
        overwrite(segment, size / 2, std::string(1, static_cast<char>(file.get() ^ 0x10)));
      }
      if (damage == std::string("last byte")) fs::resize_file(segment, size - 1);
      const auto dump = dump_index(made_.path());
      if (!dump.ok()) {
        EXPECT_THAT(dump.error().line(), HasSubstr(segment.filename().string()));
      }
      expect_clear_views();
      const auto report = index_report(made_.path());
      EXPECT_THAT(notes_of(report), HasSubstr(segment.filename().string()));
      EXPECT_THAT(notes_of(report), HasSubstr("its content is rebuilt"));
      EXPECT_SAME_DUMP(right_, dump_of(made_.path()));
      EXPECT_EQ(notes_of(index_report(made_.path())), "") << "said once";
    }
  }
}

TEST_F(IndexDamage, ADatabaseThatIsNoneIsBuiltAnew) {
  for (const char* damage : {"garbage", "header", "truncated"}) {
    SCOPED_TRACE(damage);
    restore();
    const fs::path database = made_.file(".knapsack/curated.db");
    if (damage == std::string("garbage"))
      overwrite(database, 0, std::string(fs::file_size(database), '\xa5'));
    if (damage == std::string("header")) overwrite(database, 0, "not an SQLite database at all");
    if (damage == std::string("truncated")) fs::resize_file(database, fs::file_size(database) / 2);
    fs::remove(made_.file(".knapsack/curated.db-wal"));
    testing::expect_refusal(run_measured({"overview"}, made_.path()), 1,
                            {"curated.db", "damaged", "knapsack index"});
    const auto report = index_report(made_.path());
    EXPECT_THAT(notes_of(report), HasSubstr("curated.db is damaged"));
    EXPECT_THAT(notes_of(report), HasSubstr("rebuilt"));
    EXPECT_SAME_DUMP(right_, dump_of(made_.path()));
  }
}

TEST_F(IndexDamage, AnEmptyOrMissingDatabaseIsNoIndexYet) {
  for (const bool missing : {true, false}) {
    restore();
    fs::remove(made_.file(".knapsack/curated.db-wal"));
    if (missing) {
      fs::remove(made_.file(".knapsack/curated.db"));
    } else {
      fs::resize_file(made_.file(".knapsack/curated.db"), 0);
    }
    testing::expect_refusal(run_measured({"overview"}, made_.path()), 1, {"code index", "knapsack index"});
    index_report(made_.path());
    EXPECT_SAME_DUMP(right_, dump_of(made_.path()));
  }
}

TEST_F(IndexDamage, AnyPageOfTheDatabaseIsRepairedByAFullRun) {
  fs::remove(made_.file(".git/sound/curated.db-wal"));
  const uint64_t pages = fs::file_size(made_.file(".git/sound/curated.db")) / kPage;
  ASSERT_GT(pages, 30U);
  const uint64_t step = std::max<uint64_t>(1, pages * testing::cases_divisor() / 16);
  for (uint64_t page = 0; page < pages; page += step) {
    SCOPED_TRACE(page);
    restore();
    overwrite(made_.file(".knapsack/curated.db"), page * kPage, std::string(kPage, '\0'));
    const auto dump = dump_index(made_.path());
    if (dump.ok()) {
      EXPECT_SAME_DUMP(right_, *dump);
    } else {
      EXPECT_THAT(dump.error().line(), HasSubstr("knapsack index"));
    }
    expect_clear_views();
    const auto plain = run_measured({"index"}, made_.path());
    if (plain.exit_code != 0) testing::expect_refusal(plain, 1, {"curated.db", "knapsack index --full"});
    index_report(made_.path(), {"--full"});
    EXPECT_SAME_DUMP(right_, dump_of(made_.path()));
  }
}

}  // namespace
}  // namespace knapsack
