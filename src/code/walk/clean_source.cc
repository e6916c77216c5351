#include "code/walk/clean_source.h"

#include "code/parse/language.h"
#include "code/walk/notebook.h"
#include "text/secrets/redact.h"
#include "text/unicode/utf8.h"

namespace knapsack::code {

void decode_utf16(std::string& bytes) {
  const bool little = bytes.starts_with("\xFF\xFE"), big = bytes.starts_with("\xFE\xFF");
  if ((!little && !big) || bytes.size() % 2 != 0) return;
  const auto unit = [&](size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]),
               second = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<char32_t>(little ? first | second << 8U : first << 8U | second);
  };
  const auto is_high = [](char32_t each) { return each >= 0xD800 && each < 0xDC00; };
  const auto is_low = [](char32_t each) { return each >= 0xDC00 && each < 0xE000; };
  std::string text;
  text.reserve(bytes.size() / 2);
  for (size_t at = 2; at < bytes.size(); at += 2) {
    const char32_t first = unit(at);
    const char32_t second = is_high(first) && at + 2 < bytes.size() ? unit(at + 2) : 0;
    if (is_low(second)) {
      append_code_point(text, 0x10000 + ((first - 0xD800) << 10U) + (second - 0xDC00));
      at += 2;
    } else {
      append_code_point(text, is_high(first) || is_low(first) ? kReplacementCharacter : first);
    }
  }
  bytes = std::move(text);
}

uint64_t clean_source(std::string& bytes, std::string_view language) {
  decode_utf16(bytes);
  if (language == kNotebook) {
    if (auto text = notebook_text(bytes)) bytes = *std::move(text);
  }
  // A language with a grammar is a program's, where a bare word is a name; in a script of a shell it is
  // itself.
  const Language* known = find_language(language);
  const bool is_program = known != nullptr && known->grammar != nullptr && language != "bash";
  return redact_secrets_by_line(bytes, is_program ? SecretContext::kCode : SecretContext::kText);
}

}  // namespace knapsack::code
