#include "memory/tree/documents.h"

#include "text/markdown/markdown_lines.h"

namespace knapsack::memory {

WordOptions memory_words() {
  WordOptions options;
  options.stemming = Stemming::kByScript;
  return options;
}

std::vector<MemoryWord> read_memory_words(std::string_view text) {
  const WordOptions indexed = memory_words();
  WordOptions written = indexed;
  written.stemming = Stemming::kNone;
  std::vector<MemoryWord> words;
  WordReader reader(text, written);
  for (Word word; reader.next(word);) {
    const bool stemmed = word.kind == WordKind::kPlain || word.kind == WordKind::kPart;
    words.push_back({std::string(word.text),
                     std::string(stemmed ? stem(indexed.stemming, word.text) : word.text), word.begin,
                     word.end});
  }
  return words;
}

std::string_view opening_heading(std::string_view text) {
  text = trim(text);
  std::string_view line = trim(text.substr(0, text.find('\n')));
  const size_t marks = line.find_first_not_of('#');
  if (marks == 0 || marks == std::string_view::npos || line[marks] != ' ') return {};
  return trim(line.substr(marks));
}

void add_document(search::SegmentBuilder& builder, const Memory& memory) {
  const WordOptions words = memory_words();
  builder.begin_document(memory.path);
  builder.begin_unit();
  builder.add_text(kTextField, memory.text, words);
  builder.add_text(kTitleField, opening_heading(memory.text), words);
  builder.add_text(kTitleField, memory.entity, words);
  for (const std::string& tag : memory.tags) builder.add_text(kTagField, tag, words);
  builder.add_text(kPathField, memory.path, words);
}

}  // namespace knapsack::memory
