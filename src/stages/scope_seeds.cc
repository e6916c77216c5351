#include "stages/scope_seeds.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/walk/file_class.h"

namespace knapsack::stages {
namespace {

class SeedFinder {
 public:
  explicit SeedFinder(code::CodeIndex& index) : index_(index) {}

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
    KNAPSACK_TRY(const auto found, index_.find_symbols(name));
    // Files, each once; definitions in tests count only where there are no others.
    std::vector<uint32_t> files;
    for (const bool tests : {false, true}) {
      if (!files.empty()) break;
      for (const auto& symbol : found) {
        const bool is_test = code::is_test_path(index_.file(symbol.file).name);
        if (is_test == tests && std::find(files.begin(), files.end(), symbol.file) == files.end()) {
          files.push_back(symbol.file);
        }
      }
    }
    if (files.size() > kMaxDefinitions) {
      seeds_.infos.push_back(
          fmt::format("{} is defined in {} files: too many to be seeds", name, files.size()));
      return ok_status();
    }
    for (const uint32_t file : files) seeds_.seeds.push_back({file, "defines " + name, naming});
    return ok_status();
  }

  Seeds finish() { return std::move(seeds_); }

 private:
  code::CodeIndex& index_;
  Seeds seeds_;
};

size_t components(const std::string& path) {
  return 1 + static_cast<size_t>(std::count(path.begin(), path.end(), '/'));
}

// A frame's path is absolute on the reporter's machine: as many of its last components as still fit.
std::string known_suffix(const code::CodeIndex& index, const std::string& path) {
  std::string_view rest = path;
  while (true) {
    if (!index.find_by_suffix(rest).empty()) return std::string(rest);
    const size_t slash = rest.find('/');
    if (slash == std::string_view::npos) return "";
    rest.remove_prefix(slash + 1);
  }
}

}  // namespace

Result<Seeds> find_seeds(code::CodeIndex& index, const TaskQuery& task,
                         const std::vector<Requested>& requested) {
  SeedFinder finder(index);
  const auto add_requested = [&](bool beside) {
    const Naming naming = beside ? Naming::kBackground : Naming::kRequest;
    for (const Requested& each : requested)
      if (each.beside == beside) finder.add_path(each.path, each.reason, naming);
  };
  add_requested(false);
  for (const PathHint& hint : task.paths) finder.add_path(hint.path, kNamedInTask, Naming::kPath);
  for (size_t i = 0; i < task.frames.size() && i < kMaxFrames; ++i) {
    const std::string path = known_suffix(index, task.frames[i].path);
    // One component of a long path is chance: every library has a utils.py.
    if (path.empty() || (components(path) < 2 && components(task.frames[i].path) > 1)) continue;
    finder.add_path(path, fmt::format("frame {} of the stack trace", i + 1), Naming::kTrace);
  }
  for (const std::string& name : task.symbols) KNAPSACK_CHECK(finder.add_symbol(name, Naming::kDefinition));
  add_requested(true);
  for (const std::string& path : task.guessed_paths)
    finder.add_path(path, "the model expects it", Naming::kNone);
  for (const std::string& name : task.guessed_symbols) KNAPSACK_CHECK(finder.add_symbol(name, Naming::kNone));
  return finder.finish();
}

}  // namespace knapsack::stages
