// Several processes on one index: writers take turns and say who is at work, readers see one state or
// another.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <set>
#include <thread>

#include "code/ask/code_index.h"
#include "code/index/code_documents.h"
#include "scenarios/support_index_dump.h"
#include "scenarios/support_index_program.h"
#include "scenarios/support_little_shop.h"
#include "store/file_lock.h"
#include "store/state_folder.h"

namespace knapsack {
namespace {

using testing::dump_index;
using testing::dump_of;
using testing::expect_refusal;
using testing::fresh_dump;
using ::testing::HasSubstr;
using testing::index_report;
using testing::now_seconds;
using testing::run_measured;
using testing::RunningProgram;
using testing::TestRepository;

bool has_open(pid_t process, const std::string& path) {
  std::error_code gone;
  const auto open = std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", process), gone);
  return std::any_of(begin(open), end(open), [&](const auto& entry) {
    std::error_code closed;
    return std::filesystem::equivalent(entry.path(), path, closed);
  });
}

class IndexAtOnce : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_little_shop(made_);
    testing::write_generated(made_, 20);
    made_.commit("Begin the shop");
  }

  // A real indexer that has the lock and does not get any further.
  std::unique_ptr<RunningProgram> stopped_indexer() {
    for (int attempt = 0; attempt < 50; ++attempt) {
      auto program =
          std::make_unique<RunningProgram>(std::vector<std::string>{"index", "--full"}, made_.path());
      const std::string note = "process " + std::to_string(program->process());
      while (program->running() && FileLock::note_of(made_.file(".knapsack/index.lock")) != note)
        ::usleep(200);
      ::kill(program->process(), SIGSTOP);
      ::usleep(2000);
      const auto free = FileLock::acquire(made_.file(".knapsack/index.lock"), FileLock::Mode::kExclusive,
                                          std::chrono::milliseconds(0));
      if (!free.ok()) return program;
    }
    return nullptr;
  }

  TestRepository made_;
};

TEST_F(IndexAtOnce, FourWritersTakeTurns) {
  std::vector<std::unique_ptr<RunningProgram>> programs;
  for (int i = 0; i < 4; ++i) {
    programs.push_back(std::make_unique<RunningProgram>(
        std::vector<std::string>{"index", "--format", "json", "--wait", "60"}, made_.path()));
  }
  uint64_t parsed = 0;
  int changed = 0;
  for (auto& program : programs) {
    const auto outcome = program->finish();
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto report = nlohmann::json::parse(outcome.out);
    parsed += report["parsed"].get<uint64_t>();
    changed += report["changed"].get<bool>() ? 1 : 0;
  }
  EXPECT_EQ(changed, 1) << "one does the work, the others find it done";
  const TestRepository clone;
  clone.git({"fetch", "-q", "file://" + made_.path(), "main"});
  clone.git({"reset", "-q", "--hard", "FETCH_HEAD"});
  EXPECT_EQ(index_report(clone.path())["parsed"], parsed);
  EXPECT_SAME_DUMP(dump_of(clone.path()), dump_of(made_.path()));
}

TEST_F(IndexAtOnce, WhoWaitsTooLongIsToldWhoIsAtWork) {
  index_report(made_.path());
  const auto holder = stopped_indexer();
  ASSERT_NE(holder, nullptr);
  const std::string who = "(process " + std::to_string(holder->process()) + ")";
  for (const char* seconds : {"0", "0.3"}) {
    const double began = now_seconds();
    expect_refusal(run_measured({"index", "--wait", seconds}, made_.path()), 1,
                   {"another `knapsack index` is at work " + who, "try again"});
    EXPECT_GE(now_seconds() - began, std::stod(seconds));
  }
  const auto view = run_measured({"symbols", "Cart"}, made_.path());
  EXPECT_EQ(view.exit_code, 0) << "readers wait for nobody: " << view.err;
  EXPECT_THAT(view.out, HasSubstr("src/shop/cart.py"));

  RunningProgram waiting({"index", "--wait", "60"}, made_.path());
  while (waiting.running() && !has_open(waiting.process(), made_.file(".knapsack/index.lock"))) ::usleep(200);
  EXPECT_TRUE(waiting.running());
  ::kill(holder->process(), SIGCONT);
  EXPECT_EQ(holder->finish().exit_code, 0);
  EXPECT_EQ(waiting.finish().exit_code, 0);
  EXPECT_SAME_DUMP(fresh_dump(made_.path()), dump_of(made_.path()));
}

TEST_F(IndexAtOnce, AReaderSeesOneStateOrTheOther) {
  const auto set_state = [&](int state) {
    made_.write("src/a.py", state == 0 ? "def moving():\n    return 'first'\n" : "OTHER = 1\n");
    made_.write("src/b.py", state == 0 ? "OTHER = 2\n" : "def moving():\n    return 'second'\n");
    made_.write("src/user.py",
                state == 0 ? "from a import moving\n\nmoving()\n" : "from b import moving\n\nmoving()\n");
  };
  std::string dumps[2];
  for (const int state : {1, 0}) {
    set_state(state);
    index_report(made_.path());
    dumps[state] = dump_of(made_.path());
  }
  ASSERT_NE(dumps[0], dumps[1]);

  std::atomic<bool> done = false;
  std::atomic<int> published = 0;
  std::string problem;
  std::thread writer([&] {
    for (int round = 1; !done; ++round) {
      set_state(round % 2);
      const auto outcome = run_measured({"index"}, made_.path());
      if (outcome.exit_code != 0) problem = outcome.err;
      ++published;
    }
  });
  int seen[2] = {};
  const int wanted = std::max(6, 40 / testing::cases_divisor());
  for (int asked = 0; asked < wanted || published < 6; ++asked) {
    const auto dump = dump_index(made_.path());
    EXPECT_OK(dump);
    if (!dump.ok()) break;
    const bool first = *dump == dumps[0], second = *dump == dumps[1];
    EXPECT_TRUE(first || second) << testing::first_difference(dumps[0], *dump) << "\n"
                                 << testing::first_difference(dumps[1], *dump);
    if (!first && !second) break;
    ++seen[first ? 0 : 1];
    const auto view = run_measured({"refs", "moving", "--format", "json"}, made_.path());
    EXPECT_EQ(view.exit_code, 0) << view.err;
    if (view.exit_code != 0) break;
    const auto answer = nlohmann::json::parse(view.out);
    EXPECT_EQ(answer["definitions"].size(), 1U) << view.out;
    ASSERT_FALSE(answer["uses"].empty()) << view.out;
    for (const auto& use : answer["uses"]) {
      EXPECT_EQ(use["means"]["path"], answer["definitions"][0]["path"]) << view.out;
    }
  }
  done = true;
  writer.join();
  EXPECT_EQ(problem, "");
  EXPECT_GT(seen[0], 0);
  EXPECT_GT(seen[1], 0);
}

TEST_F(IndexAtOnce, AReaderThatStaysOpenKeepsWhatItOpened) {
  index_report(made_.path());
  const auto files = make_disk_file_system();
  const auto opened = code::CodeIndex::open(*files, state_folder_of(made_.path()), code::kWorkTree);
  ASSERT_OK(opened);
  std::set<std::string> before;
  const auto segments = [&] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(made_.file(".knapsack/segments"))) {
      names.insert(entry.path().filename());
    }
    return names;
  };
  before = segments();
  const auto untouched = [&] {
    const auto now = segments();
    return std::any_of(before.begin(), before.end(), [&](const auto& name) { return now.contains(name); });
  };
  // Until everything that the reader began with was merged into something else and swept.
  for (int round = 0; round < 60 && untouched(); ++round) {
    made_.write("src/shop/cart.py", "class Cart" + std::to_string(round) + ":\n    pass\n");
    made_.write("src/new" + std::to_string(round) + ".py", "NEW = " + std::to_string(round) + "\n");
    made_.commit("Round " + std::to_string(round));
    index_report(made_.path(),
                 round % 5 == 4 ? std::vector<std::string>{"--full"} : std::vector<std::string>{});
  }
  ASSERT_FALSE(untouched());
  for (const char* name : {code::kCodeCollection, code::kPathCollection, code::kCommitCollection}) {
    const auto collection = (*opened)->collection(name);
    ASSERT_OK(collection);
    EXPECT_GT((*collection)->documents(), 0U) << name;
  }
  EXPECT_OK((*opened)->find_symbols("Cart"));
}

}  // namespace
}  // namespace knapsack
