#include "engine/sources/common_words.h"

#include <algorithm>

namespace knapsack {
namespace {

template <typename Files>
std::string line_for(const Files& found, size_t files) {
  const auto by_words = [](const auto& file) {
    const auto& parts = file.score.components;
    return std::any_of(parts.begin(), parts.end(),
                       [](const ScoreComponent& part) { return part.name == code::kLexicalPart; });
  };
  if (files == 0 || std::any_of(found.begin(), found.end(), by_words)) return "";
  return "the question has no word in common with the code: ask with names that the code uses, or in English";
}

}  // namespace

std::string no_common_word(const std::vector<code::RankedFile>& ranked, size_t files) {
  return line_for(ranked, files);
}

std::string no_common_word(const std::vector<stages::ScopedFile>& scoped, size_t files) {
  return line_for(scoped, files);
}

}  // namespace knapsack
