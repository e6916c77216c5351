#include "engine/linked/linked_repositories.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/escape.h"
#include "engine/settings/places.h"
#include "engine/settings/workspace.h"

namespace knapsack {
namespace {

struct NamedFolder {
  std::string named;  // as it was given
  std::string base;   // where a relative name starts
  bool by_flag = false;
};

std::vector<NamedFolder> named_folders(const Engine::State& state, const std::vector<std::string>& given) {
  std::vector<NamedFolder> folders;
  for (const std::string& folder : given.empty() ? state.options.also : given)
    folders.push_back({folder, state.options.folder, true});
  if (!folders.empty()) return folders;
  // Whatever else is wrong with a configuration is said by who needs it.
  const auto settings = state.settings(Flags());
  if (!settings.ok()) return folders;
  const auto home = state.options.environment.find("HOME");
  const std::string base = home == state.options.environment.end() ? state.workspace.path : home->second;
  for (const std::string& folder : settings->also) folders.push_back({folder, base, false});
  return folders;
}

// The last `parts` components of a path.
std::string last_parts(const std::string& path, size_t parts) {
  size_t at = path.size();
  while (parts-- > 0 && at > 0) {
    const size_t slash = path.rfind('/', at - 1);
    if (slash == std::string::npos) return path;
    at = slash;
  }
  return path.substr(at + 1);
}

// The shortest ends of these paths that differ from each other.
std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<size_t> parts(paths.size(), 1);
  std::vector<std::string> names;
  for (bool changed = true; changed;) {
    changed = false;
    names.clear();
    for (size_t i = 0; i < paths.size(); ++i) names.push_back(last_parts(paths[i], parts[i]));
    const std::vector<std::string> now = names;
    for (size_t i = 0; i < paths.size(); ++i) {
      if (std::count(now.begin(), now.end(), now[i]) < 2) continue;
      const std::string longer = last_parts(paths[i], parts[i] + 1);
      if (longer == now[i] || longer.empty()) continue;
      ++parts[i];
      changed = true;
    }
  }
  return names;
}

}  // namespace

LinkedRepositories linked_repositories(const Engine::State& state, const std::vector<std::string>& folders) {
  LinkedRepositories linked;
  const std::vector<NamedFolder> named = named_folders(state, folders);
  if (named.empty()) return linked;
  const auto home = state.options.environment.find("HOME");
  const auto own = state.files->resolve(state.workspace.path);
  std::set<std::string> known;
  std::vector<std::string> paths;
  for (const NamedFolder& each : named) {
    const auto leave_out = [&](std::string_view why) {
      linked.warnings.push_back(
          fmt::format("the linked repository {} is left out: {}", escape_control(each.named), why));
    };
    const auto path =
        expand_place(each.named, each.base, home == state.options.environment.end() ? "" : home->second);
    if (!path.ok()) {
      leave_out(path.error().what);
      continue;
    }
    const auto real = state.files->resolve(*path);
    const auto info = real.ok() ? state.files->info(*real) : Result<FileInfo>(real.error());
    if (!info.ok() || info->kind != FileKind::kDirectory) {
      leave_out(info.ok() ? "it is not a folder" : "there is no such folder");
      continue;
    }
    if (own.ok() && *real == *own) {
      // The user's configuration holds in every workspace, the linked ones among them.
      if (each.by_flag) leave_out("it is the workspace itself");
      continue;
    }
    if (!known.insert(*real).second) continue;
    auto opened = std::make_unique<Engine::State>();
    opened->options = state.options;
    opened->options.also.clear();
    opened->options.folder = *real;
    opened->options.workspace = *real;
    opened->files = state.files;
    opened->on_disk = state.on_disk;
    opened->clock = state.clock;
    opened->given_model = state.given_model;
    opened->given_embeddings = state.given_embeddings;
    opened->workspace = {*real, "also"};
    paths.push_back(*real);
    linked.list.push_back({"", std::move(opened)});
  }
  paths.push_back(own.ok() ? *own : state.workspace.path);
  const std::vector<std::string> names = names_of(paths);
  for (size_t i = 0; i < linked.list.size(); ++i) linked.list[i].name = names[i];
  return linked;
}

LinkedRepositories::Place LinkedRepositories::place_of(std::string_view shown) const {
  for (const LinkedRepository& each : list) {
    if (shown.size() > each.name.size() + 1 && shown.starts_with(each.name) && shown[each.name.size()] == ':')
      return {&each, std::string(shown.substr(each.name.size() + 1))};
  }
  return {nullptr, std::string(shown)};
}

}  // namespace knapsack
