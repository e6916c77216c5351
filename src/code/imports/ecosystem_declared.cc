// Languages whose imports name what a file declares, wherever the file lies: Java, Kotlin, Scala, C#, Elixir,
// Haskell. Source roots need no configuration: the declared names are the truth.
#include <string>

#include "code/imports/ecosystem.h"
#include "core/dotted_name.h"
#include "core/paths.h"
#include "core/split.h"

namespace knapsack::code {
namespace {

std::string in_package(std::string_view package, std::string_view name) {
  return package.empty() ? std::string(name) : std::string(package) + '.' + std::string(name);
}

// Of a namespace that more files share only those around the importing file are looked at.
constexpr size_t kMaxDeclaring = 256;

class DeclaredEcosystem final : public Ecosystem {
 public:
  explicit DeclaredEcosystem(const RepositoryFiles& files) : Ecosystem(files) {}

  void resolve(uint32_t from, const Import& import, Targets& targets) const override {
    const std::string_view language = files_.language(from);
    std::string module = import.module;
    if (module.starts_with("_root_.")) module.erase(0, std::string_view("_root_.").size());
    if (module.starts_with("global::")) module.erase(0, std::string_view("global::").size());
    if (import.names.empty() || language == "haskell") {
      add_name(from, module, import.is_wildcard, kWholeModule, targets);
    } else {
      for (size_t i = 0; i < import.names.size(); ++i) {
        add_name(from, in_package(module, import.names[i].name), false, static_cast<int32_t>(i), targets);
      }
      if (import.is_wildcard) add_name(from, module, true, kWholeModule, targets);
    }
    if (!targets.empty() || (language != "scala" && language != "csharp")) return;
    // These look for the first part in the packages around the importing file as well.
    for (std::string package(files_.package(from)); !package.empty() && targets.empty();
         package.resize(parent_part(package).size())) {
      if (import.names.empty()) {
        add_name(from, in_package(package, module), import.is_wildcard, kWholeModule, targets);
      }
      for (size_t i = 0; i < import.names.size(); ++i) {
        add_declared(from, in_package(package, in_package(module, import.names[i].name)),
                     static_cast<int32_t>(i), targets);
      }
    }
  }

 private:
  // The files of the importing file's own kind: a Java class and an Elixir module may share a name.
  std::vector<uint32_t> of_kin(uint32_t from, std::span<const uint32_t> candidates) const {
    std::vector<uint32_t> kin;
    for (const uint32_t file : files_.nearest_several(from, candidates, kMaxDeclaring)) {
      if (are_kin(files_.language(from), files_.language(file))) kin.push_back(file);
    }
    return kin;
  }

  static bool are_kin(std::string_view a, std::string_view b) {
    const auto is_jvm = [](std::string_view language) {
      return language == "java" || language == "kotlin" || language == "scala";
    };
    return a == b || (is_jvm(a) && is_jvm(b));
  }

  bool add_declared(uint32_t from, std::string_view name, int32_t index, Targets& targets) const {
    const std::vector<uint32_t> declaring = of_kin(from, files_.declaring(name));
    if (declaring.empty()) return false;
    // A C# namespace or a partial class is declared by many files, an overloaded Kotlin function by several.
    if (files_.language(from) == "csharp") {
      add_package(from, declaring, targets, index);
    } else {
      add_nearest(from, declaring, confidence::kExact, targets, index);
    }
    return true;
  }

  void add_name(uint32_t from, const std::string& name, bool is_wildcard, int32_t index,
                Targets& targets) const {
    if (add_declared(from, name, index, targets)) return;
    const std::vector<uint32_t> members = of_kin(from, files_.in_package(name));
    const bool is_module = files_.language(from) == "csharp" || files_.language(from) == "haskell";
    if (!members.empty() && (is_wildcard || is_module || files_.language(from) == "scala")) {
      add_package(from, members, targets, index);
      return;
    }
    if (add_by_path(from, name, index, targets)) return;
    // A member of a type: `import static a.B.c`, `import a.B.Inner`.
    std::string outer(parent_part(name));
    for (int steps = 0; steps < 2 && !outer.empty(); ++steps, outer.resize(parent_part(outer).size())) {
      if (add_declared(from, outer, index, targets) || add_by_path(from, outer, index, targets)) return;
    }
  }

  // Where a file could not be parsed, its path still says what it declares.
  bool add_by_path(uint32_t from, std::string_view name, int32_t index, Targets& targets) const {
    static constexpr std::string_view kEndings = "java kt scala hs";
    const std::string path = replace_all(name, ".", "/");
    return path.find('/') != std::string::npos && any_word(kEndings, [&](std::string_view ending) {
             const std::vector<uint32_t> found =
                 of_kin(from, files_.ending_with(path + '.' + std::string(ending)));
             add_nearest(from, found, confidence::kLikely, targets, index);
             return !found.empty();
           });
  }
};

}  // namespace

std::unique_ptr<Ecosystem> make_declared_ecosystem(const RepositoryFiles& files) {
  return std::make_unique<DeclaredEcosystem>(files);
}

}  // namespace knapsack::code
