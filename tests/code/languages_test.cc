// Each language's fixture beside the dump of what is read from it. KNAPSACK_UPDATE_GOLDEN=1 rewrites the
// dumps; read every changed line before you keep one.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "code/parse/language.h"
#include "code/parse/parser.h"
#include "code/support_dump.h"
#include "code/support_fixtures.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

class LanguageFixture : public ::testing::TestWithParam<Fixture> {};

TEST_P(LanguageFixture, IsReadAsItsDumpSays) {
  const Fixture& fixture = GetParam();
  EXPECT_EQ(detect_language(fixture.path, fixture.bytes).name, fixture.language->name);
  Parser parser;
  const auto file = parser.parse(*fixture.language, fixture.bytes);
  ASSERT_OK(file);
  const std::string actual = dump(*file);
  const std::string golden = golden_path(*fixture.language);
  if (std::getenv("KNAPSACK_UPDATE_GOLDEN") != nullptr) std::ofstream(golden, std::ios::binary) << actual;
  std::ifstream expected(golden, std::ios::binary);
  ASSERT_TRUE(expected) << golden << " is missing";
  std::ostringstream text;
  text << expected.rdbuf();
  EXPECT_EQ(actual, text.str());
}

INSTANTIATE_TEST_SUITE_P(EveryLanguage, LanguageFixture, ::testing::ValuesIn(read_fixtures()),
                         [](const auto& one) { return std::string(one.param.language->name); });

}  // namespace
}  // namespace knapsack::code
