#include "code/imports/import_resolver.h"

#include <algorithm>
#include <array>
#include <utility>

#include "code/imports/ecosystem.h"
#include "code/imports/repository_files.h"
#include "code/imports/resolver_config.h"
#include "core/paths.h"

namespace knapsack::code {
namespace {

enum Family : uint8_t {
  kNoFamily,
  kC,
  kDeclared,
  kEcmaScript,
  kGo,
  kPhp,
  kPython,
  kRuby,
  kRust,
  kScripts,
  kSwift,
  kFamilyCount,
};

Family family_of(std::string_view language) {
  static constexpr std::array<std::pair<std::string_view, Family>, 22> kFamilies = {{
      {"python", kPython},
      {"notebook", kPython},
      {"javascript", kEcmaScript},
      {"jsx", kEcmaScript},
      {"typescript", kEcmaScript},
      {"tsx", kEcmaScript},
      {"go", kGo},
      {"rust", kRust},
      {"java", kDeclared},
      {"kotlin", kDeclared},
      {"scala", kDeclared},
      {"csharp", kDeclared},
      {"elixir", kDeclared},
      {"haskell", kDeclared},
      {"c", kC},
      {"cpp", kC},
      {"ruby", kRuby},
      {"php", kPhp},
      {"swift", kSwift},
      {"bash", kScripts},
      {"lua", kScripts},
      {"zig", kScripts},
  }};
  for (const auto& [name, family] : kFamilies) {
    if (name == language) return family;
  }
  return kNoFamily;
}

}  // namespace

void Targets::add(uint32_t file, float confidence, int32_t name) {
  if (file == from_) return;
  for (ImportTarget& target : targets_) {
    if (target.file == file && target.name == name) {
      target.confidence = std::max(target.confidence, confidence);
      return;
    }
  }
  targets_.push_back({file, confidence, name});
}

std::vector<ImportTarget> Targets::take() {
  std::sort(targets_.begin(), targets_.end(), [](const ImportTarget& a, const ImportTarget& b) {
    if (a.confidence != b.confidence) return a.confidence > b.confidence;
    if (a.file != b.file) return a.file < b.file;
    return a.name < b.name;
  });
  return std::move(targets_);
}

void Ecosystem::add_nearest(uint32_t from, std::span<const uint32_t> candidates, float sureness,
                            Targets& targets, int32_t name) const {
  if (candidates.empty()) return;
  const uint32_t best = files_.nearest(from, candidates);
  targets.add(best, candidates.size() == 1 ? sureness : std::min(sureness, confidence::kLikely), name);
}

void Ecosystem::add_package(uint32_t from, std::span<const uint32_t> members, Targets& targets,
                            int32_t name) const {
  const float sureness = members.size() == 1 ? confidence::kExact : confidence::kPartOf;
  for (const uint32_t file : files_.nearest_several(from, members, kMaxPackageFiles)) {
    targets.add(file, sureness, name);
  }
}

struct ImportResolver::State {
  explicit State(std::span<const ResolverFile> given) : files(given) {}

  RepositoryFiles files;
  std::vector<Family> families;  // of each file
  std::array<std::unique_ptr<Ecosystem>, kFamilyCount> ecosystems;
  std::vector<uint32_t> config_files;
  std::vector<std::string> notes;
};

ImportResolver ImportResolver::build(std::span<const ResolverFile> files, const ReadConfig& read_config) {
  auto state = std::make_unique<State>(files);
  std::array<bool, kFamilyCount> present = {};
  state->families.reserve(files.size());
  for (const ResolverFile& file : files) {
    const Family family = file.language == nullptr ? kNoFamily : family_of(file.language->name);
    present[family] = true;
    state->families.push_back(family);
  }
  const RepositoryFiles& all = state->files;
  ConfigReader configs(all, read_config);
  const auto add = [&](Family family, auto make) {
    if (present[family]) state->ecosystems[family] = make();
  };
  add(kC, [&] { return make_c_ecosystem(all); });
  add(kDeclared, [&] { return make_declared_ecosystem(all); });
  add(kEcmaScript, [&] { return make_ecmascript_ecosystem(all, configs); });
  add(kGo, [&] { return make_go_ecosystem(all, configs); });
  add(kPhp, [&] { return make_php_ecosystem(all, configs); });
  add(kPython, [&] { return make_python_ecosystem(all, configs); });
  add(kRuby, [&] { return make_ruby_ecosystem(all); });
  add(kRust, [&] { return make_rust_ecosystem(all, configs); });
  add(kScripts, [&] { return make_script_ecosystem(all); });
  add(kSwift, [&] { return make_swift_ecosystem(all, configs); });
  state->config_files = configs.take_files();
  state->notes = configs.take_notes();
  return ImportResolver(std::move(state));
}

ImportResolver::ImportResolver(std::unique_ptr<State> state) : state_(std::move(state)) {}
ImportResolver::ImportResolver(ImportResolver&&) noexcept = default;
ImportResolver& ImportResolver::operator=(ImportResolver&&) noexcept = default;
ImportResolver::~ImportResolver() = default;

std::vector<ImportTarget> ImportResolver::resolve(uint32_t from, const Import& import) const {
  const Ecosystem* const ecosystem = state_->ecosystems[state_->families[from]].get();
  // A NUL is in no module's name, and no path holds one.
  if (ecosystem == nullptr || import.module.find('\0') != std::string::npos) return {};
  Targets targets(from);
  ecosystem->resolve(from, import, targets);
  return targets.take();
}

std::span<const uint32_t> ImportResolver::config_files() const {
  return state_->config_files;
}

std::span<const std::string> ImportResolver::notes() const {
  return state_->notes;
}

bool is_resolver_config(std::string_view path) {
  const std::string_view name = base_name(path);
  if (name.ends_with(".json")) {
    return name == "package.json" || name == "composer.json" ||
           name.find("tsconfig") != std::string_view::npos || name.find("jsconfig") != std::string_view::npos;
  }
  return name == "go.mod" || name == "go.work" || name == "Cargo.toml" || name == "pyproject.toml" ||
         name == "setup.cfg" || name == "Package.swift" || name == "pnpm-workspace.yaml";
}

std::string declared_names(const Language& language, const ParsedFile& file) {
  const std::string_view name = language.name;
  const bool types_only = name == "java" || name == "csharp";
  const bool everything = name == "kotlin" || name == "scala" || name == "php" || name == "elixir";
  if (!types_only && !everything) return "";
  std::string names;
  for (const Symbol& symbol : file.symbols) {
    const bool is_top = symbol.parent == kNoSymbol ||
                        file.symbols[static_cast<size_t>(symbol.parent)].kind == SymbolKind::kModule;
    const bool is_importable = is_type(symbol.kind) || symbol.kind == SymbolKind::kModule ||
                               symbol.kind == SymbolKind::kType ||
                               (everything && name != "elixir" && symbol.kind != SymbolKind::kTest);
    if (!is_top || !is_importable || symbol.qualified_name.find(' ') != std::string::npos) continue;
    if (!names.empty()) names += ' ';
    if (!file.package.empty()) names += file.package + '.';
    names += symbol.qualified_name;
  }
  return names;
}

}  // namespace knapsack::code
