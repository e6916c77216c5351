#include "code/imports/rust_crates.h"

#include "code/imports/toml_config.h"
#include "core/paths.h"
#include "core/split.h"

namespace knapsack::code {
namespace {

// Names in code cannot have hyphens.
std::string code_name(std::string_view name) {
  return replace_all(name, "-", "_");
}

}  // namespace

RustCrates::RustCrates(const RepositoryFiles& files, ConfigReader& configs) : files_(files) {
  for (uint32_t file = 0; file < files.size(); ++file) {
    const std::string_view path = files.path(file);
    const std::string_view name = base_name(path);
    if (name == "Cargo.toml") folders_.insert(folder_of(path));
    if (name == "lib.rs") root_in_[folder_of(path)] = file;
    if (name == "main.rs") root_in_.emplace(folder_of(path), file);
  }
  for (uint32_t file = 0; file < files.size(); ++file) {
    if (base_name(files.path(file)) == "Cargo.toml") read(file, configs);
  }
}

void RustCrates::add_root(std::string_view crate, std::string_view path) {
  const auto resolved = resolve_path(crate, path);
  const auto file = resolved ? files_.find(*resolved) : std::nullopt;
  if (!file) return;
  roots_.insert(*file);
  root_in_.emplace(folder_of(files_.path(*file)), *file);
}

void RustCrates::read(uint32_t file, ConfigReader& configs) {
  std::optional<toml::table> table = read_toml(configs, file);
  if (!table) return;
  const std::string_view folder = folder_of(files_.path(file));
  if (const auto path = (*table)["lib"]["path"].value<std::string_view>()) {
    add_root(folder, *path);
    if (auto resolved = resolve_path(folder, *path)) lib_paths_.emplace(folder, std::move(*resolved));
  }
  for (const std::string_view kind : {"bin", "test", "bench", "example"}) {
    const toml::array* const list = (*table)[kind].as_array();
    if (list == nullptr) continue;
    for (const toml::node& entry : *list) {
      const toml::table* const target = entry.as_table();
      if (target == nullptr) continue;
      if (const auto path = (*target)["path"].value<std::string_view>()) add_root(folder, *path);
    }
  }
  const auto library = library_in(folder);
  for (const auto& name : {(*table)["lib"]["name"].value<std::string_view>(),
                           (*table)["package"]["name"].value<std::string_view>()}) {
    if (library && name) libraries_.emplace(code_name(*name), *library);
  }
  const auto add_dependencies = [&](const toml::table* list) {
    if (list == nullptr) return;
    for (const auto& [name, value] : *list) {
      const toml::table* const dependency = value.as_table();
      if (dependency == nullptr) continue;
      const auto path = (*dependency)["path"].value<std::string_view>();
      auto target = path ? resolve_path(folder, *path) : std::nullopt;
      if (target) dependencies_[folder].emplace(code_name(name.str()), std::move(*target));
    }
  };
  for (const std::string_view key : {"dependencies", "dev-dependencies", "build-dependencies"}) {
    add_dependencies((*table)[key].as_table());
    add_dependencies((*table)["workspace"][key].as_table());
  }
}

std::optional<uint32_t> RustCrates::library_in(std::string_view folder) const {
  const auto path = lib_paths_.find(std::string(folder));
  if (path != lib_paths_.end()) return files_.find(path->second);
  return files_.find(join_path(folder, "src/lib.rs"));
}

std::optional<uint32_t> RustCrates::named(std::string_view importer, std::string_view name) const {
  const std::string key(name);
  std::optional<uint32_t> library;
  any_ancestor(folder_of(importer), [&](std::string_view folder) {
    const auto list = dependencies_.find(folder);
    if (list == dependencies_.end()) return false;
    const auto dependency = list->second.find(key);
    if (dependency != list->second.end()) library = library_in(dependency->second);
    return library.has_value();
  });
  if (library) return library;
  const auto found = libraries_.find(key);
  if (found == libraries_.end()) return std::nullopt;
  return found->second;
}

bool RustCrates::is_root(uint32_t file) const {
  const std::string_view path = files_.path(file);
  const std::string_view name = base_name(path);
  if (name == "lib.rs" || name == "main.rs" || name == "build.rs" || roots_.find(file) != roots_.end())
    return true;
  // Each file directly in these folders of a crate is a program of its own.
  const std::string_view folder = folder_of(path);
  const std::string_view kind = base_name(folder);
  if (kind == "tests" || kind == "examples" || kind == "benches") {
    return folders_.find(folder_of(folder)) != folders_.end();
  }
  return kind == "bin" && folders_.find(folder_of(folder_of(folder))) != folders_.end();
}

std::optional<uint32_t> RustCrates::root_of(uint32_t file) const {
  if (is_root(file)) return file;
  std::optional<uint32_t> root;
  any_ancestor(folder_of(files_.path(file)), [&](std::string_view folder) {
    const auto found = root_in_.find(folder);
    if (found != root_in_.end()) root = found->second;
    return root.has_value();
  });
  return root;
}

}  // namespace knapsack::code
