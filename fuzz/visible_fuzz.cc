// Any bytes as content of a packet: what is shown has no control character but tab and line feed, nothing that
// turns the direction of writing, as many lines as before, and is itself when it is shown again.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/escape.h"
#include "text/unicode/utf8.h"
#include "text/unicode/visible_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace knapsack;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string shown = visible_text(text);
  if (!valid_utf8(shown) || visible_text(shown) != shown || needs_marks(shown)) std::abort();
  if (needs_marks(text) != (shown != text)) std::abort();
  if (std::count(shown.begin(), shown.end(), '\n') != std::count(text.begin(), text.end(), '\n'))
    std::abort();
  for (std::string_view rest = shown; !rest.empty();) {
    const auto point = decode_code_point(rest);
    const char32_t c = point.value;
    const bool control = (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c <= 0x9F);
    const bool turns = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x2028 ||
                       c == 0x2029 || c == 0x200E || c == 0x200F || c == 0x061C;
    if (control || turns) std::abort();
    rest.remove_prefix(point.size);
  }
  for (const char c : escape_control(text)) {
    if (static_cast<unsigned char>(c) < 0x20) std::abort();
  }
  return 0;
}
