// Each language's fixture beside the dump of what is read from it. KNAPSACK_UPDATE_GOLDEN=1 rewrites the
// dumps; read every changed line before you keep one.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "code/language.h"
#include "code/parser.h"
#include "code/support_dump.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

namespace fs = std::filesystem;

fs::path fixture_folder(const Language& language) {
  return fs::path(KNAPSACK_SOURCE_DIR) / "tests/fixtures/languages" / language.name;
}

// The source file is the one that is not the expected dump.
fs::path find_fixture(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() != "expected.txt") return entry.path();
  }
  return {};
}

std::string read(const fs::path& path) {
  return testing::read_source_file(fs::relative(path, KNAPSACK_SOURCE_DIR).string());
}

class LanguageFixture : public ::testing::TestWithParam<const Language*> {};

TEST_P(LanguageFixture, IsReadAsItsDumpSays) {
  const Language& language = *GetParam();
  const fs::path source = find_fixture(fixture_folder(language));
  ASSERT_FALSE(source.empty()) << "no fixture for " << language.name;
  const std::string bytes = read(source);
  EXPECT_EQ(detect_language(source.string(), bytes).name, language.name);
  Parser parser;
  const auto file = parser.parse(language, bytes);
  ASSERT_OK(file);
  const std::string actual = dump(*file);
  const fs::path golden = fixture_folder(language) / "expected.txt";
  if (std::getenv("KNAPSACK_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(golden, std::ios::binary) << actual;
  }
  EXPECT_EQ(actual, read(golden));
}

std::vector<const Language*> with_symbols() {
  std::vector<const Language*> found;
  for (const Language& language : languages()) {
    if (language.has_symbols()) found.push_back(&language);
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(EveryLanguage, LanguageFixture, ::testing::ValuesIn(with_symbols()),
                         [](const auto& one) { return std::string(one.param->name); });

}  // namespace
}  // namespace knapsack::code
