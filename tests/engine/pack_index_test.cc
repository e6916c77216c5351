// A pack brings the code index up to date: within a deadline, until it is stopped, and with a model's help.
#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>
#include <utility>

#include "core/split.h"
#include "engine/support_workspace.h"
#include "support/counting_files.h"
#include "support/model_server.h"

namespace knapsack {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Misbehaviour;
using testing::ModelServer;
using ::testing::Not;
using testing::ReceivedChat;
using testing::RetrievalWorkspace;

constexpr size_t kFiles = 40;

class PackIndex : public ::testing::Test {
 protected:
  void SetUp() override {
    for (size_t i = 0; i < kFiles; ++i) write(i, "importer");
    workspace_.open();
  }
  void write(size_t number, const std::string& word) const {
    workspace_.folder().write(fmt::format("src/part_{:02}.py", number),
                              fmt::format("def {}_{:02}(row):\n    return row + {}\n", word, number, number));
  }
  static PackRequest request(std::chrono::milliseconds deadline) {
    PackRequest made;
    made.task = "fix importer_07 in src/part_07.py";
    made.index_deadline = deadline;
    return made;
  }
  PackReply packed(const PackRequest& request) {
    auto reply = workspace_.engine().pack(request);
    EXPECT_OK(reply);
    return reply.ok() ? *std::move(reply) : PackReply();
  }
  // An index run that is stopped when it has read so many files.
  Status index_and_stop_after(uint64_t files) {
    std::stop_source stop;
    IndexOptions options;
    options.jobs = 1;
    options.stop = stop.get_token();
    options.progress = [&](const code::IndexProgress& progress) {
      if (progress.files >= files) stop.request_stop();
    };
    const auto report = workspace_.engine().index(options);
    return report.ok() ? ok_status() : Status(report.error());
  }

  RetrievalWorkspace workspace_;
};

constexpr std::chrono::minutes kLong{10};

TEST_F(PackIndex, WithoutTimeToReadAnythingThePackSaysHowManyFilesAreMissing) {
  const PackReply reply = packed(request(std::chrono::milliseconds(0)));
  EXPECT_EQ(reply.packet.status, RunStatus::kDegraded);
  EXPECT_THAT(reply.packet.warnings,
              Contains(HasSubstr(fmt::format("{} files are not in the index", kFiles))));
  EXPECT_THAT(reply.output, Not(HasSubstr("importer_07(")));
  EXPECT_THAT(workspace_.engine().status()->code, HasSubstr(fmt::format("{} are still to be read", kFiles)));
}

TEST_F(PackIndex, ThePackAfterThatHasEverythingThatAFreshIndexHas) {
  packed(request(std::chrono::milliseconds(0)));
  const PackReply caught_up = packed(request(kLong));
  EXPECT_EQ(caught_up.packet.status, RunStatus::kOk);
  EXPECT_THAT(caught_up.packet.warnings, IsEmpty());
  RetrievalWorkspace other;
  for (size_t i = 0; i < kFiles; ++i) {
    const std::string name = fmt::format("src/part_{:02}.py", i);
    other.folder().write(name, workspace_.folder().read(name));
  }
  other.open();
  const auto fresh = other.engine().pack(request(kLong));
  ASSERT_OK(fresh);
  EXPECT_EQ(caught_up.output, fresh->output);
}

TEST_F(PackIndex, AWholeIndexThatIsOlderIsBetterThanAPartOfANewOne) {
  packed(request(kLong));
  write(3, "changed");
  const PackReply reply = packed(request(std::chrono::milliseconds(0)));
  EXPECT_EQ(reply.packet.status, RunStatus::kDegraded);
  EXPECT_THAT(reply.packet.warnings, Contains(HasSubstr("were not read in time")));
  EXPECT_THAT(reply.output, HasSubstr("importer_07("));
  EXPECT_EQ(packed(request(kLong)).packet.status, RunStatus::kOk);
}

// What was missing is gone: nothing is missing any more, though no file was read since.
TEST_F(PackIndex, FilesThatWereNeverReadAndAreGoneAreNotMissed) {
  packed(request(std::chrono::milliseconds(0)));
  for (size_t i = 0; i < kFiles; ++i)
    std::filesystem::remove(workspace_.folder().path() + fmt::format("/src/part_{:02}.py", i));
  const PackReply reply = packed(request(std::chrono::milliseconds(0)));
  EXPECT_THAT(reply.packet.warnings, Not(Contains(HasSubstr("not in the index"))));
}

// Tells when a thread maps a file for the first time from now on: that is how it opens an index.
class SeenMapping final : public testing::CountingFiles {
 public:
  void expect_from(std::thread::id thread) {
    thread_ = thread;
    seen_ = false;
  }
  bool wait() const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!seen_ && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return seen_;
  }
  Result<std::shared_ptr<const FileBytes>> map(const std::string& path) const override {
    auto mapped = CountingFiles::map(path);
    if (std::this_thread::get_id() == thread_) seen_ = true;
    return mapped;
  }

 private:
  std::thread::id thread_;
  mutable std::atomic<bool> seen_ = false;
};

// Between the look at the index as it is and the finding that nothing has changed, somebody else may publish.
TEST_F(PackIndex, WhatAnotherProcessPublishesMeanwhileIsSeen) {
  const auto make_old = [&] {
    const auto an_hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    for (size_t i = 0; i < kFiles; ++i)
      std::filesystem::last_write_time(workspace_.folder().file(fmt::format("src/part_{:02}.py", i)),
                                       an_hour_ago);
  };
  const auto files = std::make_shared<SeenMapping>();
  workspace_.files = files;
  workspace_.open();
  make_old();
  packed(request(kLong));
  packed(request(kLong));
  files->expect_from(std::this_thread::get_id());
  PackRequest asked = request(kLong);
  bool published = false;
  asked.progress = [&](const code::IndexProgress&) {
    if (std::exchange(published, true)) return;
    EXPECT_TRUE(files->wait()) << "the index as it is was never opened";
    write(7, "rewritten");
    make_old();
    EXPECT_OK(workspace_.engine().index(IndexOptions()));
    EXPECT_OK(workspace_.engine().index(IndexOptions()));  // for its times
  };
  const PackReply reply = packed(asked);
  EXPECT_TRUE(published);
  EXPECT_EQ(reply.packet.status, RunStatus::kOk);
  EXPECT_THAT(reply.output, HasSubstr("rewritten_07("));
}

TEST_F(PackIndex, AnIndexRunThatIsStoppedPublishesNothingAndTheNextOneGoesOn) {
  const Status stopped = index_and_stop_after(5);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::kStopped);
  EXPECT_FALSE(workspace_.engine().overview().ok());
  EXPECT_EQ(packed(request(kLong)).packet.status, RunStatus::kOk);
}

TEST_F(PackIndex, APackThatIsNotWantedAnyMoreAnswersNothing) {
  std::stop_source stop;
  stop.request_stop();
  for (const bool indexed : {false, true}) {
    PackRequest unwanted = request(kLong);
    unwanted.stop = stop.get_token();
    const auto reply = workspace_.engine().pack(unwanted);
    ASSERT_FALSE(reply.ok()) << indexed;
    EXPECT_EQ(reply.error().code, ErrorCode::kStopped);
    packed(request(kLong));
  }
}

PackRequest judged(const std::string& url) {
  PackRequest made;
  made.task = "fix importer_07 in src/part_07.py";
  made.judge = true;
  made.model = "test-model";
  made.base_url = url;
  made.settings["model.deadline"] = "2s";
  return made;
}

TEST_F(PackIndex, AJudgeIsAskedAndItsAnswersAreInTheLedger) {
  ModelServer server([](const ReceivedChat&) {
    return std::string(
        R"({"intent": "Mend it", "files": ["src/part_11.py"], "symbols": [], "concepts": []})");
  });
  const PackReply reply = packed(judged(server.base_url()));
  ASSERT_TRUE(reply.run.has_value());
  const auto calls = workspace_.ledger()->model_calls_of(*reply.run);
  ASSERT_OK(calls);
  EXPECT_GE(calls->size(), 1U);
  EXPECT_THAT(reply.output, HasSubstr("part_11"));
}

TEST_F(PackIndex, AJudgeThatFailsCostsNothingButItsHelp) {
  PackRequest alone = judged("");
  alone.judge = false;
  const PackReply without = packed(alone);
  ModelServer server([](const ReceivedChat&) { return std::string("{}"); });
  server.misbehave(Misbehaviour::kStatus500);
  const PackReply reply = packed(judged(server.base_url()));
  EXPECT_EQ(reply.packet.status, RunStatus::kDegraded);
  EXPECT_THAT(reply.packet.warnings, Not(IsEmpty()));
  EXPECT_THAT(reply.output, HasSubstr("importer_07("));
  EXPECT_EQ(reply.packet.used, without.packet.used);
}

TEST_F(PackIndex, AJudgeIsNeverAskedAboutAnEmptyText) {
  workspace_.folder().write("src/nothing.py", "");
  workspace_.folder().write("src/importer_blank.py", "\n\n   \n");
  std::mutex mutex;
  std::vector<std::string> asked;
  ModelServer server([&](const ReceivedChat& chat) {
    const std::lock_guard lock(mutex);
    for_each_part(chat.user, "\n", [&](std::string_view line) {
      if (line.starts_with("id ")) asked.emplace_back(line);
    });
    return std::string(
        R"({"intent": "Mend it", "files": [], "symbols": [], "concepts": [], "verdicts": []})");
  });
  PackRequest request = judged(server.base_url());
  request.task += " beside src/nothing.py and src/importer_blank.py";
  packed(request);
  ASSERT_THAT(asked, Contains(HasSubstr("importer_07")));
  for (const std::string& line : asked) EXPECT_THAT(line, HasSubstr(" | begins: ")) << line;
}

TEST_F(PackIndex, AJudgeNeedsAModel) {
  PackRequest nameless = judged("");
  nameless.model.clear();
  const auto reply = workspace_.engine().pack(nameless);
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code, ErrorCode::kUsage);
  EXPECT_THAT(reply.error().line(), HasSubstr("`model`"));
}

}  // namespace
}  // namespace knapsack
