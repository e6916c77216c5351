#include <algorithm>
#include <optional>

#include "code/rank/frame_functions.h"
#include "code/units/unit_signals.h"
#include "code/walk/path_suffix.h"
#include "understand/traces/frame_name.h"

namespace knapsack::code {
namespace {

// A path that fits more of the files than this means none of them in particular.
constexpr size_t kMaxFilesOfFrame = 3;
constexpr size_t kMaxFilesOfLink = 2;
// Where no path of a trace is known, a name that so many functions have at most still means one of them.
constexpr size_t kMaxFunctionsOfName = 3;
constexpr double kByNameAlone = 0.5;
// Of several units that a frame may lie in, so many at most are told apart from those of the next frame.
constexpr size_t kFewUnits = 3;
constexpr double kSharing = 0.9;
// A link to so many lines points at a page, not at a place.
constexpr uint32_t kLongLink = 80;
constexpr double kLongLinkShare = 0.4;

struct MeantFiles {
  std::vector<uint32_t> files;  // that share the most components with the path
  bool is_certain = false;      // two of them at least, or all that it has
};

MeantFiles longest_ends(const UnitInput& input, std::string_view path) {
  MeantFiles meant;
  size_t most = 0;
  while (path.starts_with('/')) path.remove_prefix(1);
  if (path.empty()) return meant;
  for (uint32_t file = 0; file < input.files.size(); ++file) {
    const size_t common = common_path_end(input.files[file].path, path);
    if (common == 0 || common < most) continue;
    if (common > most) meant.files.clear();
    most = common;
    meant.files.push_back(file);
  }
  meant.is_certain = most >= std::min<size_t>(2, path_components(path));
  return meant;
}

std::vector<uint32_t> files_meant(const UnitInput& input, std::string_view path) {
  MeantFiles meant = longest_ends(input, path);
  return meant.is_certain ? std::move(meant.files) : std::vector<uint32_t>();
}

bool defines(const OpenFile& file, const FrameName& name) {
  return std::any_of(file.units.begin(), file.units.end(), [&](const Unit& unit) {
    return unit.kind == UnitKind::kFunction && name.is_of(unit.name);
  });
}

// A file at the root of a repository has no more than its name in common with the path of an installed copy
// ("bbolt@v1.4.3/tx_check.go"). Every library has a utils.py, but not one with the frame's function in it.
std::vector<uint32_t> files_of_frame(const UnitInput& input, const StackFrame& frame, const FrameName& name) {
  MeantFiles meant = longest_ends(input, frame.path);
  if (!meant.is_certain) {
    std::erase_if(meant.files, [&](uint32_t file) {
      const OpenFile& open = input.files[file];
      return name.name.empty() || open.path.find('/') != std::string_view::npos || !defines(open, name);
    });
  }
  return std::move(meant.files);
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
std::vector<size_t> units_of(const OpenFile& file, const StackFrame& frame, const FrameName& name) {
  const LineRange line{frame.line, frame.line};
  if (name.name.empty()) return units_at(file, line);
  std::vector<size_t> found, around;
  for (size_t i = 0; i < file.units.size(); ++i) {
    const Unit& unit = file.units[i];
    if (unit.kind != UnitKind::kFunction || !name.is_of(unit.name)) continue;
    found.push_back(file.first + i);
    if (unit.lines.first <= frame.line && frame.line <= unit.lines.last) around.push_back(file.first + i);
  }
  if (found.size() > 1 && !around.empty()) return around;
  return found.empty() ? units_at(file, line) : found;
}

// Whether a file of the repository, cut or not, has the path of a frame.
bool any_path_fits(const UnitInput& input) {
  const auto fits = [&](const StackFrame& frame) {
    std::string_view path = frame.path;
    while (path.starts_with('/')) path.remove_prefix(1);
    if (path.empty()) return false;
    const size_t wanted = std::min<size_t>(2, path_components(path));
    return std::any_of(input.index.files().begin(), input.index.files().end(),
                       [&](const auto& file) { return common_path_end(file.name, path) >= wanted; });
  };
  return std::any_of(input.task.frames.begin(), input.task.frames.end(), fits);
}

bool is_owned_by(const OpenFile& file, const Unit& unit, const FrameName& name) {
  if (unit.symbol == kNoSymbol || name.owner.empty()) return false;
  const std::string_view qualified = file.symbols[static_cast<size_t>(unit.symbol)].symbol.qualified_name;
  const std::string dotted = "." + name.dotted();
  return qualified == std::string_view(dotted).substr(1) || qualified.ends_with(dotted);
}

// The functions that a name can mean by itself: those of its owner, or of any where it has several words.
std::vector<size_t> units_called(const UnitInput& input, const FrameName& name, OtherOwners others) {
  std::vector<size_t> named, owned;
  for (size_t i = 0; i < input.units.size(); ++i) {
    const OpenFile& file = input.file_of(i);
    const Unit& unit = input.unit(i);
    if (file.file.is_test || unit.kind != UnitKind::kFunction || !name.is_of(unit.name)) continue;
    const Symbol* symbol =
        unit.symbol == kNoSymbol ? nullptr : &file.symbols[static_cast<size_t>(unit.symbol)].symbol;
    if (symbol != nullptr && symbol->is_declaration) continue;
    if (is_owned_by(file, unit, name)) owned.push_back(i);
    const bool is_of_another = others == OtherOwners::kNone && !name.owner.empty() && symbol != nullptr &&
                               is_member(file.symbols, *symbol);
    if (!is_of_another) named.push_back(i);
  }
  if (owned.empty() && !name.is_compound()) return {};
  return owned.empty() ? named : owned;
}

// What a frame gives each of the units that it may lie in: the more there are the less, and where they are few always more
// than the next frame gives one.
double share_of_frame(double depth, size_t units) {
  const auto count = static_cast<double>(units);
  if (units > kFewUnits) return 1 / (1 + depth) / count;
  return 1 / (1 + depth + kSharing * (1 - 1 / count));
}

class FrameReader {
 public:
  FrameReader(const UnitInput& input, MentionSignals& signals) : input_(input), signals_(signals) {}

  // Bundles, minified files and sources that have moved have paths that no file has here, and release builds tell none. Names
  // are left.
  void add_frames() {
    const std::vector<StackFrame>& frames = input_.task.frames;
    std::vector<std::optional<std::vector<size_t>>> by_path;
    for (const StackFrame& frame : frames) by_path.push_back(units_by_path(frame));
    const bool any =
        std::any_of(by_path.begin(), by_path.end(), [](const auto& units) { return units.has_value(); });
    const bool asks_names = !any && !any_path_fits(input_);
    for (size_t i = 0; i < frames.size(); ++i) {
      if (by_path[i])
        add(*by_path[i], 1, frames[i].line);
      else if (frames[i].path.empty() || asks_names)
        add_by_name(frames[i]);
    }
  }

  // A place that the task names is a frame behind those of its traces.
  void add(const std::vector<size_t>& units, double certainty, uint32_t line) {
    for (const size_t unit : units) {
      signals_.frame[unit] = std::max(signals_.frame[unit], certainty * share_of_frame(depth_, units.size()));
      const LineRange lines = input_.unit(unit).lines;
      if (signals_.lines[unit] == 0 && lines.first <= line && line <= lines.last) signals_.lines[unit] = line;
    }
    ++depth_;
  }

 private:
  // Nothing where its path is that of no file.
  std::optional<std::vector<size_t>> units_by_path(const StackFrame& frame) const {
    const FrameName name = name_of(frame);
    const auto files = files_of_frame(input_, frame, name);
    if (files.empty() || files.size() > kMaxFilesOfFrame) return std::nullopt;
    std::vector<size_t> units;
    for (const uint32_t file : files)
      for (const size_t unit : units_of(input_.files[file], frame, name)) units.push_back(unit);
    return units;
  }

  void add_by_name(const StackFrame& frame) {
    const FrameName name = name_of(frame);
    if (name.name.empty()) return;
    const bool is_told = frame.path.empty();
    const auto units = units_called(input_, name, is_told ? OtherOwners::kNone : OtherOwners::kAny);
    if (units.empty() || units.size() > kMaxFunctionsOfName) return;
    add(units, is_told && units.size() == 1 ? 1 : kByNameAlone, 0);
  }

  const UnitInput& input_;
  MentionSignals& signals_;
  double depth_ = 0;
};

}  // namespace

MentionSignals mention_signals(const UnitInput& input) {
  const size_t count = input.units.size();
  MentionSignals signals{UnitScores(count), UnitScores(count), std::vector<uint32_t>(count)};
  FrameReader frames(input, signals);
  frames.add_frames();
  for (const PathHint& hint : input.task.paths) {
    if (hint.line == 0) continue;
    const auto files = files_meant(input, hint.path);
    if (files.empty() || files.size() > kMaxFilesOfLink) continue;
    const LineRange lines{hint.line, std::max(hint.line, hint.last)};
    const double share = lines.last - lines.first < kLongLink ? 1 : kLongLinkShare;
    std::vector<size_t> units;
    for (const uint32_t file : files) {
      for (const size_t unit : units_at(input.files[file], lines)) {
        signals.linked[unit] = std::max(signals.linked[unit], share / static_cast<double>(files.size()));
        if (input.unit(unit).is_ranked()) units.push_back(unit);
      }
    }
    if (lines.first == lines.last && !units.empty()) frames.add(units, 1, hint.line);
  }
  return signals;
}

}  // namespace knapsack::code
