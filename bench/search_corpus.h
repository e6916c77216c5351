// A generated corpus for benchmarks: chunks of words whose ranks follow Zipf's law, as words of code and
// prose do.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace knapsack::bench {

class ZipfCorpus {
 public:
  static constexpr size_t kVocabulary = 1'000'000;
  static constexpr size_t kWordsPerChunk = 120;  // about 800 bytes, what 20 lines of code have
  static constexpr size_t kChunksPerDocument = 5;

  explicit ZipfCorpus(uint64_t seed) : random_(seed) {
    words_.reserve(kVocabulary);
    for (size_t i = 0; i < kVocabulary; ++i) words_.push_back(spell(i));
  }

  // A rank by a continuous Zipf law with exponent 1: P(rank ≤ r) = ln(r + 1) / ln(V + 1).
  size_t rank() {
    const double uniform = std::uniform_real_distribution<double>(0, 1)(random_);
    const double r = std::exp(uniform * std::log(static_cast<double>(kVocabulary + 1))) - 1;
    return std::min(static_cast<size_t>(r), kVocabulary - 1);
  }
  const std::string& word(size_t rank) const { return words_[rank]; }

  std::string chunk() {
    std::string text;
    for (size_t i = 0; i < kWordsPerChunk; ++i) {
      text += words_[rank()];
      text += i % 8 == 7 ? '\n' : ' ';
    }
    return text;
  }

  // Words as a query has them: drawn like those of a text, but only ranks from `first` up to `last`.
  std::vector<std::string> query(size_t terms, size_t first, size_t last) {
    std::vector<std::string> drawn;
    while (drawn.size() < terms) {
      const size_t one = rank();
      if (one >= first && one <= last) drawn.push_back(words_[one]);
    }
    return drawn;
  }

 private:
  // Letters only, frequent words short: rank in base 20 over consonant-vowel pairs.
  static std::string spell(size_t rank) {
    static constexpr char kConsonants[] = "bcdfghjklmnpqrstvwxz";
    static constexpr char kVowels[] = "aeiou";
    std::string text;
    for (size_t rest = rank + 20;; rest = rest / 100 - 1) {
      text += kConsonants[rest % 20];
      text += kVowels[rest / 20 % 5];
      if (rest < 100) return text;
    }
  }

  std::mt19937_64 random_;
  std::vector<std::string> words_;
};

}  // namespace knapsack::bench
