#include "code/walk/ignore.h"

#include <algorithm>

#include "core/paths.h"

namespace knapsack::code {
namespace {

// Spaces at the end go unless a backslash keeps them; nothing is trimmed behind a final lone backslash.
std::string_view without_trailing_spaces(std::string_view line) {
  size_t spaces = std::string_view::npos;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == ' ') {
      if (spaces == std::string_view::npos) spaces = i;
    } else {
      if (line[i] == '\\' && ++i == line.size()) return line;
      spaces = std::string_view::npos;
    }
  }
  return line.substr(0, spaces);
}

}  // namespace

template <class Value>
Value& IgnoreRules::ByAffix<Value>::at(std::string_view affix) {
  const auto length = static_cast<uint32_t>(affix.size());
  const auto place = std::lower_bound(lengths.begin(), lengths.end(), length);
  if (place == lengths.end() || *place != length) lengths.insert(place, length);
  return entries[std::string(affix)];
}

IgnoreRules::IgnoreRules(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.starts_with('#')) continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    add(without_trailing_spaces(line.substr(0, line.find('\0'))));
  }
}

void IgnoreRules::add(std::string_view line) {
  const bool negated = line.starts_with('!');
  if (negated) line.remove_prefix(1);
  const bool folder_only = line.ends_with('/');
  if (folder_only) line.remove_suffix(1);
  if (line.empty()) return;
  bool path = line.find('/') != std::string_view::npos;
  if (path && line.starts_with('/')) line.remove_prefix(1);
  // `**/name` says no more than `name`, which is found by hash.
  if (path && line.starts_with("**/") && line.find('/', 3) == std::string_view::npos && line != "**/**") {
    line.remove_prefix(3);
    path = false;
  }
  Index& index = path ? paths_ : names_;
  const auto position = static_cast<Position>(negated_.size() + 1);
  const auto remember = [&](Last& last) {
    (folder_only ? last.folder_only : last.any) = position;
    negated_.push_back(negated);
  };
  // Most rules are one of these three and need no pattern at all.
  const size_t special = line.find_first_of(Glob::kSpecialBytes);
  if (special == std::string_view::npos) return remember(index.literal[std::string(line)]);
  if (!path && special == line.size() - 1 && line.ends_with('*')) {
    return remember(index.prefix_star.at(line.substr(0, special)));
  }
  if (!path && line.starts_with('*') &&
      line.find_first_of(Glob::kSpecialBytes, 1) == std::string_view::npos) {
    return remember(index.star_suffix.at(line.substr(1)));
  }
  Glob glob = path ? Glob::for_path(line) : Glob::for_name(line);
  if (!glob.can_match()) return;
  negated_.push_back(negated);
  Patterns& patterns = !glob.prefix().empty()   ? index.by_prefix.at(glob.prefix())
                       : !glob.suffix().empty() ? index.by_suffix.at(glob.suffix())
                                                : index.others;
  patterns.filters.push_back({glob.needed_bytes(), position, folder_only});
  patterns.globs.push_back(std::move(glob));
}

IgnoreRules::Position IgnoreRules::try_patterns(const Patterns& patterns, std::string_view text,
                                                bool is_folder, Position best) {
  const uint64_t absent = ~Glob::bytes_of(text);
  for (size_t i = patterns.filters.size(); i > 0; --i) {
    const auto& filter = patterns.filters[i - 1];
    if (filter.position <= best) break;
    if ((filter.needed_bytes & absent) != 0 || (filter.folder_only && !is_folder)) continue;
    if (patterns.globs[i - 1].matches(text)) return filter.position;
  }
  return best;
}

IgnoreRules::Position IgnoreRules::Index::best(std::string_view text, bool is_folder, Position best) const {
  if (const auto found = literal.find(text); found != literal.end()) {
    best = std::max(best, found->second.get(is_folder));
  }
  const auto each = [&](const auto& affixes, bool at_start, const auto& visit) {
    for (const uint32_t length : affixes.lengths) {
      if (length > text.size()) break;
      const auto affix = at_start ? text.substr(0, length) : text.substr(text.size() - length);
      if (const auto found = affixes.entries.find(affix); found != affixes.entries.end())
        visit(found->second);
    }
  };
  const auto last = [&](const Last& rules) { best = std::max(best, rules.get(is_folder)); };
  each(prefix_star, true, last);
  each(star_suffix, false, last);
  const auto patterns = [&](const Patterns& rules) { best = try_patterns(rules, text, is_folder, best); };
  each(by_prefix, true, patterns);
  each(by_suffix, false, patterns);
  if (!others.filters.empty()) patterns(others);
  return best;
}

IgnoreVerdict IgnoreRules::match(std::string_view path, bool is_folder) const {
  const Position best = paths_.best(path, is_folder, names_.best(base_name(path), is_folder, 0));
  if (best == 0) return IgnoreVerdict::kNoRule;
  return negated_[best - 1] ? IgnoreVerdict::kIncluded : IgnoreVerdict::kIgnored;
}

void IgnoreStack::enter(std::string_view name, std::shared_ptr<const IgnoreRules> rules) {
  if (!name.empty()) {
    path_ += name;
    path_ += '/';
  }
  levels_.push_back({path_.size(), std::move(rules)});
}

void IgnoreStack::leave() {
  levels_.pop_back();
  path_.resize(levels_.empty() ? 0 : levels_.back().path_length);
}

bool IgnoreStack::is_ignored(std::string_view name, bool is_folder) const {
  std::string path = path_;
  path += name;
  const auto decide = [&](const IgnoreRules& rules, size_t base) {
    return rules.match(std::string_view(path).substr(base), is_folder);
  };
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    if (level->rules == nullptr) continue;
    const auto verdict = decide(*level->rules, level->path_length);
    if (verdict != IgnoreVerdict::kNoRule) return verdict == IgnoreVerdict::kIgnored;
  }
  for (auto rules = base_.rbegin(); rules != base_.rend(); ++rules) {
    const auto verdict = decide(**rules, 0);
    if (verdict != IgnoreVerdict::kNoRule) return verdict == IgnoreVerdict::kIgnored;
  }
  return false;
}

std::string_view built_in_ignore_rules() {
  return R"(.git/
.hg/
.svn/
.bzr/
.jj/
node_modules/
bower_components/
.venv/
venv/
__pycache__/
*.pyc
*.egg-info/
.eggs/
.tox/
.nox/
.mypy_cache/
.pytest_cache/
.ruff_cache/
.ipynb_checkpoints/
build/
dist/
out/
target/
cmake-build-*/
CMakeFiles/
bazel-*/
.gradle/
.terraform/
.next/
.nuxt/
.svelte-kit/
.parcel-cache/
.turbo/
.cache/
coverage/
.nyc_output/
.idea/
.vs/
*.o
*.obj
*.a
*.so
*.dylib
*.dll
*.class
.DS_Store
)";
}

}  // namespace knapsack::code
