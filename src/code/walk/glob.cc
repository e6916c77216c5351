#include "code/walk/glob.h"

#include <algorithm>
#include <optional>

#include "core/ascii.h"

namespace knapsack::code {
namespace {

// Named classes as git's matcher has them: ASCII only, and no vertical tab or form feed among the spaces.
std::optional<bool> in_named_class(std::string_view name, unsigned char c) {
  const bool digit = ascii::is_digit(c);
  const bool lower = ascii::is_lower(c);
  const bool upper = ascii::is_upper(c);
  const bool print = c >= 0x20 && c <= 0x7e;
  const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
  if (name == "alnum") return digit || lower || upper;
  if (name == "alpha") return lower || upper;
  if (name == "blank") return c == ' ' || c == '\t';
  if (name == "cntrl") return c < 0x20 || c == 0x7f;
  if (name == "digit") return digit;
  if (name == "graph") return print && !space;
  if (name == "lower") return lower;
  if (name == "print") return print;
  if (name == "punct") return print && !space && !digit && !lower && !upper;
  if (name == "space") return space;
  if (name == "upper") return upper;
  if (name == "xdigit") return ascii::hex_value(c) >= 0;
  return std::nullopt;
}

// Which of 64 bits stands for a byte: letters and digits have one each, all others share two.
uint64_t bit_of(unsigned char c) {
  if (ascii::is_lower(c)) return uint64_t{1} << (c - 'a');
  if (ascii::is_digit(c)) return uint64_t{1} << (26 + c - '0');
  if (ascii::is_upper(c)) return uint64_t{1} << (36 + c - 'A');
  return uint64_t{1} << (62 + (c & 1));
}

}  // namespace

Glob::Glob(std::string_view pattern, bool path) {
  // git compares the bytes before the first special one by themselves and then matches the rest as a pattern
  // of its own, so in `foo**/bar` the stars count as standing at the start. Results depend on it.
  const size_t plain = std::min(pattern.find_first_of(kSpecialBytes), pattern.size());
  head_ = std::string(pattern.substr(0, plain));
  literal_ = plain == pattern.size();
  if (!literal_) compile(pattern.substr(plain), path);
  describe_literals();
}

void Glob::compile(std::string_view pattern, bool path) {
  components_.emplace_back();
  size_t at = 0;
  while (at < pattern.size() && !broken_) {
    const char c = pattern[at];
    auto& tokens = components_.back().tokens;
    if (c == '*') {
      const size_t begin = at;
      at = std::min(pattern.find_first_not_of('*', at), pattern.size());
      const bool at_start = begin == 0 || pattern[begin - 1] == '/';
      const bool escaped_slash = pattern.substr(at, 2) == "\\/";
      const bool at_end = at == pattern.size() || pattern[at] == '/' || escaped_slash;
      if (path && at - begin >= 2 && at_start && at_end) {
        components_.back().kind =
            at == pattern.size() || escaped_slash ? Component::kSomeFolders : Component::kFolders;
      } else if (tokens.empty() || tokens.back().kind != Token::kStar) {
        tokens.push_back({Token::kStar});
      }
    } else if (c == '?') {
      tokens.push_back({Token::kAny});
      ++at;
    } else if (c == '[') {
      ++at;
      broken_ = !compile_set(pattern, at);
      if (!broken_) tokens.push_back({Token::kSet, 0, static_cast<uint32_t>(sets_.size() - 1)});
    } else {
      if (c == '\\' && ++at == pattern.size()) {
        broken_ = true;  // a backslash with nothing to escape
      } else if (path && pattern[at] == '/') {
        components_.emplace_back();
        ++at;
      } else {
        tokens.push_back({Token::kByte, static_cast<uint8_t>(pattern[at++])});
      }
    }
  }
}

// Reads a bracket expression whose '[' has been passed; leaves `at` behind its ']'.
bool Glob::compile_set(std::string_view pattern, size_t& at) {
  const auto byte_at = [&](size_t i) -> unsigned char {
    return i < pattern.size() ? static_cast<unsigned char>(pattern[i]) : 0;
  };
  const bool negated = byte_at(at) == '!' || byte_at(at) == '^';
  if (negated) ++at;
  std::bitset<256> set;
  unsigned char previous = 0;  // where a range would begin; 0 when it cannot
  bool first = true;           // a ']' in first place stands for itself
  while (first || byte_at(at) != ']') {
    first = false;
    unsigned char c = byte_at(at);
    if (c == 0) return false;
    if (c == '\\') {
      c = byte_at(++at);
      if (c == 0) return false;
      set.set(c);
    } else if (c == '-' && previous != 0 && byte_at(at + 1) != 0 && byte_at(at + 1) != ']') {
      c = byte_at(++at);
      if (c == '\\') c = byte_at(++at);
      if (c == 0) return false;
      for (unsigned value = previous; value <= c; ++value) set.set(value);
      c = 0;
    } else if (c == '[' && byte_at(at + 1) == ':') {
      const size_t close = pattern.find(']', at + 2);
      if (close == std::string_view::npos) return false;
      if (close >= at + 3 && pattern[close - 1] == ':') {
        const auto name = pattern.substr(at + 2, close - at - 3);
        if (!in_named_class(name, 0)) return false;
        for (unsigned value = 1; value < 256; ++value) {
          if (*in_named_class(name, static_cast<unsigned char>(value))) set.set(value);
        }
        at = close;
        c = 0;
      } else {
        set.set('[');  // no ":]" follows: an ordinary bracket
      }
    } else {
      set.set(c);
    }
    previous = c;
    ++at;
  }
  ++at;
  if (negated) set.flip();
  set.reset('/');
  sets_.push_back(set);
  return true;
}

void Glob::describe_literals() {
  prefix_ = suffix_ = head_;
  needed_ = bytes_of(head_);
  if (literal_) return;
  for (const auto& component : components_) {
    for (const auto& token : component.tokens) {
      if (token.kind == Token::kByte) needed_ |= bit_of(token.byte);
    }
  }
  suffix_.clear();
  const auto& last = components_.back().tokens;
  for (auto token = last.rbegin(); token != last.rend() && token->kind == Token::kByte; ++token) {
    suffix_ += static_cast<char>(token->byte);
  }
  std::reverse(suffix_.begin(), suffix_.end());
}

uint64_t Glob::bytes_of(std::string_view text) {
  uint64_t bits = 0;
  for (const unsigned char c : text) bits |= bit_of(c);
  return bits;
}

bool Glob::component_matches(const Component& component, std::string_view text) const {
  const auto& tokens = component.tokens;
  constexpr size_t kNone = static_cast<size_t>(-1);
  size_t at = 0, token = 0, star = kNone, resume = 0;
  while (at < text.size()) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (token < tokens.size() && tokens[token].kind == Token::kStar) {
      star = token++;
      resume = at;
    } else if (token < tokens.size() &&
               (tokens[token].kind == Token::kAny ||
                (tokens[token].kind == Token::kByte && tokens[token].byte == c) ||
                (tokens[token].kind == Token::kSet && sets_[tokens[token].set].test(c)))) {
      ++token;
      ++at;
    } else if (star != kNone) {
      token = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (token < tokens.size() && tokens[token].kind == Token::kStar) ++token;
  return token == tokens.size();
}

bool Glob::matches(std::string_view text) const {
  if (broken_ || !text.starts_with(head_)) return false;
  if (literal_) return text.size() == head_.size();
  text.remove_prefix(head_.size());

  // Positions are offsets of components in the text; `done` is one past the separator that would follow.
  const size_t done = text.size() + 1;
  const auto component_end = [&](size_t from) { return std::min(text.find('/', from), text.size()); };
  constexpr size_t kNone = static_cast<size_t>(-1);
  size_t at = 0, part = 0, folders = kNone, resume = 0;
  while (true) {
    if (part < components_.size() && components_[part].kind != Component::kGlob) {
      const bool some = components_[part].kind == Component::kSomeFolders;
      if (some && at == done) return false;
      resume = some ? component_end(at) + 1 : at;
      folders = part++;
      if (part == components_.size()) return true;
      at = resume;
    } else if (at < done && part < components_.size() &&
               component_matches(components_[part], text.substr(at, component_end(at) - at))) {
      at = component_end(at) + 1;
      ++part;
    } else if (at == done && part == components_.size()) {
      return true;
    } else if (folders != kNone && resume < done) {
      resume = component_end(resume) + 1;
      at = resume;
      part = folders + 1;
    } else {
      return false;
    }
  }
}

}  // namespace knapsack::code
