#include "text/secrets/redact.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "core/ascii.h"
#include "text/secrets/literal_scanner.h"
#include "text/secrets/private_keys.h"
#include "text/secrets/secret_shapes.h"
#include "text/secrets/secret_value.h"

namespace knapsack {
namespace {

constexpr std::string_view kPrivateKey = "PRIVATE KEY";
constexpr std::string_view kPutty = "Private-Lines:";
constexpr std::string_view kUrl = "://";
constexpr std::string_view kRedactedMark = "[redacted: ";

constexpr const char* kUrlKind = "password in a URL";
constexpr const char* kUrlPattern = R"([A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@]{0,64}:([^\s/@]{3,256})@)";
constexpr size_t kMaxScheme = 21;
// What may stand between "://" and the '@' behind a password, in bytes; the pattern counts characters.
constexpr size_t kMaxUserInfo = (64 + 1 + 256) * 4;
// Longer matches than this are of shapes whose length nobody limits: see Redactor::match_shape().
constexpr size_t kLong = 1000;

// Every mark in one list: shapes first, then names, then the rest.
struct Marks {
  std::vector<std::string_view> all;
  size_t names = 0, private_key = 0, putty = 0, url = 0;

  Marks() {
    for (const SecretShape& shape : secret_shapes()) all.push_back(shape.mark);
    names = all.size();
    for (const std::string_view mark : secret_name_marks()) all.push_back(mark);
    private_key = all.size();
    all.push_back(kPrivateKey);
    putty = all.size();
    all.push_back(kPutty);
    url = all.size();
    all.push_back(kUrl);
  }
};

const Marks& marks() {
  static const Marks made;
  return made;
}

const LiteralScanner& scanner() {
  static const LiteralScanner made(marks().all);
  return made;
}

const RE2& compiled(std::unique_ptr<RE2>& slot, std::once_flag& once, const char* pattern) {
  std::call_once(once, [&] {
    RE2::Options options;
    options.set_log_errors(false);
    slot = std::make_unique<RE2>(pattern, options);
  });
  return *slot;
}

// Compiled when its mark is first met: most texts hold none.
const RE2& expression(size_t shape) {
  constexpr size_t kMax = 512;
  static std::array<std::unique_ptr<RE2>, kMax> slots;
  static std::array<std::once_flag, kMax> once;
  return compiled(slots[shape], once[shape], secret_shapes()[shape].pattern);
}

const RE2& url_expression() {
  static std::unique_ptr<RE2> slot;
  static std::once_flag once;
  return compiled(slot, once, kUrlPattern);
}

bool is_of_token(char c) {
  return ascii::is_identifier(c) || c == '-';
}

// Nothing that would make it a part of a longer word; "\n" in a string is no letter.
bool begins_word(std::string_view text, size_t at) {
  if (at == 0) return true;
  const char before = text[at - 1];
  if (!ascii::is_letter(before) && !ascii::is_digit(before)) return true;
  return at >= 2 && text[at - 2] == '\\' && (before == 'n' || before == 't' || before == 'r');
}

// Finds the secrets of one text.
class Redactor {
 public:
  Redactor(std::string_view text, SecretContext context) : text_(text), context_(context) {}

  // In order and apart from each other.
  std::vector<SecretSpan> run() {
    const Marks& all = marks();
    scanner().scan(text_, [&](size_t mark, size_t at) {
      if (mark < all.names) {
        match_shape(mark, at);
      } else if (mark < all.private_key) {
        match_name(at);
      } else if (mark == all.url) {
        match_url(at);
      } else if (at >= keys_end_) {
        const auto key = mark == all.putty ? putty_key_at(text_, at) : private_key_at(text_, at);
        if (key) keys_end_ = key->end;
        add(key);
      }
    });
    return join();
  }

 private:
  void add(const std::optional<SecretSpan>& span) {
    if (span && span->end > span->begin) spans_.push_back(*span);
  }

  void match_shape(size_t number, size_t mark) {
    const SecretShape& shape = secret_shapes()[number];
    if (mark < shape.before) return;
    const size_t at = mark - shape.before;
    if (at < shapes_end_ || !begins_word(text_, at) || at < failed_until(number)) return;
    const RE2& pattern = expression(number);
    const int group = pattern.NumberOfCapturingGroups() > 0 ? 1 : 0;
    re2::StringPiece match[2];
    const re2::StringPiece whole(text_.data(), text_.size());
    if (!pattern.Match(whole, at, text_.size(), RE2::ANCHOR_START, match, group + 1)) {
      remember_failure(number, at);
      return;
    }
    const std::string_view value(match[group].data(), match[group].size());
    if (is_blanked(value)) return;
    const size_t begin = static_cast<size_t>(value.data() - text_.data());
    if (shape.check == ShapeCheck::kRandom && !is_machine_made(value)) return;
    shapes_end_ = begin + value.size();
    add(SecretSpan{begin, shapes_end_, shape.kind});
  }

  // One letter over and over is random enough here: nobody writes a token so but to hide one.
  static bool is_machine_made(std::string_view value) {
    return word_share(value) < 0.5 && (looks_random(value) || entropy_of(value) < 2.5);
  }

  // In a run of token characters that goes on for long, a shape that failed once would fail at each of its
  // marks after reading all of it.
  void remember_failure(size_t number, size_t at) {
    size_t end = at;
    while (end < text_.size() && is_of_token(text_[end])) ++end;
    if (end - at < kLong) return;
    if (failures_.empty()) failures_.resize(secret_shapes().size());
    failures_[number] = end;
  }
  size_t failed_until(size_t number) const { return failures_.empty() ? 0 : failures_[number]; }

  void match_name(size_t at) {
    if (at < name_end_) return;
    const NamedValue found = named_value_at(text_, at, context_);
    name_end_ = found.name_end;
    add(found.secret);
  }

  void match_url(size_t at) {
    const std::string_view behind = text_.substr(at + kUrl.size(), kMaxUserInfo);
    const size_t end = behind.find_first_of("@/ \t\n\r\f");
    if (end == std::string_view::npos || behind[end] != '@' || behind.substr(0, end).find(':') >= end) return;
    size_t begin = at;
    while (begin > 0 && at - begin < kMaxScheme &&
           (is_of_token(text_[begin - 1]) || text_[begin - 1] == '+' || text_[begin - 1] == '.') &&
           text_[begin - 1] != '_')
      --begin;
    while (begin < at && !ascii::is_letter(text_[begin])) ++begin;
    re2::StringPiece match[2];
    const re2::StringPiece whole(text_.data(), text_.size());
    if (!url_expression().Match(whole, begin, text_.size(), RE2::ANCHOR_START, match, 2)) return;
    const std::string_view password(match[1].data(), match[1].size());
    if (is_stand_in(password)) return;
    const size_t from = static_cast<size_t>(password.data() - text_.data());
    add(SecretSpan{from, from + password.size(), kUrlKind});
  }

  // Of a documentation's URL, of a template, or a port and what follows it.
  static bool is_stand_in(std::string_view password) {
    if (password == "pass" || password == "pwd" || password == "pw") return true;
    const size_t digits = password.find_first_not_of("0123456789");
    if (digits != std::string_view::npos && digits > 0 && digits <= 5 &&
        (password[digits] == '?' || password[digits] == '#'))
      return true;
    for (const std::string_view mark : {"${", "$(", "{", "<", "%s", "%d", "[redacted"}) {
      if (password.starts_with(mark)) return true;
    }
    if (password.front() == '$' && password.size() > 1 &&
        (ascii::is_letter(password[1]) || password[1] == '_'))
      return true;
    return password.size() > 3 && is_placeholder(password) && word_share(password) >= 0.6;
  }

  std::vector<SecretSpan> join() {
    std::sort(spans_.begin(), spans_.end(), [](const SecretSpan& a, const SecretSpan& b) {
      if (a.begin != b.begin) return a.begin < b.begin;
      return a.end != b.end ? a.end > b.end : a.by_name < b.by_name;
    });
    std::vector<SecretSpan> joined;
    for (const SecretSpan& span : spans_) {
      if (joined.empty() || span.begin >= joined.back().end) {
        joined.push_back(span);
      } else {
        SecretSpan& last = joined.back();
        last.end = std::max(last.end, span.end);
        if (last.by_name && !span.by_name) last.kind = span.kind;
        last.by_name = last.by_name && span.by_name;
      }
    }
    return joined;
  }

  std::string_view text_;
  SecretContext context_;
  std::vector<SecretSpan> spans_;
  std::vector<size_t> failures_;
  size_t shapes_end_ = 0, keys_end_ = 0, name_end_ = 0;
};

uint64_t redact(std::string& text, SecretContext context, bool keep_lines) {
  const auto spans = Redactor(text, context).run();
  if (spans.empty()) return 0;
  std::string out;
  size_t at = 0;
  for (const SecretSpan& span : spans) {
    out.append(text, at, span.begin - at).append(kRedactedMark).append(span.kind).append("]");
    if (keep_lines) {
      const auto begin = text.begin() + static_cast<std::ptrdiff_t>(span.begin);
      const auto end = text.begin() + static_cast<std::ptrdiff_t>(span.end);
      out.append(static_cast<size_t>(std::count(begin, end, '\n')), '\n');
    }
    at = span.end;
  }
  text = out.append(text, at);
  return spans.size();
}

}  // namespace

bool holds_secret(std::string_view text, SecretContext context) {
  return !Redactor(text, context).run().empty();
}

uint64_t redact_secrets(std::string& text, SecretContext context) {
  return redact(text, context, false);
}

uint64_t redact_secrets_by_line(std::string& text, SecretContext context) {
  return redact(text, context, true);
}

uint64_t count_redacted(std::string_view text) {
  uint64_t count = 0;
  for (size_t at = text.find(kRedactedMark); at != std::string_view::npos;
       at = text.find(kRedactedMark, at + kRedactedMark.size()))
    ++count;
  return count;
}

std::string redacted_line(uint64_t secrets, std::string_view place) {
  return fmt::format("{} {} in {} {} replaced by [redacted]", secrets, secrets == 1 ? "secret" : "secrets",
                     place, secrets == 1 ? "was" : "were");
}

uint64_t redact_named(std::string_view name, std::string& text) {
  if (const char* kind = kind_of_named(name, text, true); kind != nullptr) {
    text = std::string(kRedactedMark).append(kind).append("]");
    return 1;
  }
  return redact_secrets(text);
}

}  // namespace knapsack
