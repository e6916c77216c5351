#include "memory/tree/profile.h"

#include "text/markdown/markdown_lines.h"

namespace knapsack::memory {
namespace {

// The bytes of "- ", "* ", "+ " or "12. " at the beginning of a line; 0 where none stands.
size_t marker_size(std::string_view line) {
  if (line.size() > 1 && (line[0] == '-' || line[0] == '*' || line[0] == '+') && line[1] == ' ') return 2;
  const size_t digits = line.find_first_not_of("0123456789");
  const bool numbered = digits != std::string_view::npos && digits > 0 && digits <= 9 &&
                        (line[digits] == '.' || line[digits] == ')') && digits + 1 < line.size() &&
                        line[digits + 1] == ' ';
  return numbered ? digits + 2 : 0;
}

}  // namespace

std::vector<ProfileBlock> read_profile(std::string text) {
  const MarkdownLines lines = read_lines(std::move(text));
  std::vector<ProfileBlock> blocks;
  std::string heading;
  bool open = false;    // the next line may belong to the last block
  bool bullet = false;  // … which is an item of a list
  for (const Line& line : lines) {
    if (const Heading found = heading_of(line); found.level > 0) {
      heading = found.title;
      open = false;
      continue;
    }
    if (line.blank() && !line.fenced) {
      open = open && bullet;  // a list goes on behind a blank line where the next one is indented
      continue;
    }
    if (!line.fenced && is_separator(line)) {
      open = false;
      continue;
    }
    const size_t marker = line.fenced || line.indent() > 0 ? 0 : marker_size(line.text);
    const bool continues = open && marker == 0 && (line.fenced || line.indent() > 0 || !bullet);
    if (continues) {
      blocks.back().text.append("\n").append(line.text);
      continue;
    }
    // A wrapped line of a bullet need not be indented.
    if (open && bullet && marker == 0 && !blocks.back().text.empty() && &line != lines.begin() &&
        !(&line - 1)->blank()) {
      blocks.back().text.append("\n").append(line.text);
      continue;
    }
    bullet = marker > 0;
    open = true;
    blocks.push_back({heading, std::string(line.text.substr(marker))});
  }
  return blocks;
}

}  // namespace knapsack::memory
