// Python: modules below the roots that packages, project files and configurations point to.
#include <algorithm>
#include <string>
#include <unordered_set>

#include "code/imports/ecosystem.h"
#include "code/imports/python_library.h"
#include "code/imports/toml_config.h"
#include "code/parse/source_text.h"
#include "core/ascii.h"
#include "core/paths.h"
#include "core/split.h"

namespace knapsack::code {
namespace {

bool is_project_file(std::string_view name) {
  return name == "pyproject.toml" || name == "setup.py" || name == "setup.cfg";
}

class PythonEcosystem final : public Ecosystem {
 public:
  PythonEcosystem(const RepositoryFiles& files, ConfigReader& configs) : Ecosystem(files) {
    roots_.insert("");
    for (uint32_t file = 0; file < files.size(); ++file) {
      const std::string_view name = base_name(files.path(file));
      if (name == "__init__.py" || name == "__init__.pyi") packages_.insert(folder_of(files.path(file)));
    }
    for (uint32_t file = 0; file < files.size(); ++file) {
      const std::string_view path = files.path(file);
      if (files.language(file) == "python") add_module(path);
      const std::string_view name = base_name(path);
      if (!is_project_file(name)) continue;
      add_project(folder_of(path));
      if (name == "pyproject.toml") read_pyproject(file, configs);
      if (name == "setup.cfg") read_setup_cfg(file, configs);
    }
  }

  void resolve(uint32_t from, const Import& import, Targets& targets) const override {
    if (import.module.starts_with('.')) {
      resolve_relative(from, import, targets);
      return;
    }
    const std::string module = replace_all(import.module, ".", "/");
    if (const Found found = find_absolute(from, module); found.confidence > 0) {
      add_with_names(found, import, targets);
      return;
    }
    // A namespace package has no file of its own, only modules inside.
    for (size_t i = 0; i < import.names.size(); ++i) {
      const Found part = find_absolute(from, join_path(module, import.names[i].name));
      add_module_files(part, part.confidence, static_cast<int32_t>(i), targets);
    }
  }

 private:
  struct Found {
    std::string path;  // without ending; of a package its folder
    float confidence = 0;
  };

  void add_module(std::string_view path) {
    const std::string_view stem = stem_of(path);
    const std::string_view folder = folder_of(path);
    names_.emplace(stem);
    any_ancestor(folder, [&](std::string_view above) {
      names_.emplace(base_name(above));
      return !seen_folders_.insert(above).second;
    });
    // A regular package at the top says that what holds it is on the search path.
    if (stem == "__init__" && !is_package(folder_of(folder))) roots_.emplace(folder_of(folder));
  }

  void add_project(std::string_view folder) {
    roots_.emplace(folder);
    for (const std::string_view below : {"src", "lib", "python"}) {
      std::string root = join_path(folder, below);
      if (files_.has_folder(root)) roots_.insert(std::move(root));
    }
  }

  void add_root(std::string_view folder, std::string_view path) {
    if (auto root = resolve_path(folder, path)) roots_.insert(std::move(*root));
  }

  void add_roots(std::string_view folder, const toml::node_view<toml::node>& value) {
    if (const auto one = value.value<std::string_view>()) add_root(folder, *one);
    if (const toml::array* const list = value.as_array()) {
      for (const toml::node& item : *list) {
        if (const auto one = item.value<std::string_view>()) add_root(folder, *one);
      }
    }
  }

  void read_pyproject(uint32_t file, ConfigReader& configs) {
    std::optional<toml::table> table = read_toml(configs, file);
    if (!table) return;
    const std::string_view folder = folder_of(files_.path(file));
    const auto tool = (*table)["tool"];
    add_roots(folder, tool["setuptools"]["packages"]["find"]["where"]);
    add_roots(folder, tool["setuptools"]["package-dir"][""]);
    add_roots(folder, tool["pytest"]["ini_options"]["pythonpath"]);
    add_roots(folder, tool["pyright"]["extraPaths"]);
    if (const toml::array* const packages = tool["poetry"]["packages"].as_array()) {
      for (const toml::node& package : *packages) {
        const toml::table* const entry = package.as_table();
        if (entry == nullptr) continue;
        if (const auto where = (*entry)["from"].value<std::string_view>()) add_root(folder, *where);
      }
    }
    if (const toml::array* const packages =
            tool["hatch"]["build"]["targets"]["wheel"]["packages"].as_array()) {
      for (const toml::node& package : *packages) {
        if (const auto path = package.value<std::string_view>()) add_root(folder, folder_of(*path));
      }
    }
  }

  // `where = src` of [options.packages.find] and `package_dir =\n    =src` of [options].
  void read_setup_cfg(uint32_t file, ConfigReader& configs) {
    const std::optional<std::string> text = configs.text(file);
    if (!text) return;
    const std::string_view folder = folder_of(files_.path(file));
    for_each_part(*text, "\n", [&](std::string_view line) {
      const size_t equals = line.find('=');
      if (equals == std::string_view::npos) return;
      const std::string_view key = ascii::trim_space(line.substr(0, equals));
      const std::string_view value = ascii::trim_space(line.substr(equals + 1));
      if (!value.empty() && (key.empty() || key == "where" || key == "pythonpath")) add_root(folder, value);
    });
  }

  bool is_package(std::string_view folder) const { return packages_.find(folder) != packages_.end(); }

  bool has_module(const std::string& path) const {
    for (const std::string_view ending : {".py", "/__init__.py", ".pyi", "/__init__.pyi"}) {
      if (files_.find(path + std::string(ending))) return true;
    }
    return false;
  }

  // A package comes before a module of its name; a stub stands beside either.
  void add_module_files(const Found& found, float sureness, int32_t name, Targets& targets) const {
    if (found.confidence <= 0) return;
    bool is_found = false;
    for (const std::string_view ending : {"/__init__.py", ".py", "/__init__.pyi", ".pyi"}) {
      const auto file = files_.find(found.path + std::string(ending));
      if (!file || (is_found && !ending.ends_with('i'))) continue;
      targets.add(*file, is_found ? sureness * confidence::kPartOf : sureness, name);
      is_found = true;
    }
  }

  // `from a import b`: b is a module of a, or a name in it.
  void add_with_names(const Found& found, const Import& import, Targets& targets) const {
    bool all_are_modules = !import.names.empty();
    for (size_t i = 0; i < import.names.size(); ++i) {
      const Found part = {join_path(found.path, import.names[i].name), found.confidence};
      if (has_module(part.path)) {
        add_module_files(part, found.confidence, static_cast<int32_t>(i), targets);
      } else {
        all_are_modules = false;
      }
    }
    // The package runs as well, though nothing of its own was asked for.
    const float share = all_are_modules ? confidence::kConvention : confidence::kExact;
    add_module_files(found, found.confidence * share, kWholeModule, targets);
  }

  void resolve_relative(uint32_t from, const Import& import, Targets& targets) const {
    std::string_view module = import.module;
    std::string_view folder = folder_of(files_.path(from));
    for (module.remove_prefix(1); module.starts_with('.'); module.remove_prefix(1)) {
      if (folder.empty()) return;
      folder = folder_of(folder);
    }
    const std::string rest = replace_all(ascii::trim_space(module), ".", "/");
    add_with_names({join_path(folder, rest), confidence::kExact}, import, targets);
  }

  Found find_absolute(uint32_t from, const std::string& module) const {
    const std::string_view top = std::string_view(module).substr(0, module.find('/'));
    if (names_.find(std::string(top)) == names_.end()) return {};
    Found found;
    // The search path of a script begins with its folder, that of a package's module with what holds the
    // package; which of the folders above are on it as well cannot be told.
    const std::string_view own = folder_of(files_.path(from));
    const bool is_dotted = module.size() > top.size();
    bool is_first = true;
    any_ancestor(own, [&](std::string_view folder) {
      if (!folder.empty() && is_package(folder)) return false;
      std::string path = join_path(folder, module);
      const bool is_root = roots_.find(std::string(folder)) != roots_.end();
      // What imports itself by its full name (backend/app/x.py: `import app.y`) runs with that folder on the
      // search path, whether or not it is a regular package.
      const bool is_own_package = is_dotted && is_inside(own, join_path(folder, top));
      const float sureness = is_root                      ? confidence::kExact
                             : is_first || is_own_package ? confidence::kLikely
                                                          : confidence::kConvention;
      is_first = false;
      if (!has_module(path)) return false;
      found = {std::move(path), sureness};
      return true;
    });
    if (found.confidence > 0 || is_python_library(top)) return found;
    return find_elsewhere(from, module);
  }

  static bool is_inside(std::string_view folder, std::string_view outer) {
    return folder.starts_with(outer) && (folder.size() == outer.size() || folder[outer.size()] == '/');
  }

  Found find_elsewhere(uint32_t from, const std::string& module) const {
    Found best;
    for (const std::string_view ending : {"/__init__.py", ".py", "/__init__.pyi", ".pyi"}) {
      const std::span<const uint32_t> candidates = files_.ending_with(module + std::string(ending));
      if (candidates.empty()) continue;
      std::vector<uint32_t> at_roots;
      for (const uint32_t file : files_.nearest_several(from, candidates, kMaxPackageFiles)) {
        if (roots_.find(std::string(root_of(files_.path(file), module, ending))) != roots_.end()) {
          at_roots.push_back(file);
        }
      }
      // One word alone is the name of too many things.
      const bool is_dotted = module.find('/') != std::string::npos;
      if (at_roots.empty() && !is_dotted) continue;
      const uint32_t file =
          files_.nearest(from, at_roots.empty() ? candidates : std::span<const uint32_t>(at_roots));
      const std::string_view path = files_.path(file);
      const float sureness = at_roots.size() == 1     ? confidence::kMapped
                             : at_roots.size() > 1    ? confidence::kLikely
                             : candidates.size() == 1 ? confidence::kOnly
                                                      : confidence::kConvention;
      if (sureness > best.confidence)
        best = {std::string(path.substr(0, path.size() - ending.size())), sureness};
    }
    return best;
  }

  static std::string_view root_of(std::string_view path, std::string_view module, std::string_view ending) {
    const size_t tail = module.size() + ending.size();
    return path.size() <= tail ? std::string_view() : path.substr(0, path.size() - tail - 1);
  }

  std::unordered_set<std::string_view> packages_;  // folders with an __init__
  std::unordered_set<std::string> roots_;
  std::unordered_set<std::string_view> seen_folders_;  // while names_ is filled
  std::unordered_set<std::string> names_;              // of all modules and of all folders with modules below
};

}  // namespace

std::unique_ptr<Ecosystem> make_python_ecosystem(const RepositoryFiles& files, ConfigReader& configs) {
  return std::make_unique<PythonEcosystem>(files, configs);
}

}  // namespace knapsack::code
