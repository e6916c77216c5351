// PackageNames: under which names other repositories import this one, and what it says it depends on.
//
// Read from the manifests of a snapshot: package.json, go.mod, Cargo.toml, pyproject.toml, pom.xml (and, for
// what is depended on, requirements.txt and Gradle's files). Manifests are read within the bounds of ConfigReader; what is
// malformed counts as absent. Values only; no thread rule.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "code/imports/import_resolver.h"

namespace knapsack::code {

struct PackageNames {
  std::set<std::string, std::less<>> node;    // "@acme/cart"
  std::set<std::string, std::less<>> go;      // module paths
  std::set<std::string, std::less<>> rust;    // crates, as code writes them
  std::set<std::string, std::less<>> python;  // distributions: lower case, '-' between the parts
  std::set<std::string, std::less<>> maven;   // "group:artifact"
  // Of distributions and artifacts the name says nothing about what is imported, so they have to be asked for.
  std::set<std::string, std::less<>> python_needs, maven_needs;

  // Whether an import in a file of this language, in a repository with the names `importer`, may mean a package of this one.
  bool may_mean(std::string_view language, const Import& import, const PackageNames& importer) const;
};

PackageNames read_package_names(std::span<const ResolverFile> files, const ReadConfig& read);

}  // namespace knapsack::code
