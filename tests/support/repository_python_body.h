// Bodies of generated Python functions: statements that use what is in scope. For one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/repository_words.h"

namespace knapsack::testing {

struct PythonFunction {
  std::string name;
  std::vector<std::string> parameters;
};

// A function or a class by the name under which a module can call it.
struct PythonCallable {
  std::string expression;
  size_t arguments = 0;
};

class PythonBody {
 public:
  PythonBody(Random& random, Words& words, const std::vector<PythonCallable>& callables)
      : random_(random), words_(words), callables_(callables) {}

  // Both append until `out` has about `end` bytes. A method may use the fields of its class.
  void write_function(std::string& out, const PythonFunction& function, size_t indent, size_t end);
  void write_method(std::string& out, const PythonFunction& function, const std::vector<std::string>& fields,
                    size_t end);
  // One comment line: a plain sentence, a reason, something to do, or a pointer to an issue.
  void write_comment(std::string& out, size_t indent);

 private:
  void write_docstring(std::string& out, const PythonFunction& function, size_t indent);
  void write_statements(std::string& out, size_t indent, size_t end);
  void write_statement(std::string& out, size_t indent);
  std::string call();
  std::string value();
  std::string variable();
  std::string new_variable();

  Random& random_;
  Words& words_;
  const std::vector<PythonCallable>& callables_;
  std::vector<std::string> scope_;
};

inline void indent_by(std::string& out, size_t levels) {
  out.append(4 * levels, ' ');
}

}  // namespace knapsack::testing
