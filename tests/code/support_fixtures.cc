#include "code/support_fixtures.h"

#include <filesystem>
#include <stdexcept>

#include "code/parse/source_text.h"
#include "code/walk/notebook.h"
#include "support/support.h"

namespace knapsack::code {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const Language& language) {
  return fs::path(KNAPSACK_SOURCE_DIR) / "tests/fixtures/languages" / language.name;
}

}  // namespace

std::string golden_path(const Language& language) {
  return folder_of(language) / "expected.txt";
}

std::vector<Fixture> read_fixtures() {
  std::vector<Fixture> fixtures;
  for (const Language& language : languages()) {
    // A notebook becomes Python before it is parsed, whose fixture stands for both.
    if (!language.has_symbols() || language.name == kNotebook) continue;
    Fixture fixture;
    fixture.language = &language;
    for (const auto& entry : fs::directory_iterator(folder_of(language))) {
      if (entry.path().filename() != "expected.txt") fixture.path = entry.path();
    }
    if (fixture.path.empty()) throw std::runtime_error("no fixture for " + std::string(language.name));
    fixture.bytes = testing::read_source_file(fs::relative(fixture.path, KNAPSACK_SOURCE_DIR).string());
    fixtures.push_back(std::move(fixture));
  }
  return fixtures;
}

bool is_utf8(const std::string& text) {
  std::string repaired;
  return !repair_utf8(text, repaired);
}

}  // namespace knapsack::code
