// Vectors are those of the unquantised model, the same on every kernel and in every company.
#include "meaning/encoder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "meaning/kernels/kernel_choice.h"
#include "meaning/support_model.h"
#include "meaning/wordpiece.h"

namespace knapsack::meaning {
namespace {

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double product = 0, first = 0, second = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    product += double{a[i]} * b[i];
    first += double{a[i]} * a[i];
    second += double{b[i]} * b[i];
  }
  return product / std::sqrt(first * second);
}

std::vector<std::vector<int32_t>> fixture_tokens(const ModelFile& model) {
  std::vector<std::vector<int32_t>> tokens;
  for (const nlohmann::json& row : fixture_rows("vectors.jsonl"))
    tokens.push_back(tokenize(model, text_of(row), 512));
  return tokens;
}

TEST(EncoderTest, ComesNearTheVectorsOfTheUnquantisedModel) {
  const auto model = open_model();
  Encoder encoder(model);
  double sum = 0;
  const auto rows = fixture_rows("vectors.jsonl");
  ASSERT_GE(rows.size(), 12U);
  for (const nlohmann::json& row : rows) {
    const std::vector<int32_t> tokens = tokenize(*model, text_of(row), 512);
    const double near = cosine(encoder.encode({&tokens, 1}), row["vector"].get<std::vector<float>>());
    EXPECT_GE(near, 0.995) << text_of(row);
    sum += near;
  }
  EXPECT_GE(sum / static_cast<double>(rows.size()), 0.998);
}

TEST(EncoderTest, EveryKernelGivesTheSameBits) {
  const auto model = open_model();
  const auto tokens = fixture_tokens(*model);
  Encoder portable(model, runnable_kernels().back());
  ASSERT_STREQ(portable.kernels(), "portable");
  const std::vector<float> expected = portable.encode(std::span(tokens).first(4));
  for (const Kernels* kernels : runnable_kernels()) {
    EXPECT_EQ(Encoder(model, kernels).encode(std::span(tokens).first(4)), expected) << kernels->name;
  }
}

TEST(EncoderTest, ATextGivesTheSameVectorAloneAndBesideOthers) {
  const auto model = open_model();
  const auto tokens = fixture_tokens(*model);
  Encoder encoder(model);
  const std::vector<float> together = encoder.encode(tokens);
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::vector<float> alone = Encoder(model).encode({&tokens[i], 1});
    const auto begin = together.begin() + static_cast<std::ptrdiff_t>(i * encoder.width());
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), begin)) << i;
  }
}

TEST(EncoderTest, TakesTokensThatAreNoneAndTextsWithoutAny) {
  Encoder encoder(open_model());
  const std::vector<std::vector<int32_t>> odd = {{}, {-5, 2'000'000'000}, std::vector<int32_t>(900, 7)};
  const std::vector<float> vectors = encoder.encode(odd);
  ASSERT_EQ(vectors.size(), 3 * encoder.width());
  EXPECT_EQ(vectors[0], 0);
  for (const float number : vectors) EXPECT_TRUE(std::isfinite(number));
  EXPECT_TRUE(encoder.encode({}).empty());
}

}  // namespace
}  // namespace knapsack::meaning
