// Ruby: files beside the requiring one, or below a folder that gems and test tools put on the load path.
#include <array>
#include <string>

#include "code/imports/ecosystem.h"
#include "core/paths.h"

namespace knapsack::code {
namespace {

class RubyEcosystem final : public Ecosystem {
 public:
  explicit RubyEcosystem(const RepositoryFiles& files) : Ecosystem(files) {}

  void resolve(uint32_t from, const Import& import, Targets& targets) const override {
    const std::string_view folder = folder_of(files_.path(from));
    const std::string module = import.module.ends_with(".rb") ? import.module : import.module + ".rb";
    if (import.is_relative) {
      add_file(resolve_path(folder, module), confidence::kExact, targets);
      return;
    }
    // Of the folders above, those that a gem's tasks load from; its own first.
    any_ancestor(folder, [&](std::string_view above) {
      for (const std::string_view below : {"lib", "test", "spec", "app", ""}) {
        const bool is_habit = below.empty() && !is_root(above);
        const float sureness = is_habit ? confidence::kConvention : confidence::kMapped;
        add_file(resolve_path(join_path(above, below), module), sureness, targets);
        if (!targets.empty()) return true;
      }
      return false;
    });
    if (!targets.empty()) return;
    const auto ending = resolve_path("", module);
    if (!ending) return;
    std::vector<uint32_t> at_roots;
    for (const uint32_t file : files_.nearest_several(from, files_.ending_with(*ending), kMaxPackageFiles)) {
      const std::string_view path = files_.path(file);
      if (path.size() > ending->size() && is_root(path.substr(0, path.size() - ending->size() - 1))) {
        at_roots.push_back(file);
      }
    }
    add_nearest(from, at_roots, confidence::kLikely, targets);
  }

 private:
  void add_file(const std::optional<std::string>& path, float sureness, Targets& targets) const {
    if (!path) return;
    if (const auto file = files_.find(*path)) targets.add(*file, sureness);
  }

  static bool is_root(std::string_view folder) {
    const std::string_view name = base_name(folder);
    return name == "lib" || name == "test" || name == "spec" || base_name(folder_of(folder)) == "app";
  }
};

}  // namespace

std::unique_ptr<Ecosystem> make_ruby_ecosystem(const RepositoryFiles& files) {
  return std::make_unique<RubyEcosystem>(files);
}

}  // namespace knapsack::code
