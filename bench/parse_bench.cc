// What extraction costs on top of bare tree-sitter parsing, and what tree-sitter's own query cursor would
// cost instead.
//
// Sources: this project's own and its build inputs, or every file below the folder that
// KNAPSACK_BENCH_SOURCES names; and one generated file a language. Read the ratio of the two MB/s columns of
// one language.
#include <benchmark/benchmark.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "code/parse/language.h"
#include "code/parse/parser.h"
#include "code/walk/file_class.h"

namespace knapsack::code {
namespace {

namespace fs = std::filesystem;

using Corpus = std::vector<std::string>;

// Enough for a stable figure; more only takes longer.
constexpr size_t kMaxCorpusBytes = 4'000'000;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

std::map<std::string_view, Corpus> read_sources() {
  std::vector<fs::path> roots;
  if (const char* folder = std::getenv("KNAPSACK_BENCH_SOURCES"); folder != nullptr) {
    roots.emplace_back(folder);
  } else {
    roots = {fs::path(KNAPSACK_SOURCE_DIR) / "src", fs::path(KNAPSACK_SOURCE_DIR) / "tests"};
    for (const char* packages : {"deps/node_modules", "deps/test/node_modules"}) {
      if (fs::exists(fs::path(KNAPSACK_SOURCE_DIR) / packages)) {
        roots.push_back(fs::path(KNAPSACK_SOURCE_DIR) / packages);
      }
    }
  }
  std::vector<fs::path> paths;
  for (const auto& root : roots) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::canonical(root))) {
      if (entry.is_regular_file() && entry.file_size() < 1'000'000) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::map<std::string_view, Corpus> corpora;
  std::map<std::string_view, size_t> sizes;
  for (const auto& path : paths) {
    std::string bytes = read(path);
    const Language& language = detect_language(path.string(), bytes);
    if (!language.has_symbols() || sizes[language.name] > kMaxCorpusBytes) continue;
    if (is_binary(bytes) || is_minified(bytes)) continue;
    sizes[language.name] += bytes.size();
    corpora[language.name].push_back(std::move(bytes));
  }
  return corpora;
}

std::string generate(std::string_view language) {
  std::string text;
  for (int i = 0; i < 3'000; ++i) {
    const std::string n = std::to_string(i);
    if (language == "python") {
      text += "class Worker" + n + "(Base):\n    \"\"\"Does step " + n +
              ".\"\"\"\n\n    def run(self, value, limit=" + n +
              "):\n        # Kept small because callers poll.\n        result = helper(value, self.state[" +
              n + "])\n        return [transform(item) for item in result if item.ready]\n\n";
    } else if (language == "cpp") {
      text += "class Worker" + n +
              " : public Base {\n public:\n  int run(const std::string& value, int limit = " + n +
              ") {\n    // Kept small because callers poll.\n    auto result = helper(value, state_[" + n +
              "]);\n    for (const auto& item : result) total_ += item.weight() * limit;\n    return "
              "total_;\n  }\n};\n\n";
    } else {
      text +=
          "export class Worker" + n + " extends Base {\n  run(value: string, limit = " + n +
          "): number[] {\n    // Kept small because callers poll.\n    const result = helper(value, "
          "this.state[" +
          n +
          "]);\n    return result.filter((item) => item.ready).map((item) => transform(item));\n  }\n}\n\n";
    }
  }
  return text;
}

size_t total_bytes(const Corpus& corpus) {
  size_t bytes = 0;
  for (const auto& file : corpus) bytes += file.size();
  return bytes;
}

void parse_only(benchmark::State& state, const Language* language, const Corpus* corpus) {
  TSParser* parser = ts_parser_new();
  ts_parser_set_language(parser, language->grammar());
  for (auto _ : state) {
    for (const auto& bytes : *corpus) {
      ts_tree_delete(
          ts_parser_parse_string(parser, nullptr, bytes.data(), static_cast<uint32_t>(bytes.size())));
    }
  }
  ts_parser_delete(parser);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * total_bytes(*corpus)));
}

void parse_and_extract(benchmark::State& state, const Language* language, const Corpus* corpus) {
  Parser parser;
  size_t fallbacks = 0;
  for (auto _ : state) {
    for (const auto& bytes : *corpus) {
      const auto file = parser.parse(*language, bytes);
      if (!file.ok()) return state.SkipWithError(file.error().what.c_str());
      if (file->fallback != FallbackReason::kNone) ++fallbacks;
    }
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * total_bytes(*corpus)));
  state.counters["fallbacks"] = static_cast<double>(fallbacks) / static_cast<double>(state.iterations());
  state.counters["files"] = static_cast<double>(corpus->size());
}

void parse_and_query(benchmark::State& state, const Language* language, const Corpus* corpus) {
  std::string text;
  any_word(language->query, [&](std::string_view name) {
    text += embedded_query(name);
    return false;
  });
  uint32_t at = 0;
  TSQueryError error = TSQueryErrorNone;
  TSQuery* query =
      ts_query_new(language->grammar(), text.data(), static_cast<uint32_t>(text.size()), &at, &error);
  TSParser* parser = ts_parser_new();
  ts_parser_set_language(parser, language->grammar());
  TSQueryCursor* cursor = ts_query_cursor_new();
  for (auto _ : state) {
    for (const auto& bytes : *corpus) {
      TSTree* tree =
          ts_parser_parse_string(parser, nullptr, bytes.data(), static_cast<uint32_t>(bytes.size()));
      ts_query_cursor_exec(cursor, query, ts_tree_root_node(tree));
      TSQueryMatch match;
      while (ts_query_cursor_next_match(cursor, &match)) benchmark::DoNotOptimize(match);
      ts_tree_delete(tree);
    }
  }
  ts_query_cursor_delete(cursor);
  ts_parser_delete(parser);
  ts_query_delete(query);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * total_bytes(*corpus)));
}

bool register_all() {
  static std::map<std::string_view, Corpus> sources = read_sources();
  static std::map<std::string_view, Corpus> generated;
  for (const std::string_view name : {"python", "cpp", "typescript"}) generated[name] = {generate(name)};
  for (auto* corpora : {&generated, &sources}) {
    for (auto& [name, corpus] : *corpora) {
      const Language* language = find_language(name);
      const std::string tail = (corpora == &generated ? "/generated/" : "/sources/") + std::string(name);
      benchmark::RegisterBenchmark(("parse" + tail).c_str(), parse_only, language, &corpus)
          ->Unit(benchmark::kMillisecond);
      benchmark::RegisterBenchmark(("parse+extract" + tail).c_str(), parse_and_extract, language, &corpus)
          ->Unit(benchmark::kMillisecond);
      benchmark::RegisterBenchmark(("parse+query_cursor" + tail).c_str(), parse_and_query, language, &corpus)
          ->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}

const bool kRegistered = register_all();

}  // namespace
}  // namespace knapsack::code
