#include "text/tokens/unit_memory.h"

#include <atomic>

#include "support/support.h"
#include "support_reference.h"

namespace knapsack {
namespace {

// Lines that begin with what may or may not be cut before, and the texts that are made of them.
class Texts {
 public:
  std::string line() {
    static const std::vector<std::string> beginnings = {
        "- ",     "### ",   "\"",     " ", "\n", "/",    "\t",   "\r",  "x",  "9",     "\u00A0",
        "\u2003", "\u3000", "\u0301", "é", "文", "\x85", "\xFF", "дом", "'s", "\u1680"};
    return beginnings[random_() % beginnings.size()] + testing::random_text(random_, 20) + "\n";
  }
  // Few different lines, so that they come back.
  std::string text() {
    if (lines_.size() < 40) lines_.push_back(line());
    std::string text;
    for (size_t n = random_() % 8; n > 0; --n) text += lines_[random_() % lines_.size()];
    return random_() % 4 == 0 ? text + testing::random_text(random_, 10) : text;
  }

 private:
  std::mt19937 random_{20261115};
  std::vector<std::string> lines_;
};

TEST(UnitMemory, CountsAsItsCounterDoes) {
  for (const std::string& name : token_counter_names()) {
    const TokenCounter& counter = **find_token_counter(name);
    Texts texts;
    UnitMemory memory(counter);
    for (int round = 0; round < 3000; ++round) {
      const std::string text = texts.text();
      ASSERT_EQ(memory.units(text), counter.units(text)) << name << ' ' << ::testing::PrintToString(text);
    }
  }
}

// White space between two line feeds makes one piece with them, outside ASCII as well: no cut may part them.
TEST(UnitMemory, LeavesWhiteSpaceWithTheLineFeedBeforeIt) {
  for (const std::string& name : token_counter_names()) {
    const TokenCounter& counter = **find_token_counter(name);
    UnitMemory memory(counter);
    for (const std::string space :
         {" ", "\t", "\u0085", "\u00A0", "\u1680", "\u2003", "\u2028", "\u202F", "\u3000"}) {
      for (const char* before : {"a\n", "\n\n", " \n", "a\r\n"}) {
        for (const char* after : {"\n", "\n\n", "\r\n", " \n", "/"}) {
          const std::string text = before + space + after;
          EXPECT_EQ(memory.units(text), counter.units(text)) << name << ' ' << ::testing::PrintToString(text);
        }
      }
    }
  }
}

TEST(UnitMemory, CountsAsItsCounterDoesWhatItLearntInParallel) {
  for (const std::string& name : token_counter_names()) {
    const TokenCounter& counter = **find_token_counter(name);
    Texts texts;
    UnitMemory memory(counter);
    std::vector<std::string> kept;
    for (int round = 0; round < 3000; ++round) kept.push_back(texts.text() + texts.line());
    memory.learn(std::vector<std::string_view>(kept.begin(), kept.end()));
    for (const std::string& text : kept) ASSERT_EQ(memory.units(text), counter.units(text)) << name;
  }
}

// Whatever surrounds what was counted before: what is known is used only where it holds.
TEST(UnitMemory, CountsAroundAPartThatItWasToldOf) {
  for (const std::string& name : token_counter_names()) {
    const TokenCounter& counter = **find_token_counter(name);
    Texts texts;
    UnitMemory memory(counter);
    for (int round = 0; round < 2000; ++round) {
      const std::string part = texts.text() + texts.line();
      const std::string text =
          texts.text() + (round % 3 == 0 ? "" : "```c\n") + part + (round % 2 == 0 ? "```\n" : texts.text());
      ASSERT_EQ(memory.units_around(text, part, counter.units(part)), counter.units(text))
          << name << ' ' << ::testing::PrintToString(text) << ' ' << ::testing::PrintToString(part);
    }
    EXPECT_EQ(memory.units_around("all of it\n", "not in there\n", 1000), counter.units("all of it\n"));
    EXPECT_EQ(memory.units_around("all of it\n", "", 1000), counter.units("all of it\n"));
  }
}

// Counts bytes and how often it was asked.
class Watched final : public TokenCounter {
 public:
  std::string_view name() const override { return "watched"; }
  uint64_t units_per_token() const override { return 1; }
  uint64_t units(std::string_view text) const override {
    bytes_ += text.size();
    return text.size();
  }
  bool is_exact() const override { return true; }
  uint64_t bytes() const { return bytes_; }

 private:
  mutable std::atomic<uint64_t> bytes_ = 0;
};

TEST(UnitMemory, CountsALineOnce) {
  const Watched counter;
  UnitMemory memory(counter);
  const std::string first = "# one\n- two\n";
  const std::string second = "- two\n# one\n- three\n";
  EXPECT_EQ(memory.units(first), first.size());
  EXPECT_EQ(counter.bytes(), first.size());
  EXPECT_EQ(memory.units(second), second.size());
  EXPECT_EQ(counter.bytes(), first.size() + std::string_view("- three\n").size());
  const std::vector<std::string_view> known = {first, second};
  memory.learn(known);
  EXPECT_EQ(memory.units(first + second), first.size() + second.size());
  EXPECT_EQ(counter.bytes(), first.size() + std::string_view("- three\n").size());
}

TEST(UnitMemory, DoesNotCountAPartThatItWasToldOf) {
  const Watched counter;
  UnitMemory memory(counter);
  const std::string text = "```c\nint a;\nint b;\n```\n";
  const std::string_view part = std::string_view(text).substr(5, 14);
  EXPECT_EQ(memory.units_around(text, part, part.size()), text.size());
  EXPECT_EQ(counter.bytes(), text.size() - part.size());
}

TEST(UnitMemory, LearnsEachLineOfManyTextsOnce) {
  const Watched counter;
  UnitMemory memory(counter);
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "line " + std::to_string(i) + "\n";
  const std::vector<std::string_view> twice = {text, text};
  memory.learn(twice);
  EXPECT_EQ(counter.bytes(), text.size());
  EXPECT_EQ(memory.units(text), text.size());
  EXPECT_EQ(counter.bytes(), text.size());
}

}  // namespace
}  // namespace knapsack
