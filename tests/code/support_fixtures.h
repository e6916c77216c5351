// The language fixtures, for tests that hold over all of them.
#pragma once

#include <string>
#include <vector>

#include "code/parse/language.h"

namespace knapsack::code {

struct Fixture {
  const Language* language = nullptr;
  std::string path;
  std::string bytes;
};

// tests/fixtures/languages/<language>/, the file that is not expected.txt; one for each language with
// symbols.
std::vector<Fixture> read_fixtures();
std::string golden_path(const Language& language);

// True when the text is valid UTF-8.
bool is_utf8(const std::string& text);

}  // namespace knapsack::code
