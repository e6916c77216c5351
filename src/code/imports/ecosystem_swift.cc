// Swift: an import names a module, which is a target of a Package.swift or, without one, a folder of sources.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "code/imports/ecosystem.h"
#include "code/parse/source_text.h"
#include "core/ascii.h"
#include "core/paths.h"
#include "core/split.h"

namespace knapsack::code {
namespace {

// The string after `label:` in a call, as `name: "Core"`.
std::string_view labelled(std::string_view call, std::string_view label) {
  const size_t at = call.find(label);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = ascii::trim_space(call.substr(at + label.size()));
  if (!rest.starts_with('"')) return "";
  return rest.substr(1, rest.find('"', 1) - 1);
}

class SwiftEcosystem final : public Ecosystem {
 public:
  SwiftEcosystem(const RepositoryFiles& files, ConfigReader& configs) : Ecosystem(files) {
    for (uint32_t file = 0; file < files.size(); ++file) {
      if (base_name(files.path(file)) == "Package.swift") read(file, configs);
    }
    for (uint32_t file = 0; file < files.size(); ++file) {
      if (files.language(file) != "swift") continue;
      // The innermost folder that is a target; a file belongs to one module only.
      any_ancestor(folder_of(files.path(file)), [&](std::string_view folder) {
        const auto found = targets_.find(std::string(folder));
        if (found != targets_.end()) {
          members_[found->second].push_back(file);
          return true;
        }
        const std::string_view above = base_name(folder_of(folder));
        if (above != "Sources" && above != "Tests") return false;
        members_[std::string(base_name(folder))].push_back(file);
        return true;
      });
    }
  }

  void resolve(uint32_t from, const Import& import, Targets& targets) const override {
    const auto found = members_.find(import.module.substr(0, import.module.find('.')));
    if (found != members_.end()) add_package(from, found->second, targets);
  }

 private:
  void read(uint32_t file, ConfigReader& configs) {
    const std::optional<std::string> text = configs.text(file);
    if (!text) return;
    const std::string_view folder = folder_of(files_.path(file));
    bool is_first = true;
    for_each_part(*text, "arget(", [&](std::string_view call) {  // .target( .testTarget( .executableTarget(
      const std::string_view name = labelled(call, "name:");
      const std::string_view path = labelled(call, "path:");
      if (!is_first && !name.empty() && !path.empty()) {
        if (auto below = resolve_path(folder, path)) targets_.emplace(std::move(*below), name);
      }
      is_first = false;
    });
  }

  std::unordered_map<std::string, std::string> targets_;  // folder → module
  std::unordered_map<std::string, std::vector<uint32_t>> members_;
};

}  // namespace

std::unique_ptr<Ecosystem> make_swift_ecosystem(const RepositoryFiles& files, ConfigReader& configs) {
  return std::make_unique<SwiftEcosystem>(files, configs);
}

}  // namespace knapsack::code
