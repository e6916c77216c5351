#include "store/ledger/session.h"

#include <fcntl.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "support/support.h"
#include "support_processes.h"

namespace knapsack {
namespace {

using testing::ChildProcess;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

TEST(Session, KeepsValuesBetweenOpeners) {
  const TemporaryFolder folder;
  {
    auto session = Session::open(folder.path(), "login");
    ASSERT_OK(session);
    EXPECT_EQ(*session->get(kFinalContext), std::nullopt);
    ASSERT_OK(session->put({{kStageProgress, "{}"}, {kFinalContext, ""}}));
    ASSERT_OK(session->put({{kStageProgress, "ж\n\"quoted\""}}));
  }
  auto session = Session::open(folder.path(), "login");
  ASSERT_OK(session);
  EXPECT_EQ(*session->get(kStageProgress), "ж\n\"quoted\"");
  EXPECT_EQ(*session->get(kFinalContext), "") << "an empty text is a value";
  auto other = Session::open(folder.path(), "logout");
  ASSERT_OK(other);
  EXPECT_EQ(*other->get(kStageProgress), std::nullopt);
}

TEST(Session, IsFoundOnlyWhereThereIsOne) {
  const TemporaryFolder folder;
  const auto files = make_disk_file_system();
  const auto none = Session::find(*files, folder.path(), "login");
  ASSERT_OK(none);
  EXPECT_FALSE(none->has_value());
  EXPECT_FALSE(folder.exists("login.db") || folder.exists("login.db.lock")) << "looking creates nothing";
  ASSERT_OK(Session::open(folder.path(), "login"));
  const auto one = Session::find(*files, folder.path(), "login");
  ASSERT_OK(one);
  EXPECT_TRUE(one->has_value());
}

TEST(Session, TellsASecondOpenerThatItIsBusy) {
  const TemporaryFolder folder;
  ChildProcess holder([&](const testing::Report& report) {
    auto session = Session::open(folder.path(), "login");
    if (!session.ok()) return false;
    report("open");
    std::this_thread::sleep_for(std::chrono::seconds(60));
    return true;
  });
  ASSERT_TRUE(holder.wait_for_line());
  const auto second = Session::open(folder.path(), "login");
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  EXPECT_EQ(second.error().line(),
            "another run works on task login; wait for it, or choose another `task_id`");
  EXPECT_OK(Session::open(folder.path(), "another"));
  holder.kill_now();
  holder.finish();
  EXPECT_OK(Session::open(folder.path(), "login"));  // the killed one holds it no longer
}

TEST(Session, KilledBetweenWritesKeepsEveryAcknowledgedOneWhole) {
  const TemporaryFolder folder;
  std::mt19937 random(4);
  uint64_t acknowledged = 0, rounds_cut = 0;
  for (int round = 0; round < 40 / testing::cases_divisor(); ++round) {
    const uint64_t start = acknowledged;
    ChildProcess writer([&](const testing::Report& report) {
      auto session = Session::open(folder.path(), "login");
      if (!session.ok()) return false;
      for (uint64_t i = start + 1; i < start + 1'000'000; ++i) {
        const std::string text = std::to_string(i);
        if (!session->put({{"one", text}, {"two", text + std::string(i % 5000, '.')}}).ok()) return false;
        report(text);
      }
      return true;
    });
    ASSERT_TRUE(writer.wait_for_line());
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    writer.kill_now();
    const auto said = writer.finish();
    acknowledged = std::stoull(said.back());
    rounds_cut += said.size() > 1 ? 1 : 0;
    auto session = Session::open(folder.path(), "login");
    ASSERT_OK(session);
    const uint64_t kept = std::stoull(session->get("one")->value_or("0"));
    EXPECT_GE(kept, acknowledged);
    EXPECT_LE(kept, acknowledged + 1) << "at most the one that was being written";
    EXPECT_EQ(*session->get("two"), std::to_string(kept) + std::string(kept % 5000, '.'))
        << "both or neither";
    acknowledged = kept;
  }
  EXPECT_GT(rounds_cut, 0);
}

TEST(Session, RefusesWhatCannotBeAFileName) {
  const TemporaryFolder folder;
  const auto files = make_disk_file_system();
  const std::vector<std::string> bad = {"",    ".",    "..",   "../x",  "a/b", ".hidden",
                                        "a b", "a\nb", "ключ", "a\x01", "a:b", std::string(65, 'a'),
                                        "*",   "~x",   "a\\b"};
  for (const std::string& id : bad) {
    const auto refused = Session::open(folder.path(), id);
    ASSERT_FALSE(refused.ok()) << id;
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    EXPECT_THAT(refused.error().line(), HasSubstr("is not a task id; use at most 64 letters"));
    EXPECT_EQ(refused.error().line().find('\n'), std::string::npos) << "one line, whatever was typed";
    EXPECT_EQ(Session::find(*files, folder.path(), id).error().code, ErrorCode::kUsage);
  }
  for (const std::string& id : std::vector<std::string>{"a", "A-1_b.c", "9", std::string(64, 'z')}) {
    EXPECT_OK(Session::open(folder.path(), id));
  }
}

TEST(Session, LiesNowhereBehindALink) {
  const TemporaryFolder folder, elsewhere;
  ASSERT_OK(Session::open(elsewhere.path(), "login"));
  const std::string link = folder.file("sessions");
  ASSERT_EQ(::symlink(elsewhere.path().c_str(), link.c_str()), 0);
  const auto files = make_disk_file_system();
  const auto refused = Session::remove(*files, link, "login");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().line(), HasSubstr(link + " is a symbolic link"));
  EXPECT_FALSE(Session::list(*files, link).ok());
  EXPECT_FALSE(Session::find(*files, link, "login").ok());
  EXPECT_TRUE(elsewhere.exists("login.db"));
}

TEST(Session, RefusesTheDatabaseOfAnotherProgram) {
  const TemporaryFolder folder;
  folder.write("login.db", "this is a letter, not a database, and nobody should lose it");
  const auto refused = Session::open(folder.path(), "login");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(folder.read("login.db"), "this is a letter, not a database, and nobody should lose it");
}

}  // namespace
}  // namespace knapsack
