#include "text/json_text.h"

#include <nlohmann/json.hpp>
#include <random>

#include "support/support.h"

namespace knapsack {
namespace {

TEST(JsonText, IsWrittenAsTheLibraryWritesIt) {
  std::mt19937 random(20261115);
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (size_t n = random() % 40; n > 0; --n) {
      static const std::vector<std::string> others = {"é", "文", "🎒", "\u2028", "\u0085", "дом"};
      text += random() % 4 == 0 ? others[random() % others.size()]
                                : std::string(1, static_cast<char>(random() % 128));
    }
    ASSERT_EQ(json_string(text), nlohmann::json(text).dump());
  }
}

TEST(JsonText, PutsTheReplacementCharacterForBytesThatAreNoText) {
  EXPECT_EQ(json_string("a\xFF\xC3 b\""), "\"a\uFFFD\uFFFD b\\\"\"");
  for (int c = 0; c < 256; ++c)
    EXPECT_TRUE(nlohmann::json::accept(json_string(std::string(1, static_cast<char>(c)))));
}

}  // namespace
}  // namespace knapsack
