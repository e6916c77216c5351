#include "engine/eval_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace knapsack {
namespace {

// Enough that the ends of an interval move by a tenth of a point from seed to seed.
constexpr size_t kSamples = 2000;
constexpr uint64_t kSeed = 20'240'229;
constexpr double kTail = 0.025;

// One value an answer.
struct Column {
  std::string name;
  std::vector<double> values;
};

std::vector<Column> columns_of(std::span<const EvalAnswer* const> answers, std::span<const size_t> ks) {
  std::vector<Column> columns;
  const auto add = [&](const std::string& name, const auto& value_of) {
    Column& column = columns.emplace_back();
    column.name = name;
    for (const EvalAnswer* answer : answers) column.values.push_back(value_of(*answer));
  };
  const auto found = [](const EvalAnswer& answer, size_t k) {
    return static_cast<double>(std::count_if(answer.ranks.begin(), answer.ranks.end(),
                                             [&](uint32_t rank) { return rank != 0 && rank <= k; }));
  };
  const auto all = [](const EvalAnswer& answer) { return static_cast<double>(answer.ranks.size()); };
  for (const size_t k : ks) {
    add(fmt::format("acc@{}", k), [&](const EvalAnswer& a) { return found(a, k) == all(a) ? 1.0 : 0.0; });
  }
  for (const size_t k : ks) {
    add(fmt::format("hit@{}", k), [&](const EvalAnswer& a) { return found(a, k) > 0 ? 1.0 : 0.0; });
  }
  for (const size_t k : ks) {
    add(fmt::format("recall@{}", k),
        [&](const EvalAnswer& a) { return a.ranks.empty() ? 0 : found(a, k) / all(a); });
  }
  add("mrr", [](const EvalAnswer& answer) {
    uint32_t first = 0;
    for (const uint32_t rank : answer.ranks) {
      if (rank != 0 && (first == 0 || rank < first)) first = rank;
    }
    return first == 0 ? 0 : 1.0 / first;
  });
  if (!answers.empty()) {
    for (const auto& share : answers.front()->shares) {
      const std::string& name = share.first;
      add(name, [&](const EvalAnswer& answer) {
        const auto value = answer.shares.find(name);
        return value == answer.shares.end() ? 0 : value->second;
      });
    }
  }
  return columns;
}

// The same everywhere, unlike std::uniform_int_distribution: the high half of a product.
size_t draw(std::mt19937_64& random, size_t below) {
  return static_cast<size_t>((random() >> 32) * below >> 32);
}

}  // namespace

FigureTable measure(std::span<const EvalAnswer* const> answers, std::span<const size_t> ks) {
  FigureTable table;
  table.tasks = answers.size();
  const auto columns = columns_of(answers, ks);
  if (answers.empty()) return table;
  const auto count = static_cast<double>(answers.size());
  std::vector<std::vector<double>> means(columns.size(), std::vector<double>(kSamples));
  std::mt19937_64 random(kSeed);
  std::vector<size_t> sample(answers.size());
  for (size_t round = 0; round < kSamples; ++round) {
    for (size_t& position : sample) position = draw(random, answers.size());
    for (size_t c = 0; c < columns.size(); ++c) {
      double sum = 0;
      for (const size_t position : sample) sum += columns[c].values[position];
      means[c][round] = sum / count;
    }
  }
  for (size_t c = 0; c < columns.size(); ++c) {
    std::sort(means[c].begin(), means[c].end());
    double sum = 0;
    for (const double value : columns[c].values) sum += value;
    const auto tail = static_cast<size_t>(kTail * kSamples);
    table.figures.emplace_back(columns[c].name,
                               Figure{sum / count, means[c][tail], means[c][kSamples - 1 - tail]});
  }
  return table;
}

int64_t percentile(std::vector<int64_t> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::clamp<size_t>(rank, 1, values.size()) - 1];
}

}  // namespace knapsack
