// Workspaces whose every source holds what could break out of its place in a packet.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "support/support.h"

namespace knapsack::testing {

// Random texts made of line breaks of every kind and of what could open a block or drive a terminal. All of it
// says "EVIL" where that would show.
class Hostile {
 public:
  explicit Hostile(uint32_t seed) : random_(seed) {}

  size_t number(size_t below) { return random_() % below; }
  const std::string& any_of(const std::vector<std::string>& list) { return list[number(list.size())]; }
  std::string text();
  // One that stays within a line of Markdown.
  std::string line();

 private:
  std::mt19937 random_;
};

// Notes, memories, a graph and code, a few of each.
void write_hostile(const TemporaryFolder& folder, Hostile& random);

}  // namespace knapsack::testing
