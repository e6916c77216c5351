// What manifests say of a repository's packages and of what it depends on.
#include "code/imports/package_names.h"

#include <gmock/gmock.h>

#include <map>

#include "code/imports/pom_file.h"

namespace knapsack::code {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

PackageNames names_of(const std::map<std::string, std::string>& files) {
  std::vector<ResolverFile> rows;
  std::vector<std::string> texts;
  for (const auto& [path, text] : files) {
    rows.push_back({path, nullptr, "", ""});
    texts.push_back(text);
  }
  return read_package_names(rows, [&](uint32_t file) { return std::optional(texts[file]); });
}

Import import_of(const std::string& module) {
  Import import;
  import.module = module;
  return import;
}

TEST(PackageNames, AreReadFromEveryManifest) {
  const PackageNames names =
      names_of({{"Cargo.toml", "[package]\nname = \"acme-stock\"\n[lib]\nname = \"stock\"\n"},
                {"go.mod", "// of the ledger\nmodule \"example.org/ledger\" // here\n\ngo 1.21\n"},
                {"pom.xml", "<project><groupId>org.acme</groupId><artifactId>post</artifactId></project>"},
                {"pyproject.toml",
                 "[project]\nname = \"Acme.Shop_tools\"\ndependencies = [\"acme-cart[fast]>=1; "
                 "python_version>'3'\"]\n"},
                {"requirements-dev.txt", "# for tests\npytest==8\n\n-r other.txt\n"},
                {"web/package.json", "{\"name\": \"@acme/money\"}"}});
  EXPECT_THAT(names.rust, UnorderedElementsAre("acme_stock", "stock"));
  EXPECT_THAT(names.go, UnorderedElementsAre("example.org/ledger"));
  EXPECT_THAT(names.maven, UnorderedElementsAre("org.acme:post"));
  EXPECT_THAT(names.python, UnorderedElementsAre("acme-shop-tools"));
  EXPECT_THAT(names.node, UnorderedElementsAre("@acme/money"));
  EXPECT_TRUE(names.python_needs.contains("acme-cart"));
  EXPECT_TRUE(names.python_needs.contains("pytest"));
}

TEST(PackageNames, PassOverWhatCannotBeRead) {
  const PackageNames names = names_of({{"Cargo.toml", "[package"},
                                       {"go.mod", "modules x\n"},
                                       {"package.json", "{\"name\": 7}"},
                                       {"pom.xml", "<project><artifactId>x"},
                                       {"pyproject.toml", "name = 3"}});
  EXPECT_THAT(names.rust, IsEmpty());
  EXPECT_THAT(names.go, IsEmpty());
  EXPECT_THAT(names.node, IsEmpty());
  EXPECT_THAT(names.maven, IsEmpty());
  EXPECT_THAT(names.python, IsEmpty());
}

TEST(PackageNames, TellWhichImportsMayMeanThem) {
  const PackageNames library =
      names_of({{"Cargo.toml", "[package]\nname = \"acme-stock\"\n"},
                {"go.mod", "module example.org/ledger\n"},
                {"package.json", "{\"name\": \"@acme/money\"}"},
                {"pom.xml", "<project><groupId>org.acme</groupId><artifactId>post</artifactId></project>"},
                {"pyproject.toml", "[project]\nname = \"acme-cart\"\n"}});
  const PackageNames nobody;
  const PackageNames user = names_of({{"build.gradle", "dependencies { implementation 'org.acme:post:1.2' }"},
                                      {"pyproject.toml", "[project]\ndependencies = [\"acme_cart\"]\n"}});
  EXPECT_TRUE(library.may_mean("typescript", import_of("@acme/money/log"), nobody));
  EXPECT_FALSE(library.may_mean("typescript", import_of("@acme/moneybags"), nobody));
  EXPECT_FALSE(library.may_mean("typescript", import_of("./money"), nobody));
  EXPECT_TRUE(library.may_mean("go", import_of("example.org/ledger/book"), nobody));
  EXPECT_FALSE(library.may_mean("go", import_of("example.org/ledgers"), nobody));
  EXPECT_TRUE(library.may_mean("rust", import_of("acme_stock::shelf"), nobody));
  EXPECT_FALSE(library.may_mean("rust", import_of("std::fs"), nobody));
  EXPECT_TRUE(library.may_mean("python", import_of("acme_cart.cart"), nobody));
  EXPECT_FALSE(library.may_mean("python", import_of("carts"), nobody));
  EXPECT_TRUE(library.may_mean("python", import_of("carts"), user));
  EXPECT_FALSE(library.may_mean("java", import_of("org.acme.post.Parcel"), nobody));
  EXPECT_TRUE(library.may_mean("java", import_of("org.acme.post.Parcel"), user));
}

TEST(PomFile, HasItsCoordinatesAndItsDependencies) {
  const PomFile pom = read_pom_file(R"(<?xml version="1.0"?>
<!-- <groupId>org.comment</groupId> -->
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.acme</groupId><artifactId>all</artifactId></parent>
  <artifactId> post </artifactId>
  <dependencyManagement><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId></dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <dependency><groupId>${project.groupId}</groupId><artifactId>money</artifactId>
      <exclusions><exclusion><groupId>x</groupId><artifactId>y</artifactId></exclusion></exclusions></dependency>
    <dependency><artifactId>no-group</artifactId></dependency>
  </dependencies>
  <build><plugins><plugin><groupId>p</groupId><artifactId>q</artifactId></plugin></plugins></build>
</project>)");
  EXPECT_EQ(pom.artifact, "org.acme:post");
  EXPECT_THAT(pom.needs, ElementsAre("a:b", "org.acme:money"));
}

TEST(PomFile, ReadsAnyBytes) {
  for (const char* text :
       {"", "<", "<a", "</a></b>", "<project></project></project>", "<!-- ", "<![CDATA[ <project>"})
    EXPECT_EQ(read_pom_file(text).artifact, "") << text;
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep += "<dependencies>";
  EXPECT_THAT(read_pom_file(deep).needs, IsEmpty());
}

}  // namespace
}  // namespace knapsack::code
