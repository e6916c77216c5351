#include "meaning/wordpiece.h"

#include <algorithm>
#include <string>

#include "meaning/bert_text.h"
#include "text/unicode/utf8.h"

namespace knapsack::meaning {
namespace {

constexpr std::string_view kContinued = "##";  // before a piece that does not begin a word
constexpr size_t kLongestPieceBytes = 128;     // no vocabulary has a longer one

struct SpecialWord {
  std::string_view written;
  uint32_t ModelHeader::*token;
};
// What a text may name, just as it is written here, whatever stands around it.
constexpr SpecialWord kSpecialWords[] = {{"[CLS]", &ModelHeader::begin_token},
                                         {"[SEP]", &ModelHeader::end_token},
                                         {"[UNK]", &ModelHeader::unknown_token},
                                         {"[MASK]", &ModelHeader::mask_token},
                                         {"[PAD]", &ModelHeader::padding_token}};

class TokenList {
 public:
  TokenList(const ModelFile& model, size_t most) : model_(model), most_(most) {
    tokens_.push_back(static_cast<int32_t>(model.header().begin_token));
  }

  bool full() const { return tokens_.size() + 1 >= most_; }

  void add_special(uint32_t token) {
    if (!full()) tokens_.push_back(static_cast<int32_t>(token));
  }

  // Greedy: the longest piece that the vocabulary has, again and again. A word that cannot be made up of pieces
  // is unknown as a whole.
  void add_word(std::string_view word) {
    if (full()) return;
    std::vector<int32_t> pieces;
    if (count_code_points(word) > model_.header().most_word_characters || !cut(word, pieces))
      pieces.assign(1, static_cast<int32_t>(model_.header().unknown_token));
    for (const int32_t piece : pieces) {
      if (!full()) tokens_.push_back(piece);
    }
  }

  std::vector<int32_t> finished() {
    tokens_.push_back(static_cast<int32_t>(model_.header().end_token));
    return std::move(tokens_);
  }

 private:
  bool cut(std::string_view word, std::vector<int32_t>& pieces) const {
    std::string piece;
    for (size_t at = 0; at < word.size();) {
      const std::string_view rest = word.substr(at);
      size_t length = utf8_prefix(rest, kLongestPieceBytes).size();
      int32_t found = -1;
      while (length > 0) {
        piece.assign(at == 0 ? "" : kContinued);
        piece += rest.substr(0, length);
        found = model_.find_word(piece);
        if (found >= 0) break;
        length = utf8_prefix(rest, length - 1).size();
      }
      if (found < 0) return false;
      pieces.push_back(found);
      at += length;
    }
    return true;
  }

  const ModelFile& model_;
  size_t most_;
  std::vector<int32_t> tokens_;
};

const SpecialWord* special_at(std::string_view text) {
  for (const SpecialWord& each : kSpecialWords) {
    if (text.starts_with(each.written)) return &each;
  }
  return nullptr;
}

}  // namespace

std::vector<int32_t> tokenize(const ModelFile& model, std::string_view text, size_t most) {
  TokenList tokens(model, std::min(most, size_t{model.header().positions}));
  const auto add = [&](std::string_view word) { tokens.add_word(word); };
  while (!text.empty() && !tokens.full()) {
    size_t plain = text.find('[');
    const SpecialWord* special = nullptr;
    while (plain != std::string_view::npos && (special = special_at(text.substr(plain))) == nullptr)
      plain = text.find('[', plain + 1);
    for_each_bert_word(text.substr(0, plain), add);
    if (special == nullptr) break;
    tokens.add_special(model.header().*special->token);
    text.remove_prefix(plain + special->written.size());
  }
  return tokens.finished();
}

}  // namespace knapsack::meaning
