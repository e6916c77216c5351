// The sandbox around grammars: a build of the program in which one of them misbehaves (tests/hostile/scanner.c).
#include <arpa/inet.h>
#include <linux/landlock.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "scenarios/support_index_dump.h"
#include "support/repository_fixture.h"
#include "support/repository_git.h"
#include "support/support.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::HasSubstr;
using ::testing::Not;

// Takes connections on this machine and says whether one came.
class Listener {
 public:
  Listener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(socket_, 8), 0);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~Listener() { ::close(socket_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  std::string port() const { return std::to_string(port_); }
  bool was_called() const {
    pollfd waiting{socket_, POLLIN, 0};
    return ::poll(&waiting, 1, 0) == 1;
  }

 private:
  int socket_;
  uint16_t port_ = 0;
};

class GrammarSandbox : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_.write("before.lua", "function before() return 1 end\n");
    workspace_.write("zz_after.lua", "function after() return 2 end\n");
    workspace_.write("other.py", "def other():\n    return 3\n");
    outside_.write("kept", "of the user\n");
  }
  void misbehave(const std::string& deed, const std::string& word = "") {
    workspace_.write("evil.lua", "@" + deed + " " + word + "\n\nfunction evil() end\n");
  }
  ProgramResult index(const std::map<std::string, std::string>& environment = {}) const {
    return run_command({KNAPSACK_HOSTILE_PROGRAM, "index", "--full", "--jobs", "1", "-v"}, workspace_.path(),
                       environment);
  }
  // The run went on and only this file suffered.
  void expect_one_file_lost(const std::string& deed, const std::string& reason = "crash") {
    const auto run = index();
    EXPECT_EQ(run.exit_code, 0) << deed << ": " << run.err;
    EXPECT_THAT(run.out + run.err, HasSubstr("evil.lua: searched by line blocks, not parsed: " + reason))
        << deed;
    for (const char* name : {"before", "after", "other"}) {
      EXPECT_THAT(run_program({"symbols", name}, workspace_.path()).out, HasSubstr(name)) << deed;
    }
    EXPECT_THAT(run.out + run.err, Not(HasSubstr("other.py: searched"))) << deed;
    EXPECT_THAT(run.out + run.err, Not(HasSubstr("before.lua: searched"))) << deed;
    EXPECT_THAT(run.out + run.err, Not(HasSubstr("after.lua: searched"))) << deed;
  }
  bool is_untouched() const {
    return outside_.read("kept") == "of the user\n" && !outside_.exists("trace") &&
           !outside_.exists("kept.stolen") && !listener_.was_called();
  }
  std::vector<std::pair<std::string, std::string>> deeds() const {
    return {{"write", outside_.file("trace")}, {"steal", outside_.file("kept")},
            {"remove", outside_.file("kept")}, {"connect", listener_.port()},
            {"start", outside_.file("trace")}, {"code", outside_.file("trace")}};
  }

  TemporaryFolder workspace_;
  TemporaryFolder outside_;
  Listener listener_;
};

TEST_F(GrammarSandbox, LetsAGrammarThatMisbehavesTouchNothingAndCostOneFile) {
  for (const auto& [deed, word] : deeds()) {
    misbehave(deed, word);
    expect_one_file_lost(deed);
    EXPECT_TRUE(is_untouched()) << deed;
  }
}

// What the test above rests on: the same grammar does all of it where nothing holds it.
TEST_F(GrammarSandbox, IsWhatStopsThatGrammar) {
  const auto is_done = [this](const std::string& deed) {
    if (deed == "steal") return outside_.exists("kept.stolen");
    if (deed == "remove") return !outside_.exists("kept");
    return deed == "connect" ? listener_.was_called() : outside_.exists("trace");
  };
  for (const auto& [deed, word] : deeds()) {
    misbehave(deed, word);
    ASSERT_FALSE(is_done(deed)) << deed;
    EXPECT_EQ(index({{"KNAPSACK_INDEX_SANDBOX", "false"}}).exit_code, 0);
    EXPECT_TRUE(is_done(deed)) << deed;
    ::unlink(outside_.file("trace").c_str());
  }
}

TEST_F(GrammarSandbox, LosesOneFileToAGrammarThatCrashesLeavesLiesOrKills) {
  for (const char* deed : {"crash", "abort", "leave", "lie", "memory", "kill"}) {
    misbehave(deed);
    expect_one_file_lost(deed);
  }
}

TEST_F(GrammarSandbox, EndsAGrammarThatNeverEnds) {
  misbehave("loop");
  expect_one_file_lost("loop", "deadline");
}

TEST_F(GrammarSandbox, ManyCrashesCostTheirFilesOnly) {
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(i);
    workspace_.write("evil" + number + ".lua", "@crash\n");
    workspace_.write("good" + number + ".lua", "function good" + number + "() end\n");
  }
  const auto run = index();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(i);
    EXPECT_THAT(run.out + run.err, HasSubstr("evil" + number + ".lua: searched by line blocks"));
    EXPECT_THAT(run_program({"symbols", "good" + number}, workspace_.path()).out,
                HasSubstr("good" + number + ".lua"));
  }
}

TEST_F(GrammarSandbox, GivesTheIndexThatParsingHereGives) {
  TemporaryFolder mixed;
  RepositoryShape shape;
  shape.files = 80;
  shape.mixed = true;
  for (const GeneratedFile& file : make_repository(shape)) mixed.write(file.path, file.bytes);
  ASSERT_EQ(run_program({"index", "--jobs", "2"}, mixed.path()).exit_code, 0);
  const auto with = dump_index(mixed.path());
  ASSERT_OK(with);
  ASSERT_EQ(run_program({"index", "--full"}, mixed.path(), {{"KNAPSACK_INDEX_SANDBOX", "false"}}).exit_code,
            0);
  const auto without = dump_index(mixed.path());
  ASSERT_OK(without);
  EXPECT_TRUE(*with == *without) << first_difference(*without, *with);
}

TEST_F(GrammarSandbox, IsNamedByDoctorAsTheKernelHasIt) {
  const long landlock =
      ::syscall(SYS_landlock_create_ruleset, nullptr, size_t{0}, LANDLOCK_CREATE_RULESET_VERSION);
  const bool seccomp = ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
  const std::string said = run_program({"doctor"}, workspace_.path()).out;
  EXPECT_EQ(said.find("Landlock (version " + std::to_string(landlock) + ")") != std::string::npos,
            landlock > 0)
      << said;
  EXPECT_EQ(said.find("no seccomp") == std::string::npos, seccomp) << said;
  const std::string off =
      run_program({"doctor"}, workspace_.path(), {{"KNAPSACK_INDEX_SANDBOX", "false"}}).out;
  EXPECT_THAT(off, HasSubstr("files are parsed without one"));
}

TEST_F(GrammarSandbox, IsNotTurnedOffByAWorkspace) {
  workspace_.write("knapsack.toml", "[index]\nsandbox = false\n");
  misbehave("write", outside_.file("trace"));
  expect_one_file_lost("write");
  EXPECT_TRUE(is_untouched());
  EXPECT_THAT(run_program({"doctor"}, workspace_.path()).out,
              HasSubstr("index.sandbox of knapsack.toml does nothing"));
}

// A person who types the word that starts such a process gets the usual line.
TEST_F(GrammarSandbox, IsNoCommand) {
  const auto typed = run_program({"parse-for-parent"}, workspace_.path());
  EXPECT_EQ(typed.exit_code, 2);
  EXPECT_THAT(typed.err, HasSubstr("--help"));
}

}  // namespace
}  // namespace knapsack
