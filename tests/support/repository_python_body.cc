#include "support/repository_python_body.h"

namespace knapsack::testing {

void PythonBody::write_comment(std::string& out, size_t indent) {
  indent_by(out, indent);
  out += "# ";
  switch (random_.below(8)) {
    case 0:
      out += "TODO: " + words_.phrase(4, 9);
      break;
    case 1:
      out += words_.sentence(3, 6) + " See #" + std::to_string(1 + random_.below(4000)) + ".";
      break;
    case 2:
    case 3:
      out += words_.phrase(3, 6) + " because " + words_.phrase(4, 8) + ".";
      break;
    case 4:
      out += "NOTE: " + words_.phrase(5, 10);
      break;
    default:
      out += words_.sentence(4, 11);
  }
  out += '\n';
}

void PythonBody::write_docstring(std::string& out, const PythonFunction& function, size_t indent) {
  indent_by(out, indent);
  out += "\"\"\"" + words_.sentence(4, 9);
  if (!function.parameters.empty() && random_.one_in(3)) {
    out += "\n\n";
    indent_by(out, indent);
    out += words_.sentence(8, 14) + "\n\n";
    indent_by(out, indent);
    out += "Args:\n";
    for (const std::string& parameter : function.parameters) {
      indent_by(out, indent + 1);
      out += parameter + ": " + words_.sentence(3, 8) + "\n";
    }
    indent_by(out, indent);
  }
  out += "\"\"\"\n";
}

void PythonBody::write_function(std::string& out, const PythonFunction& function, size_t indent, size_t end) {
  scope_ = function.parameters;
  if (random_.one_in(12)) {
    indent_by(out, indent);
    out += "@functools.lru_cache(maxsize=" + std::to_string(16 << random_.below(6)) + ")\n";
  }
  const bool typed = random_.one_in(2);
  indent_by(out, indent);
  out += (random_.one_in(15) ? "async def " : "def ") + function.name + "(";
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    if (i > 0) out += ", ";
    out += function.parameters[i];
    if (typed) out += random_.one_in(3) ? ": str" : random_.one_in(2) ? ": int" : ": list[int]";
    if (i + 1 == function.parameters.size() && random_.one_in(3)) out += typed ? " = None" : "=None";
  }
  out += typed ? ") -> dict[str, int]:\n" : "):\n";
  if (!random_.one_in(4)) write_docstring(out, function, indent + 1);
  write_statements(out, indent + 1, end);
}

void PythonBody::write_method(std::string& out, const PythonFunction& function,
                              const std::vector<std::string>& fields, size_t end) {
  PythonFunction with_self = function;
  with_self.parameters.insert(with_self.parameters.begin(), "self");
  if (function.parameters.empty() && random_.one_in(2)) out += "    @property\n";
  indent_by(out, 1);
  out += "def " + function.name + "(self";
  for (const std::string& parameter : function.parameters) out += ", " + parameter;
  out += "):\n";
  if (random_.one_in(2)) write_docstring(out, function, 2);
  scope_ = function.parameters;
  for (const std::string& field : fields) scope_.push_back("self." + field);
  write_statements(out, 2, end);
}

void PythonBody::write_statements(std::string& out, size_t indent, size_t end) {
  while (out.size() < end) write_statement(out, indent);
  indent_by(out, indent);
  out += "return " + (random_.one_in(3) ? call() : variable()) + "\n";
}

void PythonBody::write_statement(std::string& out, size_t indent) {
  if (random_.one_in(7)) write_comment(out, indent);
  const auto line = [&](size_t deeper, const std::string& text) {
    indent_by(out, indent + deeper);
    out += text + "\n";
  };
  switch (random_.below(14)) {
    case 0: {
      const std::string item = std::string(words_.word());
      line(0, "for " + item + " in " + variable() + ":");
      scope_.push_back(item);
      line(1, "if " + item + " is None:");
      line(2, "continue");
      line(1, variable() + ".append(" + call() + ")");
      break;
    }
    case 1:
      line(0, "if " + variable() + " > " + value() + ":");
      line(1, "raise ValueError(f\"" + words_.phrase(3, 7) + " {" + variable() + "!r}\")");
      break;
    case 2:
      line(0, "try:");
      line(1, new_variable() + " = " + call());
      line(0, "except (KeyError, TypeError) as error:");
      line(1, "logger.warning(\"" + words_.phrase(3, 6) + ": %s\", error)");
      line(1, "return None");
      break;
    case 3:
      line(0, "logger.debug(\"" + words_.phrase(3, 6) + " %s\", " + variable() + ")");
      break;
    case 4: {
      const std::string from = variable();
      const std::string item = std::string(words_.word());
      line(0, new_variable() + " = [" + item + ".strip() for " + item + " in " + from + " if " + item + "]");
      break;
    }
    case 5: {
      const std::string name = new_variable();
      line(0, name + " = {");
      for (size_t i = 2 + random_.below(3); i > 0; --i) {
        line(1, "\"" + std::string(words_.word()) + "\": " + value() + ",");
      }
      line(0, "}");
      break;
    }
    case 6:
      line(0, "with open(" + variable() + ", encoding=\"utf-8\") as stream:");
      line(1, new_variable() + " = stream.read().splitlines()");
      break;
    case 7:
      line(0, "if not " + variable() + ":");
      line(1, "return " + value());
      break;
    case 8:
      line(0, variable() + " = sorted(" + variable() + ", key=lambda entry: entry[" +
                  std::to_string(random_.below(4)) + "])");
      break;
    case 9: {
      const std::string inner = words_.action(1);
      line(0, "def " + inner + "(entry):");
      line(1, "return entry + " + value());
      line(0, new_variable() + " = list(map(" + inner + ", " + variable() + "))");
      break;
    }
    default: {
      const std::string right = call();
      line(0, new_variable() + " = " + right);
    }
  }
}

std::string PythonBody::call() {
  if (callables_.empty() || random_.one_in(4)) {
    return variable() + ".get(\"" + std::string(words_.word()) + "\", " + value() + ")";
  }
  const PythonCallable& callable = random_.pick(callables_);
  std::string text = callable.expression + "(";
  for (size_t i = 0; i < callable.arguments; ++i) {
    if (i > 0) text += ", ";
    text += random_.one_in(3) ? value() : variable();
  }
  return text + ")";
}

std::string PythonBody::value() {
  switch (random_.below(5)) {
    case 0:
      return "\"" + words_.snake(1 + random_.below(2)) + "\"";
    case 1:
      return "None";
    case 2:
      return "0." + std::to_string(1 + random_.below(99));
    default:
      return std::to_string(random_.below(1000));
  }
}

std::string PythonBody::variable() {
  return scope_.empty() ? "options" : random_.pick(scope_);
}

std::string PythonBody::new_variable() {
  scope_.push_back(words_.snake(1 + random_.below(2)));
  return scope_.back();
}

}  // namespace knapsack::testing
