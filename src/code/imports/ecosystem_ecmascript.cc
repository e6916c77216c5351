// JavaScript and TypeScript: relative paths, path mappings, packages of the same repository.
#include <array>
#include <string>

#include "code/imports/ecosystem.h"
#include "code/imports/node_packages.h"
#include "code/imports/ts_paths.h"
#include "core/paths.h"

namespace knapsack::code {
namespace {

constexpr std::array<std::string_view, 13> kTypeScriptFirst = {".ts",  ".tsx",    ".mts",  ".cts", ".d.ts",
                                                               ".js",  ".jsx",    ".mjs",  ".cjs", ".json",
                                                               ".vue", ".svelte", ".d.mts"};
constexpr std::array<std::string_view, 13> kJavaScriptFirst = {".js",  ".jsx",    ".mjs",  ".cjs",  ".ts",
                                                               ".tsx", ".mts",    ".cts",  ".d.ts", ".json",
                                                               ".vue", ".svelte", ".d.mts"};
// TypeScript names the file that it will have become.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kWrittenFor = {{{".js", ".ts"},
                                                                                       {".js", ".tsx"},
                                                                                       {".jsx", ".tsx"},
                                                                                       {".mjs", ".mts"},
                                                                                       {".cjs", ".cts"},
                                                                                       {".js", ".d.ts"}}};
// Folders that a build fills from the sources; they are not in the repository.
constexpr std::array<std::string_view, 9> kBuilt = {"dist", "lib", "build", "out",  "es",
                                                    "esm",  "cjs", "types", "_dist"};

class EcmaScriptEcosystem final : public Ecosystem {
 public:
  EcmaScriptEcosystem(const RepositoryFiles& files, ConfigReader& configs)
      : Ecosystem(files), packages_(files, configs), ts_paths_(files, packages_, configs) {}

  void resolve(uint32_t from, const Import& import, Targets& targets) const override {
    std::string_view specifier = import.module;
    specifier = specifier.substr(0, specifier.find('?'));  // of a bundler's loader
    if (specifier.empty()) return;
    const std::string_view path = files_.path(from);
    if (specifier.starts_with("./") || specifier.starts_with("../") || specifier == "." ||
        specifier == "..") {
      add(probe(from, resolve_path(folder_of(path), specifier)), confidence::kExact, targets);
      return;
    }
    if (specifier.starts_with('#') && resolve_own_import(from, specifier, targets)) return;
    for (const std::string& candidate : ts_paths_.candidates(path, specifier)) {
      if (add(probe(from, candidate), confidence::kMapped, targets)) return;
    }
    if (resolve_package(from, specifier, targets)) return;
    resolve_by_convention(from, specifier, targets);
  }

 private:
  using Number = std::optional<uint32_t>;

  static bool add(Number file, float sureness, Targets& targets) {
    if (file) targets.add(*file, sureness);
    return file.has_value();
  }

  Number probe(uint32_t from, const std::optional<std::string>& path) const {
    return path ? probe(from, *path, /*follow_package=*/true) : std::nullopt;
  }

  // A file of this name, one with an ending that may be left out, or the folder's index.
  Number probe(uint32_t from, const std::string& path, bool follow_package) const {
    if (const Number file = files_.find(path)) return file;
    if (const Number file = probe_written_for(path)) return file;
    if (const Number file = probe_endings(from, path)) return file;
    if (!path.empty() && !files_.has_folder(path)) return std::nullopt;
    if (follow_package) {
      if (const NodePackage* const package = packages_.in_folder(path)) {
        if (const Number file = main_of(from, *package)) return file;
      }
    }
    return probe_endings(from, join_path(path, "index"));
  }

  Number probe_endings(uint32_t from, const std::string& path) const {
    const bool is_typed = files_.language(from).starts_with('t');
    for (const std::string_view ending : is_typed ? kTypeScriptFirst : kJavaScriptFirst) {
      if (const Number file = files_.find(path + std::string(ending))) return file;
    }
    return std::nullopt;
  }

  Number probe_written_for(const std::string& path) const {
    for (const auto& [written, source] : kWrittenFor) {
      if (!path.ends_with(written)) continue;
      const std::string_view stem = std::string_view(path).substr(0, path.size() - written.size());
      if (const Number file = files_.find(std::string(stem) + std::string(source))) return file;
    }
    return std::nullopt;
  }

  // A path that a package.json gives. Where it lies in a folder of built files, the source that it is built
  // from.
  Number probe_in_package(uint32_t from, const NodePackage& package, std::string_view path) const {
    const auto inside = resolve_path("", path);
    if (!inside) return std::nullopt;
    if (const Number file = probe(from, join_path(package.folder, *inside), false)) return file;
    std::string_view rest = *inside;
    bool is_built = false;
    while (rest.find('/') != std::string_view::npos && is_built_folder(rest.substr(0, rest.find('/')))) {
      rest.remove_prefix(rest.find('/') + 1);
      is_built = true;
    }
    if (!is_built) return std::nullopt;
    for (const std::string_view ending : {".d.ts", ".d.mts", ".mjs", ".cjs", ".js"}) {
      if (rest.ends_with(ending)) {
        rest.remove_suffix(ending.size());
        break;
      }
    }
    for (const std::string_view sources : {"src", ""}) {
      const std::string source = join_path(join_path(package.folder, sources), rest);
      if (const Number file = probe(from, source, false)) return file;
    }
    return std::nullopt;
  }

  static bool is_built_folder(std::string_view folder) {
    return std::find(kBuilt.begin(), kBuilt.end(), folder) != kBuilt.end();
  }

  Number main_of(uint32_t from, const NodePackage& package) const {
    for (const std::string& path : NodePackages::matching(package.exports, ".")) {
      if (const Number file = probe_in_package(from, package, path)) return file;
    }
    for (const std::string& path : package.mains) {
      if (const Number file = probe_in_package(from, package, path)) return file;
    }
    for (const std::string_view name : {"index", "src/index", "src/main", "lib/index"}) {
      if (const Number file = probe_endings(from, join_path(package.folder, name))) return file;
    }
    return std::nullopt;
  }

  bool resolve_own_import(uint32_t from, std::string_view key, Targets& targets) const {
    const NodePackage* const package = packages_.around(files_.path(from));
    if (package == nullptr) return false;
    for (const std::string& path : NodePackages::matching(package->imports, key)) {
      if (!path.starts_with('.')) {
        if (resolve_package(from, path, targets)) return true;
      } else if (add(probe_in_package(from, *package, path), confidence::kMapped, targets)) {
        return true;
      }
    }
    return false;
  }

  bool resolve_package(uint32_t from, std::string_view specifier, Targets& targets) const {
    const auto [name, rest] = split_package(specifier);
    const NodePackage* const package = packages_.named(from, name);
    if (package == nullptr) return false;
    const bool is_own = packages_.around(files_.path(from)) == package;
    const float sureness = package->is_member || is_own ? confidence::kMapped : confidence::kLikely;
    if (rest.empty()) return add(main_of(from, *package), sureness, targets);
    for (const std::string& path : NodePackages::matching(package->exports, "./" + std::string(rest))) {
      if (add(probe_in_package(from, *package, path), sureness, targets)) return true;
    }
    // Without such an entry, or with one that leads to built files, the folders speak for themselves.
    for (const std::string_view sources : {"", "src"}) {
      const auto path = resolve_path(join_path(package->folder, sources), rest);
      if (add(probe(from, path), confidence::kLikely, targets)) return true;
    }
    return add(probe_in_package(from, *package, rest), confidence::kLikely, targets);
  }

  // Bundlers are told in code that no one can read here; these are what their templates say.
  void resolve_by_convention(uint32_t from, std::string_view specifier, Targets& targets) const {
    const NodePackage* const package = packages_.around(files_.path(from));
    const std::string folder = package == nullptr ? "" : package->folder;
    for (const std::string_view mark : {"@/", "~/", "/"}) {
      if (!specifier.starts_with(mark)) continue;
      for (const std::string_view below : {"src", "", "app"}) {
        const auto path = resolve_path(join_path(folder, below), specifier.substr(mark.size()));
        if (add(probe(from, path), confidence::kConvention, targets)) return;
      }
    }
    // A bare path with a slash that exists below the sources; a name alone is an outside package.
    if (specifier.find('/') == std::string_view::npos || specifier.starts_with('@')) return;
    for (const std::string_view below : {"src", "", "app"}) {
      if (add(probe(from, resolve_path(join_path(folder, below), specifier)), confidence::kConvention,
              targets)) {
        return;
      }
    }
  }

  NodePackages packages_;
  TsPaths ts_paths_;
};

}  // namespace

std::unique_ptr<Ecosystem> make_ecmascript_ecosystem(const RepositoryFiles& files, ConfigReader& configs) {
  return std::make_unique<EcmaScriptEcosystem>(files, configs);
}

}  // namespace knapsack::code
