// Words for generated repositories: a fixed vocabulary whose words occur as often as words do in real text
// (the n-th most common about 1/n as often as the first), and a generator of random numbers that gives the
// same ones with every standard library. For one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack::testing {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  size_t below(size_t limit) { return static_cast<size_t>(engine_() % limit); }
  bool one_in(size_t n) { return below(n) == 0; }
  template <class List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937_64 engine_;
};

class Words {
 public:
  explicit Words(Random& random) : random_(random) {}

  // What is written about from now on: a third of all words will be from this subject's own few hundred, as
  // the files of one package share theirs.
  void set_subject(uint64_t subject) { subject_ = subject; }

  std::string_view word();
  std::string_view verb();
  // "parse_pending_route", "ParsePendingRoute", "parsePendingRoute", "PARSE_PENDING_ROUTE".
  std::string snake(size_t words);
  std::string pascal(size_t words);
  std::string camel(size_t words);
  std::string upper(size_t words);
  // A name that begins with a verb.
  std::string action(size_t words);
  // Words with spaces between: no capital, no full stop.
  std::string phrase(size_t least, size_t most);
  // With both.
  std::string sentence(size_t least, size_t most);

 private:
  Random& random_;
  uint64_t subject_ = 0;
};

// "parse_pending_route" in the other spellings.
std::string pascal_case(std::string_view snake);
std::string camel_case(std::string_view snake);

}  // namespace knapsack::testing
