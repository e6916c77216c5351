// Keywords: what is left of the words of a task once function words, names and paths are gone.
//
// Most telling first: the words of the title, then the frequent ones, then by first appearance. Forms of one
// word
// ("cart", "carts") count together and show as first written. Linear; any thread.
// Private to understand/.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace knapsack {

constexpr size_t kMaxKeywords = 64;

class KeywordCounter {
 public:
  // Words of one stretch of text, which is in the title or not.
  void add(std::string_view text, bool title);
  std::vector<std::string> take();
  // All words in the order of the text, the parts of identifiers among them: what concepts are looked up by.
  const std::vector<std::string>& words() const { return words_; }
  void add_words(std::string_view text);  // to words() alone

 private:
  struct Count {
    std::string shown;
    size_t count = 0;
    size_t first = 0;
    bool title = false;
  };
  std::unordered_map<std::string, Count> counts_;  // by stem; its order reaches no output
  std::vector<std::string> words_;
};

// Whether a lower-cased word says nothing about what a task is about: function words, and what every task
// says
// ("fix", "please", "issue", "expected").
bool is_task_stop_word(std::string_view word);

}  // namespace knapsack
