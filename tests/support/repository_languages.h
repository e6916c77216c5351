// The text that generated files of each language but Python are made of.
//
// A file is its `opening`, an `import` for each file that it uses, units until it is long enough, perhaps a
// `test`, and its `closing`. Between two @ stands what is filled in: T type, m method, f function, d field,
// p parameter, C constant, n number, w words, S sentence, i issue number; of the file G package, B name
// without extension; and of an imported file O type, F function, H package, M its module as imports name it.
// Constant data.
#pragma once

#include <span>

namespace knapsack::testing {

// How a language spells the names of functions; of the others only whether snake or camel.
enum class Spelling { kSnake, kCamel, kPascal };

struct LanguageTemplate {
  const char* language;
  const char* folder;     // before the package's
  const char* extension;  // with the dot
  bool pascal_file;       // "LedgerEntry.java" rather than "ledger_entry.go"
  bool pascal_package;
  Spelling functions;
  const char* module;  // how imports name a file: its G, B and O
  const char* opening;
  const char* import;
  const char* unit;
  const char* test;
  const char* closing;
};

std::span<const LanguageTemplate> compiled_language_templates();
std::span<const LanguageTemplate> scripting_language_templates();

}  // namespace knapsack::testing
