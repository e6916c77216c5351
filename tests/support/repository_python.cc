#include "support/repository_python.h"

#include <algorithm>
#include <array>
#include <utility>

namespace knapsack::testing {
namespace {

// Sizes of files beside their average, in tenths: many short ones and a few long ones, 1 on average.
constexpr std::array<size_t, 10> kSizes = {2, 3, 4, 6, 7, 9, 11, 13, 18, 27};
constexpr size_t kBytesOfDefinition = 650;
constexpr size_t kBytesOfInit = 200;

std::string folder_of(const std::string& dotted) {
  std::string folder = "src/" + dotted;
  std::replace(folder.begin(), folder.end(), '.', '/');
  return folder;
}

// A name that nobody in the same place has yet.
std::string claim(std::set<std::string>& names, std::string name) {
  // Soft keywords of the language and what every module imports.
  for (const char* taken : {"match", "type", "file", "list", "map", "logging", "functools", "re", "os"}) {
    if (name == taken) name += "_of";
  }
  for (size_t number = 2; !names.insert(name).second; ++number) {
    name.erase(name.find_last_not_of("0123456789") + 1);
    name += std::to_string(number);
  }
  return name;
}

}  // namespace

PythonPackages::PythonPackages(Random& random, size_t files, size_t bytes) : random_(random), words_(random) {
  const size_t packages = std::max<size_t>(1, files / 14);
  plan_packages(packages);
  const size_t rest = files > packages ? files - packages : 0;
  const size_t tests = rest / 4;
  const size_t average = rest == 0 ? 0 : (bytes - std::min(bytes, packages * kBytesOfInit)) / rest;
  for (size_t i = 0; i < rest - tests; ++i) {
    plan_module(i < packages ? i : random_.below(packages), average * random_.pick(kSizes) / 10);
  }
  // One test file a module, for as many modules as there are to be test files.
  for (size_t i = 0; i < tests; ++i) tested_.push_back(i * modules_.size() / tests);
}

void PythonPackages::plan_packages(size_t count) {
  packages_.push_back({"harbor", {}, {}});
  for (size_t i = 1; i < count; ++i) {
    // Up to four deep; the first few lie side by side.
    const size_t parent = i < 6 ? 0 : random_.below(i);
    const size_t above = std::count(packages_[parent].dotted.begin(), packages_[parent].dotted.end(), '.');
    Package& within = packages_[above >= 3 ? 0 : parent];
    words_.set_subject(i);
    const std::string name = claim(within.names, words_.snake(1));
    packages_.push_back({within.dotted + "." + name, {}, {}});
  }
}

PythonFunction PythonPackages::plan_function(std::set<std::string>& names) {
  PythonFunction function{claim(names, words_.action(1 + random_.below(2))), {}};
  std::set<std::string> used;
  for (size_t i = random_.below(4); i > 0; --i) {
    function.parameters.push_back(claim(used, words_.snake(1 + random_.below(2))));
  }
  return function;
}

void PythonPackages::plan_module(size_t package, size_t bytes) {
  Package& within = packages_[package];
  words_.set_subject(package);
  PythonModule module;
  module.name = claim(within.names, words_.snake(1 + random_.below(2)));
  module.dotted = within.dotted + "." + module.name;
  module.package = package;
  module.bytes = bytes;
  std::set<std::string> names;
  for (size_t i = random_.below(4); i > 0; --i) {
    module.constants.push_back(claim(names, words_.upper(1 + random_.below(2))));
  }
  for (size_t left = bytes / kBytesOfDefinition + 1; left > 0;) {
    if (left < 4 || random_.one_in(2)) {
      module.functions.push_back(plan_function(names));
      --left;
      continue;
    }
    PythonClass type{claim(names, words_.pascal(1 + random_.below(2))), {}, {}};
    std::set<std::string> members;
    for (size_t i = 1 + random_.below(4); i > 0; --i) type.fields.push_back(claim(members, words_.snake(1)));
    const size_t methods = std::min(left, 2 + random_.below(5));
    for (size_t i = 0; i < methods; ++i) type.methods.push_back(plan_function(members));
    left -= methods;
    module.classes.push_back(std::move(type));
  }
  within.modules.push_back(modules_.size());
  modules_.push_back(std::move(module));
}

std::vector<GeneratedFile> PythonPackages::write() {
  std::vector<GeneratedFile> files;
  for (const Package& package : packages_) files.push_back(write_init(package));
  for (size_t i = 0; i < modules_.size(); ++i) files.push_back(write_module(i));
  for (const size_t module : tested_) files.push_back(write_test(modules_[module]));
  return files;
}

GeneratedFile PythonPackages::write_init(const Package& package) {
  std::string out = "\"\"\"" + words_.sentence(4, 9) + "\"\"\"\n\n";
  std::vector<std::string> exported;
  for (const size_t module : package.modules) {
    const PythonModule& from = modules_[module];
    if (from.functions.empty() || exported.size() == 4) continue;
    out += "from ." + from.name + " import " + from.functions[0].name + "\n";
    exported.push_back(from.functions[0].name);
  }
  if (!exported.empty()) {
    out += "\n__all__ = [";
    for (size_t i = 0; i < exported.size(); ++i) out += (i > 0 ? ", \"" : "\"") + exported[i] + "\"";
    out += "]\n";
  }
  return {folder_of(package.dotted) + "/__init__.py", out};
}

// Half of what a module imports is of its own package; the rest is of modules planned before it, the early
// ones more often: every repository has a few modules that everything uses.
const PythonModule& PythonPackages::imported_by(size_t module) {
  const Package& package = packages_[modules_[module].package];
  if (random_.one_in(2)) return modules_[random_.pick(package.modules)];
  const size_t limit = random_.below(module + 1) + 1;
  return modules_[random_.below(limit)];
}

void PythonPackages::write_imports(std::string& out, size_t at, Callables& callables) {
  const PythonModule& module = modules_[at];
  std::set<std::string> names = {module.name};
  for (const std::string& name : module.constants) names.insert(name);
  for (const PythonFunction& function : module.functions) names.insert(function.name);
  for (const PythonClass& type : module.classes) names.insert(type.name);
  std::set<std::string> seen = {module.dotted};
  for (size_t i = 1 + random_.below(7); i > 0; --i) {
    const PythonModule& from = imported_by(at);
    if (from.functions.empty() || !seen.insert(from.dotted).second) continue;
    const bool near = from.package == module.package;
    const std::string& package = packages_[from.package].dotted;
    if (random_.one_in(4)) {
      if (!names.insert(from.name).second) continue;
      out += near ? "from . import " + from.name + "\n" : "import " + from.dotted + " as " + from.name + "\n";
      for (const PythonFunction& function : from.functions) {
        callables.push_back({from.name + "." + function.name, function.parameters.size()});
      }
      continue;
    }
    // A sibling is named by dots, and sometimes a module of a package beside.
    const std::string& own = packages_[module.package].dotted;
    const size_t last_dot = own.rfind('.');
    const bool beside =
        last_dot != std::string::npos && package.compare(0, last_dot + 1, own, 0, last_dot + 1) == 0;
    std::string where = near ? "." + from.name : from.dotted;
    if (!near && beside) where = ".." + from.dotted.substr(last_dot + 1);
    std::string list;
    const auto add = [&](const std::string& name, size_t arguments) {
      if (!names.insert(name).second) return;
      list += (list.empty() ? "" : ", ") + name;
      callables.push_back({name, arguments});
    };
    const PythonFunction& function = random_.pick(from.functions);
    add(function.name, function.parameters.size());
    if (!from.classes.empty() && random_.one_in(2)) {
      const PythonClass& type = random_.pick(from.classes);
      add(type.name, type.fields.size());
    }
    if (!list.empty()) out.append("from ").append(where).append(" import ").append(list).append("\n");
  }
}

GeneratedFile PythonPackages::write_module(size_t at) {
  const PythonModule& module = modules_[at];
  words_.set_subject(module.package);
  std::string out = "\"\"\"" + words_.sentence(5, 10) + "\n\n" + words_.sentence(8, 14) + "\n\"\"\"\n\n";
  out += "import functools\nimport logging\nfrom dataclasses import dataclass\n\n";
  Callables callables;
  write_imports(out, at, callables);
  for (const PythonFunction& function : module.functions) {
    callables.push_back({function.name, function.parameters.size()});
  }
  out += "\nlogger = logging.getLogger(__name__)\n";
  if (!module.constants.empty()) out += "\n";
  PythonBody body(random_, words_, callables);
  for (const std::string& constant : module.constants) {
    if (random_.one_in(3)) body.write_comment(out, 0);
    out += constant + " = " + std::to_string(random_.below(10'000)) + "\n";
  }
  size_t definitions = module.functions.size();
  for (const PythonClass& type : module.classes) definitions += type.methods.size();
  const auto next_end = [&](size_t taken) {
    const size_t left = module.bytes > out.size() ? module.bytes - out.size() : 0;
    return out.size() + left * taken / std::max<size_t>(1, std::exchange(definitions, definitions - taken));
  };
  size_t functions = 0;
  for (const PythonClass& type : module.classes) {
    const size_t end = next_end(type.methods.size());
    write_class(out, type, callables, end);
    if (functions < module.functions.size() / 2) {
      out += "\n\n";
      const size_t function_end = next_end(1);
      body.write_function(out, module.functions[functions++], 0, function_end);
    }
  }
  for (; functions < module.functions.size(); ++functions) {
    out += "\n\n";
    const size_t end = next_end(1);
    body.write_function(out, module.functions[functions], 0, end);
  }
  return {folder_of(packages_[module.package].dotted) + "/" + module.name + ".py", out};
}

void PythonPackages::write_class(std::string& out, const PythonClass& type, const Callables& callables,
                                 size_t end) {
  out += "\n\n";
  const bool data = random_.one_in(3);
  std::string base;
  for (const PythonCallable& callable : callables) {
    if (callable.expression[0] >= 'A' && callable.expression[0] <= 'Z') base = callable.expression;
  }
  out += (data ? "@dataclass\nclass " : "class ") + type.name +
         (data || base.empty() ? "" : "(" + base + ")") + ":\n    \"\"\"" + words_.sentence(5, 11) +
         "\"\"\"\n\n";
  if (data) {
    for (const std::string& field : type.fields) out += "    " + field + ": int = 0\n";
  } else {
    out += "    def __init__(self";
    for (const std::string& field : type.fields) out += ", " + field + "=None";
    out += "):\n";
    for (const std::string& field : type.fields)
      out.append("        self.").append(field).append(" = ").append(field).append("\n");
  }
  PythonBody body(random_, words_, callables);
  for (size_t i = 0; i < type.methods.size(); ++i) {
    out += "\n";
    const size_t left = end > out.size() ? end - out.size() : 0;
    body.write_method(out, type.methods[i], type.fields, out.size() + left / (type.methods.size() - i));
  }
}

GeneratedFile PythonPackages::write_test(const PythonModule& module) {
  words_.set_subject(module.package);
  std::string out = "import pytest\n\n";
  Callables callables;
  for (const PythonFunction& function : module.functions) {
    callables.push_back({function.name, function.parameters.size()});
  }
  for (const PythonClass& type : module.classes) callables.push_back({type.name, type.fields.size()});
  out += "from " + module.dotted + " import (\n";
  for (const PythonCallable& callable : callables) out += "    " + callable.expression + ",\n";
  out += ")\n";
  PythonBody body(random_, words_, callables);
  std::set<std::string> names;
  const size_t bytes = std::max<size_t>(600, module.bytes);
  while (out.size() < bytes) {
    const PythonCallable& subject = random_.pick(callables);
    std::string arguments;
    for (size_t i = 0; i < subject.arguments; ++i) {
      arguments += (i > 0 ? ", " : "") + std::to_string(random_.below(100));
    }
    const std::string called = subject.expression + "(" + arguments + ")";
    out += "\n\ndef " + claim(names, "test_" + subject.expression + "_" + words_.snake(2)) + "():\n";
    if (random_.one_in(3)) body.write_comment(out, 1);
    out += "    result = " + called + "\n";
    out += "    assert result == \"" + words_.phrase(1, 3) + "\"\n";
    for (size_t i = random_.below(3); i > 0; --i) {
      out += "    assert result." + words_.snake(1) + " == " + std::to_string(random_.below(100)) + "\n";
    }
    if (random_.one_in(4)) out += "    with pytest.raises(ValueError):\n        " + called + "\n";
  }
  std::string folder = packages_[module.package].dotted;
  std::replace(folder.begin(), folder.end(), '.', '/');
  return {"tests/" + folder + "/test_" + module.name + ".py", out};
}

}  // namespace knapsack::testing
