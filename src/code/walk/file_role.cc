#include "code/walk/file_role.h"

#include <algorithm>
#include <array>
#include <string>

#include "code/parse/language.h"
#include "code/walk/file_class.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

// Folders beside the program. Sorted.
constexpr std::array<std::string_view, 25> kAuxiliaryFolders = {
    ".github",      "asv_bench", "benchmark",     "benchmarks", "demo",     "demos",       "dist",
    "doc",          "docs",      "documentation", "example",    "examples", "extern",      "gallery",
    "node_modules", "sample",    "samples",       "script",     "scripts",  "third-party", "third_party",
    "tutorial",     "tutorials", "vendor",        "website",
};

constexpr size_t kLongestFolder = 13;

bool is_auxiliary_folder(std::string_view name) {
  if (name.size() > kLongestFolder) return false;
  std::array<char, kLongestFolder> lower{};
  std::transform(name.begin(), name.end(), lower.begin(), [](char c) { return ascii::lower(c); });
  return std::binary_search(kAuxiliaryFolders.begin(), kAuxiliaryFolders.end(),
                            std::string_view(lower.data(), name.size()));
}

bool is_in_auxiliary_folder(std::string_view path) {
  for (size_t at = 0, end = path.find('/'); end != std::string_view::npos;
       at = end + 1, end = path.find('/', at)) {
    if (is_auxiliary_folder(path.substr(at, end - at))) return true;
  }
  return false;
}

}  // namespace

FileRole role_of(std::string_view path, std::string_view language) {
  FileRole role;
  role.is_test = is_test_path(path);
  const Language* known = language.empty() ? &detect_language(path, "") : find_language(language);
  role.is_prose = known == nullptr || !known->is_code();
  role.is_auxiliary = role.is_prose || is_in_auxiliary_folder(path) || path.ends_with("setup.py");
  return role;
}

}  // namespace knapsack::code
