// Files of a .git folder and ignore files, as anybody may have written them: the first byte chooses the
// parser.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "code/walk/ignore.h"
#include "git/format.h"
#include "git/index.h"
#include "git/repository.h"
#include "understand/message_references.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  switch (data[0] % 4) {
    case 0:
      (void)knapsack::parse_git_index(text, "index");
      break;
    case 1:
      (void)knapsack::check_git_format(knapsack::parse_git_format(text), "config");
      break;
    case 2: {
      // What follows the first NUL is asked about.
      const size_t end = text.find('\0');
      if (end == std::string_view::npos) break;
      const knapsack::IgnoreRules rules(text.substr(0, end));
      const auto path = text.substr(end + 1);
      (void)rules.match(path, false);
      (void)rules.match(path, true);
      break;
    }
    default:
      (void)knapsack::scan_references(text);
      (void)knapsack::is_lfs_pointer(text);
  }
  return 0;
}
