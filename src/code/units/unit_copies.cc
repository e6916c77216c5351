// Units that repeat a better file's: what a build writes into dist/, a vendored file, a generated twin.
#include <string>
#include <unordered_map>

#include "code/parse/source_text.h"
#include "code/units/unit_signals.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

// Fewer lines are alike by chance: a getter, a forwarding method.
constexpr uint32_t kMinCopiedLines = 3;

// The lines that say something, without what they are indented by; empty when there are too few.
std::string bare_text(const TextLines& lines, LineRange range) {
  std::string bare;
  uint32_t count = 0;
  for (uint32_t number = range.first; number <= range.last; ++number) {
    const std::string_view line = ascii::trim_space(lines.line(number));
    if (line.empty()) continue;
    bare += line;
    bare += '\n';
    ++count;
  }
  return count < kMinCopiedLines ? std::string() : bare;
}

}  // namespace

UnitScores copy_signal(const UnitInput& input) {
  UnitScores copies(input.units.size());
  std::unordered_map<std::string, uint32_t> first_file;
  for (size_t i = 0; i < input.units.size(); ++i) {  // files come best first
    std::string text = bare_text(input.file_of(i).lines, input.unit(i).lines);
    if (text.empty()) continue;
    const uint32_t file = input.units[i].file;
    const auto [known, is_new] = first_file.emplace(std::move(text), file);
    if (!is_new && known->second != file) copies[i] = 1;
  }
  return copies;
}

}  // namespace knapsack::code
