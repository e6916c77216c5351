#include "code/imports/ts_paths.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/paths.h"

namespace knapsack::code {
namespace {

using Json = nlohmann::json;

// Longer chains of `extends` are mistakes; a cycle is noticed by itself.
constexpr size_t kMaxChain = 16;
// Files that extend several others each could otherwise cost the product.
constexpr size_t kMaxReads = 64;
constexpr std::string_view kConfigFolder = "${configDir}";

std::optional<std::string> from_root(std::string_view folder, std::string_view leaf_folder,
                                     std::string_view path) {
  if (path.starts_with(kConfigFolder)) return resolve_path(leaf_folder, path.substr(kConfigFolder.size()));
  if (path.starts_with('/')) return std::nullopt;
  return resolve_path(folder, path);
}

std::vector<std::string> strings_of(const Json& value) {
  std::vector<std::string> strings;
  if (value.is_string()) strings.push_back(value.get<std::string>());
  if (value.is_array()) {
    for (const Json& item : value) {
      if (item.is_string()) strings.push_back(item.get<std::string>());
    }
  }
  return strings;
}

class TsConfigReader {
 public:
  TsConfigReader(const RepositoryFiles& files, const NodePackages& packages, ConfigReader& configs)
      : files_(files), packages_(packages), configs_(configs) {}

  TsConfig read(uint32_t file) {
    Walk walk = {folder_of(files_.path(file)), {}, 0};
    return read(file, walk);
  }

 private:
  // The way from a folder's own configuration to the one being read.
  struct Walk {
    std::string_view leaf_folder;
    std::vector<uint32_t> chain;
    size_t reads = 0;
  };

  const Json* parsed(uint32_t file) {
    auto found = parsed_.find(file);
    if (found == parsed_.end()) found = parsed_.emplace(file, configs_.json(file)).first;
    return found->second ? &*found->second : nullptr;
  }

  TsConfig read(uint32_t file, Walk& walk) {
    TsConfig config;
    std::vector<uint32_t>& chain = walk.chain;
    if (chain.size() >= kMaxChain || ++walk.reads > kMaxReads) return config;
    if (std::find(chain.begin(), chain.end(), file) != chain.end()) return config;
    const Json* const json = parsed(file);
    if (json == nullptr) return config;
    chain.push_back(file);
    const std::string_view folder = folder_of(files_.path(file));
    const auto inherit = [&](uint32_t other) {
      TsConfig base = read(other, walk);
      if (base.base_url) config.base_url = std::move(base.base_url);
      if (base.has_paths) {
        config.has_paths = true;
        config.mappings = std::move(base.mappings);
      }
    };
    if (const auto extends = json->find("extends"); extends != json->end()) {
      for (const std::string& name : strings_of(*extends)) {
        if (const auto base = extended_file(file, name)) inherit(*base);
      }
    }
    if (const auto options = json->find("compilerOptions"); options != json->end() && options->is_object()) {
      if (const auto base = options->find("baseUrl"); base != options->end() && base->is_string()) {
        config.base_url = from_root(folder, walk.leaf_folder, base->get<std::string>());
      }
      if (const auto paths = options->find("paths"); paths != options->end() && paths->is_object()) {
        config.has_paths = true;
        config.mappings.clear();
        const std::string_view base = config.base_url ? std::string_view(*config.base_url) : folder;
        for (const auto& [pattern, targets] : paths->items()) {
          TsConfig::Mapping mapping = {pattern, {}};
          for (const std::string& target : strings_of(targets)) {
            if (auto path = from_root(base, walk.leaf_folder, target))
              mapping.targets.push_back(std::move(*path));
          }
          config.mappings.push_back(std::move(mapping));
        }
      }
    }
    // A configuration that only lists projects leaves the settings to the one beside it.
    if (const auto references = json->find("references"); !config.decides() && references != json->end()) {
      for (const Json& reference : *references) {
        if (config.decides() || !reference.is_object()) continue;
        const std::vector<std::string> paths = strings_of(reference.value("path", Json()));
        if (paths.empty() || !paths[0].ends_with(".json")) continue;
        const auto other = resolve_path(folder, paths[0]);
        if (!other || folder_of(*other) != folder) continue;
        if (const auto number = files_.find(*other)) inherit(*number);
      }
    }
    chain.pop_back();
    return config;
  }

  std::optional<uint32_t> extended_file(uint32_t file, std::string_view name) const {
    const auto with_ending = [&](const std::optional<std::string>& path) -> std::optional<uint32_t> {
      if (!path) return std::nullopt;
      for (const std::string_view ending : {"", ".json", "/tsconfig.json"}) {
        if (const auto found = files_.find(*path + std::string(ending))) return found;
      }
      return std::nullopt;
    };
    if (name.starts_with('.')) return with_ending(resolve_path(folder_of(files_.path(file)), name));
    const auto [package_name, rest] = split_package(name);
    const NodePackage* const package = packages_.named(file, package_name);
    if (package == nullptr) return std::nullopt;
    const std::string key = rest.empty() ? "." : "./" + std::string(rest);
    for (const std::string& path : NodePackages::matching(package->exports, key)) {
      if (const auto found = with_ending(resolve_path(package->folder, path))) return found;
    }
    return with_ending(resolve_path(package->folder, rest));
  }

  const RepositoryFiles& files_;
  const NodePackages& packages_;
  ConfigReader& configs_;
  std::unordered_map<uint32_t, std::optional<Json>> parsed_;
};

}  // namespace

TsPaths::TsPaths(const RepositoryFiles& files, const NodePackages& packages, ConfigReader& configs) {
  TsConfigReader reader(files, packages, configs);
  for (uint32_t file = 0; file < files.size(); ++file) {
    const std::string_view path = files.path(file);
    const std::string_view name = base_name(path);
    if (name != "tsconfig.json" && name != "jsconfig.json") continue;
    if (path.find("node_modules/") != std::string_view::npos) continue;
    // tsconfig.json comes after jsconfig.json in the order of paths, and tools prefer it.
    by_folder_[folder_of(path)] = reader.read(file);
  }
}

std::vector<std::string> TsPaths::candidates(std::string_view importer, std::string_view specifier) const {
  const TsConfig* config = nullptr;
  any_ancestor(folder_of(importer), [&](std::string_view folder) {
    const auto found = by_folder_.find(folder);
    if (found != by_folder_.end()) config = &found->second;
    return config != nullptr;
  });
  std::vector<std::string> paths;
  if (config == nullptr) return paths;
  const TsConfig::Mapping* best = nullptr;
  size_t best_head = 0;
  std::string_view part;
  for (const TsConfig::Mapping& mapping : config->mappings) {
    const auto matched = match_star(mapping.pattern, specifier);
    if (!matched) continue;
    // An exact pattern wins, then the one with the longest text before its star.
    const size_t star = mapping.pattern.find('*');
    const size_t head = star == std::string::npos ? mapping.pattern.size() + 1 : star;
    if (best != nullptr && head <= best_head) continue;
    best = &mapping;
    best_head = head;
    part = *matched;
  }
  if (best != nullptr) {
    for (const std::string& target : best->targets) {
      if (auto path = resolve_path("", fill_star(target, part))) paths.push_back(std::move(*path));
    }
  }
  if (config->base_url) {
    if (auto path = resolve_path(*config->base_url, specifier)) paths.push_back(std::move(*path));
  }
  return paths;
}

}  // namespace knapsack::code
