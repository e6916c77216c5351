#include "text/secrets/secret_assignments.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/ascii.h"
#include "text/secrets/secret_shapes.h"
#include "text/secrets/secret_value.h"

namespace knapsack {
namespace {

constexpr size_t kMaxName = 100;
constexpr size_t kMaxValue = 1024;
constexpr size_t kMaxType = 40;  // of a declaration: `password: Optional[str] = …`

constexpr std::array<std::string_view, 6> kMarks = {"pass", "pwd", "secret", "token", "key", "auth"};

bool is_of_name(char c) {
  return ascii::is_identifier(c) || c == '-' || c == '.';
}
bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}
// Reads on from behind a name to its value.
class ValueReader {
 public:
  ValueReader(std::string_view text, size_t name_begin, size_t name_end, SecretContext context)
      : text_(text), name_begin_(name_begin), at_(name_end), context_(context) {}

  // Begin and end of the value; empty where there is none.
  struct Found {
    size_t begin = 0, end = 0;
    bool whole = false;
  };

  Found read(bool is_password) {
    const bool quoted_name = pass_closing_quote();
    const bool option = name_begin_ >= 2 && text_.substr(name_begin_ - 2, 2) == "--";
    const size_t behind_name = at_;
    pass_blanks();
    const bool spaced = at_ > behind_name;
    if (!pass_operator(quoted_name)) {
      // SQL's PASSWORD '…', and --password … on a command line.
      if (!spaced || !(option || (is_password && at() == '\''))) return {};
      if (option && context_ == SecretContext::kCode && !is_quote(at())) return {};
    }
    pass_blanks();
    pass_string_prefix();
    // Behind a comma the next argument stands as well: `"/etc/passwd", mode=0x55`.
    if (behind_comma_ && !is_quote(at()) && !(at() == '\\' && is_quote(at(1)))) return {};
    return is_quote(at()) || (at() == '\\' && is_quote(at(1))) ? quoted() : bare();
  }

 private:
  char at(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void pass_blanks() {
    while (ascii::is_blank(at())) ++at_;
  }

  bool pass_closing_quote() {
    const size_t before = at_;
    if (at() == '\\' && is_quote(at(1))) ++at_;
    if (is_quote(at())) ++at_;
    if (at() == ']' || at() == '}') ++at_;
    return at_ > before;
  }

  bool pass_equals() {
    if (at() != '=' || at(1) == '=' || at(1) == '~') return false;
    at_ += at(1) == '>' ? 2 : 1;
    return true;
  }

  bool pass_operator(bool quoted_name) {
    if (pass_equals()) return true;
    if (at() == ':' && at(1) == '=') return at_ += 2, true;
    if (at() == ':' && at(1) != ':') {
      ++at_;
      pass_type();
      return true;
    }
    if ((at() == '?' || at() == '+') && at(1) == '=') return at_ += 2, true;
    if (at() == '|' && at(1) == '|' && at(2) == '=') return at_ += 3, true;
    if (at() == ',' && quoted_name) return ++at_, behind_comma_ = true;
    if (at() == '>' && name_begin_ > 0 && text_[name_begin_ - 1] == '<') return ++at_, true;
    return false;
  }

  // `: str = ` declares before it assigns.
  void pass_type() {
    size_t end = at_;
    const size_t limit = std::min(text_.size(), at_ + kMaxType);
    while (end < limit && (is_of_name(text_[end]) || ascii::is_blank(text_[end]) || text_[end] == '[' ||
                           text_[end] == ']' || text_[end] == '<' || text_[end] == '>' || text_[end] == '?' ||
                           text_[end] == '|' || text_[end] == '*'))
      ++end;
    if (end + 1 < text_.size() && end > at_ + 1 && text_[end] == '=' && text_[end - 1] == ' ' &&
        text_[end + 1] != '=' && context_ == SecretContext::kCode)
      at_ = end + 1;
  }

  // b"…", r'…', @"…", L"…"
  void pass_string_prefix() {
    for (size_t length = 1; length <= 2; ++length) {
      if (!is_quote(at(length))) continue;
      const std::string_view prefix = text_.substr(at_, length);
      if (prefix.find_first_not_of("bBrRuUfFL@$") == std::string_view::npos) at_ += length;
      return;
    }
  }

  Found quoted() {
    const bool escaped = at() == '\\';
    if (escaped) ++at_;
    const char quote = at();
    ++at_;
    while (at() == quote && at(1) == quote) at_ += 2;  // """…"""
    const size_t begin = at_;
    const size_t limit = std::min(text_.size(), begin + kMaxValue);
    for (size_t i = begin; i < limit && text_[i] != '\n'; ++i) {
      if (text_[i] == '\\' && i + 1 < limit) {
        if (escaped && text_[i + 1] == quote) return {begin, i, true};
        if (!escaped) ++i;
        continue;
      }
      if (text_[i] == quote) return {begin, i, true};
    }
    return {};
  }

  Found bare() {
    const size_t begin = at_;
    const std::string_view rest = text_.substr(std::min(begin, text_.size()), kMaxValue + 1);
    const size_t length = std::min(rest.find_first_of(" \t\r\n,;\"'`<>"), rest.size());
    if (length > kMaxValue) return {};
    const size_t end = begin + length;
    if (context_ == SecretContext::kCode && !in_connection_string(end)) return {};
    return {begin, end, is_line(end)};
  }

  // "Server=db;Password=…;", inside a string of a program
  bool in_connection_string(size_t end) const {
    const bool opened = name_begin_ > 0 &&
                        (text_[name_begin_ - 1] == ';' || is_quote(text_[name_begin_ - 1]) ||
                         (name_begin_ > 1 && text_[name_begin_ - 1] == ' ' && text_[name_begin_ - 2] == ';'));
    return opened && end < text_.size() && (text_[end] == ';' || is_quote(text_[end])) && at_ > 0 &&
           text_[at_ - 1] == '=';
  }

  // Nothing but the name stands before it on its line and nothing but a comment behind it.
  bool is_line(size_t end) const {
    size_t line = name_begin_;
    while (line > 0 && text_[line - 1] != '\n' && name_begin_ - line < kMaxName) --line;
    std::string_view before = text_.substr(line, name_begin_ - line);
    for (const std::string_view word : {"export ", "set ", "ENV ", "- ", "ARG ", "--", "<"}) {
      if (before.ends_with(word)) before.remove_suffix(word.size());
    }
    const bool first = before.find_first_not_of(" \t\"'-#;/") == std::string_view::npos;
    const size_t behind = std::min(text_.find_first_not_of(" \t\r,;", end), text_.size());
    const bool last = behind == text_.size() || text_[behind] == '\n' || text_[behind] == '#' ||
                      text_[behind] == '<' || text_.substr(behind, 2) == "//";
    return first && last;
  }

  std::string_view text_;
  size_t name_begin_;
  size_t at_;
  SecretContext context_;
  bool behind_comma_ = false;
};

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c != '_' && c != '-' && c != '.') out += ascii::is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

}  // namespace

std::span<const std::string_view> secret_name_marks() {
  return kMarks;
}

const char* kind_of_named(std::string_view name, std::string_view value, bool whole) {
  const SecretName says = secret_name(name);
  if (says == SecretName::kNone || is_placeholder(value)) return nullptr;
  const std::string joined = plain(name);
  for (const NamedShape& shape : named_shapes()) {
    if (joined.find(shape.service) != std::string::npos && fits(shape, value) && word_share(value) < 0.5 &&
        entropy_of(value) >= 2)
      return shape.kind;
  }
  if (!is_secret_value(says, value, whole)) return nullptr;
  return says == SecretName::kPassword ? "password" : "secret value";
}

NamedValue named_value_at(std::string_view text, size_t mark_begin, SecretContext context) {
  size_t begin = mark_begin, end = mark_begin;
  while (end < text.size() && is_of_name(text[end]) && end - mark_begin < kMaxName) ++end;
  while (begin > 0 && is_of_name(text[begin - 1]) && mark_begin - begin < kMaxName) --begin;
  while (begin < mark_begin && (text[begin] == '-' || text[begin] == '.')) ++begin;
  NamedValue found;
  found.name_end = end;
  const std::string_view name = text.substr(begin, end - begin);
  const SecretName says = secret_name(name);
  if (says == SecretName::kNone) return found;
  const auto value = ValueReader(text, begin, end, context).read(says == SecretName::kPassword);
  if (value.end <= value.begin) return found;
  const char* kind = kind_of_named(name, text.substr(value.begin, value.end - value.begin), value.whole);
  if (kind != nullptr) found.secret = SecretSpan{value.begin, value.end, kind, true};
  return found;
}

}  // namespace knapsack
