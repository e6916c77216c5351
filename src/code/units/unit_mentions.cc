#include <algorithm>

#include "code/units/unit_signals.h"
#include "code/walk/path_suffix.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

// A path that fits more of the files than this means none of them in particular.
constexpr size_t kMaxFilesOfFrame = 3;
constexpr size_t kMaxFilesOfLink = 2;
// A link to so many lines points at a page, not at a place.
constexpr uint32_t kLongLink = 80;
constexpr double kLongLinkShare = 0.4;

// The files that share the most components with the path: two at least, or all that it has.
std::vector<uint32_t> files_meant(const UnitInput& input, std::string_view path) {
  std::vector<uint32_t> found;
  size_t most = 0;
  while (path.starts_with('/')) path.remove_prefix(1);
  if (path.empty()) return found;
  for (uint32_t file = 0; file < input.files.size(); ++file) {
    const size_t common = common_path_end(input.files[file].path, path);
    if (common == 0 || common < most) continue;
    if (common > most) found.clear();
    most = common;
    found.push_back(file);
  }
  if (most < std::min<size_t>(2, path_components(path))) found.clear();
  return found;
}

// "Cart.total", "shop::Cart::total", "<module>": the name that a definition would have.
std::string_view plain_function(std::string_view function) {
  if (function.starts_with('<')) return {};
  while (!function.empty() && !ascii::is_word(function.back())) function.remove_suffix(1);
  size_t begin = function.size();
  while (begin > 0 && (ascii::is_word(function[begin - 1]) || function[begin - 1] == '$')) --begin;
  return function.substr(begin);
}

std::vector<size_t> units_at(const OpenFile& file, LineRange lines) {
  std::vector<size_t> found;
  for (size_t i = 0; i < file.units.size(); ++i) {
    const LineRange unit = file.units[i].lines;
    if (unit.first <= lines.last && lines.first <= unit.last) found.push_back(file.first + i);
  }
  return found;
}

// By its name; of several the one around the line. By the line alone where no name is told: the lines of the
// reporter's version and of this one differ, names hardly do.
std::vector<size_t> units_of(const OpenFile& file, const StackFrame& frame) {
  const std::string_view name = plain_function(frame.function);
  const LineRange line{frame.line, frame.line};
  if (name.empty()) return units_at(file, line);
  std::vector<size_t> found, around;
  for (size_t i = 0; i < file.units.size(); ++i) {
    const Unit& unit = file.units[i];
    if (unit.kind != UnitKind::kFunction || unit.name != name) continue;
    found.push_back(file.first + i);
    if (unit.lines.first <= frame.line && frame.line <= unit.lines.last) around.push_back(file.first + i);
  }
  if (found.size() > 1 && !around.empty()) return around;
  return found.empty() ? units_at(file, line) : found;
}

}  // namespace

MentionSignals mention_signals(const UnitInput& input) {
  MentionSignals signals{UnitScores(input.units.size()), UnitScores(input.units.size())};
  double depth = 0;
  for (const StackFrame& frame : input.task.frames) {
    const auto files = files_meant(input, frame.path);
    if (files.empty() || files.size() > kMaxFilesOfFrame) continue;
    for (const uint32_t file : files) {
      const auto units = units_of(input.files[file], frame);
      for (const size_t unit : units) {
        const double share =
            1 / (1 + depth) / static_cast<double>(files.size()) / static_cast<double>(units.size());
        signals.frame[unit] = std::max(signals.frame[unit], share);
      }
    }
    ++depth;
  }
  for (const PathHint& hint : input.task.paths) {
    if (hint.line == 0) continue;
    const auto files = files_meant(input, hint.path);
    if (files.size() > kMaxFilesOfLink) continue;
    const LineRange lines{hint.line, std::max(hint.line, hint.last)};
    const double share = lines.last - lines.first < kLongLink ? 1 : kLongLinkShare;
    for (const uint32_t file : files) {
      for (const size_t unit : units_at(input.files[file], lines)) {
        signals.linked[unit] = std::max(signals.linked[unit], share / static_cast<double>(files.size()));
      }
    }
  }
  return signals;
}

}  // namespace knapsack::code
