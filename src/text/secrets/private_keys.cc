#include "text/secrets/private_keys.h"

#include <algorithm>

#include "core/ascii.h"

namespace knapsack {
namespace {

constexpr const char* kKind = "private key";
constexpr size_t kMaxHead = 60;         // from "-----BEGIN" to "PRIVATE KEY"
constexpr size_t kMaxLine = 16 * 1024;  // a whole key without line feeds
constexpr size_t kMinBase64 = 16;       // of an unfinished block
constexpr size_t kLongLine = 30;        // PEM has 64 characters a line, OpenSSH 70
constexpr size_t kAroundLine = 10;  // letters and digits beside the base64 of a line: a line number, "const"
constexpr size_t kShortLines = 3;   // in a row: the last line and a checksum

bool is_base64(char c) {
  return ascii::is_letter(c) || ascii::is_digit(c) || c == '+' || c == '/' || c == '=';
}

// The next line from `at`: up to a line feed, an escape that stands for one, the dashes of the last line, or
// a space behind base64 in a block that was joined into one line. `next` is where to go on.
std::string_view line_at(std::string_view text, size_t at, size_t& next) {
  const size_t limit = std::min(text.size(), at + kMaxLine);
  size_t run = 0;
  for (size_t i = at; i < limit; ++i) {
    const char c = text[i];
    if (c == '\n' || (c == ' ' && run >= kLongLine)) {
      next = i + 1;
      return text.substr(at, i - at);
    }
    if (c == '-' && i > at && text.substr(i, 4) == "----") {
      next = i;
      return text.substr(at, i - at);
    }
    if (c == '\\') {
      // "\n", or "\\n" in a string of a string
      const size_t escaped = std::min(text.find_first_not_of('\\', i), limit);
      if (escaped < limit && (text[escaped] == 'n' || text[escaped] == 'r')) {
        next = escaped + 1;
        return text.substr(at, i - at);
      }
      i = escaped - 1;
    }
    run = is_base64(c) ? run + 1 : 0;
  }
  next = limit;
  return text.substr(at, limit - at);
}

struct KeyLine {
  size_t base64 = 0;  // the longest run
  size_t others = 0;  // letters and digits beside it
};

KeyLine read_line(std::string_view line) {
  KeyLine read;
  size_t all = 0, longest_letters = 0;
  for (size_t at = 0; at < line.size();) {
    if (!is_base64(line[at])) {
      ++at;
      continue;
    }
    size_t end = at, letters = 0;
    for (; end < line.size() && is_base64(line[end]); ++end)
      letters += ascii::is_letter(line[end]) || ascii::is_digit(line[end]) ? 1 : 0;
    all += letters;
    if (end - at > read.base64) {
      read.base64 = end - at;
      longest_letters = letters;
    }
    at = end;
  }
  read.others = all - longest_letters;
  return read;
}

// "Proc-Type: 4,ENCRYPTED", "Version: GnuPG v2"
bool is_header(std::string_view line) {
  const size_t colon = line.find(": ");
  return colon != std::string_view::npos && colon < 40 &&
         line.find_first_of("(){}=;") == std::string_view::npos;
}

bool ends_block(std::string_view line) {
  const size_t end = line.find("---END");
  const size_t spaced = line.find("--- END");
  const size_t at = std::min(end, spaced);
  return at != std::string_view::npos && line.find("KEY", at) != std::string_view::npos;
}

// From behind the first line to behind the last one of the block.
std::optional<size_t> end_of_body(std::string_view text, size_t at) {
  size_t base64 = 0, short_lines = 0, good = at;
  bool quoted = false;
  for (bool first = true; at < text.size(); first = false) {
    size_t next = 0;
    const std::string_view line = line_at(text, at, next);
    if (ends_block(line)) {
      // What is shorter than any key and quoted is talk of one.
      if (base64 < kMinBase64 && (quoted || first)) return std::nullopt;
      // The dashes that close it come as a line of their own.
      const size_t key = at + line.find("KEY");
      return std::min(text.find_first_not_of("- ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", key), text.size());
    }
    const KeyLine read = read_line(line);
    const bool is_long = read.base64 >= kLongLine && read.others <= kAroundLine;
    const bool is_short = read.others == 0 && read.base64 < kLongLine;
    const bool header = base64 == 0 && is_header(line);
    if (!is_long && !is_short && !header) break;
    if (is_long) short_lines = 0;
    if (is_short && read.base64 > 0 && !first && ++short_lines > kShortLines) break;
    quoted = quoted || line.find_first_of("\"'`") != std::string_view::npos;
    if (read.base64 >= kMinBase64) base64 += read.base64;
    if (is_long || read.base64 > 0 || header) good = at + line.size();
    at = next;
  }
  if (base64 < kMinBase64) return std::nullopt;
  return good;
}

}  // namespace

std::optional<SecretSpan> private_key_at(std::string_view text, size_t at) {
  const size_t from = at < kMaxHead ? 0 : at - kMaxHead;
  const std::string_view head = text.substr(from, at - from);
  const size_t begin = head.rfind("BEGIN ");
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view words = head.substr(begin + 6);
  if (words.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-") != std::string_view::npos)
    return std::nullopt;
  size_t start = from + begin;
  while (start > 0 && (text[start - 1] == '-' || text[start - 1] == ' ')) --start;
  while (start < from + begin && text[start] == ' ') ++start;  // indentation stays
  if (from + begin - start < 4) return std::nullopt;
  const size_t tail = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ ", at);
  if (tail == std::string_view::npos || text.substr(tail, 4) != "----") return std::nullopt;
  const size_t body = std::min(text.find_first_not_of('-', tail), text.size());
  const auto end = end_of_body(text, body);
  if (!end) return std::nullopt;
  return SecretSpan{start, *end, kKind};
}

std::optional<SecretSpan> putty_key_at(std::string_view text, size_t at) {
  size_t next = 0;
  line_at(text, at, next);
  const auto end = end_of_body(text, next);
  if (!end) return std::nullopt;
  return SecretSpan{next, *end, kKind};
}

}  // namespace knapsack
