#include "engine/eval/eval_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "engine/eval/eval.h"

namespace knapsack {
namespace {

// Enough that the ends of an interval move by a tenth of a point from seed to seed.
constexpr size_t kSamples = 2000;
constexpr uint64_t kSeed = 20'240'229;
constexpr double kTail = 0.025;
const double kNoValue = std::numeric_limits<double>::quiet_NaN();

// One value an answer.
struct Column {
  std::string name;
  std::vector<double> values;
  FigureKind kind = FigureKind::kShare;
};

// What the first k of a ranking are worth, of what the best order would be: an expected thing counts the less the
// later it comes.
double discounted_gain(const std::vector<uint32_t>& ranks, uint32_t k) {
  const auto worth = [](uint32_t rank) { return 1 / std::log2(rank + 1.0); };
  double gained = 0, best = 0;
  for (const uint32_t rank : ranks) gained += rank != 0 && rank <= k ? worth(rank) : 0;
  for (uint32_t rank = 1; rank <= std::min<size_t>(k, ranks.size()); ++rank) best += worth(rank);
  return best > 0 ? gained / best : 0;
}

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
  add("ndcg@10", [](const EvalAnswer& answer) { return discounted_gain(answer.ranks, 10); });
  if (!answers.empty()) {
    // Not every answer has every figure: those without stand aside.
    for (const auto& [list, kind] : {std::pair(&EvalAnswer::shares, FigureKind::kShare),
                                     std::pair(&EvalAnswer::packet, FigureKind::kPacket),
                                     std::pair(&EvalAnswer::amounts, FigureKind::kAmount)}) {
      std::set<std::string> names;
      for (const EvalAnswer* answer : answers)
        for (const auto& share : answer->*list) names.insert(share.first);
      for (const std::string& name : names) {
        add(name, [&, list = list](const EvalAnswer& answer) {
          const auto value = (answer.*list).find(name);
          return value == (answer.*list).end() ? kNoValue : value->second;
        });
        columns.back().kind = kind;
      }
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
  // The mean of what is there.
  const auto mean = [](double sum, double count) { return count > 0 ? sum / count : 0; };
  std::vector<std::vector<double>> means(columns.size(), std::vector<double>(kSamples));
  std::mt19937_64 random(kSeed);
  std::vector<size_t> sample(answers.size());
  for (size_t round = 0; round < kSamples; ++round) {
    for (size_t& position : sample) position = draw(random, answers.size());
    for (size_t c = 0; c < columns.size(); ++c) {
      double sum = 0, count = 0;
      for (const size_t position : sample) {
        const double value = columns[c].values[position];
        if (std::isnan(value)) continue;
        sum += value;
        ++count;
      }
      means[c][round] = mean(sum, count);
    }
  }
  for (size_t c = 0; c < columns.size(); ++c) {
    std::sort(means[c].begin(), means[c].end());
    double sum = 0, count = 0;
    for (const double value : columns[c].values) {
      if (std::isnan(value)) continue;
      sum += value;
      ++count;
    }
    const auto tail = static_cast<size_t>(kTail * kSamples);
    table.figures.emplace_back(columns[c].name, Figure{mean(sum, count), means[c][tail],
                                                       means[c][kSamples - 1 - tail], columns[c].kind});
  }
  return table;
}

const Figure* FigureTable::find(std::string_view name) const {
  const auto found =
      std::find_if(figures.begin(), figures.end(), [&](const auto& figure) { return figure.first == name; });
  return found == figures.end() ? nullptr : &found->second;
}

int64_t percentile(std::vector<int64_t> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::clamp<size_t>(rank, 1, values.size()) - 1];
}

EvalMethodReport summarise_method(std::string name, std::vector<EvalAnswer> answers,
                                  std::span<const size_t> ks) {
  EvalMethodReport method;
  method.method = std::move(name);
  method.answers = std::move(answers);
  std::vector<const EvalAnswer*> all;
  std::map<std::string, std::map<std::string, std::vector<const EvalAnswer*>>> groups;
  std::vector<int64_t> micros, first;
  for (const EvalAnswer& answer : method.answers) {
    all.push_back(&answer);
    for (const auto& [kind, group] : answer.groups) groups[kind][group].push_back(&answer);
    micros.push_back(answer.micros);
    if (answer.first_micros > 0) first.push_back(answer.first_micros);
  }
  method.overall = measure(all, ks);
  for (const auto& [kind, named] : groups) {
    for (const auto& [group, members] : named) method.groups[kind][group] = measure(members, ks);
  }
  method.p50_micros = percentile(micros, 0.5);
  method.p95_micros = percentile(micros, 0.95);
  method.first_p50_micros = percentile(first, 0.5);
  method.first_p95_micros = percentile(first, 0.95);
  return method;
}

}  // namespace knapsack
