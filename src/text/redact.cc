#include "text/redact.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <mutex>
#include <string_view>

#include "text/ascii.h"

namespace knapsack {
namespace {

// A text without the hint cannot hold the secret, which saves the regular expression. '?' stands for any
// byte; `rare` says which byte of the hint to look for, one that prose has little of. `run` is how many
// letters, digits, '_' and '-' must follow, so that "task-" is no reason to look closer.
struct SecretShape {
  const char* kind;
  std::string_view hint;
  size_t rare;
  size_t run;
  const char* pattern;
};

constexpr std::array<SecretShape, 10> kShapes = {{
    {"private key", "PRIVATE KEY-----", 3, 0,
     R"((?s)-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\z))"},
    {"AWS access key", "AKIA", 1, 16, R"(\bAKIA[0-9A-Z]{16}\b)"},
    {"AWS access key", "ASIA", 2, 16, R"(\bASIA[0-9A-Z]{16}\b)"},
    {"GitHub token", "gh?_", 3, 36, R"(\bgh[pousr]_[A-Za-z0-9]{36,255}\b)"},
    {"GitHub token", "github_pat_", 6, 22, R"(\bgithub_pat_[A-Za-z0-9_]{22,255}\b)"},
    {"Slack token", "xox", 0, 12, R"(\bxox[abprs]-[A-Za-z0-9-]{10,250})"},
    {"API key", "sk-", 1, 20, R"(\bsk-[A-Za-z0-9_-]{20,250})"},
    {"Google API key", "AIza", 2, 35, R"(\bAIza[0-9A-Za-z_-]{35})"},
    {"JSON web token", "eyJ", 2, 10, R"(\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})"},
    {"password in a URL", "://", 0, 0, R"(\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,64}:([^\s/@]{3,256})@)"},
}};
constexpr size_t kUrl = kShapes.size() - 1;
// What may stand between "://" and the '@' behind a password.
constexpr size_t kMaxUrlUser = 64 + 1 + 256;

bool is_of_token(char c) {
  return ascii::is_letter(c) || ascii::is_digit(c) || c == '_' || c == '-';
}

bool has_url_password(std::string_view behind) {
  const std::string_view user = behind.substr(0, kMaxUrlUser * 4);  // bytes; the pattern counts characters
  const size_t end = user.find_first_of("@/ \t\n\r\f");
  return end != std::string_view::npos && user[end] == '@' && user.substr(0, end).find(':') < end;
}

using ShapeSet = uint16_t;  // a bit a shape
static_assert(kShapes.size() <= 16);

// For each byte the shapes whose hint has it as its rare one.
constexpr std::array<ShapeSet, 256> kShapesByRareByte = [] {
  std::array<ShapeSet, 256> sets{};
  for (size_t i = 0; i < kShapes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(kShapes[i].hint[kShapes[i].rare]);
    sets[byte] = static_cast<ShapeSet>(sets[byte] | 1U << i);
  }
  return sets;
}();

bool hint_at(std::string_view text, size_t at, size_t index) {
  const SecretShape& shape = kShapes[index];
  if (at < shape.rare || text.size() - (at - shape.rare) < shape.hint.size() + shape.run) return false;
  const std::string_view there = text.substr(at - shape.rare, shape.hint.size());
  const bool same = std::equal(there.begin(), there.end(), shape.hint.begin(),
                               [](char byte, char wanted) { return wanted == '?' || byte == wanted; });
  if (!same) return false;
  const std::string_view behind = text.substr(at - shape.rare + shape.hint.size());
  if (index == kUrl) return has_url_password(behind);
  return std::all_of(behind.begin(), behind.begin() + static_cast<std::ptrdiff_t>(shape.run), is_of_token);
}

// The shapes whose hints stand in the text, found in one pass.
ShapeSet possible_shapes(std::string_view text) {
  ShapeSet found = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const ShapeSet here = kShapesByRareByte[static_cast<unsigned char>(text[at])];
    for (unsigned rest = here; rest != 0; rest &= rest - 1) {
      const auto shape = static_cast<size_t>(std::countr_zero(rest));
      if (hint_at(text, at, shape)) found = static_cast<ShapeSet>(found | 1U << shape);
    }
  }
  return found;
}

const RE2& expression(size_t index) {
  static std::array<std::unique_ptr<RE2>, kShapes.size()> compiled;
  static std::array<std::once_flag, kShapes.size()> once;
  std::call_once(once[index], [index] {
    RE2::Options options;
    options.set_log_errors(false);
    compiled[index] = std::make_unique<RE2>(kShapes[index].pattern, options);
  });
  return *compiled[index];
}

uint64_t redact_shape(std::string& text, size_t index, bool keep_lines) {
  const RE2& pattern = expression(index);
  // A group, where there is one, is the secret within what identifies it.
  const int group = pattern.NumberOfCapturingGroups() > 0 ? 1 : 0;
  re2::StringPiece match[2];
  const re2::StringPiece whole(text);
  std::string out;
  size_t at = 0;
  uint64_t count = 0;
  while (at <= text.size() && pattern.Match(whole, at, text.size(), RE2::UNANCHORED, match, group + 1)) {
    const auto start = static_cast<size_t>(match[group].data() - text.data());
    out.append(text, at, start - at).append("[redacted: ").append(kShapes[index].kind).append("]");
    if (keep_lines)
      out.append(static_cast<size_t>(std::count(match[group].begin(), match[group].end(), '\n')), '\n');
    at = start + match[group].size();
    ++count;
  }
  if (count > 0) text = out.append(text, at);
  return count;
}

uint64_t redact(std::string& text, bool keep_lines) {
  const ShapeSet possible = possible_shapes(text);
  uint64_t count = 0;
  for (size_t i = 0; possible >> i != 0; ++i) {
    if ((possible >> i & 1U) != 0) count += redact_shape(text, i, keep_lines);
  }
  return count;
}

}  // namespace

uint64_t redact_secrets(std::string& text) {
  return redact(text, false);
}

uint64_t redact_secrets_by_line(std::string& text) {
  return redact(text, true);
}

}  // namespace knapsack
