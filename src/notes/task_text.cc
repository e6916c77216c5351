// The texts of tasks: their tags, their titles, and what is left without them.
#include <algorithm>

#include "notes/folder.h"
#include "text/utf8.h"

namespace knapsack::notes {
namespace {

constexpr size_t kTitleCharacters = 100;

bool tag_start(std::string_view text, size_t at) {
  const bool after_space = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == '\t';
  return text[at] == '#' && after_space && at + 1 < text.size() &&
         ((text[at + 1] >= 'a' && text[at + 1] <= 'z') || (text[at + 1] >= 'A' && text[at + 1] <= 'Z'));
}

}  // namespace

std::vector<std::string> NotesFolder::not_read() const {
  std::vector<std::string> all = warnings;
  all.insert(all.end(), unrecognised.begin(), unrecognised.end());
  return all;
}

std::vector<std::string_view> tags_of(std::string_view text) {
  std::vector<std::string_view> tags;
  for (size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    if (!tag_start(text, at)) continue;
    const size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    tags.push_back(text.substr(at + 1, end - at - 1));
  }
  return tags;
}

std::string task_title(std::string_view text) {
  return shorten(without_tags(text), kTitleCharacters);
}

std::string without_tags(std::string_view text) {
  // Written in place: this runs over every byte of every task.
  std::string kept(text.size(), ' ');
  size_t size = 0;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#' && tag_start(text, at)) {
      at = std::min(text.find_first_of(" \t\n", at), text.size());
      continue;
    }
    const bool space = c == ' ' || c == '\t';
    if (!space || (size > 0 && kept[size - 1] != ' ')) kept[size++] = space ? ' ' : c;
    ++at;
  }
  while (size > 0 && (kept[size - 1] == ' ' || kept[size - 1] == '\n')) --size;
  kept.resize(size);
  return kept;
}

std::string shorten(std::string_view text, size_t max_characters) {
  std::string_view line = trim(text.substr(0, text.find('\n')));
  size_t bytes = 0, characters = 0, last_space = 0;
  while (bytes < line.size() && characters < max_characters) {
    if (line[bytes] == ' ') last_space = bytes;
    bytes += decode_code_point(line.substr(bytes)).size;
    ++characters;
  }
  if (bytes >= line.size()) return std::string(line) + (line.size() < trim(text).size() ? " …" : "");
  const size_t end = last_space > bytes / 2 ? last_space : bytes;
  return std::string(trim(line.substr(0, end))) + " …";
}

}  // namespace knapsack::notes
