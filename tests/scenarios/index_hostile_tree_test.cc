// Trees that try to leave the workspace, hang, exhaust or deceive: the index is there all the same, within
// bounds, and says what it left out.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "scenarios/support_index_dump.h"
#include "scenarios/support_index_program.h"

namespace knapsack {
namespace {

namespace fs = std::filesystem;
using testing::dump_of;
using testing::fresh_dump;
using ::testing::HasSubstr;
using testing::index_report;
using ::testing::Not;
using testing::notes_of;
using testing::Outcome;
using testing::run_measured;
using testing::TestRepository;

// Wide bounds: a busy machine, a build without optimisation.
constexpr double kMaxSeconds = 60;
constexpr uint64_t kMaxBytes = 700 << 20;

// Nothing that could drive a terminal.
bool is_tame(const std::string& text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) return false;
    if (byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) return false;
  }
  return true;
}

class IndexHostileTree : public ::testing::Test {
 protected:
  void SetUp() override {
    made_.write("good.py", "def good():\n    return 1\n");
    made_.commit("A good file");
  }

  // A JSON report, within bounds; the good file is there and people's output is tame.
  nlohmann::json index_within_bounds() {
    const Outcome outcome = run_measured({"index", "--format", "json"}, made_.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_LT(outcome.seconds, kMaxSeconds);
    EXPECT_LT(outcome.peak_bytes, kMaxBytes);
    const auto report = nlohmann::json::parse(outcome.out, nullptr, false);
    EXPECT_TRUE(report.is_object()) << "not JSON: " << outcome.out;
    EXPECT_THAT(run_measured({"symbols", "good"}, made_.path()).out, HasSubstr("good.py:1-2"));
    for (const auto& words : std::vector<std::vector<std::string>>{{"index", "--full", "-v"}, {"overview"}}) {
      const Outcome shown = run_measured(words, made_.path());
      EXPECT_EQ(shown.exit_code, 0) << shown.err;
      EXPECT_TRUE(is_tame(shown.out + shown.err)) << shown.out << shown.err;
    }
    return report.is_object() ? report : nlohmann::json::object();
  }
  void link(const std::string& target, const std::string& name) {
    ASSERT_EQ(::symlink(target.c_str(), made_.file(name).c_str()), 0);
  }

  TestRepository made_;
};

TEST_F(IndexHostileTree, LinksThatLoopOrEscape) {
  const testing::TemporaryFolder outside;
  outside.write("secret.py", "def secret_of_another():\n    pass\n");
  link(outside.file("secret.py"), "escape.py");
  link("/etc", "etc");
  link("..", "up");
  link("loop-b.py", "loop-a.py");
  link("loop-a.py", "loop-b.py");
  link("nothing", "dangling.py");
  link("good.py", "fine.py");
  const auto report = index_within_bounds();
  EXPECT_EQ(report["skipped"], 6);
  for (const char* line :
       {"escape.py: a link that leads out of the workspace", "etc: a link that leads out of the workspace",
        "up: a link that leads out of the workspace", "loop-a.py: a link that never arrives",
        "dangling.py: a link to nothing"}) {
    EXPECT_THAT(notes_of(report), HasSubstr(line));
  }
  EXPECT_THAT(dump_of(made_.path()), Not(HasSubstr("secret")));
}

TEST_F(IndexHostileTree, AFifoAndADeviceInPlaceOfSources) {
  ASSERT_EQ(::mkfifo(made_.file("a.c").c_str(), 0600), 0);
  // Only root may make a device; a link to one is the next best thing.
  const bool real = ::mknod(made_.file("b.c").c_str(), S_IFCHR | 0600, makedev(1, 5)) == 0;
  if (!real) link("/dev/zero", "b.c");
  const auto report = index_within_bounds();
  EXPECT_THAT(notes_of(report), HasSubstr("a.c: a FIFO, socket or device"));
  EXPECT_THAT(notes_of(report),
              HasSubstr(real ? "b.c: a FIFO, socket or device" : "b.c: a link that leads out"));
}

TEST_F(IndexHostileTree, NamesThatAreNoText) {
  const std::vector<std::string> names = {"new\nline.py",
                                          "quo\"te'.py",
                                          "\x1b[31mred\x1b[2J.py",
                                          "bad\xff\xfe.py",
                                          "c1\xc2\x9b"
                                          "31m.py",
                                          "tab\t.py",
                                          "-rf.py",
                                          "$(touch pwned).py"};
  for (const std::string& name : names)
    made_.write(name, "from good import good\n\n\ndef odd():\n    good()\n");
  made_.write("bad\xff\xfe.min.js", "x\n");
  made_.commit("Odd names");
  made_.write("bad\xff.py/\x1b]0;title\x07.py", "odd = 1\n");
  const auto report = index_within_bounds();
  EXPECT_EQ(report["files"], names.size() + 3);
  for (const auto& words : std::vector<std::vector<std::string>>{{"symbols", "odd"},
                                                                 {"refs", "good"},
                                                                 {"deps", "good.py"},
                                                                 {"history", "good.py"},
                                                                 {"outline", "\x1b[31mred\x1b[2J.py"},
                                                                 {"outline", "bad\xff\xfe.py"},
                                                                 {"deps", "new\nline.py"},
                                                                 {"outline", "no\x1b[31m\nsuch.py"}}) {
    SCOPED_TRACE(words[0] + " " + words[1]);
    const Outcome text = run_measured(words, made_.path());
    EXPECT_TRUE(is_tame(text.out + text.err)) << text.out << text.err;
    EXPECT_EQ(text.exit_code, words[1].starts_with("no\x1b") ? 1 : 0) << text.err;
    if (text.exit_code != 0) continue;
    auto with_json = words;
    with_json.insert(with_json.end(), {"--format", "json"});
    const Outcome json = run_measured(with_json, made_.path());
    EXPECT_TRUE(nlohmann::json::accept(json.out)) << json.out;
  }
  EXPECT_THAT(run_measured({"symbols", "odd"}, made_.path()).out, HasSubstr("new\\nline.py"));
  EXPECT_FALSE(made_.folder().exists("pwned"));
}

TEST_F(IndexHostileTree, HugeAndDeepAndBinaryContents) {
  made_.write("one_line.js", "");
  fs::resize_file(made_.file("one_line.js"), 300 << 20);  // no line ends in it
  made_.write("long.js", "let a = [" + std::string(900'000, '7') + "]\n");
  const char* nested[] = {"deep.c", "deep.py", "deep.js", "deep.rs", "deep.go"};
  std::string open;
  for (int line = 0; line < 2000; ++line) open += std::string(100, '(') + "\n";
  for (const char* name : nested) made_.write(name, open);
  made_.write("nul.c", std::string("int a;\0int b;\0", 14));
  std::string wide = "\xff\xfe";
  for (const char c : std::string("def wide():\n    return 1\n")) wide += std::string({c, '\0'});
  made_.write("wide.py", wide);
  const auto report = index_within_bounds();
  EXPECT_EQ(report["files"], 10);
  EXPECT_EQ(report["listed"]["large"], 1) << report["listed"];
  EXPECT_EQ(report["listed"]["binary"], 1) << report["listed"] << " UTF-16 is text";
  for (const char* name : nested) {
    EXPECT_THAT(notes_of(report), HasSubstr(std::string(name) + ": searched by line blocks, not parsed"));
  }
  for (const char* name : {"one_line.js", "long.js", "nul.c", "wide.py", "deep.py"}) {
    EXPECT_EQ(run_measured({"outline", name}, made_.path()).exit_code, 0) << name;
  }
}

TEST_F(IndexHostileTree, ThreeThousandFoldersInEachOther) {
  int at = ::open(made_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(::mkdirat(at, "d", 0700), 0);
    const int below = ::openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ::close(at);
    at = below;
  }
  ::close(::openat(at, "bottom.c", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ::close(at);
  const auto report = index_within_bounds();
  EXPECT_EQ(report["files"], 1);
  EXPECT_THAT(notes_of(report), HasSubstr("too deep"));
  testing::run_command({"rm", "-rf", made_.file("d")}, "/");  // deeper than remove_all recurses
}

TEST_F(IndexHostileTree, AHundredThousandRules) {
  std::string rules;
  for (int i = 0; i < 100'000; ++i) rules += "/some/**/folder_" + std::to_string(i) + "/*.tmp\n";
  made_.write(".gitignore", rules + "*.log\n!kept.log\n");
  for (int i = 0; i < 30; ++i) made_.write("src/f" + std::to_string(i) + ".py", "A = 1\n");
  made_.write("src/noise.log", "noise\n");
  made_.write("src/kept.log", "kept\n");
  const auto report = index_within_bounds();
  EXPECT_EQ(report["ignored"], 1);
  EXPECT_THAT(dump_of(made_.path()), HasSubstr("file \"src/kept.log\""));
}

TEST_F(IndexHostileTree, AFileThatChangesWhileItIsRead) {
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; !done; ++i) {
      std::ofstream(made_.file("busy.py"), std::ios::binary)
          << std::string(static_cast<size_t>(i % 7) * 40'000, 'x') << "\n";
    }
  });
  for (int run = 0; run < 5; ++run) {
    const auto report = index_within_bounds();
    EXPECT_GE(report["files"], 1);
  }
  done = true;
  writer.join();
  made_.write("busy.py", "def settled():\n    return 1\n");
  index_report(made_.path());
  EXPECT_SAME_DUMP(fresh_dump(made_.path()), dump_of(made_.path()));
}

}  // namespace
}  // namespace knapsack
