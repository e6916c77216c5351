// Units that repeat a better file's: what a build writes into dist/, a vendored file, a generated twin.
#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "code/parse/source_text.h"
#include "code/units/unit_signals.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

// Fewer lines are alike by chance: a getter, a forwarding method.
constexpr uint32_t kMinCopiedLines = 3;
// A bundle holds most of a file and much else. Twins hold as much of each other, and both have to be changed.
constexpr double kBundledShare = 0.8;
constexpr double kBundleSize = 1.5;
constexpr size_t kMinFileLines = 20;
constexpr size_t kBundledFiles = 10;  // the best, of which bundles are looked for

using Lines = std::unordered_set<std::string_view>;

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

Lines lines_of_units(const OpenFile& file) {
  Lines all;
  for (const Unit& unit : file.units) {
    if (!unit.is_ranked()) continue;  // a licence stands in every file
    const auto telling = telling_lines(file.lines, unit.lines);
    all.insert(telling.begin(), telling.end());
  }
  return all;
}

// Whether a file has nearly all of what another says. Stops as soon as it cannot.
bool holds_most_of(const Lines& file, const Lines& part) {
  const double all = static_cast<double>(part.size());
  auto spared = static_cast<size_t>((1 - kBundledShare) * all);
  for (const std::string_view line : part)
    if (!file.contains(line) && spared-- == 0) return false;
  return true;
}

struct Bundling {
  std::vector<size_t> from;      // the better file that each was bundled from; itself where there is none
  std::vector<bool> is_of_many;  // holds two files and more, whatever their places
};

Bundling find_bundles(const std::vector<Lines>& files) {
  Bundling found{std::vector<size_t>(files.size()), std::vector<bool>(files.size())};
  for (size_t bundle = 0; bundle < files.size(); ++bundle) {
    found.from[bundle] = bundle;
    size_t parts = 0;
    for (size_t part = 0; part < files.size() && parts < 2; ++part) {
      const double all = static_cast<double>(files[part].size());
      if (part == bundle || files[part].size() < kMinFileLines ||
          static_cast<double>(files[bundle].size()) < kBundleSize * all ||
          !holds_most_of(files[bundle], files[part]))
        continue;
      ++parts;
      if (part < bundle && part < kBundledFiles && found.from[bundle] == bundle) found.from[bundle] = part;
    }
    found.is_of_many[bundle] = parts > 1;
  }
  return found;
}

// A bundle holds the lines of many files, of which one gave it away.
Lines lines_of_sources(const std::vector<Lines>& files, const std::vector<size_t>& from) {
  Lines all;
  for (size_t i = 0; i < files.size(); ++i)
    if (from[i] == i) all.insert(files[i].begin(), files[i].end());
  return all;
}

bool is_mostly_of(const OpenFile& file, LineRange range, const Lines& original) {
  const auto telling = telling_lines(file.lines, range);
  const auto shared = std::count_if(telling.begin(), telling.end(),
                                    [&](std::string_view line) { return original.contains(line); });
  return !telling.empty() &&
         static_cast<double>(shared) >= kBundledShare * static_cast<double>(telling.size());
}

}  // namespace

UnitScores copy_signal(const UnitInput& input) {
  UnitScores copies(input.units.size());
  std::vector<Lines> lines;
  for (const OpenFile& file : input.files) lines.push_back(lines_of_units(file));
  const Bundling bundling = find_bundles(lines);
  const std::vector<size_t>& from = bundling.from;
  const auto is_bundle = [&](size_t file) { return from[file] != file; };
  bool has_bundles = false;
  for (size_t file = 0; file < from.size(); ++file) has_bundles = has_bundles || is_bundle(file);
  const Lines sources = has_bundles ? lines_of_sources(lines, from) : Lines();
  std::unordered_map<std::string, uint32_t> first_file;
  for (size_t i = 0; i < input.units.size(); ++i) {  // files come best first
    const uint32_t file = input.units[i].file;
    if (bundling.is_of_many[file] ||
        (is_bundle(file) && is_mostly_of(input.files[file], input.unit(i).lines, sources))) {
      copies[i] = 1;
      continue;
    }
    std::string text = bare_text(input.file_of(i).lines, input.unit(i).lines);
    if (text.empty()) continue;
    const auto [known, is_new] = first_file.emplace(std::move(text), file);
    if (!is_new && known->second != file) copies[i] = 1;
  }
  return copies;
}

}  // namespace knapsack::code
