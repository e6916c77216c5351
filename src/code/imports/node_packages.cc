#include "code/imports/node_packages.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "code/parse/source_text.h"
#include "code/walk/glob.h"
#include "core/ascii.h"
#include "core/paths.h"
#include "core/split.h"
#include "text/json_members.h"

namespace knapsack::code {
namespace {

using Json = nlohmann::json;

// Every path below a target, in the order in which it gives them: conditions nest, and which one holds
// depends on who asks, but only some of the files are in the repository.
void add_paths(const Json& target, std::vector<std::string>& paths) {
  if (target.is_string()) {
    paths.push_back(target.get<std::string>());
  } else if (target.is_object() || target.is_array()) {
    for (const Json& inner : target) add_paths(inner, paths);  // no deeper than kMaxConfigNesting
  }
}

std::vector<NodePackage::Entry> entries_of(const Json& object, const char* key, std::string_view mark) {
  std::vector<NodePackage::Entry> entries;
  const auto found = object.find(key);
  if (found == object.end()) return entries;
  bool has_keys = false;
  if (found->is_object()) {
    for (const auto& [name, target] : found->items()) {
      if (!name.starts_with(mark)) continue;
      has_keys = true;
      entries.push_back({name, {}});
      add_paths(target, entries.back().paths);
    }
  }
  // `"exports": "./x.js"` and `"exports": {"import": …}` speak of the package itself.
  if (!has_keys && mark == ".") {
    entries.push_back({".", {}});
    add_paths(*found, entries.back().paths);
  }
  return entries;
}

void add_globs(const Json& list, std::string_view folder,
               std::vector<std::pair<std::string, std::string>>& globs) {
  if (!list.is_array()) return;
  for (const Json& item : list) {
    if (item.is_string()) globs.emplace_back(folder, item.get<std::string>());
  }
}

// The list below `packages:`; the rest of the file is of no interest.
void add_pnpm_globs(std::string_view text, std::string_view folder,
                    std::vector<std::pair<std::string, std::string>>& globs) {
  bool is_inside = false;
  for_each_part(text, "\n", [&](std::string_view line) {
    const std::string_view item = ascii::trim_space(line);
    if (!line.empty() && !is_space(line[0]) && line[0] != '-' && line[0] != '#') {
      is_inside = item.starts_with("packages:");
    } else if (is_inside && item.starts_with('-')) {
      globs.emplace_back(folder, unquote(ascii::trim_space(item.substr(1))));
    }
  });
}

}  // namespace

NodePackages::NodePackages(const RepositoryFiles& files, ConfigReader& configs) : files_(files) {
  std::vector<std::pair<std::string, std::string>> globs;  // folder of the workspace, pattern of its members
  for (uint32_t file = 0; file < files.size(); ++file) {
    const std::string_view path = files.path(file);
    const std::string_view name = base_name(path);
    if (name == "package.json" && path.find("node_modules/") == std::string_view::npos) {
      read(file, configs, globs);
    } else if (name == "pnpm-workspace.yaml") {
      if (const auto text = configs.text(file)) add_pnpm_globs(*text, folder_of(path), globs);
    }
  }
  for (const auto& [workspace, pattern] : globs) {
    std::string_view shape = pattern;
    const bool is_excluding = shape.starts_with('!');
    if (is_excluding) shape.remove_prefix(1);
    if (shape.starts_with("./")) shape.remove_prefix(2);
    while (shape.ends_with('/')) shape.remove_suffix(1);
    const Glob glob = Glob::for_path(shape);
    for (NodePackage& package : packages_) {
      if (!is_below(package.folder, workspace)) continue;
      std::string_view inside = std::string_view(package.folder).substr(workspace.size());
      if (inside.starts_with('/')) inside.remove_prefix(1);
      if (!inside.empty() && glob.matches(inside)) package.is_member = !is_excluding;
    }
  }
}

void NodePackages::read(uint32_t file, ConfigReader& configs,
                        std::vector<std::pair<std::string, std::string>>& globs) {
  const std::optional<Json> json = configs.json(file);
  if (!json) return;
  NodePackage package;
  package.name = text_member(*json, "name");
  package.folder = folder_of(files_.path(file));
  for (const char* const key : {"source", "module", "main", "types", "typings", "browser"}) {
    if (std::string path = text_member(*json, key); !path.empty()) package.mains.push_back(std::move(path));
  }
  package.exports = entries_of(*json, "exports", ".");
  package.imports = entries_of(*json, "imports", "#");
  if (const auto workspaces = json->find("workspaces"); workspaces != json->end()) {
    add_globs(*workspaces, package.folder, globs);
    if (workspaces->is_object()) add_globs(workspaces->value("packages", Json()), package.folder, globs);
  }
  const auto number = static_cast<uint32_t>(packages_.size());
  if (!package.name.empty()) by_name_[package.name].push_back(number);
  by_folder_[package.folder] = number;
  packages_.push_back(std::move(package));
}

const NodePackage* NodePackages::named(uint32_t from, std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  if (found == by_name_.end()) return nullptr;
  const NodePackage* best = nullptr;
  size_t best_shared = 0;
  for (const uint32_t number : found->second) {
    const NodePackage& package = packages_[number];
    const size_t shared = shared_folders(files_.path(from), package.folder + '/');
    const bool is_better = best == nullptr || (package.is_member && !best->is_member) ||
                           (package.is_member == best->is_member && shared > best_shared);
    if (!is_better) continue;
    best = &package;
    best_shared = shared;
  }
  return best;
}

const NodePackage* NodePackages::in_folder(std::string_view folder) const {
  const auto found = by_folder_.find(std::string(folder));
  return found == by_folder_.end() ? nullptr : &packages_[found->second];
}

const NodePackage* NodePackages::around(std::string_view path) const {
  const NodePackage* package = nullptr;
  any_ancestor(folder_of(path), [&](std::string_view folder) {
    package = in_folder(folder);
    return package != nullptr;
  });
  return package;
}

std::vector<std::string> NodePackages::matching(const std::vector<NodePackage::Entry>& entries,
                                                std::string_view key) {
  const NodePackage::Entry* best = nullptr;
  std::string_view part;
  for (const NodePackage::Entry& entry : entries) {
    if (entry.key == key) return entry.paths;
    const bool is_pattern = entry.key.find('*') != std::string::npos;
    const auto matched = is_pattern ? match_star(entry.key, key) : std::nullopt;
    if (matched && (best == nullptr || entry.key.size() > best->key.size())) {
      best = &entry;
      part = *matched;
    }
  }
  std::vector<std::string> paths;
  if (best == nullptr) return paths;
  for (const std::string& path : best->paths) paths.push_back(fill_star(path, part));
  return paths;
}

std::pair<std::string_view, std::string_view> split_package(std::string_view specifier) {
  size_t slash = specifier.find('/');
  if (specifier.starts_with('@') && slash != std::string_view::npos) slash = specifier.find('/', slash + 1);
  if (slash == std::string_view::npos) return {specifier, ""};
  return {specifier.substr(0, slash), specifier.substr(slash + 1)};
}

std::optional<std::string_view> match_star(std::string_view pattern, std::string_view text) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    if (pattern == text) return std::string_view();
    return std::nullopt;
  }
  const std::string_view head = pattern.substr(0, star);
  const std::string_view tail = pattern.substr(star + 1);
  if (text.size() < head.size() + tail.size() || !text.starts_with(head) || !text.ends_with(tail)) {
    return std::nullopt;
  }
  return text.substr(head.size(), text.size() - head.size() - tail.size());
}

std::string fill_star(std::string_view pattern, std::string_view part) {
  return replace_all(pattern, "*", part);
}

}  // namespace knapsack::code
