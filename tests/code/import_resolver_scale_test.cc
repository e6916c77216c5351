// What would take minutes if anything grew with the square of the repository.
#include <string>
#include <vector>

#include "code/imports/import_resolver.h"
#include "code/references/reference_resolver.h"
#include "code/references/test_links.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

constexpr uint32_t kFiles = 20'000;

class ManyFiles {
 public:
  explicit ManyFiles(std::string_view name) {
    for (uint32_t i = 0; i < kFiles; i += 2) {
      const std::string folder = "d" + std::to_string(100'000 + i) + "/x/";
      paths_.push_back(folder + "user" + std::string(name.substr(name.find('.'))));
      paths_.push_back(folder + "y/" + std::string(name));
    }
    for (const std::string& path : paths_) {
      const bool is_user = path.find("user") != std::string::npos;
      files_.push_back({path, &detect_language(path, ""), "p.q", is_user ? "" : "p.q.Same"});
    }
  }
  std::span<const ResolverFile> files() const { return files_; }

 private:
  std::vector<std::string> paths_;
  std::vector<ResolverFile> files_;
};

std::optional<std::string> no_config(uint32_t /*file*/) {
  return std::nullopt;
}

TEST(Scale, TwentyThousandFilesOfOneNameResolveTheirImports) {
  for (const std::string_view name : {"same.h", "same.py", "Same.java", "same.rb", "same.lua"}) {
    const ManyFiles many(name);
    const ImportResolver resolver = ImportResolver::build(many.files(), no_config);
    Import import;
    import.kind = ImportKind::kInclude;
    size_t found = 0;
    for (const std::string_view module : {"y/same.h", "y.same", "p.q.Same", "y/same", "y/same.lua", "none"}) {
      import.module = module;
      for (uint32_t from = 0; from < kFiles; from += 2) found += resolver.resolve(from, import).size();
    }
    EXPECT_GE(found, kFiles / 2) << name;
  }
}

TEST(Scale, ANameThatEveryFileDefinesCostsNoScanOfAllOfThem) {
  const ManyFiles many("same.py");
  std::vector<Definition> same;
  for (uint32_t i = 0; i < kFiles; ++i) same.push_back({i, 0, "Same.get", SymbolKind::kMethod, true, false});
  const ReferenceWorld world(many.files(), [&](std::string_view name) -> std::span<const Definition> {
    return name == "get" ? std::span<const Definition>(same) : std::span<const Definition>();
  });
  ParsedFile file;
  file.names = {"", "get", "self", "thing"};
  Symbol type;
  type.kind = SymbolKind::kClass;
  type.name = type.qualified_name = "Same";
  file.symbols.push_back(type);
  file.references = {{1, 2, 1, 1, 0, ReferenceKind::kCall}, {1, 3, 1, 1, 0, ReferenceKind::kCall}};
  for (uint32_t i = 0; i < kFiles; ++i) {
    const FileReferences references(world, i, file, {});
    const std::vector<Meaning> own = references.resolve(file.references[0]);
    ASSERT_EQ(own.size(), 1U);
    ASSERT_EQ(own[0].definition.file, i);
    ASSERT_TRUE(references.resolve(file.references[1]).empty());
  }
}

TEST(Scale, TestsOfOneNameFindTheirNeighbours) {
  std::vector<std::string> paths;
  for (uint32_t i = 0; i < 1'000; ++i) {
    paths.push_back("m" + std::to_string(10'000 + i) + "/cart.py");
    paths.push_back("m" + std::to_string(10'000 + i) + "/test_cart.py");
  }
  std::vector<ResolverFile> files;
  for (const std::string& path : paths) files.push_back({path, &detect_language(path, ""), "", ""});
  const TestLinker linker(files);
  for (uint32_t i = 0; i < files.size(); i += 2) {
    const std::vector<TestLink> links = linker.subjects(i + 1, {}, {});
    ASSERT_EQ(links.size(), 1U);
    ASSERT_EQ(links[0].file, i);
  }
}

}  // namespace
}  // namespace knapsack::code
