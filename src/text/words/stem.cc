#include "text/words/stem.h"

#include <libstemmer.h>

#include <limits>
#include <memory>

namespace knapsack {
namespace {

struct DeleteStemmer {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

// A snowball stemmer returns its own buffer, so it belongs to one thread.
class Stemmer {
 public:
  explicit Stemmer(const char* algorithm) : stemmer_(sb_stemmer_new(algorithm, nullptr)) {}

  std::string_view operator()(std::string_view word) const {
    if (!stemmer_ || word.size() > static_cast<size_t>(std::numeric_limits<int>::max())) return word;
    const auto* symbols = reinterpret_cast<const sb_symbol*>(word.data());
    const sb_symbol* stemmed = sb_stemmer_stem(stemmer_.get(), symbols, static_cast<int>(word.size()));
    if (stemmed == nullptr) return word;  // out of memory inside the library
    return {reinterpret_cast<const char*>(stemmed), static_cast<size_t>(sb_stemmer_length(stemmer_.get()))};
  }

 private:
  std::unique_ptr<sb_stemmer, DeleteStemmer> stemmer_;
};

// U+0400 to U+04FF, the Cyrillic block, has lead bytes D0 to D3 in UTF-8, and these lead nothing else.
bool has_cyrillic(std::string_view word) {
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0xD0 && byte <= 0xD3) return true;
  }
  return false;
}

std::string_view stem_english(std::string_view word) {
  thread_local const Stemmer stemmer("english");
  return stemmer(word);
}

std::string_view stem_russian(std::string_view word) {
  thread_local const Stemmer stemmer("russian");
  return stemmer(word);
}

std::string_view stem_porter(std::string_view word) {
  thread_local const Stemmer stemmer("porter");
  return stemmer(word);
}

}  // namespace

std::string_view stem(Stemming stemming, std::string_view word) {
  switch (stemming) {
    case Stemming::kNone:
      break;
    case Stemming::kByScript:
      return has_cyrillic(word) ? stem_russian(word) : stem_english(word);
    case Stemming::kEnglish:
      return stem_english(word);
    case Stemming::kRussian:
      return stem_russian(word);
    case Stemming::kPorter:
      return stem_porter(word);
  }
  return word;
}

}  // namespace knapsack
