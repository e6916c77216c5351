// Writes the large messy notes folder of the tests to disk, for timing the whole program on it.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "support/notes_fixture.h"

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    std::cerr << "usage: make_notes FOLDER\n";
    return 2;
  }
  for (const auto& [name, bytes] : knapsack::testing::make_large_notes().files) {
    const auto path = std::filesystem::path(argv[1]) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  return 0;
}
