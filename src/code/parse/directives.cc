// Choices of a preprocessor, `#if` to `#endif`, that stand where a grammar knows none: in an expression, in a list of bases,
// around half of a statement.
#include <algorithm>
#include <array>
#include <vector>

#include "code/parse/hooks.h"
#include "code/parse/word_list.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

using ascii::trim_space;

constexpr std::array<std::string_view, 3> kOpens = {"if", "ifdef", "ifndef"};
constexpr std::array<std::string_view, 4> kGoesOn = {"elif", "elifdef", "elifndef", "else"};

// Choices inside of more than this stay as they are: a line is read once for each that it stands in.
constexpr size_t kDeepest = 16;
// What ends a statement, a member or an item of a list, so that another may follow.
constexpr std::string_view kEnds = ";{}],:";
// What begins with one of these belongs to what stands above the choice.
constexpr std::string_view kContinues = "&|?:.,=+-*/)";

// "else" of "# else // two"
std::string_view word_of(std::string_view directive) {
  directive = trim_space(directive.substr(1));
  const auto end = std::find_if_not(directive.begin(), directive.end(), ascii::is_letter);
  return directive.substr(0, static_cast<size_t>(end - directive.begin()));
}

// The code of one branch as far as it tells whether the branch is whole; strings and comments left aside.
struct BranchText {
  int depth = 0;
  char first = 0, last = 0;
  bool begins_with_else = false;
  bool is_comment = false;  // goes on in the next line

  void read(std::string_view line) {
    if (first == 0 && !is_comment) begins_with_else = trim_space(line).starts_with("else");
    for (size_t i = 0; i < line.size(); ++i) {
      const std::string_view rest = line.substr(i);
      if (is_comment) {
        is_comment = !rest.starts_with("*/");
        i += is_comment ? 0 : 1;
        continue;
      }
      if (rest.starts_with("//")) return;
      if (rest.starts_with("/*")) {
        is_comment = true;
        ++i;
        continue;
      }
      const char c = line[i];
      if (ascii::is_space(c)) continue;
      if (c == '"' || c == '\'') i = end_of_quote(line, i);
      depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
      if (first == 0) first = c;
      last = c;
    }
  }

  // Statements, members or items, and all of each: others may stand beside them.
  bool is_whole() const { return depth == 0 && (first == 0 || kEnds.find(last) != std::string_view::npos); }
  bool continues() const {
    return first != 0 &&
           (begins_with_else || last == ',' || kContinues.find(first) != std::string_view::npos);
  }
  // The body of what stands above, of which each branch has one: `int f()`, then `{ … }` or `;`.
  bool is_body_of(char before) const {
    return first == '{' && before != 0 && kEnds.find(before) == std::string_view::npos;
  }

 private:
  static size_t end_of_quote(std::string_view line, size_t open) {
    for (size_t i = open + 1; i < line.size(); ++i) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == line[open]) {
        return i;
      }
    }
    return line.size();
  }
};

class ChoiceBlanker {
 public:
  ChoiceBlanker(std::string& text, bool every) : text_(text), every_(every) {}

  bool run() {
    bool goes_on = false;  // a directive, in the next line
    for (size_t start = 0; start < text_.size();) {
      const size_t end = std::min(text_.find('\n', start), text_.size());
      const std::string_view line = std::string_view(text_).substr(start, end - start);
      const std::string_view code = trim_space(line);
      const bool is_directive = goes_on || code.starts_with('#');
      if (!is_directive) {
        all_.read(line);
        for (Choice& choice : open_)
          if (choice.directives.size() == 1) choice.first.read(line);
      } else if (!goes_on) {
        read_directive(trim_space(code.substr(1)), {start, end_of_directive(start)});
      }
      goes_on = is_directive && code.ends_with('\\');
      start = end + 1;
    }
    return any_;
  }

 private:
  // Of the text.
  struct Stretch {
    size_t start = 0, end = 0;
  };
  struct Choice {
    std::vector<Stretch> directives;  // with the lines that they go on in; branches stand between them
    BranchText first;
    char before = 0;  // the last that is code above it
    bool prefers_last = false;
  };

  // The line feed behind the last line that it goes on in.
  size_t end_of_directive(size_t start) const {
    for (;;) {
      const size_t end = std::min(text_.find('\n', start), text_.size());
      const std::string_view line = std::string_view(text_).substr(start, end - start);
      if (end == text_.size() || !trim_space(line).ends_with('\\')) return end;
      start = end + 1;
    }
  }

  void read_directive(std::string_view directive, Stretch place) {
    size_t end = 0;
    while (end < directive.size() && ascii::is_letter(directive[end])) ++end;
    const std::string_view word = directive.substr(0, end);
    const bool opens = is_one_of(kOpens, word), closes = word == "endif";
    if (!opens && !closes && !is_one_of(kGoesOn, word)) return;
    if (deeper_ > 0 || (opens && open_.size() == kDeepest)) {
      deeper_ += opens ? 1 : closes ? -1 : 0;
      return;
    }
    if (opens) {
      open_.emplace_back();
      open_.back().before = all_.last;
      open_.back().prefers_last = is_rarely_chosen(word, directive.substr(end));
    }
    if (open_.empty()) return;
    open_.back().directives.push_back(place);
    if (!closes) return;
    const Choice closed = std::move(open_.back());
    open_.pop_back();
    close(closed);
  }

  // `#if 0` and `#ifdef _WIN32`: what most people build stands behind `#else`.
  static bool is_rarely_chosen(std::string_view word, std::string_view condition) {
    condition = trim_space(condition);
    if (word == "ifndef" || condition.find('!') != std::string_view::npos) return false;
    return condition == "0" || condition.find("WIN32") != std::string_view::npos ||
           condition.find("_MSC_VER") != std::string_view::npos;
  }

  void close(const Choice& choice) {
    const bool is_whole = choice.first.is_whole() && !choice.first.is_body_of(choice.before);
    if (!every_ && is_whole && !choice.first.continues()) return;
    for (const Stretch directive : choice.directives) blank(directive);
    if (is_whole) return;
    const size_t branches = choice.directives.size() - 1;
    const size_t kept = choice.prefers_last ? branches - 1 : 0;
    for (size_t i = 0; i < branches; ++i)
      if (i != kept) blank({choice.directives[i].end, choice.directives[i + 1].start});
  }

  void blank(Stretch place) {
    any_ = true;
    std::replace_if(
        text_.begin() + static_cast<std::ptrdiff_t>(place.start),
        text_.begin() + static_cast<std::ptrdiff_t>(place.end), [](char c) { return c != '\n'; }, ' ');
  }

  std::string& text_;
  bool every_;
  BranchText all_;
  std::vector<Choice> open_;
  int deeper_ = 0;  // choices inside the innermost of these
  bool any_ = false;
};

}  // namespace

bool blank_choices(std::string& text, bool every) {
  return ChoiceBlanker(text, every).run();
}

void add_directives(std::string_view bytes, std::vector<ByteRange>& ranges) {
  constexpr size_t kNone = std::string_view::npos;
  std::vector<size_t> open;  // of each choice where its second branch begins
  for (size_t start = 0; start < bytes.size();) {
    size_t end = std::min(bytes.find('\n', start), bytes.size());
    const std::string_view code = trim_space(bytes.substr(start, end - start));
    if (code.starts_with('#') && !trim_space(code.substr(1)).starts_with("define")) {
      const size_t sign = bytes.find('#', start);
      const std::string_view word = word_of(code);
      if (is_one_of(kOpens, word)) open.push_back(kNone);
      if (is_one_of(kGoesOn, word) && !open.empty() && open.back() == kNone) open.back() = sign;
      while (end < bytes.size() && trim_space(bytes.substr(start, end - start)).ends_with('\\')) {
        start = end + 1;
        end = std::min(bytes.find('\n', start), bytes.size());
      }
      ranges.push_back({static_cast<uint32_t>(sign), static_cast<uint32_t>(end)});
      if (word != "endif" || open.empty()) {
        start = end + 1;
        continue;
      }
      if (open.back() != kNone)
        ranges.push_back({static_cast<uint32_t>(open.back()), static_cast<uint32_t>(end)});
      open.pop_back();
    }
    start = end + 1;
  }
}

ByteRange second_branch(std::string_view bytes, ByteRange range) {
  ByteRange branch;
  for (size_t start = bytes.find('\n', range.start); start < range.end;) {
    const size_t end = std::min(bytes.find('\n', ++start), bytes.size());
    const std::string_view code = trim_space(bytes.substr(start, end - start));
    if (code.starts_with('#')) {
      if (branch.start > 0) return {branch.start, static_cast<uint32_t>(start)};
      if (is_one_of(kGoesOn, word_of(code))) branch.start = static_cast<uint32_t>(end);
    }
    start = end;
  }
  return {};
}

}  // namespace knapsack::code
