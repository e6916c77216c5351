#include "stages/scope_seeds.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/rank/frame_functions.h"
#include "code/walk/file_class.h"
#include "code/walk/path_suffix.h"
#include "understand/traces/frame_name.h"

namespace knapsack::stages {
namespace {

using Definitions = std::vector<code::IndexedSymbol>;

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool is_test(const code::Symbol& symbol) {
  return symbol.is_test || symbol.kind == code::SymbolKind::kTest;
}

// Fewer of them, unless that leaves none.
template <class Counts>
void prefer(Definitions& definitions, Counts counts) {
  const auto first = std::stable_partition(definitions.begin(), definitions.end(), counts);
  if (first != definitions.begin()) definitions.erase(first, definitions.end());
}

class SeedFinder {
 public:
  SeedFinder(code::CodeIndex& index, const TaskQuery& task) : index_(index), task_(task) {}

  void add_path(const std::string& path, const std::string& relation, Naming naming) {
    std::vector<uint32_t> found;
    if (const auto exact = index_.find_file(path)) {
      found = {*exact};
    } else {
      found = index_.find_by_suffix(path);
    }
    if (found.size() > kMaxPlacesOfHint) {
      seeds_.infos.push_back(
          fmt::format("{} fits {} files: name more of its path to mean one", path, found.size()));
      return;
    }
    if (found.empty() && naming != Naming::kNone)
      seeds_.infos.push_back(fmt::format("no file is called {}", path));
    for (const uint32_t file : found) seeds_.seeds.push_back({file, relation, naming});
  }

  Status add_symbol(const std::string& name, Naming naming) {
    KNAPSACK_TRY(const bool is_other, is_part_of_another(name));
    if (is_other) return ok_status();
    KNAPSACK_TRY(const Definitions found, definitions_of(name));
    std::vector<uint32_t> files;  // each once
    for (const auto& symbol : found) {
      if (files.empty() || files.back() != symbol.file) files.push_back(symbol.file);
    }
    if (files.size() > kMaxDefinitions) {
      seeds_.infos.push_back(
          fmt::format("{} is defined in {} files: too many to be seeds", name, files.size()));
      return ok_status();
    }
    const bool are_tests = !found.empty() && found.front().row.symbol.kind == code::SymbolKind::kTest;
    const std::string relation = (are_tests ? "has a test called " : "defines ") + name;
    for (const uint32_t file : files) seeds_.seeds.push_back({file, relation, naming});
    return ok_status();
  }

  // Where a frame tells no file, or no path of a trace is known, as in that of a bundle: a name that tells by itself which
  // function ran.
  Status add_frame_by_name(const StackFrame& frame, size_t number) {
    const auto others = frame.path.empty() ? code::OtherOwners::kNone : code::OtherOwners::kAny;
    KNAPSACK_TRY(const auto files, code::files_of_function(index_, name_of(frame), others));
    if (files.size() > kMaxPlacesOfHint) return ok_status();
    for (const uint32_t file : files)
      seeds_.seeds.push_back(
          {file, fmt::format("frame {} of the stack trace, by its function", number), Naming::kTrace});
    return ok_status();
  }

  Seeds finish() { return std::move(seeds_); }

 private:
  // The "save" of `save!`, where something is called `save!`.
  Result<bool> is_part_of_another(const std::string& name) {
    if (!contains(task_.unmarked, name)) return false;
    for (const char mark : {'!', '?'}) {
      if (!contains(task_.symbols, name + mark)) continue;
      KNAPSACK_TRY(const Definitions marked, index_.find_symbols(name + mark));
      if (!marked.empty()) return true;
    }
    return false;
  }

  // What the task may mean by a name, by file. A title of a test is none, but for who asks for tests; a field is none that
  // somebody calls; definitions in tests count only where there are no others.
  Result<Definitions> definitions_of(const std::string& name) {
    KNAPSACK_TRY(Definitions found, index_.find_symbols(name));
    if (task_.type != TaskType::kTest)
      prefer(found, [](const auto& each) { return !is_test(each.row.symbol); });
    if (contains(task_.called, name))
      prefer(found, [](const auto& each) { return !code::is_value(each.row.symbol.kind); });
    prefer(found, [&](const auto& each) { return !code::is_test_path(index_.file(each.file).name); });
    return found;
  }

  code::CodeIndex& index_;
  const TaskQuery& task_;
  Seeds seeds_;
};

// A frame's path is absolute on the reporter's machine: as many of its last components as still fit.
std::string known_suffix(const code::CodeIndex& index, const std::string& path) {
  std::string_view rest = path;
  while (!rest.empty()) {
    if (!index.find_by_suffix(rest).empty()) return std::string(rest);
    const size_t slash = rest.find('/');
    if (slash == std::string_view::npos) return "";
    rest.remove_prefix(slash + 1);
  }
  return "";
}

Result<bool> defines_function(code::CodeIndex& index, uint32_t file, const FrameName& name) {
  if (name.name.empty()) return false;
  KNAPSACK_TRY(const auto symbols, index.symbols(file));
  return std::any_of(symbols.begin(), symbols.end(), [&](const code::SymbolRow& row) {
    return code::is_callable(row.symbol.kind) && name.is_of(row.symbol.name);
  });
}

// The path by which the files of a frame are found; empty where none fits. One component of a long path is chance, as every
// library has a utils.py: but for a file at the root, which has no more, where it defines the function.
Result<std::string> path_of_frame(code::CodeIndex& index, const StackFrame& frame) {
  std::string path = known_suffix(index, frame.path);
  const bool is_chance =
      code::path_components(path) < 2 && code::path_components(frame.path) > 1 && !path.empty();
  if (!is_chance) return path;
  const auto at_root = index.find_file(path);
  if (!at_root) return std::string();
  KNAPSACK_TRY(const bool defines, defines_function(index, *at_root, name_of(frame)));
  return defines ? std::move(path) : std::string();
}

// Whether a file has the last two components of a frame's path, or all that it has.
bool has_path_of(const code::CodeIndex& index, const StackFrame& frame) {
  if (frame.path.empty()) return false;
  const size_t last = frame.path.rfind('/');
  const size_t before = last == std::string::npos || last == 0 ? last : frame.path.rfind('/', last - 1);
  const size_t begin = before == std::string::npos ? 0 : before + 1;
  return !index.find_by_suffix(std::string_view(frame.path).substr(begin)).empty();
}

// The innermost frames that count, by their numbers from 0, with the path by which each is found; empty where none fits. What
// a language brings with it counts only where the repository has its file.
struct CountedFrame {
  size_t number = 0;
  std::string path;
};

Result<std::vector<CountedFrame>> counted_frames(code::CodeIndex& index,
                                                 const std::vector<StackFrame>& frames) {
  std::vector<CountedFrame> counted;
  for (size_t i = 0; i < frames.size() && counted.size() < kMaxFrames; ++i) {
    KNAPSACK_TRY(std::string path, path_of_frame(index, frames[i]));
    if (!path.empty() || !is_of_runtime(frames[i])) counted.push_back({i, std::move(path)});
  }
  return counted;
}

}  // namespace

Result<bool> names_callable(code::CodeIndex& index, const std::string& name) {
  KNAPSACK_TRY(const Definitions found, index.find_symbols(name));
  return std::any_of(found.begin(), found.end(), [](const auto& each) {
    return !code::is_value(each.row.symbol.kind) && !is_test(each.row.symbol);
  });
}

Result<Seeds> find_seeds(code::CodeIndex& index, const TaskQuery& task,
                         const std::vector<Requested>& requested) {
  SeedFinder finder(index, task);
  const auto add_requested = [&](bool beside) {
    const Naming naming = beside ? Naming::kBackground : Naming::kRequest;
    for (const Requested& each : requested)
      if (each.beside == beside) finder.add_path(each.path, each.reason, naming);
  };
  add_requested(false);
  for (const PathHint& hint : task.paths) finder.add_path(hint.path, kNamedInTask, Naming::kPath);
  KNAPSACK_TRY(const auto frames, counted_frames(index, task.frames));
  const bool any_path_fits = std::any_of(frames.begin(), frames.end(),
                                         [](const CountedFrame& each) { return !each.path.empty(); }) ||
                             std::any_of(task.frames.begin(), task.frames.end(),
                                         [&](const StackFrame& frame) { return has_path_of(index, frame); });
  for (const CountedFrame& each : frames) {
    const StackFrame& frame = task.frames[each.number];
    if (!each.path.empty())
      finder.add_path(each.path, fmt::format("frame {} of the stack trace", each.number + 1), Naming::kTrace);
    else if (frame.path.empty() || !any_path_fits)
      KNAPSACK_CHECK(finder.add_frame_by_name(frame, each.number + 1));
  }
  for (const std::string& name : task.symbols) KNAPSACK_CHECK(finder.add_symbol(name, Naming::kDefinition));
  add_requested(true);
  for (const std::string& path : task.guessed_paths)
    finder.add_path(path, "the model expects it", Naming::kNone);
  for (const std::string& name : task.guessed_symbols) KNAPSACK_CHECK(finder.add_symbol(name, Naming::kNone));
  return finder.finish();
}

}  // namespace knapsack::stages
