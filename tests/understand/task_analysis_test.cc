// The table of tasks is in tests/fixtures/tasks: "=== name", the text, "---", and what must be found, one
// thing a line. All fields but keywords and concepts are compared whole, so what is not listed must not be
// found.
#include "understand/task_analysis.h"

#include <random>
#include <set>

#include "support/support.h"
#include "text/unicode/utf8.h"
#include "understand/task_keywords.h"
#include "understand/task_segments.h"
#include "understand/traces/trace_reader.h"

namespace knapsack {
namespace {

using knapsack::testing::read_source_file;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::IsSubsetOf;

using Fields = std::map<std::string, std::vector<std::string>>;

struct Case {
  std::string name;
  std::string text;
  Fields expected;
};

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back().push_back(c);
  }
  return parts;
}

std::vector<Case> read_cases(const std::string& file) {
  std::vector<Case> cases;
  bool in_text = false;
  for (const std::string& line : split(read_source_file("tests/fixtures/tasks/" + file), '\n')) {
    if (line.starts_with("=== ")) {
      cases.push_back({line.substr(4), "", {}});
      in_text = true;
    } else if (in_text && line == "---") {
      in_text = false;
    } else if (in_text) {
      cases.back().text += replace_all(line, "␍", "\r") + "\n";
    } else if (const size_t colon = line.find(": "); colon != std::string::npos) {
      cases.back().expected[line.substr(0, colon)].push_back(line.substr(colon + 2));
    }
  }
  return cases;
}

Fields found_fields(const TaskQuery& query) {
  Fields fields;
  const auto place = [](const auto& at) {
    return at.path + (at.line > 0 ? ":" + std::to_string(at.line) : "");
  };
  fields["type"] = {std::string(to_string(query.type))};
  for (const PathHint& path : query.paths) fields["path"].push_back(place(path));
  for (const StackFrame& frame : query.frames)
    fields["frame"].push_back(place(frame) + (frame.function.empty() ? "" : " " + frame.function));
  for (const std::string& code : query.quoted) fields["quoted"].push_back(replace_all(code, "\n", "⏎"));
  fields["symbol"] = query.symbols;
  fields["error"] = query.errors;
  fields["issue"] = query.issues;
  fields["commit"] = query.commits;
  fields["keywords"] = query.keywords;
  fields["concepts"] = query.concepts;
  return fields;
}

void expect_same_mentions(const TaskQuery& query, const TaskQuery& mentions) {
  EXPECT_EQ(mentions.paths, query.paths);
  EXPECT_EQ(mentions.symbols, query.symbols);
}

class TaskTable : public ::testing::TestWithParam<const char*> {};

TEST_P(TaskTable, FindsExactlyWhatIsListed) {
  const std::vector<Case> cases = read_cases(GetParam());
  ASSERT_FALSE(cases.empty());
  for (const Case& row : cases) {
    const Fields found = found_fields(analyze_task(row.text));
    expect_same_mentions(analyze_task(row.text), find_mentions(row.text));
    ASSERT_EQ(row.expected.count("type"), 1U) << row.name;
    for (const auto& [name, values] : row.expected)
      ASSERT_EQ(found.count(name), 1U) << row.name << ": " << name;
    for (const auto& [name, values] : found) {
      const bool words = name == "keywords" || name == "concepts";
      const auto wanted = row.expected.find(name);
      if (words && wanted == row.expected.end()) continue;
      const auto expected = wanted == row.expected.end() ? std::vector<std::string>() : wanted->second;
      EXPECT_THAT(values, ElementsAreArray(words ? split(expected[0], ' ') : expected))
          << row.name << ": " << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, TaskTable,
                         ::testing::Values("traces.txt", "paths.txt", "symbols.txt", "types.txt",
                                           "russian.txt", "issues.txt"),
                         [](const auto& file) { return split(file.param, '.')[0]; });

TEST(TaskAnalysis, KeepsTheTextAsItWasGiven) {
  const std::string text = "caf\xE9 \xFF\xFE broken\r\n";
  EXPECT_EQ(analyze_task(text).text, text);
  EXPECT_THAT(analyze_task("").segments, IsEmpty());
}

TEST(TaskAnalysis, KnowsWhatIsCalled) {
  const TaskQuery query = analyze_task(
      "`parent` differs from `{{ block() }}`, get_user(5), save!(), cast/4, cart_total (see below) and "
      "Cart.total()");
  EXPECT_THAT(query.called, ElementsAre("block", "get_user", "save!", "save", "cast", "Cart.total"));
}

TEST(TaskAnalysis, KnowsWhatIsOnlyWrittenWithAMark) {
  EXPECT_THAT(analyze_task("`save!` fails").unmarked, ElementsAre("save"));
  for (const char* both : {"`save!` fails and `save` does not", "`save` works and `save!` does not"})
    EXPECT_THAT(analyze_task(both).unmarked, IsEmpty()) << both;
}

// What must hold for every text.
void expect_sound(const TaskQuery& query) {
  EXPECT_LE(query.segments.size(), kMaxSegments);
  EXPECT_LE(query.paths.size(), kMaxPaths);
  EXPECT_LE(query.symbols.size(), kMaxSymbols);
  EXPECT_LE(query.frames.size(), kMaxFrames);
  EXPECT_LE(query.errors.size(), kMaxErrors);
  EXPECT_LE(query.issues.size() + query.commits.size(), 2 * kMaxReferences);
  EXPECT_LE(query.quoted.size(), kMaxQuoted);
  EXPECT_LE(query.keywords.size(), kMaxKeywords);
  for (const auto& [name, values] : found_fields(query)) {
    for (const std::string& value : values) {
      EXPECT_TRUE(valid_utf8(value)) << name;
      EXPECT_FALSE(value.empty()) << name;
    }
    const std::set<std::string> distinct(values.begin(), values.end());
    EXPECT_EQ(distinct.size(), values.size()) << name;
  }
  for (const TaskSegment& segment : query.segments) EXPECT_TRUE(valid_utf8(segment.text));
  EXPECT_THAT(query.called, IsSubsetOf(query.symbols));
  EXPECT_THAT(query.unmarked, IsSubsetOf(query.symbols));
}

void expect_same(const TaskQuery& a, const TaskQuery& b) {
  EXPECT_EQ(a.segments, b.segments);
  EXPECT_EQ(found_fields(a), found_fields(b));
}

// Pieces that mean something to one of the scanners, so that random texts meet its branches.
constexpr const char* kPieces[] = {
    "`",
    "``",
    "```",
    "~~~",
    "\n",
    "\r\n",
    "\n\n",
    "    ",
    "\t",
    "> ",
    "# ",
    "- ",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "<br>",
    "<details>",
    "Traceback (most recent call last):\n",
    "  File \"a.py\", line 1, in f\n",
    "KeyError: 'x'",
    "    at f (/a/b.js:1:2)\n",
    "Caused by: ",
    "goroutine 1 [running]:\n",
    "\t/a/b.go:3 +0x1\n",
    "#0 ",
    "0x1 in f ",
    "thread 'main' panicked at ",
    "src/a.rs:1:2:",
    "stack backtrace:",
    "   3: f::g\n",
    "E   assert 1",
    "____ t ____",
    "a/b.py:12",
    "C:\\a\\b.cs",
    "x.json",
    "...",
    "/",
    "\\",
    ":",
    "::",
    "->",
    "(",
    ")",
    "()",
    "$",
    "@",
    "_",
    "cart_total",
    "save!",
    "empty?",
    "cast/4",
    "https://h.example/o/r/blob/main/a.py#L3",
    "www.",
    "#12",
    "1f2e3d4",
    "Fix",
    "не работает",
    "\xD0",
    "\xFF",
    "\0x",
    "«",
    "…",
    "检索",
    "Environment",
    "**Expected behavior**",
    "3.11.2",
    " in `f': m (E)",
    " on line 3",
    "PHP Warning: ",
};

TEST(TaskAnalysis, IsSoundAndRepeatableForRandomTexts) {
  std::mt19937 random(20240611);
  const int cases = 4000 / testing::cases_divisor();
  for (int i = 0; i < cases; ++i) {
    std::string text;
    const size_t pieces = random() % 60;
    for (size_t j = 0; j < pieces; ++j) {
      if (random() % 8 == 0) text.push_back(static_cast<char>(random()));
      text += kPieces[random() % std::size(kPieces)];
      if (random() % 3 == 0) text.push_back(' ');
    }
    const TaskQuery query = analyze_task(text);
    expect_sound(query);
    expect_same(query, analyze_task(text));
    expect_same_mentions(query, find_mentions(text));
    EXPECT_EQ(query.segments, split_task_text(text));
    if (HasFailure()) FAIL() << ::testing::PrintToString(text);
  }
}

TEST(TaskAnalysis, AnyCutOfARealTaskIsSound) {
  for (const char* file : {"traces.txt", "issues.txt", "russian.txt"}) {
    for (const Case& row : read_cases(file)) {
      for (size_t size = 0; size < row.text.size(); size += 7)
        expect_sound(analyze_task(row.text.substr(0, size)));
    }
  }
}

// Nothing follows the dashes that begin an arrow, and little may follow the arrow.
TEST(TaskAnalysis, ReadsLinesOfATraceThatEndEarly) {
  const std::string trace = "```\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n";
  for (const std::string line :
       {"--", "---", "-----", "->", "-->", "--->", "---> ", "---> 4", "[", "... ", "_"}) {
    const TaskQuery query = analyze_task(trace + line + "\n  File \"b.py\", line 4, in g\n```\n");
    expect_sound(query);
    const bool read = std::any_of(query.frames.begin(), query.frames.end(),
                                  [](const StackFrame& frame) { return frame.path == "a.py"; });
    EXPECT_TRUE(read) << line;
  }
}

TEST(TaskAnalysis, LineEndsDoNotMatter) {
  for (const char* file :
       {"traces.txt", "issues.txt", "paths.txt", "symbols.txt", "types.txt", "russian.txt"}) {
    for (const Case& row : read_cases(file)) {
      const std::string plain = replace_all(row.text, "\r", "");
      expect_same(analyze_task(plain), analyze_task(replace_all(plain, "\n", "\r\n")));
    }
  }
}

// A million bytes, where something quadratic takes a million million steps, and ten million of what the
// scanners look for most: that these end is what is tested.
TEST(TaskAnalysis, TakesLinearTimeOnHostileTexts) {
  const auto expect_sound_repetition = [](std::string_view piece, size_t bytes) {
    std::string text = "t\n";
    while (text.size() < bytes / static_cast<size_t>(testing::cases_divisor())) text += piece;
    expect_sound(analyze_task(text));
    expect_sound(analyze_task(text.substr(2, 1000)));
  };
  for (const char* piece : {"`", "(", "<!--", "a", "\n"}) expect_sound_repetition(piece, 10'000'000);
  const char* const hostile[] = {
      "`",
      "` ",
      "`` ` ",
      "(",
      "<!--",
      "<!-- `",
      "<!--\n",
      "\n",
      " ",
      "a",
      "a.",
      "a/",
      "a\\",
      ".py",
      "a.py(1",
      "a.py:1 ",
      "x.y ",
      "a_b",
      "a!",
      "a_b? c",
      "a/1",
      "a::",
      "http://",
      "www.a](",
      "<br ",
      "<pre>",
      "```\n",
      "````` ````\n",
      "~~~a\n",
      "> ",
      ">",
      "#",
      "#1 ",
      "1f2e3d4 ",
      "- ",
      "    - a\n",
      "E   ",
      ": ",
      "Error: ",
      "KeyError: a\n",
      " in ",
      "at a (",
      "#0 a at ",
      "#0 0x1 in a (",
      "0x1 in a) from ",
      "frame #1: 0x1 a`",
      "1  a  0x12345 b + 1\n",
      "1: a::b\n",
      "\xE2\x9D\xAF a ",
      "\xE2\x9D\xAF a b.ts:1\n",
      "[redacted: ",
      "[redacted: a]",
      "a.py\n1:1 error\n",
      "1:1 error\n",
      "  File \"",
      "Traceback (most recent call last):\n",
      "Caused by: a\n",
      "goroutine 1 [x]:\n",
      "thread 'a' panicked at '",
      "\xFF",
      "я",
      "я.",
      "**",
      "Fix ",
      "a/x.py a/y.py ",
      "diff --git a/",
      "\r",
      "_",
      "__",
      "$",
      "@",
      "\xE2\x80\xA6/",
      "- [ ] \n",
  };
  for (const char* piece : hostile) expect_sound_repetition(piece, 1'000'000);
}

TEST(TaskAnalysis, BoundsEveryList) {
  std::string many = "t\n";
  for (int i = 0; i < 2000; ++i) {
    const std::string n = std::to_string(i);
    many += "See dir/file" + n + ".py and name_" + n + " (#" + n + ") `code" + n + "` word" +
            std::string(1, 'a' + i % 26) + std::string(1, 'a' + i / 26 % 26) + "x\n\nKeyError: " + n +
            "\n    at f" + n + " (/a/b" + n + ".js:1:1)\n\n";
  }
  const TaskQuery query = analyze_task(many);
  EXPECT_EQ(query.paths.size(), kMaxPaths);
  EXPECT_EQ(query.symbols.size(), kMaxSymbols);
  EXPECT_EQ(query.issues.size(), kMaxReferences);
  EXPECT_EQ(query.quoted.size(), kMaxQuoted);
  EXPECT_EQ(query.errors.size(), kMaxErrors);
  EXPECT_EQ(query.frames.size(), kMaxFrames);
  EXPECT_EQ(query.keywords.size(), kMaxKeywords);
}

TEST(TaskAnalysis, KeepsTheFramesNextToTheFailureOfADeepRecursion) {
  std::string deep = "Recursion\n```\nTraceback (most recent call last):\n";
  for (size_t i = 1; i <= 3 * kMaxFramesPerTrace; ++i)
    deep += "  File \"a.py\", line " + std::to_string(i) + ", in f\n";
  const TaskQuery query = analyze_task(deep + "RecursionError: maximum recursion depth exceeded\n```\n");
  ASSERT_EQ(query.frames.size(), kMaxFramesPerTrace);
  EXPECT_EQ(query.frames.front().line, 3 * kMaxFramesPerTrace);
}

TEST(TaskAnalysis, CutsLongQuotationsBetweenCharacters) {
  std::string code;
  while (code.size() <= kMaxQuotedBytes) code += "я";
  const TaskQuery query = analyze_task("t\n```\n-" + code + "\n```\n");
  ASSERT_EQ(query.quoted.size(), 1U);
  EXPECT_EQ(query.quoted[0].size(), kMaxQuotedBytes - 1);
  EXPECT_TRUE(valid_utf8(query.quoted[0]));
}

}  // namespace
}  // namespace knapsack
