#include "code/walk/path_suffix.h"

#include <algorithm>

#include "core/ascii.h"
#include "core/paths.h"

namespace knapsack::code {

size_t path_components(std::string_view path) {
  return static_cast<size_t>(std::count(path.begin(), path.end(), '/')) + 1;
}

size_t common_path_end(std::string_view a, std::string_view b) {
  size_t components = 0;
  while (true) {
    const size_t a_slash = a.rfind('/'), b_slash = b.rfind('/');
    const std::string_view a_part = base_name(a);
    const std::string_view b_part = base_name(b);
    if (!std::equal(a_part.begin(), a_part.end(), b_part.begin(), b_part.end(),
                    [](char x, char y) { return ascii::lower(x) == ascii::lower(y); })) {
      return components;
    }
    ++components;
    if (a_slash == std::string_view::npos || b_slash == std::string_view::npos) return components;
    a = a.substr(0, a_slash);
    b = b.substr(0, b_slash);
  }
}

}  // namespace knapsack::code
