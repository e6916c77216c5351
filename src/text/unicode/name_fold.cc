#include "text/unicode/name_fold.h"

#include <utf8proc.h>

#include <cstdlib>

namespace knapsack {

std::string compatible_fold(std::string_view text) {
  constexpr auto kOptions = static_cast<utf8proc_option_t>(
      UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
  utf8proc_uint8_t* folded = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &folded, kOptions);
  if (size < 0) return {};
  std::string result(reinterpret_cast<const char*>(folded), static_cast<size_t>(size));
  std::free(folded);  // NOLINT: the library's own way
  return result;
}

}  // namespace knapsack
