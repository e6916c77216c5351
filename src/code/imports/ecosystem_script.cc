// Bash, Lua, Zig: imports that are paths, with or without a variable in front.
#include <array>
#include <string>

#include "code/imports/ecosystem.h"
#include "core/paths.h"
#include "core/split.h"

namespace knapsack::code {
namespace {

class ScriptEcosystem final : public Ecosystem {
 public:
  explicit ScriptEcosystem(const RepositoryFiles& files) : Ecosystem(files) {}

  void resolve(uint32_t from, const Import& import, Targets& targets) const override {
    const std::string_view language = files_.language(from);
    if (language == "bash") resolve_bash(from, import.module, targets);
    if (language == "lua") resolve_lua(from, import.module, targets);
    if (language == "zig") resolve_zig(from, import, targets);
  }

 private:
  bool add_file(const std::optional<std::string>& path, float sureness, Targets& targets) const {
    const auto file = path ? files_.find(*path) : std::nullopt;
    if (file) targets.add(*file, sureness);
    return file.has_value();
  }

  // Below this file's folder, or one above it.
  void add_upwards(uint32_t from, std::string_view path, float sureness, Targets& targets) const {
    bool is_first = true;
    any_ancestor(folder_of(files_.path(from)), [&](std::string_view folder) {
      const bool found =
          add_file(resolve_path(folder, path), is_first ? sureness : confidence::kLikely, targets);
      is_first = false;
      return found;
    });
  }

  void resolve_bash(uint32_t from, std::string_view module, Targets& targets) const {
    // "$(dirname "$0")/lib/x.sh", "${ROOT}/x.sh": what follows the last expansion says how the path ends.
    const size_t expansion = module.find_last_of(")}");
    const size_t variable = module.rfind('$');
    bool is_exact = true;
    if (variable != std::string_view::npos) {
      size_t start = module.find('/', variable);
      if (expansion != std::string_view::npos && expansion > variable) start = module.find('/', expansion);
      if (start == std::string_view::npos) return;
      module.remove_prefix(start + 1);
      is_exact = false;
    }
    while (module.ends_with('"') || module.ends_with('\'')) module.remove_suffix(1);
    if (module.empty() || module.starts_with("~")) return;
    add_upwards(from, module, is_exact ? confidence::kExact : confidence::kMapped, targets);
    if (!targets.empty()) return;
    if (const auto ending = resolve_path("", module)) {
      add_nearest(from, files_.ending_with(*ending), confidence::kConvention, targets);
    }
  }

  void resolve_lua(uint32_t from, std::string_view module, Targets& targets) const {
    if (module.ends_with(".lua")) {
      add_upwards(from, module, confidence::kExact, targets);
      return;
    }
    const std::string path = replace_all(module, ".", "/");
    for (const std::string_view ending : {".lua", "/init.lua"}) {
      const std::string file = path + std::string(ending);
      // The usual search path: the folder the program starts in, and those that plug-ins and rocks use.
      any_ancestor(folder_of(files_.path(from)), [&](std::string_view folder) {
        for (const std::string_view below : {"", "lua", "src", "lib"}) {
          if (add_file(resolve_path(join_path(folder, below), file), confidence::kMapped, targets))
            return true;
        }
        return false;
      });
      if (!targets.empty()) return;
    }
    if (path.find('/') == std::string::npos) return;
    for (const std::string_view ending : {".lua", "/init.lua"}) {
      if (!targets.empty()) return;
      const auto whole = resolve_path("", path + std::string(ending));
      if (whole) add_nearest(from, files_.ending_with(*whole), confidence::kConvention, targets);
    }
  }

  void resolve_zig(uint32_t from, const Import& import, Targets& targets) const {
    const std::string_view folder = folder_of(files_.path(from));
    if (import.kind == ImportKind::kInclude) {
      if (add_file(resolve_path(folder, import.module), confidence::kExact, targets)) return;
      if (const auto ending = resolve_path("", import.module)) {
        add_nearest(from, files_.ending_with(*ending), confidence::kConvention, targets);
      }
      return;
    }
    if (import.kind == ImportKind::kUse) return;  // names what another import brought in
    if (import.module.find('.') != std::string::npos) {
      add_file(resolve_path(folder, import.module), confidence::kExact, targets);
      return;
    }
    // build.zig gives modules their names in code; by habit the root file has the same one.
    if (import.module == "std" || import.module == "builtin" || import.module == "root") return;
    any_ancestor(folder, [&](std::string_view above) {
      for (const std::string_view below : {"src", ""}) {
        const std::string path = join_path(join_path(above, below), import.module + ".zig");
        if (add_file(path, confidence::kConvention, targets)) return true;
      }
      return false;
    });
  }
};

}  // namespace

std::unique_ptr<Ecosystem> make_script_ecosystem(const RepositoryFiles& files) {
  return std::make_unique<ScriptEcosystem>(files);
}

}  // namespace knapsack::code
