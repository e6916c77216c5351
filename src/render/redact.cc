#include "render/redact.h"

#include <re2/re2.h>

#include <array>
#include <memory>
#include <mutex>

namespace knapsack {
namespace {

struct SecretShape {
  const char* kind;
  const char* hint;  // a text without this cannot hold the secret: saves the regular expression
  const char* pattern;
};

constexpr std::array<SecretShape, 9> kShapes = {{
    {"private key", "PRIVATE KEY-----",
     R"((?s)-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\z))"},
    {"AWS access key", "AKIA", R"(\bAKIA[0-9A-Z]{16}\b)"},
    {"AWS access key", "ASIA", R"(\bASIA[0-9A-Z]{16}\b)"},
    {"GitHub token", "gh", R"(\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b)"},
    {"Slack token", "xox", R"(\bxox[abprs]-[A-Za-z0-9-]{10,250})"},
    {"API key", "sk-", R"(\bsk-[A-Za-z0-9_-]{20,250})"},
    {"Google API key", "AIza", R"(\bAIza[0-9A-Za-z_-]{35})"},
    {"JSON web token", "eyJ", R"(\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})"},
    {"password in a URL", "://", R"(\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,64}:([^\s/@]{3,256})@)"},
}};

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

std::string redact_shape(const std::string& text, size_t index, uint64_t& count) {
  const RE2& pattern = expression(index);
  // A group, where there is one, is the secret within what identifies it.
  const int group = pattern.NumberOfCapturingGroups() > 0 ? 1 : 0;
  re2::StringPiece match[2];
  const re2::StringPiece whole(text);
  std::string out;
  size_t at = 0;
  while (at <= text.size() && pattern.Match(whole, at, text.size(), RE2::UNANCHORED, match, group + 1)) {
    const auto start = static_cast<size_t>(match[group].data() - text.data());
    out.append(text, at, start - at).append("[redacted: ").append(kShapes[index].kind).append("]");
    at = start + match[group].size();
    ++count;
  }
  return at == 0 ? text : out.append(text, at);
}

}  // namespace

std::string redact_secrets(std::string_view text, uint64_t& count) {
  std::string out(text);
  for (size_t i = 0; i < kShapes.size(); ++i) {
    if (out.find(kShapes[i].hint) != std::string::npos) out = redact_shape(out, i, count);
  }
  return out;
}

}  // namespace knapsack
