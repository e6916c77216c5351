// Ids and fingerprints: short hexadecimal names for bytes, the same on every machine.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack {

// 128-bit XXH3 of the bytes, 32 hexadecimal digits.
std::string content_hash(std::string_view bytes);

// The same of bytes that come piece by piece.
class ContentHasher {
 public:
  ContentHasher();
  void add(std::string_view bytes);
  std::string hash() const;

 private:
  struct State;
  struct Free {
    void operator()(State* state) const;
  };
  std::unique_ptr<State, Free> state_;
};

// A hash over parts that cannot run into each other: {"ab", "c"} and {"a", "bc"} differ.
std::string hash_parts(const std::vector<std::string_view>& parts);

// "use-sqlite-for-state" from "Use SQLite, for state!": lower-case ASCII letters, digits and dashes, at most
// `max_length` long; a title without any is named by its hash.
std::string slug(std::string_view title, size_t max_length = 48);

}  // namespace knapsack
