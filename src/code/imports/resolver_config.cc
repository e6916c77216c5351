#include "code/imports/resolver_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "code/parse/source_text.h"
#include "core/escape.h"
#include "text/parse_json.h"

namespace knapsack::code {

std::optional<std::string> ConfigReader::text(uint32_t file) {
  read_files_.push_back(file);
  std::optional<std::string> bytes = read_(file);
  if (!bytes) {
    note(file, "cannot be read");
    return std::nullopt;
  }
  if (bytes->size() > kMaxConfigBytes) {
    note(file, "is larger than " + std::to_string(kMaxConfigBytes) + " bytes");
    return std::nullopt;
  }
  return bytes;
}

std::optional<nlohmann::json> ConfigReader::json(uint32_t file) {
  std::optional<std::string> bytes = text(file);
  if (!bytes) return std::nullopt;
  const std::optional<std::string> plain = plain_json(std::move(*bytes));
  if (!plain) {
    note(file, "nests too deep");
    return std::nullopt;
  }
  nlohmann::json value = parse_json(*plain);
  if (!value.is_object()) {
    note(file, "is not a JSON object");
    return std::nullopt;
  }
  return value;
}

void ConfigReader::note(uint32_t file, std::string_view what) {
  notes_.push_back(escape_control(files_.path(file)) + " " + std::string(what) +
                   "; imports are resolved without it");
}

std::vector<uint32_t> ConfigReader::take_files() {
  std::sort(read_files_.begin(), read_files_.end());
  read_files_.erase(std::unique(read_files_.begin(), read_files_.end()), read_files_.end());
  return std::move(read_files_);
}

std::optional<std::string> plain_json(std::string text) {
  const auto blank = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
  };
  if (text.starts_with("\xEF\xBB\xBF")) blank(0, 3);
  size_t depth = 0;
  size_t comma = std::string::npos;  // the last one with nothing but white space and comments behind it
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
    } else if (c == '/' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '*')) {
      const bool is_line = text[i + 1] == '/';
      size_t end = text.find(is_line ? "\n" : "*/", i + 2);
      end = end == std::string::npos ? text.size() : end + (is_line ? 0 : 2);
      blank(i, end);
      i = end - 1;
      continue;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxConfigNesting) return std::nullopt;
    } else if (c == '}' || c == ']') {
      if (comma != std::string::npos) text[comma] = ' ';
      if (depth > 0) --depth;
    }
    if (c == ',') {
      comma = i;
    } else if (!is_space(c)) {
      comma = std::string::npos;
    }
  }
  return text;
}

}  // namespace knapsack::code
