// The texts of the project's own sources, as a benchmark's sample of real code.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace knapsack::bench {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

// In the order of their paths.
inline std::vector<std::string> project_sources() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"src", "tests", "bench", "fuzz", "tools"}) {
    const std::filesystem::path root = std::filesystem::path(KNAPSACK_SOURCE_DIR) / folder;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const std::string extension = entry.path().extension();
      if (extension == ".h" || extension == ".cc" || extension == ".py") paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(read_file(path));
  return texts;
}

}  // namespace knapsack::bench
