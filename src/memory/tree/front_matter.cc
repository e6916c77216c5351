#include "memory/tree/front_matter.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "text/json_text.h"

namespace knapsack::memory {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The first line of a text with its line end.
std::string_view first_line(std::string_view text) {
  const size_t end = text.find('\n');
  return text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
}

std::string_view without_trailing_space(std::string_view line) {
  const size_t last = line.find_last_not_of(" \t\r\n");
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

bool is_fence(std::string_view line) {
  return without_trailing_space(line) == "---";
}

// YAML also ends a document with three dots.
bool is_closing_fence(std::string_view line) {
  return is_fence(line) || without_trailing_space(line) == "...";
}

}  // namespace

FilePlan split_file(std::string_view file) {
  FilePlan plan;
  std::string_view rest = file;
  if (rest.starts_with(kByteOrderMark)) {
    plan.mark = rest.substr(0, kByteOrderMark.size());
    rest.remove_prefix(kByteOrderMark.size());
  }
  const std::string_view opening = first_line(rest);
  plan.body = rest;
  if (!is_fence(opening)) return plan;
  plan.has_front_matter = true;
  plan.opening = opening;
  const std::string_view inside = rest.substr(opening.size());
  for (std::string_view left = inside; !left.empty();) {
    const std::string_view line = first_line(left);
    if (is_closing_fence(line)) {
      plan.yaml = inside.substr(0, inside.size() - left.size());
      plan.closing = line;
      plan.body = left.substr(line.size());
      return plan;
    }
    left.remove_prefix(line.size());
  }
  return plan;
}

Result<YAML::Node> load_yaml(std::string_view yaml) {
  const auto broken = [](std::string what) {
    return Error{ErrorCode::kCorrupt, std::move(what), "correct the lines between the --- lines"};
  };
  if (yaml.size() > kMaxFrontMatterBytes) {
    return broken(fmt::format("the front matter has more than {} bytes", kMaxFrontMatterBytes));
  }
  try {
    YAML::Node root = YAML::Load(std::string(yaml));
    if (!root.IsMap() && !root.IsNull()) return broken("the front matter is not a list of keys and values");
    if (root.size() > kMaxFrontMatterEntries) {
      return broken(fmt::format("the front matter has more than {} keys", kMaxFrontMatterEntries));
    }
    return root;
  } catch (const YAML::Exception& error) {
    // The opening fence is line 1 of the file; the library counts from zero after it.
    return broken(fmt::format("the front matter is broken in line {}: {}", error.mark.line + 2, error.msg));
  }
}

std::string yaml_scalar(std::string_view value) {
  constexpr std::array<std::string_view, 9> kWords = {"true", "false", "null", "yes", "no",
                                                      "on",   "off",   "y",    "n"};
  const auto plain = [](char c) {
    return ascii::is_identifier(c) || c == '.' || c == '-' || c == '/' || c == ':' || c == '+' || c == ' ';
  };
  const bool safe = !value.empty() && ascii::is_identifier(value.front()) &&
                    (ascii::is_identifier(value.back()) || value.back() == '.') &&
                    std::all_of(value.begin(), value.end(), plain) &&
                    value.find(": ") == std::string_view::npos &&
                    std::find(kWords.begin(), kWords.end(), ascii::lower(value)) == kWords.end();
  return safe ? std::string(value) : json_string(value);
}

}  // namespace knapsack::memory
