// parse_floor FOLDER THREADS: reads and parses every source file with bare tree-sitter, and prints the
// seconds.
//
// The floor of an index: nothing can learn from these files without doing at least this. Which files count is
// what the index counts as sources.
#include <fmt/format.h>
#include <tree_sitter/api.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "code/parse/language.h"
#include "code/walk/file_class.h"

namespace fs = std::filesystem;
using namespace knapsack::code;

namespace {

std::vector<fs::path> source_files(const fs::path& root) {
  std::vector<fs::path> paths;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
    const std::string name = at->path().filename().string();
    if (name == ".git" || name == ".knapsack") {
      at.disable_recursion_pending();
    } else if (at->is_regular_file() && at->file_size() <= 1'000'000) {
      paths.push_back(at->path());
    }
  }
  return paths;
}

uint64_t parse(TSParser* parser, const fs::path& root, const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream stream;
  stream << file.rdbuf();
  const std::string bytes = stream.str();
  const std::string name = fs::relative(path, root).string();
  if (classify_file(name, bytes) != FileClass::kSource) return 0;
  const Language& language = detect_language(name, bytes);
  if (!language.has_symbols()) return 0;
  ts_parser_set_language(parser, language.grammar());
  ts_tree_delete(ts_parser_parse_string(parser, nullptr, bytes.data(), static_cast<uint32_t>(bytes.size())));
  return bytes.size();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: parse_floor FOLDER THREADS\n");
    return 2;
  }
  const fs::path root = argv[1];
  const auto paths = source_files(root);
  std::atomic<size_t> next = 0;
  std::atomic<uint64_t> bytes = 0;
  const auto began = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (int i = 0; i < std::atoi(argv[2]); ++i) {
    threads.emplace_back([&] {
      TSParser* parser = ts_parser_new();
      for (size_t at = next++; at < paths.size(); at = next++) bytes += parse(parser, root, paths[at]);
      ts_parser_delete(parser);
    });
  }
  for (auto& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  fmt::print("{:.4f} {}\n", seconds, bytes.load());
  return 0;
}
