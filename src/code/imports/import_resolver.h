// ImportResolver: which files of a snapshot an import means, by rules that are discovered in the repository.
//
// Package roots, path mappings, module names and workspaces come from the paths, from what files declare and
// from configuration files; nothing outside the snapshot is ever a target, and neither is the importing file
// itself. Built once for a snapshot; the same files and configurations give the same answers. Immutable once
// built: any thread may resolve. It keeps copies of everything it is given.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "code/parse/language.h"
#include "code/parse/parsed_file.h"

namespace knapsack::code {

struct ResolverFile {
  std::string_view path;               // relative to the root, with '/'
  const Language* language = nullptr;  // null is taken for a document
  std::string_view package;            // ParsedFile::package
  std::string_view declares;           // declared_names() of the file
};

// The full names by which other files can import what this file declares, separated by spaces. Empty for
// languages whose imports name files. A function of the file's bytes and language alone, like ParsedFile.
std::string declared_names(const Language& language, const ParsedFile& file);

// Whether the content of this file can change how imports resolve, judged by its name. A configuration that
// is only reached by another one's `extends` may have any name: see ImportResolver::config_files.
bool is_resolver_config(std::string_view path);

// The bytes of a configuration file of the snapshot; nothing where it cannot be read.
using ReadConfig = std::function<std::optional<std::string>(uint32_t file)>;

inline constexpr int32_t kWholeModule = -1;

struct ImportTarget {
  uint32_t file = 0;
  float confidence = 0;  // in (0, 1]: how likely the import means this file
  // The entry of Import::names that is this file itself (`from package import module`), or kWholeModule.
  int32_t name = kWholeModule;

  friend bool operator==(const ImportTarget&, const ImportTarget&) = default;
};

class ImportResolver {
 public:
  // All files of a snapshot, sorted by path; a file's number is its index.
  static ImportResolver build(std::span<const ResolverFile> files, const ReadConfig& read_config);

  ImportResolver(ImportResolver&&) noexcept;
  ImportResolver& operator=(ImportResolver&&) noexcept;
  ~ImportResolver();

  // Best first, then by file number; empty for what the snapshot does not hold. An import that names a
  // package of several files gives up to kMaxPackageFiles of them, nearest first.
  std::vector<ImportTarget> resolve(uint32_t from, const Import& import) const;

  // The configuration files that were read: resolution depends on their bytes, on nothing else's.
  std::span<const uint32_t> config_files() const;

  // Configuration files that could not be read or understood, one line each.
  std::span<const std::string> notes() const;

 private:
  struct State;
  explicit ImportResolver(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// An import of a large package says little about any one of its files, and every importer would add an edge
// to each.
inline constexpr size_t kMaxPackageFiles = 32;

}  // namespace knapsack::code
