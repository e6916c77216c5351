#include "cli/ask.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <iostream>
#include <string_view>

namespace knapsack::cli {

bool can_ask() {
  return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
}

std::optional<std::string> ask(const std::string& question) {
  if (!can_ask()) return std::nullopt;
  std::fputs(question.c_str(), stderr);
  std::fflush(stderr);
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  const size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string::npos) return std::string();
  return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
}

bool ask_yes(const std::string& question) {
  const auto answer = ask(question);
  constexpr std::array<std::string_view, 8> kYes = {"y", "Y", "yes", "Yes", "д", "Д", "да", "Да"};
  for (const std::string_view yes : kYes) {
    if (answer && *answer == yes) return true;
  }
  return false;
}

}  // namespace knapsack::cli
