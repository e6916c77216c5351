#include "stages/scope_uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "code/ask/code_references.h"
#include "code/references/test_links.h"
#include "code/walk/file_class.h"
#include "core/ascii.h"
#include "stages/stage_constants.h"

namespace knapsack::stages {
namespace {

using Places = std::set<std::pair<uint32_t, uint32_t>>;  // file and position of definitions

class UseFinder {
 public:
  UseFinder(code::CodeIndex& index, const std::unordered_set<uint32_t>& near) : index_(index), near_(near) {}

  Status add(const std::string& symbol) {
    KNAPSACK_TRY(const auto found, index_.find_symbols(symbol));
    Places places;
    std::set<uint32_t> defining;
    std::set<std::string> names;
    for (const auto& each : found) {
      places.emplace(each.file, static_cast<uint32_t>(each.row.position));
      defining.insert(each.file);
      names.insert(each.row.symbol.name);
    }
    // So many definitions are no seeds either: nobody knows which one is meant.
    if (defining.size() > kMaxDefinitions) return ok_status();
    for (const std::string& name : names) KNAPSACK_CHECK(add_name(symbol, name, places, defining));
    return ok_status();
  }

  SymbolUses finish() { return std::move(uses_); }

 private:
  Status add_name(const std::string& symbol, const std::string& name, const Places& places,
                  const std::set<uint32_t>& defining) {
    KNAPSACK_TRY(auto files, code::files_that_mention(index_, name));
    // Most uses of what is private are where it is defined.
    std::stable_partition(files.begin(), files.end(),
                          [&](uint32_t file) { return near_.contains(file) || defining.contains(file); });
    if (files.size() > kMaxUseFiles) {
      uses_.left_out.push_back(
          {"uses:" + symbol, fmt::format("{} more files mention {}", files.size() - kMaxUseFiles, name),
           ScopeTier::kDependency, fmt::format("beyond the first {} that are read for uses", kMaxUseFiles)});
      files.resize(kMaxUseFiles);
    }
    KNAPSACK_TRY(const auto references,
                 code::references_in(index_, name, files, [&](uint32_t file, uint32_t position) {
                   return places.contains({file, position});
                 }));
    for (const code::ReferenceUse& each : references) {
      FileUses& uses = uses_.files[each.file];
      if (each.confidence >= kMinUseConfidence) uses.lines.push_back(each.line);
      if (defining.contains(each.file)) continue;
      uses.weight += static_cast<double>(each.confidence) * each.count;
      uses.confidence = std::max(uses.confidence, each.confidence);
      if (std::find(uses.symbols.begin(), uses.symbols.end(), symbol) == uses.symbols.end())
        uses.symbols.push_back(symbol);
    }
    return ok_status();
  }

  code::CodeIndex& index_;
  const std::unordered_set<uint32_t>& near_;
  SymbolUses uses_;
};

}  // namespace

Result<SymbolUses> find_uses(code::CodeIndex& index, const TaskQuery& task,
                             const std::unordered_set<uint32_t>& near) {
  UseFinder finder(index, near);
  for (const std::string& symbol : task.symbols) KNAPSACK_CHECK(finder.add(symbol));
  SymbolUses uses = finder.finish();
  for (auto& [file, each] : uses.files) {
    std::sort(each.lines.begin(), each.lines.end());
    each.lines.erase(std::unique(each.lines.begin(), each.lines.end()), each.lines.end());
  }
  return uses;
}

std::vector<uint32_t> tests_called_after(const code::CodeIndex& index, uint32_t subject) {
  const std::string& path = index.file(subject).name;
  std::vector<uint32_t> tests;
  if (code::is_test_path(path)) return tests;
  const std::vector<std::string> wanted = code::subject_words(path);
  if (wanted.empty()) return tests;
  for (uint32_t file = 0; file < index.files().size(); ++file) {
    const std::string& name = index.file(file).name;
    // The first word of the name tells most files apart, and is cheap to look for.
    if (ascii::lower(name).find(wanted.front()) == std::string::npos) continue;
    if (code::is_test_path(name) && code::subject_words(name) == wanted) tests.push_back(file);
  }
  // Of tests with one name, those that stand where the subject does: tests/core/clock_test.cc, not another's.
  float best = 0;
  for (const uint32_t test : tests) best = std::max(best, code::folder_likeness(index.file(test).name, path));
  std::erase_if(tests,
                [&](uint32_t test) { return code::folder_likeness(index.file(test).name, path) < best; });
  return tests;
}

}  // namespace knapsack::stages
