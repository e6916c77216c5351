// Kill -9 at any moment: readers keep what was published, and the next run finishes as if nothing had been.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>

#include "code/index/curated.h"
#include "scenarios/support_index_dump.h"
#include "scenarios/support_index_program.h"
#include "scenarios/support_little_shop.h"
#include "search/segments/segment_set.h"
#include "store/state_folder.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;
using testing::dump_index;
using testing::dump_of;
using testing::fresh_dump;
using testing::index_report;
using testing::RunningProgram;
using testing::TestRepository;

enum class Kind { kFresh, kOneChange, kFull };

class IndexKilled : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_little_shop(made_);
    testing::write_generated(made_, 16);
    made_.commit("Begin the shop");
    for (int i = 0; i < 6; ++i) {
      made_.write("src/shop/prices.py", "PRICE = " + std::to_string(i) + "\n");
      made_.write("docs/guide.md", "# Guide\n\nThe price is " + std::to_string(i) + "\n");
      made_.commit("Price " + std::to_string(i));
    }
    for (size_t state = 0; state < 2; ++state) {
      set_state(state);
      dumps_[state] = fresh_dump(made_.path());
    }
    ASSERT_NE(dumps_[0], dumps_[1]);
  }

  void set_state(size_t state) {
    state_ = state;
    made_.write("src/shop/cart.py", state == 0 ? "class Cart:\n    pass\n" : "class Basket:\n    size = 3\n");
  }
  std::vector<std::string> arguments(Kind kind) const {
    return kind == Kind::kFull ? std::vector<std::string>{"index", "--full"}
                               : std::vector<std::string>{"index"};
  }
  void begin(Kind kind) {
    if (kind == Kind::kFresh) {
      fs::remove_all(made_.file(".knapsack"));
      published_ = kNothing;
    } else if (kind == Kind::kOneChange) {
      set_state(1 - state_);
    }
  }

  // What was published before the kill, or what the killed run was about to publish; nothing else.
  void check_reader() {
    const auto dump = dump_index(made_.path());
    if (!dump.ok()) {
      EXPECT_EQ(published_, kNothing) << dump.error().line();
      EXPECT_EQ(dump.error().code, ErrorCode::kNotFound) << dump.error().line();
      EXPECT_EQ(dump.error().next, "run `knapsack index`");
      ++unpublished_;
      return;
    }
    if (*dump == dumps_[state_]) {
      (published_ == state_ ? unpublished_ : published_in_time_) += 1;
      published_ = state_;
      return;
    }
    ++unpublished_;
    ASSERT_NE(published_, kNothing) << testing::first_difference(dumps_[state_], *dump);
    EXPECT_SAME_DUMP(dumps_[published_], *dump);
  }

  static constexpr size_t kNothing = 2;
  TestRepository made_;
  std::string dumps_[2];
  size_t state_ = 0;
  size_t published_ = kNothing;
  int unpublished_ = 0, published_in_time_ = 0;
};

TEST_F(IndexKilled, TwoHundredTimesAtRandomPointsLosesNothing) {
  const int rounds = 200 / testing::cases_divisor();
  double durations[3] = {};
  for (const Kind kind : {Kind::kFresh, Kind::kOneChange, Kind::kFull}) {
    begin(kind);
    const auto outcome = RunningProgram(arguments(kind), made_.path()).finish();
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    durations[static_cast<size_t>(kind)] = outcome.seconds;
  }
  published_ = state_;
  std::mt19937 random(20240607);
  int killed = 0;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const auto kind = static_cast<Kind>(round % 3);
    begin(kind);
    const double delay = std::uniform_real_distribution<>(0, durations[round % 3])(random);
    RunningProgram program(arguments(kind), made_.path());
    ::usleep(static_cast<useconds_t>(delay * 1e6));
    program.kill_now();
    killed += program.finish().exit_code == 128 + 9 ? 1 : 0;
    check_reader();
    if (HasFatalFailure()) return;
    if (round % 10 == 9) {
      index_report(made_.path());
      EXPECT_SAME_DUMP(dumps_[state_], dump_of(made_.path()));
      published_ = state_;
    }
  }
  EXPECT_GT(killed, rounds / 2) << "most runs should have been cut short";
  EXPECT_GT(unpublished_, 0);
  RecordProperty("killed", killed);
  RecordProperty("published_in_time", published_in_time_);

  index_report(made_.path());
  EXPECT_SAME_DUMP(dumps_[state_], dump_of(made_.path()));
  index_report(made_.path());  // sweeps what killed runs had written and nobody names
  const auto files = make_disk_file_system();
  auto curated = code::Curated::open(*files, state_folder_of(made_.path()));
  ASSERT_OK(curated);
  const auto rows = curated->segments();
  ASSERT_OK(rows);
  std::set<std::string> named, there;
  for (const code::SegmentRow& row : *rows) named.insert(search::segment_file_name(row.name));
  for (const auto& entry : fs::directory_iterator(made_.file(".knapsack/segments"))) {
    there.insert(entry.path().filename());
  }
  EXPECT_EQ(there, named);
}

}  // namespace
}  // namespace knapsack
