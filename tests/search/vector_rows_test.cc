// Dot products and the exact scan: the fast forms against plain ones, and both encodings against each other.
#include "search/vectors/vector_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/support.h"

namespace knapsack::search {
namespace {

std::vector<float> random_vector(std::mt19937& random, size_t size) {
  std::normal_distribution<float> number;
  std::vector<float> vector(size);
  for (float& each : vector) each = number(random);
  EXPECT_OK(normalise_vector(vector));
  return vector;
}

struct Table {
  std::vector<float> floats;
  std::vector<int8_t> whole;
  std::vector<float> factors;
  uint32_t dimensions = 0, count = 0;

  Table(std::mt19937& random, uint32_t rows, uint32_t size) : dimensions(size), count(rows) {
    for (uint32_t row = 0; row < rows; ++row) add(random_vector(random, size));
  }
  void add(const std::vector<float>& vector) {
    floats.insert(floats.end(), vector.begin(), vector.end());
    const WholeVector made = to_whole(vector);
    whole.insert(whole.end(), made.numbers.begin(), made.numbers.end());
    factors.push_back(made.factor);
  }
  VectorRows rows(VectorEncoding encoding) const {
    return {encoding, dimensions, count, floats.data(), whole.data(), factors.data()};
  }
};

TEST(DotProduct, LanesGiveTheSameBitsAsThePlainFormForEverySize) {
  std::mt19937 random(1);
  for (size_t size = 1; size <= 130; ++size) {
    const auto a = random_vector(random, size), b = random_vector(random, size);
    EXPECT_EQ(dot_product(a.data(), b.data(), size, Arithmetic::kLanes),
              dot_product(a.data(), b.data(), size, Arithmetic::kPlain))
        << size;
    const WholeVector x = to_whole(a), y = to_whole(b);
    EXPECT_EQ(dot_product(x.numbers.data(), y.numbers.data(), size, Arithmetic::kLanes),
              dot_product(x.numbers.data(), y.numbers.data(), size, Arithmetic::kPlain))
        << size;
  }
}

TEST(DotProduct, IsCloseToTheSumInDoublePrecision) {
  std::mt19937 random(2);
  const auto a = random_vector(random, 1536), b = random_vector(random, 1536);
  double exact = 0;
  for (size_t i = 0; i < a.size(); ++i) exact += double{a[i]} * double{b[i]};
  EXPECT_NEAR(dot_product(a.data(), b.data(), a.size()), exact, 1e-5);
}

TEST(DotProduct, LargestWholeNumbersDoNotOverflow) {
  const std::vector<int8_t> most(kMaxWholeSize, 127), least(kMaxWholeSize, -127);
  const int32_t all = 127 * 127 * static_cast<int32_t>(kMaxWholeSize);
  for (const Arithmetic how : {Arithmetic::kPlain, Arithmetic::kLanes}) {
    EXPECT_EQ(dot_product(most.data(), most.data(), most.size(), how), all);
    EXPECT_EQ(dot_product(most.data(), least.data(), most.size(), how), -all);
    EXPECT_EQ(dot_product(least.data(), least.data(), most.size(), how), all);
  }
}

TEST(DotProduct, ReadsNoAlignment) {
  std::mt19937 random(3);
  const auto a = random_vector(random, 101), b = random_vector(random, 101);
  EXPECT_EQ(dot_product(a.data() + 1, b.data() + 3, 90, Arithmetic::kLanes),
            dot_product(a.data() + 1, b.data() + 3, 90, Arithmetic::kPlain));
}

TEST(NormaliseVector, RefusesWhatHasNoDirection) {
  const float infinite = std::numeric_limits<float>::infinity();
  for (std::vector<float> vector :
       {std::vector<float>{}, {0, 0, 0}, {1, NAN}, {infinite, 1}, {-infinite, infinite}}) {
    EXPECT_FALSE(normalise_vector(vector).ok());
  }
  std::vector<float> large = {3e38F, 3e38F};
  ASSERT_OK(normalise_vector(large));
  EXPECT_NEAR(large[0], std::sqrt(0.5), 1e-6);
}

TEST(WholeVector, IsWithinHalfAStepOfTheFloats) {
  std::mt19937 random(4);
  const auto vector = random_vector(random, 384);
  const WholeVector whole = to_whole(vector);
  for (size_t i = 0; i < vector.size(); ++i) {
    EXPECT_NEAR(static_cast<float>(whole.numbers[i]) * whole.factor, vector[i], whole.factor * 0.501F);
    EXPECT_NE(whole.numbers[i], -128);
  }
}

TEST(Nearest, GivesTheOrderOfASortOverAllRows) {
  std::mt19937 random(5);
  const Table table(random, 500, 96);
  for (const VectorEncoding encoding : {VectorEncoding::kFloat32, VectorEncoding::kInt8}) {
    const VectorRows rows = table.rows(encoding);
    for (int query = 0; query < 20; ++query) {
      const VectorProbe probe(random_vector(random, 96));
      std::vector<Neighbour> sorted;
      for (uint32_t row = 0; row < rows.count; ++row)
        sorted.push_back({row, probe.score(rows, row, Arithmetic::kPlain)});
      std::stable_sort(sorted.begin(), sorted.end(),
                       [](const Neighbour& a, const Neighbour& b) { return a.score > b.score; });
      sorted.resize(25);
      EXPECT_EQ(nearest(rows, probe, 25, Arithmetic::kPlain), sorted);
      EXPECT_EQ(nearest(rows, probe, 25, Arithmetic::kLanes), sorted);
    }
  }
}

TEST(Nearest, WholeNumbersFindNearlyWhatFloatsFind) {
  std::mt19937 random(6);
  const Table table(random, 2000, 384);
  size_t same = 0;
  for (int query = 0; query < 20; ++query) {
    const VectorProbe probe(random_vector(random, 384));
    const auto exact = nearest(table.rows(VectorEncoding::kFloat32), probe, 10);
    const auto coarse = nearest(table.rows(VectorEncoding::kInt8), probe, 10);
    for (const Neighbour& each : exact) {
      same +=
          std::any_of(coarse.begin(), coarse.end(), [&](const auto& other) { return other.row == each.row; })
              ? 1U
              : 0U;
    }
  }
  EXPECT_GE(same, 190U) << "of 200";
}

TEST(Nearest, EqualScoresGoByRowAndAsksForMoreThanThereIsGetAll) {
  std::mt19937 random(7);
  Table table(random, 1, 8);
  const std::vector<float> first(table.floats);
  for (int i = 0; i < 4; ++i) table.add(first);
  table.count = 5;
  const auto found = nearest(table.rows(VectorEncoding::kInt8), VectorProbe(first), 99);
  ASSERT_EQ(found.size(), 5U);
  for (uint32_t row = 0; row < 5; ++row) EXPECT_EQ(found[row].row, row);
  EXPECT_TRUE(nearest(table.rows(VectorEncoding::kInt8), VectorProbe(first), 0).empty());
}

}  // namespace
}  // namespace knapsack::search
