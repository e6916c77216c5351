// Terms: the words of nodes and requests as numbers, so that a hundred thousand nodes are compared in
// milliseconds.
//
// A term is a 64-bit hash of a stemmed word; two words of one graph that share one are as likely as damage
// that no checksum finds. Stop words have none. A reader gives each term it meets a small number, by which
// lists of terms are half as long; it belongs to one thread.
// Private to graph/store/.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/words/words.h"

namespace knapsack::graph {

using Term = uint64_t;
inline constexpr Term kNoTerm = 0;

// The term of one word; kNoTerm for a stop word.
Term term_of(std::string_view word);
WordOptions term_word_options();

// A number with a mark: of a term in the words of a node, or of a node in the list of a term.
struct Marked {
  static constexpr uint32_t kMaxNumber = UINT32_MAX >> 1U;

  uint32_t bits = 0;

  static Marked of(uint32_t number, bool prominent) { return {number << 1U | (prominent ? 1U : 0U)}; }
  uint32_t number() const { return bits >> 1U; }
  // In the title, a tag or the type of the node, not only in its text.
  bool prominent() const { return (bits & 1U) != 0; }
};

class TermReader {
 public:
  TermReader() : memory_(kMinRemembered) {}

  // From here on the words are of another node.
  void begin_node() { ++node_; }
  // Appends the terms of a text that this node did not have yet. So what is prominent is to be read first.
  void read(std::string_view text, bool prominent, std::vector<Marked>& terms);
  // By number.
  const std::vector<Term>& dictionary() const { return dictionary_; }

 private:
  // Stemming costs ten times what reading a word does, and the words of a graph repeat.
  // The table grows with them, since most graphs are small; both ends are powers of two.
  static constexpr size_t kMinRemembered = 1U << 10U;
  static constexpr size_t kMaxRemembered = 1U << 17U;
  static constexpr uint32_t kStopWord = UINT32_MAX;
  struct Remembered {
    uint64_t word = 0;
    uint32_t number = kStopWord;
  };

  uint32_t number_of(std::string_view word);
  uint32_t learn(std::string_view word);

  WordReader words_{{}, term_word_options()};
  std::vector<Remembered> memory_;
  std::unordered_map<Term, uint32_t> numbers_;
  std::vector<Term> dictionary_;
  std::vector<uint64_t> last_node_;  // that had the term
  uint64_t node_ = 0;
};

}  // namespace knapsack::graph
