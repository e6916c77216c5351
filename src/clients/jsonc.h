// Where everything is in a JSON file that people write: comments, commas before a closing bracket, any white
// space, a byte order mark.
//
// The scanner says where each value stands and changes nothing, so that an editor can add to a file and leave
// every other byte as it is. What it accepts is JSON after comments and such commas are taken out; everything
// else is an error with its line. Any bytes, linear time, bounded depth. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace knapsack::clients {

inline constexpr size_t kMaxJsonDepth = 200;

struct JsonMember;

struct JsonNode {
  enum class Kind { kObject, kArray, kString, kNumber, kWord };
  Kind kind = Kind::kWord;
  size_t begin = 0, end = 0;        // bytes of the text, brackets and quotes included
  std::vector<JsonMember> members;  // of an object
  std::vector<JsonNode> elements;   // of an array

  // The last of this name: the one that counts where a name is there twice.
  const JsonNode* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;   // without quotes and escapes
  size_t begin = 0;  // of its first quote
  JsonNode value;
};

struct JsonDocument {
  bool is_blank = false;  // nothing but white space and comments
  JsonNode root;          // unless blank
};

// `name` is how messages call the file.
Result<JsonDocument> scan_jsonc(std::string_view text, std::string_view name);

// The value without comments.
nlohmann::ordered_json to_json(std::string_view text, const JsonNode& node);

// The end of the white space and comments from `at` on.
size_t skip_blank(std::string_view text, size_t at);
// The same, but not past the end of the line.
size_t skip_blank_of_line(std::string_view text, size_t at);

}  // namespace knapsack::clients
