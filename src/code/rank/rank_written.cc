#include <algorithm>
#include <string>
#include <unordered_map>

#include "code/rank/ranking_signals.h"
#include "code/walk/path_suffix.h"
#include "core/ascii.h"
#include "core/paths.h"

namespace knapsack::code {
namespace {

// "a.b.C" is a class in a package; "self.x" is anything.
constexpr size_t kMinComponents = 3;

// "cart" of "shop/cart.d.ts".
std::string_view plain_stem(std::string_view path) {
  const std::string_view base = base_name(path);
  return base.substr(0, base.find('.', 1));
}

constexpr std::string_view kDeclarationEnds[] = {".d.ts", ".d.mts", ".d.cts"};
constexpr std::string_view kDefinitionEnds[] = {".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"};

// The packages and the class of "a.b.C.method": the components up to the first that begins with a capital.
std::vector<std::string_view> class_path(std::string_view name) {
  std::vector<std::string_view> components;
  while (!name.empty()) {
    const size_t dot = std::min(name.find('.'), name.size());
    const std::string_view component = name.substr(0, dot);
    name.remove_prefix(std::min(dot + 1, name.size()));
    if (component.empty()) return {};
    components.push_back(component);
    if (ascii::is_upper(component.front()))
      return components.size() < kMinComponents ? std::vector<std::string_view>() : components;
  }
  return {};
}

// Paths without an extension, as the classes of a task would have them: "a/b/C".
std::unordered_map<std::string, std::vector<std::string>> written_classes(const TaskQuery& task) {
  std::unordered_map<std::string, std::vector<std::string>> by_class;  // "C" → paths
  const auto belongs = [](char c) { return ascii::is_identifier(c) || c == '.'; };
  for (const TaskSegment& segment : task.segments) {
    const std::string_view text = segment.text;
    for (size_t at = 0; at < text.size();) {
      size_t end = at;
      while (end < text.size() && belongs(text[end])) ++end;
      const auto components = class_path(text.substr(at, end - at));
      at = std::max(end, at + 1);
      if (components.empty()) continue;
      std::string path;
      for (const std::string_view component : components)
        path += (path.empty() ? "" : "/") + std::string(component);
      by_class[std::string(components.back())].push_back(std::move(path));
    }
  }
  return by_class;
}

}  // namespace

FileScores qualified_scores(const RankingInput& input) {
  FileScores scores(input.index.files().size());
  const auto classes = written_classes(input.task);
  if (classes.empty()) return scores;
  for (size_t file = 0; file < scores.size(); ++file) {
    const std::string_view path = input.index.file(static_cast<uint32_t>(file)).name;
    const std::string_view stem = plain_stem(path);
    const auto found = classes.find(std::string(stem));
    if (found == classes.end()) continue;
    const std::string_view bare = path.substr(0, path.size() - base_name(path).size() + stem.size());
    const auto& paths = found->second;
    if (std::any_of(paths.begin(), paths.end(),
                    [&](const auto& each) { return common_path_end(bare, each) == path_components(each); }))
      scores[file] = 1;
  }
  return scores;
}

std::vector<bool> declaration_twins(const CodeIndex& index) {
  std::vector<bool> twins(index.files().size());
  for (size_t i = 0; i < twins.size(); ++i) {
    const std::string& path = index.file(static_cast<uint32_t>(i)).name;
    for (const std::string_view end : kDeclarationEnds) {
      if (!path.ends_with(end)) continue;
      const std::string bare = path.substr(0, path.size() - end.size());
      twins[i] =
          std::any_of(std::begin(kDefinitionEnds), std::end(kDefinitionEnds),
                      [&](std::string_view other) { return index.find_file(bare + std::string(other)); });
    }
  }
  return twins;
}

}  // namespace knapsack::code
