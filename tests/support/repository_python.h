// The Python part of a generated repository: a plan of its modules, so that each knows the names of the
// others, and then their text. For one thread.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "support/repository_fixture.h"
#include "support/repository_python_body.h"
#include "support/repository_words.h"

namespace knapsack::testing {

struct PythonClass {
  std::string name;
  std::vector<std::string> fields;
  std::vector<PythonFunction> methods;
};

struct PythonModule {
  std::string name;    // "ledger"
  std::string dotted;  // "harbor.cargo.ledger"
  size_t package = 0;
  size_t bytes = 0;  // that its text is to have, about
  std::vector<std::string> constants;
  std::vector<PythonFunction> functions;
  std::vector<PythonClass> classes;
};

class PythonPackages {
 public:
  // Modules, tests and __init__ files: `files` in all, of about `bytes` together.
  PythonPackages(Random& random, size_t files, size_t bytes);

  std::vector<GeneratedFile> write();

 private:
  struct Package {
    std::string dotted;  // "harbor.cargo"
    std::set<std::string> names;
    std::vector<size_t> modules;
  };
  using Callables = std::vector<PythonCallable>;

  void plan_packages(size_t count);
  void plan_module(size_t package, size_t bytes);
  PythonFunction plan_function(std::set<std::string>& names);

  GeneratedFile write_init(const Package& package);
  GeneratedFile write_module(size_t module);
  GeneratedFile write_test(const PythonModule& module);
  void write_imports(std::string& out, size_t module, Callables& callables);
  void write_class(std::string& out, const PythonClass& type, const Callables& callables, size_t end);
  const PythonModule& imported_by(size_t module);

  Random& random_;
  Words words_;
  std::vector<Package> packages_;
  std::vector<PythonModule> modules_;
  std::vector<size_t> tested_;
};

}  // namespace knapsack::testing
