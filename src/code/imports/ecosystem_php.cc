// PHP: classes where composer.json's autoloading puts them, or wherever they are declared; required files.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "code/imports/ecosystem.h"
#include "core/paths.h"
#include "core/split.h"

namespace knapsack::code {
namespace {

class PhpEcosystem final : public Ecosystem {
 public:
  PhpEcosystem(const RepositoryFiles& files, ConfigReader& configs) : Ecosystem(files) {
    for (uint32_t file = 0; file < files.size(); ++file) {
      if (base_name(files.path(file)) == "composer.json") read(file, configs);
    }
    std::stable_sort(prefixes_.begin(), prefixes_.end(),
                     [](const Prefix& a, const Prefix& b) { return a.name.size() > b.name.size(); });
  }

  void resolve(uint32_t from, const Import& import, Targets& targets) const override {
    if (import.kind != ImportKind::kUse) {
      resolve_path_of(from, import, targets);
      return;
    }
    std::string module = import.module;
    if (module.starts_with('\\')) module.erase(0, 1);
    if (import.names.empty()) add_name(from, module, kWholeModule, targets);
    for (size_t i = 0; i < import.names.size(); ++i) {
      add_name(from, module + '\\' + import.names[i].name, static_cast<int32_t>(i), targets);
    }
  }

 private:
  struct Prefix {
    std::string name;         // with '\' at its end; of PSR-0 possibly with '_'
    std::string folder;       // from the root
    bool keeps_name = false;  // PSR-0: the folders repeat the whole name
  };

  void read(uint32_t file, ConfigReader& configs) {
    const auto json = configs.json(file);
    if (!json) return;
    const std::string_view folder = folder_of(files_.path(file));
    for (const char* const section : {"autoload", "autoload-dev"}) {
      const auto rules = json->find(section);
      if (rules == json->end() || !rules->is_object()) continue;
      for (const char* const standard : {"psr-4", "psr-0"}) {
        const auto map = rules->find(standard);
        if (map == rules->end() || !map->is_object()) continue;
        const bool keeps_name = std::string_view(standard) == "psr-0";
        for (const auto& [name, paths] : map->items()) add_prefix(name, paths, folder, keeps_name);
      }
    }
  }

  void add_prefix(const std::string& name, const nlohmann::json& paths, std::string_view folder,
                  bool keeps_name) {
    const auto add = [&](const nlohmann::json& path) {
      if (!path.is_string()) return;
      if (auto resolved = resolve_path(folder, path.get<std::string>())) {
        prefixes_.push_back({name, std::move(*resolved), keeps_name});
      }
    };
    if (paths.is_array()) {
      for (const nlohmann::json& path : paths) add(path);
    } else {
      add(paths);
    }
  }

  void add_name(uint32_t from, const std::string& name, int32_t index, Targets& targets) const {
    for (const Prefix& prefix : prefixes_) {
      if (!name.starts_with(prefix.name)) continue;
      std::string_view rest = prefix.keeps_name ? name : std::string_view(name).substr(prefix.name.size());
      std::string path = replace_all(rest, "\\", "/");
      if (prefix.keeps_name) path = replace_all(path, "_", "/");
      if (const auto file = files_.find(join_path(prefix.folder, path + ".php"))) {
        targets.add(*file, confidence::kExact, index);
        return;
      }
    }
    std::vector<uint32_t> declaring;
    for (const uint32_t file : files_.declaring(replace_all(name, "\\", "."))) {
      if (files_.language(file) == "php") declaring.push_back(file);
    }
    if (!declaring.empty()) {
      add_nearest(from, declaring, confidence::kMapped, targets, index);
      return;
    }
    // A namespace that is only abbreviated (`use App\Models; new Models\Item`) names no file of its own.
  }

  void resolve_path_of(uint32_t from, const Import& import, Targets& targets) const {
    std::string_view module = import.module;
    if (module.find('$') != std::string_view::npos) module = module.substr(module.rfind('}') + 1);
    const std::string_view folder = folder_of(files_.path(from));
    bool is_first = true;
    // The include path usually holds the folder of the script that was started, somewhere above.
    any_ancestor(folder, [&](std::string_view above) {
      const auto path = resolve_path(above, module);
      const auto file = path ? files_.find(*path) : std::nullopt;
      if (file) targets.add(*file, is_first ? confidence::kExact : confidence::kConvention);
      is_first = false;
      return file.has_value() || import.is_relative;
    });
    if (!targets.empty() || import.is_relative) return;
    const auto ending = resolve_path("", module);
    if (ending) add_nearest(from, files_.ending_with(*ending), confidence::kConvention, targets);
  }

  std::vector<Prefix> prefixes_;  // longest first
};

}  // namespace

std::unique_ptr<Ecosystem> make_php_ecosystem(const RepositoryFiles& files, ConfigReader& configs) {
  return std::make_unique<PhpEcosystem>(files, configs);
}

}  // namespace knapsack::code
