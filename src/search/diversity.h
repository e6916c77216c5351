// Diversity: an order in which what repeats something further up comes later (maximal marginal relevance).
//
// The next one taken is that with the highest  λ · score / best score − (1 − λ) · similarity to the most
// similar one taken. Nothing is lost, only moved. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace knapsack::search {

// Of Carbonell and Goldstein (1998), who found this to suit lists that are read from the top.
inline constexpr double kDiversityLambda = 0.7;
// How many of the best are put in order; the cost grows with the square.
inline constexpr size_t kMaxDiversified = 150;

// `scores` best first. Positions in the new order; those beyond kMaxDiversified follow as they were.
std::vector<size_t> diversify(std::span<const double> scores,
                              const std::function<double(size_t, size_t)>& similarity,
                              double lambda = kDiversityLambda);

// The words of a text, for comparing texts by what they say.
class WordSet {
 public:
  explicit WordSet(std::string_view text);
  // Words in common by the geometric mean of the two numbers: 1 for the same words, 0 for none in common.
  double similarity(const WordSet& other) const;

 private:
  std::vector<uint64_t> words_;  // hashes of stems, ascending, each once
};

}  // namespace knapsack::search
