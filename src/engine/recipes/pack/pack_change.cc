#include "engine/recipes/pack/pack_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "code/ask/code_views.h"
#include "code/ask/enclosing_symbol.h"
#include "code/walk/file_class.h"
#include "core/escape.h"

namespace knapsack {
namespace {

constexpr size_t kMaxUsers = 20;           // of one definition
constexpr size_t kMaxTests = 3;            // of one file
constexpr float kMinUseConfidence = 0.5F;  // below, another thing of the same name is meant as often
constexpr uint32_t kUsuallyTogether = 3;   // commits
constexpr size_t kMaxCompanions = 8;
constexpr size_t kMaxNamed = 12;  // names in one line
// A change of a thousand files is reviewed by its first definitions, and says so.
constexpr size_t kMaxToldFiles = 15;
constexpr size_t kMaxFollowedDefinitions = 60;
constexpr size_t kMaxTestedFiles = 20;
constexpr size_t kMaxOutside = 5;  // files of which only lines outside of definitions changed

struct Definition {
  uint32_t file = 0;
  uint32_t position = 0;
  std::string name, qualified_name;
};

class Reviewer {
 public:
  Reviewer(code::CodeIndex& index, const code::ChangeSet& change)
      : index_(index), change_(change), symbols_(index) {}

  Result<ChangeReview> run() {
    for (const code::ChangedFile& file : change_.files) KNAPSACK_CHECK(add_file(file));
    for (size_t i = 0; i < std::min(code_outside_.size(), kMaxOutside); ++i)
      place(code_outside_[i], stages::kNoPosition, "changed", true);
    say_what_changed();
    for (size_t i = 0; i < std::min(definitions_.size(), kMaxFollowedDefinitions); ++i)
      KNAPSACK_CHECK(add_users(definitions_[i]));
    size_t tested = 0;
    for (const code::ChangedFile& file : change_.files) {
      const auto number = index_.find_file(file.path);
      if (!number || code::is_test_path(file.path) || tested++ >= kMaxTestedFiles) continue;
      KNAPSACK_CHECK(add_tests(*number));
    }
    KNAPSACK_CHECK(say_what_did_not_change());
    review_.task = words_of_task();
    return std::move(review_);
  }

 private:
  Status add_file(const code::ChangedFile& file) {
    const auto number = index_.find_file(file.path);
    std::vector<std::string> names;
    bool is_code = false;
    if (number && !file.lines.empty()) {
      KNAPSACK_TRY(const auto symbols, index_.symbols(*number));
      is_code = !symbols.empty();
      for (const code::SymbolRow* row : touched(symbols, file.lines)) {
        definitions_.push_back({*number, row->position, row->symbol.name, row->symbol.qualified_name});
        // Overloads and setters share one name.
        if (std::find(names.begin(), names.end(), row->symbol.qualified_name) == names.end())
          names.push_back(row->symbol.qualified_name);
        place(file.path, static_cast<int32_t>(row->position), "changed", false);
      }
    }
    if (is_code && names.empty()) code_outside_.push_back(file.path);
    (names.empty() ? other_files_ : files_with_code_).push_back(described(file, names));
    return ok_status();
  }

  // What has definitions first: a reviewer reads code, and a packet has room for a few lines of this.
  void say_what_changed() {
    std::vector<std::string>& said = review_.said;
    said = std::move(files_with_code_);
    said.insert(said.end(), other_files_.begin(), other_files_.end());
    if (said.size() > kMaxToldFiles) {
      const size_t others = said.size() - kMaxToldFiles;
      said.resize(kMaxToldFiles);
      said.push_back(fmt::format("{} other files changed", others));
    }
    if (definitions_.size() > kMaxFollowedDefinitions) {
      said.push_back(fmt::format("Who uses them was looked up for {} of {} changed definitions",
                                 kMaxFollowedDefinitions, definitions_.size()));
    }
  }

  // The innermost definitions around the changed lines: a method rather than its class.
  static std::vector<const code::SymbolRow*> touched(const std::vector<code::SymbolRow>& symbols,
                                                     const std::vector<LineRange>& lines) {
    std::vector<const code::SymbolRow*> outer_first;
    uint32_t last_line = 0;
    for (const code::SymbolRow& row : symbols) {
      if (!is_callable(row.symbol.kind) && !is_type(row.symbol.kind)) continue;
      outer_first.push_back(&row);
      last_line = std::max(last_line, row.symbol.end_line);
    }
    const auto length = [](const code::SymbolRow* row) {
      return row->symbol.end_line - row->symbol.start_line;
    };
    std::stable_sort(
        outer_first.begin(), outer_first.end(),
        [&](const code::SymbolRow* a, const code::SymbolRow* b) { return length(a) > length(b); });
    std::vector<const code::SymbolRow*> innermost(last_line + 1, nullptr);  // by line
    for (const code::SymbolRow* row : outer_first)
      std::fill(innermost.begin() + row->symbol.start_line, innermost.begin() + row->symbol.end_line + 1,
                row);
    std::vector<const code::SymbolRow*> found;
    for (const LineRange range : lines) {
      for (uint32_t line = range.first; line <= std::min(range.last, last_line); ++line) {
        const code::SymbolRow* row = innermost[line];
        if (row != nullptr && std::find(found.begin(), found.end(), row) == found.end()) found.push_back(row);
      }
    }
    return found;
  }

  static std::string described(const code::ChangedFile& file, const std::vector<std::string>& names) {
    const std::string_view how = file.kind == code::ChangeKind::kAdded     ? " (new)"
                                 : file.kind == code::ChangeKind::kRemoved ? " (removed)"
                                                                           : "";
    if (names.empty() || file.kind != code::ChangeKind::kChanged)
      return fmt::format("Changed: {}{}", escape_control(file.path), how);
    const size_t shown = std::min(names.size(), kMaxNamed);
    std::string line =
        fmt::format("Changed: {}: {}", escape_control(file.path),
                    fmt::join(names.begin(), names.begin() + static_cast<ptrdiff_t>(shown), ", "));
    if (shown < names.size()) line += fmt::format(" and {} others", names.size() - shown);
    return line;
  }

  Status add_users(const Definition& of) {
    const auto meant = [&](uint32_t file, uint32_t symbol) {
      return file == of.file && symbol == of.position;
    };
    KNAPSACK_TRY(const auto uses, code::references_to(index_, of.name, meant));
    size_t added = 0;
    for (const code::ReferenceUse& use : uses) {
      if (use.confidence < kMinUseConfidence || added == kMaxUsers) continue;
      if (use.file == of.file && use.enclosing == of.qualified_name) continue;
      KNAPSACK_TRY(const code::SymbolRow* user, symbols_.around(use));
      if (user == nullptr) continue;
      const std::string& path = index_.file(use.file).name;
      place(path, static_cast<int32_t>(user->position),
            fmt::format("{} {}", code::is_test_path(path) ? "tests" : "uses", of.name), true);
      ++added;
    }
    return ok_status();
  }

  Status add_tests(uint32_t file) {
    KNAPSACK_TRY(const code::DepsView view, code::view_deps(index_, file, 1));
    for (size_t i = 0; i < std::min(view.tests.size(), kMaxTests); ++i)
      place(view.tests[i].path, stages::kNoPosition, fmt::format("tests {}", view.path), true);
    for (const code::CoChangeLine& line : view.co_changes) {
      if (line.count >= kUsuallyTogether)
        companions_[line.path] = std::max(companions_[line.path], line.count);
    }
    return ok_status();
  }

  Status say_what_did_not_change() {
    for (const code::ChangedFile& file : change_.files) companions_.erase(file.path);
    std::vector<std::pair<uint32_t, std::string>> sorted;
    for (const auto& [path, count] : companions_)
      if (index_.find_file(path)) sorted.emplace_back(count, path);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (sorted.size() > kMaxCompanions) sorted.resize(kMaxCompanions);
    if (sorted.empty()) return ok_status();
    std::vector<std::string> shown;
    for (const auto& [count, path] : sorted)
      shown.push_back(fmt::format("{} ({} times)", escape_control(path), count));
    review_.said.push_back(fmt::format("Usually changes with these and did not: {}", fmt::join(shown, ", ")));
    return ok_status();
  }

  void place(const std::string& path, int32_t position, const std::string& reason, bool beside) {
    if (placed_.emplace(path, position).second) review_.places.push_back({path, position, reason, beside});
  }

  std::string words_of_task() const {
    std::vector<std::string> names, paths;
    const auto add = [](std::vector<std::string>& to, std::string text) {
      if (to.size() < kMaxNamed && std::find(to.begin(), to.end(), text) == to.end())
        to.push_back(std::move(text));
    };
    for (const Definition& each : definitions_) {
      add(names, "`" + each.qualified_name + "`");
      add(paths, escape_control(index_.file(each.file).name));
    }
    if (names.empty())
      for (const code::ChangedFile& file : change_.files) add(paths, escape_control(file.path));
    if (names.empty()) return fmt::format("Review the change of {}", fmt::join(paths, ", "));
    return fmt::format("Review the change of {} in {}", fmt::join(names, ", "), fmt::join(paths, ", "));
  }

  code::CodeIndex& index_;
  const code::ChangeSet& change_;
  code::EnclosingSymbols symbols_;
  ChangeReview review_;
  std::vector<std::string> files_with_code_, other_files_;  // a line each
  std::vector<std::string> code_outside_;                   // paths
  std::vector<Definition> definitions_;
  std::map<std::string, uint32_t> companions_;  // path → how often it changed with one of these
  std::set<std::pair<std::string, int32_t>> placed_;
};

}  // namespace

Result<ChangeReview> review_change(code::CodeIndex& index, const code::ChangeSet& change) {
  return Reviewer(index, change).run();
}

}  // namespace knapsack
