#include "code/imports/package_names.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "code/imports/node_packages.h"
#include "code/imports/pom_file.h"
#include "code/imports/repository_files.h"
#include "code/imports/resolver_config.h"
#include "code/imports/toml_config.h"
#include "code/parse/source_text.h"
#include "core/ascii.h"
#include "core/paths.h"
#include "core/split.h"

namespace knapsack::code {
namespace {

using Names = std::set<std::string, std::less<>>;

// As PyPI compares names: "Acme.Shop_tools" and "acme-shop-tools" are one.
std::string distribution_name(std::string_view written) {
  std::string name;
  for (const char c : written) {
    const bool separates = c == '-' || c == '_' || c == '.';
    if (!separates) {
      name += ascii::lower(c);
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  return name;
}

// "acme-shop[fast] >= 2 ; python_version > '3'" → "acme-shop".
std::string required_distribution(std::string_view line) {
  line = ascii::trim_space(line);
  size_t end = 0;
  while (end < line.size() && (is_identifier(line[end]) || line[end] == '-' || line[end] == '.')) ++end;
  return distribution_name(line.substr(0, end));
}

bool share_a_name(const Names& a, const Names& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.contains(name); });
}

class ManifestReader {
 public:
  ManifestReader(const RepositoryFiles& files, ConfigReader& configs) : files_(files), configs_(configs) {}

  PackageNames run() {
    for (uint32_t file = 0; file < files_.size(); ++file) {
      const std::string_view name = base_name(files_.path(file));
      if (name == "package.json") read_node(file);
      if (name == "go.mod") read_go(file);
      if (name == "Cargo.toml") read_cargo(file);
      if (name == "pyproject.toml") read_pyproject(file);
      if (name == "pom.xml") read_pom(file);
      if (name.starts_with("requirements") && name.ends_with(".txt")) read_requirements(file);
      if (name == "build.gradle" || name == "build.gradle.kts") read_gradle(file);
    }
    return std::move(names_);
  }

 private:
  void read_node(uint32_t file) {
    const auto json = configs_.json(file);
    if (!json) return;
    const auto name = json->find("name");
    if (name != json->end() && name->is_string() && !name->get_ref<const std::string&>().empty())
      names_.node.insert(*name);
  }

  void read_go(uint32_t file) {
    const auto text = configs_.text(file);
    if (!text) return;
    for_each_part(*text, "\n", [&](std::string_view line) {
      line = ascii::trim_space(line.substr(0, line.find("//")));
      if (!line.starts_with("module") || line.size() < 8 || !is_space(line[6])) return;
      if (const std::string_view module = unquote(ascii::trim_space(line.substr(6))); !module.empty())
        names_.go.emplace(module);
    });
  }

  void read_cargo(uint32_t file) {
    auto table = read_toml(configs_, file);
    if (!table) return;
    for (const std::string_view part : {"package", "lib"}) {
      if (const auto name = (*table)[part]["name"].value<std::string_view>(); name && !name->empty())
        names_.rust.insert(replace_all(*name, "-", "_"));
    }
  }

  void add_needs(const toml::array* list) {
    if (list == nullptr) return;
    for (const toml::node& each : *list)
      if (const auto line = each.value<std::string_view>())
        names_.python_needs.insert(required_distribution(*line));
  }

  void read_pyproject(uint32_t file) {
    auto table = read_toml(configs_, file);
    if (!table) return;
    const auto poetry = (*table)["tool"]["poetry"];
    for (const auto& name :
         {(*table)["project"]["name"].value<std::string_view>(), poetry["name"].value<std::string_view>()})
      if (name && !name->empty()) names_.python.insert(distribution_name(*name));
    add_needs((*table)["project"]["dependencies"].as_array());
    if (const toml::table* extras = (*table)["project"]["optional-dependencies"].as_table())
      for (const auto& [extra, list] : *extras) add_needs(list.as_array());
    if (const toml::table* needs = poetry["dependencies"].as_table())
      for (const auto& [name, version] : *needs) names_.python_needs.insert(distribution_name(name.str()));
  }

  void read_requirements(uint32_t file) {
    const auto text = configs_.text(file);
    if (!text) return;
    for_each_part(*text, "\n", [&](std::string_view line) {
      if (std::string name = required_distribution(line.substr(0, line.find('#'))); !name.empty())
        names_.python_needs.insert(std::move(name));
    });
  }

  void read_pom(uint32_t file) {
    const auto text = configs_.text(file);
    if (!text) return;
    const PomFile pom = read_pom_file(*text);
    if (!pom.artifact.empty()) names_.maven.insert(pom.artifact);
    names_.maven_needs.insert(pom.needs.begin(), pom.needs.end());
  }

  // "group:artifact:version" in quotes, whatever stands around it.
  void read_gradle(uint32_t file) {
    const auto text = configs_.text(file);
    if (!text) return;
    for (size_t at = text->find_first_of("'\""); at != std::string::npos;
         at = text->find_first_of("'\"", at + 1)) {
      const size_t end = text->find_first_of("'\"\n", at + 1);
      if (end == std::string::npos) return;
      const std::string_view inside = std::string_view(*text).substr(at + 1, end - at - 1);
      const size_t first = inside.find(':');
      const size_t second = first == std::string_view::npos ? first : inside.find(':', first + 1);
      if (first != std::string_view::npos && first > 0) names_.maven_needs.emplace(inside.substr(0, second));
      at = end;
    }
  }

  const RepositoryFiles& files_;
  ConfigReader& configs_;
  PackageNames names_;
};

bool is_go_package(const Names& modules, std::string_view path) {
  return any_ancestor(path, [&](std::string_view each) { return !each.empty() && modules.contains(each); });
}

}  // namespace

bool PackageNames::may_mean(std::string_view language, const Import& import,
                            const PackageNames& importer) const {
  const std::string_view module = import.module;
  if (module.empty() || module.starts_with('.') || import.is_relative) return false;
  if (language == "javascript" || language == "jsx" || language == "typescript" || language == "tsx")
    return node.contains(split_package(module).first);
  if (language == "go") return is_go_package(go, module);
  if (language == "rust") return rust.contains(module.substr(0, module.find("::")));
  if (language == "python" || language == "notebook") {
    return python.contains(distribution_name(module.substr(0, module.find('.')))) ||
           share_a_name(python, importer.python_needs);
  }
  if (language == "java" || language == "kotlin" || language == "scala")
    return share_a_name(maven, importer.maven_needs);
  return false;
}

PackageNames read_package_names(std::span<const ResolverFile> files, const ReadConfig& read) {
  const RepositoryFiles all(files);
  ConfigReader configs(all, read);
  return ManifestReader(all, configs).run();
}

}  // namespace knapsack::code
