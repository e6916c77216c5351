// FrontMatter: the YAML between two `---` lines at the top of a memory, as values and as bytes.
//
// Reading goes through the YAML library; writing changes only the lines of the keys it is given, so comments,
// unknown keys, their order, quotes and line endings stay as they are, and the body always does. Pure
// functions; any thread.
// Private to memory/tree/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace YAML {
class Node;
}

namespace knapsack::memory {

// Longer than any front matter that a person or a program writes; YAML is slow on what is not one.
inline constexpr size_t kMaxFrontMatterBytes = size_t{64} * 1024;
// Keys, list entries and links beyond this are not read.
inline constexpr size_t kMaxFrontMatterEntries = 1000;

// Where the parts of a file lie.
struct FilePlan {
  std::string_view mark;  // a byte order mark, or nothing
  bool has_front_matter = false;
  std::string_view opening;  // the first `---` line with its line end
  std::string_view yaml;     // the lines between
  std::string_view closing;  // the second one; empty when there is none
  std::string_view body;     // the rest; all of the file when there is no front matter
};
FilePlan split_file(std::string_view file);

// One `key: value` to be set. The value is written as a YAML scalar, quoted where it must be.
struct KeyValue {
  std::string key;
  std::string value;
};

// The file with these keys set: where a key is there, its value is replaced; a new key goes last. A file
// without front matter gets one. kCorrupt when the front matter cannot be read, or is written in a way (one
// inline map) that leaves no line to change: the file is then left to its owner.
Result<std::string> with_keys(std::string_view file, const std::vector<KeyValue>& keys);

// The values between the fences. kCorrupt, with the line of the file, for what is no YAML or no map.
Result<YAML::Node> load_yaml(std::string_view yaml);

// A value as one YAML scalar on one line, quoted unless every YAML reader takes the plain form for this text.
std::string yaml_scalar(std::string_view value);

}  // namespace knapsack::memory
