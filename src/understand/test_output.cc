#include "understand/test_output.h"

#include <algorithm>
#include <unordered_set>

#include "core/ascii.h"
#include "text/markdown/markdown_lines.h"
#include "text/unicode/utf8.h"
#include "understand/junit_output.h"
#include "understand/traces/error_lines.h"

namespace knapsack {
namespace {

constexpr size_t kMaxErrorLines = 200;

std::string without_colours(std::string_view line) {
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      out += line[i];
      continue;
    }
    // CSI: up to a letter.
    if (i + 1 < line.size() && line[i + 1] == '[') ++i;
    while (i + 1 < line.size() && !ascii::is_letter(line[i + 1])) ++i;
    ++i;
  }
  return out;
}

// "src/cart.py:12", "C:\\x\\cart.cs:12": a name with an ending, a colon and a number.
bool has_location(std::string_view line) {
  for (size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
    if (colon + 1 >= line.size() || !ascii::is_digit(line[colon + 1])) continue;
    size_t begin = colon;
    while (begin > 0 && ascii::is_identifier(line[begin - 1])) --begin;
    const bool has_ending = begin > 1 && begin < colon && line[begin - 1] == '.' &&
                            ascii::is_letter(line[begin]) && ascii::is_identifier(line[begin - 2]);
    if (has_ending) return true;
  }
  return false;
}

bool tells(std::string_view line) {
  if (has_location(line)) return true;
  if (line.starts_with("File \"")) return true;
  constexpr std::string_view kWords[] = {"Error",    "Exception", "panicked at", "Expected", "expected",
                                         "Received", "assert",    "Assert",      "undefined"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

class OutputReader {
 public:
  TestOutput run(std::string_view text) {
    const bool is_xml = text.find("<testcase") != std::string_view::npos;
    if (is_xml) {
      read_junit(
          text, [this](FailedTest test) { add(std::move(test)); },
          [this](std::string_view line) { add_error(trim(line), true); });
    }
    for (size_t at = 0; at < text.size() && !is_xml;) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = without_colours(text.substr(at, end - at));
      read(trim(line));
      at = end + 1;
    }
    // What a run prints beside failures is no error of theirs.
    if (output_.failed.empty() && !has_trace_) output_.errors.clear();
    return std::move(output_);
  }

 private:
  void read(std::string_view line) {
    has_trace_ = has_trace_ || line.starts_with("Traceback (most recent call last)") ||
                 line.find("panicked at") != std::string_view::npos || line.starts_with("panic: ");
    if (read_pytest(line) || read_unittest(line) || read_go(line) || read_cargo(line) || read_jest(line) ||
        read_googletest(line) || read_ctest(line))
      return;
    add_error(line, false);
  }

  // FAILED tests/test_cart.py::TestCart::test_total[3] - assert 3 == 4
  bool read_pytest(std::string_view line) {
    // The statement that failed, and what it came to.
    if (line.starts_with("E  ") || line.starts_with(">  ")) {
      add_error(trim(line.substr(1)), true);
      return true;
    }
    const bool failed = line.starts_with("FAILED ");
    if (!failed && !line.starts_with("ERROR ")) return false;
    std::string_view rest = trim(line.substr(failed ? 7 : 6));
    const size_t dash = rest.find(" - ");
    const std::string_view node = trim(rest.substr(0, dash));
    const size_t colons = node.find("::");
    const std::string_view file = node.substr(0, colons);
    if (!file.ends_with(".py")) return false;
    FailedTest test{std::string(node), std::string(file), {}};
    if (colons != std::string_view::npos) {
      std::string symbol(node.substr(colons + 2));
      symbol = symbol.substr(0, symbol.find('['));
      for (size_t at = symbol.find("::"); at != std::string::npos; at = symbol.find("::"))
        symbol.replace(at, 2, ".");
      test.symbols.push_back(symbol);
      if (const size_t dot = symbol.rfind('.'); dot != std::string::npos)
        test.symbols.push_back(symbol.substr(dot + 1));
    }
    add(std::move(test));
    if (dash != std::string_view::npos) add_error(trim(rest.substr(dash + 3)), true);
    return true;
  }

  // FAIL: test_total (tests.test_cart.TestCart.test_total)
  bool read_unittest(std::string_view line) {
    const bool failed = line.starts_with("FAIL: ") || line.starts_with("ERROR: ");
    const size_t open = line.find(" (");
    if (!failed || open == std::string_view::npos || !line.ends_with(')')) return false;
    const size_t begin = line.find(' ') + 1;
    const std::string function(line.substr(begin, open - begin));
    std::string owner(line.substr(open + 2, line.size() - open - 3));
    if (owner.ends_with("." + function)) owner.resize(owner.size() - function.size() - 1);
    const size_t dot = owner.rfind('.');
    add({std::string(line.substr(begin)),
         "",
         {(dot == std::string::npos ? owner : owner.substr(dot + 1)) + "." + function, function}});
    return true;
  }

  // --- FAIL: TestTotal/with_tax (0.00s)
  bool read_go(std::string_view line) {
    constexpr std::string_view kMark = "--- FAIL: ";
    if (!line.starts_with(kMark)) return false;
    std::string_view name = line.substr(kMark.size());
    name = name.substr(0, name.find(" ("));
    const std::string_view function = name.substr(0, name.find('/'));
    add({std::string(name), "", {std::string(function)}});
    return true;
  }

  // test cart::tests::adds_up ... FAILED
  bool read_cargo(std::string_view line) {
    constexpr std::string_view kEnd = " ... FAILED";
    if (!line.starts_with("test ") || !line.ends_with(kEnd)) return false;
    const std::string name(line.substr(5, line.size() - 5 - kEnd.size()));
    FailedTest test{name, "", {name}};
    const size_t last = name.rfind("::");
    if (last != std::string::npos) test.symbols.push_back(name.substr(last + 2));
    add(std::move(test));
    return true;
  }

  // FAIL src/cart.test.ts, then "● Cart › adds up"; vitest writes "FAIL src/cart.test.ts > Cart > adds up".
  bool read_jest(std::string_view line) {
    constexpr std::string_view kBullet = "● ";
    if (line.starts_with(kBullet) && !suite_.empty()) {
      add({suite_ + " " + std::string(trim(line.substr(kBullet.size()))), suite_, {}});
      return true;
    }
    if (!line.starts_with("FAIL ")) return false;
    const std::string_view rest = trim(line.substr(5));
    const std::string_view file = rest.substr(0, rest.find_first_of(" \t"));
    const size_t dot = file.rfind('.');
    constexpr std::string_view kEndings[] = {"js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue"};
    const bool is_script =
        dot != std::string_view::npos &&
        std::find(std::begin(kEndings), std::end(kEndings), file.substr(dot + 1)) != std::end(kEndings);
    if (!is_script) return false;
    suite_ = std::string(file);
    add({std::string(rest), suite_, {}});
    return true;
  }

  // [  FAILED  ] Clock.ParsesDurations (0 ms); [  FAILED  ] Some/Clock.Parses/3, where GetParam() = …
  bool read_googletest(std::string_view line) {
    constexpr std::string_view kMark = "[  FAILED  ] ";
    if (!line.starts_with(kMark)) return false;
    std::string_view name = line.substr(kMark.size());
    name = name.substr(0, std::min(name.find(" ("), name.find(", ")));
    const size_t dot = name.find('.');
    if (dot == std::string_view::npos || name.find(' ') != std::string_view::npos) return true;
    std::string_view suite = name.substr(0, dot), function = name.substr(dot + 1);
    if (const size_t slash = suite.rfind('/'); slash != std::string_view::npos)
      suite = suite.substr(slash + 1);
    function = function.substr(0, function.find('/'));
    add({std::string(name), "", {std::string(suite) + "." + std::string(function), std::string(function)}});
    return true;
  }

  // "  3 - core_test (Failed)", below "The following tests FAILED:". The names are the build's: they are told,
  // and what the test itself printed says the rest.
  bool read_ctest(std::string_view line) {
    if (line.starts_with("The following tests FAILED")) {
      in_ctest_list_ = true;
      return true;
    }
    if (!in_ctest_list_) return false;
    const std::string_view digits = ascii::leading_digits(line);
    const size_t open = line.rfind(" (");
    if (digits.empty() || !line.substr(digits.size()).starts_with(" - ") || open == std::string_view::npos)
      return false;
    const size_t begin = digits.size() + 3;
    if (open <= begin) return false;
    add({std::string(trim(line.substr(begin, open - begin))), "", {}});
    return true;
  }

  void add(FailedTest test) {
    if (test.name.empty() || !names_.insert(test.name + "\n" + test.file).second) return;
    if (output_.failed.size() == kMaxFailedTests) {
      ++output_.more;
      return;
    }
    output_.failed.push_back(std::move(test));
  }

  void add_error(std::string_view line, bool is_error) {
    if (line.empty() || output_.errors.size() == kMaxErrorLines || (!is_error && !tells(line))) return;
    std::string text(utf8_prefix(line, kMaxErrorBytes));
    if (lines_.insert(text).second) output_.errors.push_back(std::move(text));
  }

  TestOutput output_;
  std::unordered_set<std::string> names_, lines_;
  std::string suite_;  // jest's file
  bool in_ctest_list_ = false;
  bool has_trace_ = false;
};

}  // namespace

TestOutput read_test_output(std::string_view text) {
  return OutputReader().run(text);
}

}  // namespace knapsack
