// Rust: paths through a crate's tree of modules, and into other crates of the repository.
#include <string>

#include "code/imports/ecosystem.h"
#include "code/imports/rust_crates.h"
#include "core/paths.h"
#include "core/split.h"

namespace knapsack::code {
namespace {

// `mod r#match;` lies in match.rs.
std::string_view without_raw_mark(std::string_view name) {
  return name.starts_with("r#") ? name.substr(2) : name;
}

class RustEcosystem final : public Ecosystem {
 public:
  RustEcosystem(const RepositoryFiles& files, ConfigReader& configs)
      : Ecosystem(files), crates_(files, configs) {}

  void resolve(uint32_t from, const Import& import, Targets& targets) const override {
    if (import.kind == ImportKind::kImport && import.is_relative) {
      add_child_module(from, without_raw_mark(import.module), targets);
      return;
    }
    std::vector<std::string_view> parts;
    for_each_part(import.module, "::", [&](std::string_view part) {
      if (!part.empty()) parts.push_back(without_raw_mark(part));
    });
    if (parts.empty()) return;
    if (const std::optional<Place> start = start_of(from, import, parts))
      add_from(*start, import, parts, targets);
  }

 private:
  // A module: the folder that its children lie in, its file, and how sure that is.
  struct Place {
    std::string folder;
    std::optional<uint32_t> file;
    float confidence = confidence::kExact;
    size_t used = 0;  // parts of the path that led here
  };

  std::string child_folder(uint32_t file) const {
    const std::string_view path = files_.path(file);
    const std::string_view folder = folder_of(path);
    if (base_name(path) == "mod.rs" || crates_.is_root(file)) return std::string(folder);
    return join_path(folder, stem_of(path));
  }

  std::optional<uint32_t> child(std::string_view folder, std::string_view name) const {
    const std::string path = join_path(folder, name);
    if (const auto file = files_.find(path + ".rs")) return file;
    return files_.find(path + "/mod.rs");
  }

  // The file of the module whose children lie in a folder.
  std::optional<uint32_t> owner_of(std::string_view folder) const {
    for (const std::string_view name : {"mod.rs", "lib.rs", "main.rs"}) {
      if (const auto file = files_.find(join_path(folder, name))) return file;
    }
    return folder.empty() ? std::nullopt : files_.find(std::string(folder) + ".rs");
  }

  void add_child_module(uint32_t from, std::string_view name, Targets& targets) const {
    const std::string folder = child_folder(from);
    if (const auto file = child(folder, name)) {
      targets.add(*file, confidence::kExact);
    } else if (const auto sibling = child(folder_of(files_.path(from)), name)) {
      targets.add(*sibling, confidence::kLikely);  // this file is a root that no Cargo.toml names
    }
  }

  std::optional<Place> start_of(uint32_t from, const Import& import,
                                const std::vector<std::string_view>& parts) const {
    const std::string_view path = files_.path(from);
    const std::string_view first = parts[0];
    if (first == "crate") {
      const auto root = crates_.root_of(from);
      return Place{root ? child_folder(*root) : std::string(folder_of(path)), root, confidence::kExact, 1};
    }
    if (first == "self") return Place{child_folder(from), from, confidence::kExact, 1};
    if (first == "super") {
      Place place = {child_folder(from), from, confidence::kExact, 0};
      for (; place.used < parts.size() && parts[place.used] == "super"; ++place.used) {
        if (place.folder.empty()) return std::nullopt;
        place.folder = folder_of(place.folder);
      }
      place.file = owner_of(place.folder);
      // Inside `mod tests { … }` of this very file it is the file itself, which only a name can rule out.
      const bool is_test_file = stem_of(path) == "tests" || stem_of(path) == "test";
      if (!is_test_file) place.confidence = import.is_wildcard ? confidence::kGuess : confidence::kConvention;
      return place;
    }
    const std::string children = child_folder(from);
    if (child(children, first)) return Place{children, from, confidence::kExact, 0};
    if (const auto crate = crates_.named(path, first)) {
      return Place{child_folder(*crate), *crate, confidence::kMapped, 1};
    }
    // Before the 2018 edition paths began at the crate's root.
    const auto root = crates_.root_of(from);
    if (!root || !child(child_folder(*root), first)) return std::nullopt;
    return Place{child_folder(*root), *root, confidence::kLikely, 0};
  }

  void add_from(Place place, const Import& import, const std::vector<std::string_view>& parts,
                Targets& targets) const {
    const bool is_super = parts[0] == "super";
    while (place.used < parts.size()) {
      const auto next = child(place.folder, parts[place.used]);
      if (!next) break;
      if (is_super) place.confidence = confidence::kMapped;
      place.folder = child_folder(*next);
      place.file = next;
      ++place.used;
    }
    const bool is_whole = place.used == parts.size();
    bool all_are_modules = !import.names.empty() && !import.is_wildcard;
    for (size_t i = 0; i < import.names.size(); ++i) {
      const auto module = is_whole ? child(place.folder, import.names[i].name) : std::nullopt;
      if (module) {
        targets.add(*module, is_super ? confidence::kMapped : place.confidence, static_cast<int32_t>(i));
      } else {
        all_are_modules = false;
      }
    }
    if (!place.file || all_are_modules) return;
    // What was left of the path is a type, or a module that is written inside its parent.
    targets.add(*place.file, is_whole ? place.confidence : std::min(place.confidence, confidence::kLikely));
  }

  RustCrates crates_;
};

}  // namespace

std::unique_ptr<Ecosystem> make_rust_ecosystem(const RepositoryFiles& files, ConfigReader& configs) {
  return std::make_unique<RustEcosystem>(files, configs);
}

}  // namespace knapsack::code
