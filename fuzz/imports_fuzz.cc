// A repository whose paths, configurations and imports anybody may have written. Up to the first NUL stands
// an import's module, then one configuration text that every configuration file of the little tree has, then
// paths, one a line, that the tree holds besides. Nothing may be found outside the tree.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "code/imports/import_resolver.h"

namespace {

using namespace knapsack::code;

std::string_view take(std::string_view& text, char end) {
  const size_t at = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(text.size(), at + 1));
  return part;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Import import;
  import.module = take(text, '\0');
  const std::string config(take(text, '\0'));
  std::vector<std::string> paths = {"Cargo.toml",
                                    "Package.swift",
                                    "a/tsconfig.json",
                                    "a/x.ts",
                                    "a/x/index.ts",
                                    "b/package.json",
                                    "b/src/x.js",
                                    "composer.json",
                                    "go.mod",
                                    "go.work",
                                    "pkg/__init__.py",
                                    "pkg/x.py",
                                    "pyproject.toml",
                                    "setup.cfg",
                                    "src/lib.rs",
                                    "src/x.rs",
                                    "x.c",
                                    "x.ex",
                                    "x.go",
                                    "x.h",
                                    "x.java",
                                    "x.lua",
                                    "x.php",
                                    "x.rb",
                                    "x.scala",
                                    "x.sh",
                                    "x.swift",
                                    "x.zig",
                                    "x.hs",
                                    "x.cs"};
  while (!text.empty() && paths.size() < 60) paths.emplace_back(take(text, '\n'));
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  std::vector<ResolverFile> files;
  for (const std::string& path : paths)
    files.push_back({path, &detect_language(path, ""), "p.x", "p.x.X p.x.Y"});
  const ImportResolver resolver =
      ImportResolver::build(files, [&](uint32_t) { return std::optional(config); });
  for (const bool has_names : {false, true}) {
    if (has_names) import.names = {{"x", ""}, { import.module, "y" }};
    for (const ImportKind kind : {ImportKind::kImport, ImportKind::kInclude, ImportKind::kUse}) {
      import.kind = kind;
      for (const bool is_relative : {false, true}) {
        import.is_relative = is_relative;
        for (uint32_t from = 0; from < files.size(); ++from) {
          for (const ImportTarget& target : resolver.resolve(from, import)) {
            const bool is_right = target.file < files.size() && target.file != from &&
                                  target.confidence > 0 && target.confidence <= 1 &&
                                  target.name < static_cast<int32_t>(import.names.size());
            if (!is_right) std::abort();
          }
        }
      }
    }
  }
  return 0;
}
