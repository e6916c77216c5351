#include "stages/stage_context.h"

#include <random>

#include "support/support.h"

namespace knapsack::stages {
namespace {

class RandomContexts {
 public:
  std::string bytes() {
    std::string text;
    const int size = pick(0, 12);
    for (int i = 0; i < size; ++i) text += static_cast<char>(pick(0, 255));
    return text;
  }
  StageContext context() {
    StageContext made;
    for (int i = pick(0, 3); i > 0; --i)
      made.requested.push_back({bytes(), pick(-1, 900), bytes(), pick(0, 1) == 1, pick(0, 1) == 1});
    for (int i = pick(0, 3); i > 0; --i) made.earlier.push_back({bytes(), bytes()});
    for (int i = pick(0, 3); i > 0; --i)
      made.left_out.push_back({bytes(), bytes(), static_cast<ScopeTier>(pick(1, 5)), bytes()});
    for (int i = pick(0, 4); i > 0; --i) made.files.push_back(file());
    for (int i = pick(0, 4); i > 0; --i) made.symbols.push_back(symbol());
    for (int i = pick(0, 2); i > 0; --i) made.infos.push_back(bytes());
    for (int i = pick(0, 2); i > 0; --i) made.problems.push_back(bytes());
    return made;
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  double real() { return std::uniform_real_distribution<>(-1e6, 1e6)(random_) / pick(1, 1'000'000); }

  ScopedFile file() {
    ScopedFile made;
    made.path = bytes();
    made.tier = static_cast<ScopeTier>(pick(1, 5));
    made.naming = static_cast<Naming>(pick(0, 5));
    for (int i = pick(0, 3); i > 0; --i) made.relations.push_back(bytes());
    made.relevance = real();
    made.rank = static_cast<uint32_t>(pick(0, 1'000'000));
    made.score = {real(), {{"lexical", real()}, {"path", real()}}};
    for (int i = pick(0, 3); i > 0; --i) made.chunks.push_back(static_cast<uint32_t>(pick(0, 99)));
    for (int i = pick(0, 3); i > 0; --i) made.uses.push_back(static_cast<uint32_t>(pick(0, 99)));
    made.listed = pick(0, 1) == 1;
    made.kept = pick(0, 1) == 1;
    made.verdict = bytes();
    return made;
  }
  SelectedSymbol symbol() {
    SelectedSymbol made;
    made.path = bytes();
    made.position = pick(-1, 900);
    made.name = bytes();
    made.signature = bytes();
    made.signature_line = static_cast<uint32_t>(pick(0, 9999));
    made.lines = {static_cast<uint32_t>(pick(0, 9999)), static_cast<uint32_t>(pick(0, 9999))};
    made.focus = {static_cast<uint32_t>(pick(0, 9999)), UINT32_MAX};
    made.doc = {static_cast<uint32_t>(pick(0, 9999)), static_cast<uint32_t>(pick(0, 9999))};
    made.tier = static_cast<SymbolTier>(pick(0, 3));
    made.named = pick(0, 1) == 1;
    made.asked = pick(0, 1) == 1;
    made.judged = pick(0, 1) == 1;
    made.is_callable = pick(0, 1) == 1;
    made.kind = static_cast<code::UnitKind>(pick(0, 5));
    made.opener = {static_cast<uint32_t>(pick(0, 9999)), static_cast<uint32_t>(pick(0, 9999))};
    made.key = real();
    made.cost = static_cast<uint64_t>(pick(0, 1'000'000));
    made.score = {real(), {{"words", real()}}};
    made.reason = bytes();
    return made;
  }

  std::mt19937 random_{20261115};
};

TEST(StageContextJson, GoesThereAndBackWithoutLossForAnyBytes) {
  RandomContexts random;
  for (int i = 0; i < 3000 / testing::cases_divisor(); ++i) {
    const StageContext context = random.context();
    const std::string json = to_json(context);
    const auto again = context_from_json(json);
    ASSERT_OK(again);
    ASSERT_EQ(*again, context) << json;
    ASSERT_EQ(to_json(*again), json);
  }
}

TEST(StageContextJson, EveryByteAloneSurvivesInAPath) {
  for (int byte = 0; byte < 256; ++byte) {
    StageContext context;
    context.files.emplace_back().path = std::string(1, static_cast<char>(byte));
    const auto again = context_from_json(to_json(context));
    ASSERT_OK(again);
    EXPECT_EQ(again->files.at(0).path, context.files[0].path) << byte;
  }
}

TEST(StageContextJson, RefusesWhatItWouldNotHaveWritten) {
  StageContext context;
  context.files.emplace_back().path = "a.py";
  context.symbols.emplace_back().name = "total";
  const std::string good = to_json(context);
  ASSERT_OK(context_from_json(good));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const std::vector<std::string> broken = {"",
                                           "[]",
                                           "{}",
                                           "null",
                                           good.substr(0, good.size() - 1),
                                           with("\"tier\":5", "\"tier\":6"),
                                           with("\"tier\":5", "\"tier\":0"),
                                           with("\"tier\":3", "\"tier\":4"),
                                           with("\"tier\":3", "\"tier\":-1"),
                                           with("\"kind\":3", "\"kind\":7"),
                                           with("\"a.py\"", "7"),
                                           with("\"a.py\"", "\"\u20ac.py\""),
                                           with("\"kept\":true", "\"kept\":\"yes\""),
                                           with("\"lines\":[0,0]", "\"lines\":[0]"),
                                           with("\"problems\"", "\"trouble\"")};
  for (const std::string& text : broken) {
    const auto read = context_from_json(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace knapsack::stages
