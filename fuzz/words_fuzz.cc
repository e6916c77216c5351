// Any bytes are a text: words are valid, short enough, inside the source, and stable when read again.
#include <cstdint>
#include <cstdlib>

#include "text/words/words.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace knapsack;
  if (size == 0) return 0;
  WordOptions options;
  options.emit_parts = (data[0] & 1) != 0;
  options.emit_whole = (data[0] & 2) != 0;
  options.stemming = static_cast<Stemming>((data[0] >> 2) % 5);
  options.min_part_length = (data[0] >> 5) % 4;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  WordReader reader(text, options);
  for (Word word; reader.next(word);) {
    if (word.text.size() > kMaxWordBytes || word.begin >= word.end || word.end > text.size()) std::abort();
    if (word.kind != WordKind::kWhole) continue;
    WordOptions wholes;
    wholes.emit_parts = false;
    const auto again = words_of(word.text, wholes);
    if (again.size() != 1 || again[0] != word.text) std::abort();
  }
  return 0;
}
