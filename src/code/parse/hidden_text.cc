#include "code/parse/hidden_text.h"

#include <algorithm>

namespace knapsack::code {
namespace {

// Strings in what strings show of values, which may hold strings.
constexpr int kDeepestString = 8;
constexpr size_t kLongestCharacter = 12;  // '\u0041', '\u{10FFFF}'
// Arguments of what is hidden; a file full of brackets that nothing closes is read once all the same.
constexpr size_t kLongestBrackets = 1000;

}  // namespace

HiddenText::HiddenText(std::string_view bytes, const TextForms& forms, std::string& hidden)
    : bytes_(bytes), code_(bytes), hidden_(hidden) {
  hidden_.assign(bytes);
  read(forms);
  for (size_t at = 0; at < code_.size();) {
    size_t end = at;
    while (end < code_.size() && is_identifier(code_[end])) ++end;
    if (end > at && !ascii::is_digit(code_[at]))
      words_.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(end)});
    at = std::max(end, at + 1);
  }
}

void HiddenText::read(const TextForms& forms) {
  for (size_t at = 0; at < bytes_.size();) {
    size_t end = at;
    if (bytes_[at] == '/') end = after_comment(at);
    if (bytes_[at] == '"')
      end = forms.has_raw_strings ? after_string_of_lines(at) : after_string(at, forms, 0);
    if (bytes_[at] == '\'' && forms.has_characters) end = after_character(at);
    if (bytes_[at] == '\'' && forms.has_lifetimes) end = after_one_character(at);
    // The quotes stay: something stands there.
    for (size_t i = at; i < end; ++i)
      if (code_[i] != '\n' && (bytes_[at] == '/' || (i > at && i + 1 < end))) code_[i] = ' ';
    at = std::max(end, at + 1);
  }
}

size_t HiddenText::after_comment(size_t at) const {
  const std::string_view rest = bytes_.substr(at);
  if (rest.starts_with("//")) return std::min(bytes_.find('\n', at), bytes_.size());
  if (!rest.starts_with("/*")) return at;
  int depth = 0;
  for (size_t i = at; i + 1 < bytes_.size(); ++i) {
    const std::string_view two = bytes_.substr(i, 2);
    if (two != "/*" && two != "*/") continue;
    depth += two == "/*" ? 1 : -1;
    ++i;
    if (depth == 0) return i + 1;
  }
  return bytes_.size();
}

size_t HiddenText::after_string(size_t at, const TextForms& forms, int depth) const {
  const bool is_long = bytes_.substr(at).starts_with("\"\"\"");
  const std::string_view quotes = bytes_.substr(at, is_long ? 3 : 1);
  for (size_t i = at + quotes.size(); i < bytes_.size();) {
    const char c = bytes_[i];
    if (c == '\n' && !is_long) return i;
    const bool is_value = c == forms.interpolation_mark && i + 1 < bytes_.size() &&
                          bytes_[i + 1] == forms.interpolation_open && depth < kDeepestString;
    if (is_value) {
      int open = 1;
      i += 2;
      while (i < bytes_.size() && open > 0 && (is_long || bytes_[i] != '\n')) {
        open += bytes_[i] == forms.interpolation_open ? 1 : bytes_[i] == forms.interpolation_close ? -1 : 0;
        i = bytes_[i] == '"' ? std::max(after_string(i, forms, depth + 1), i + 1) : i + 1;
      }
    } else if (c == '\\' && (!is_long || forms.interpolation_mark == '\\')) {
      i += 2;
    } else if (bytes_.substr(i).starts_with(quotes)) {
      return i + quotes.size();
    } else {
      ++i;
    }
  }
  return bytes_.size();
}

// "a\"b", r"a\", br##"a"#b"##.
size_t HiddenText::after_string_of_lines(size_t at) const {
  size_t start = at;
  while (start > 0 && bytes_[start - 1] == '#') --start;
  std::string_view before = bytes_.substr(0, start);
  const size_t marks = at - start;
  if (before.ends_with('r')) {
    before.remove_suffix(1);
    if (before.ends_with('b') || before.ends_with('c')) before.remove_suffix(1);
    if (before.empty() || !is_identifier(before.back())) {
      const std::string close = '"' + std::string(marks, '#');
      const size_t end = bytes_.find(close, at + 1);
      return end == std::string_view::npos ? bytes_.size() : end + close.size();
    }
  }
  for (size_t i = at + 1; i < bytes_.size(); ++i) {
    if (bytes_[i] == '"') return i + 1;
    if (bytes_[i] == '\\') ++i;
  }
  return bytes_.size();
}

size_t HiddenText::after_character(size_t at) const {
  for (size_t i = at + 1; i < std::min(bytes_.size(), at + 1 + kLongestCharacter); ++i) {
    if (bytes_[i] == '\n') break;
    if (bytes_[i] == '\'' && i > at + 1) return i + 1;
    if (bytes_[i] == '\\') ++i;
  }
  return at;
}

// 'x', '\'', '\u{1F600}', but nothing of <'a, 'b>.
size_t HiddenText::after_one_character(size_t at) const {
  if (bytes_.substr(at + 1).starts_with('\\')) return after_character(at);
  size_t end = at + 2;
  while (end < bytes_.size() && end < at + 5 && ascii::is_above(bytes_[at + 1]) &&
         ascii::is_above(bytes_[end]))
    ++end;
  return end < bytes_.size() && bytes_[end] == '\'' ? end + 1 : at;
}

char HiddenText::before(size_t at) const {
  while (at > 0 && is_space(code_[at - 1])) --at;
  return at > 0 ? code_[at - 1] : '\0';
}

char HiddenText::behind(size_t at) const {
  while (at < code_.size() && is_space(code_[at])) ++at;
  return at < code_.size() ? code_[at] : '\0';
}

size_t HiddenText::after_brackets(size_t open) const {
  int depth = 0;
  for (size_t i = open; i < std::min(code_.size(), open + kLongestBrackets); ++i) {
    depth += code_[i] == '(' ? 1 : code_[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return open;
}

bool HiddenText::is_apart_by_blanks(size_t from, size_t to) const {
  return from < to && code().substr(from, to - from).find_first_not_of(" \t") == std::string_view::npos;
}

void HiddenText::blank(size_t from, size_t to) {
  for (size_t i = from; i < to; ++i)
    if (hidden_[i] != '\n') hidden_[i] = ' ';
  any_ = any_ || from < to;
}

void HiddenText::rename(ByteRange word) {
  if (is_space(hidden_[word.start])) return;  // hidden with what stands around it
  hidden_[word.start] = hidden_[word.start] == 'x' ? 'y' : 'x';
  any_ = true;
}

void HiddenText::replace(size_t at, std::string_view text) {
  std::copy(text.begin(), text.end(), hidden_.begin() + static_cast<std::ptrdiff_t>(at));
  any_ = true;
}

}  // namespace knapsack::code
