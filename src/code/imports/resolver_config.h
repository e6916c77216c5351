// ConfigReader: configuration files of a snapshot, read once and within bounds, whatever they hold.
//
// A file that is too large, too deeply nested or malformed counts as absent and leaves a note. Used while a
// resolver is built, by one thread.
// Private to code/imports/.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "code/imports/import_resolver.h"
#include "code/imports/repository_files.h"

namespace knapsack::code {

// Real ones are a few kilobytes; the largest generated workspace files reach some hundreds.
inline constexpr size_t kMaxConfigBytes = 1'000'000;
// Real ones nest below 10.
inline constexpr size_t kMaxConfigNesting = 64;

class ConfigReader {
 public:
  ConfigReader(const RepositoryFiles& files, const ReadConfig& read) : files_(files), read_(read) {}

  std::optional<std::string> text(uint32_t file);
  // With comments and trailing commas, as tsconfig.json may have; always an object.
  std::optional<nlohmann::json> json(uint32_t file);

  void note(uint32_t file, std::string_view what);

  std::vector<uint32_t> take_files();  // in ascending order, each once
  std::vector<std::string> take_notes() { return std::move(notes_); }

 private:
  const RepositoryFiles& files_;
  const ReadConfig& read_;
  std::vector<uint32_t> read_files_;
  std::vector<std::string> notes_;
};

// JSON without comments, trailing commas and a byte order mark; the same length. Nothing where it nests
// deeper than kMaxConfigNesting.
std::optional<std::string> plain_json(std::string text);

}  // namespace knapsack::code
