// How BERT's tokenizers read a text before they look up its words: one set of rules for every model of the family.
//
// Control characters go, every white space is a space, ideographs and punctuation marks stand alone, accents are
// stripped, letters are lower case. The rules are those of the tokenizer that the models were trained with, which
// knows the categories of Unicode 8: what is newer is a letter to it, and so it is here. Any bytes; pure functions;
// any thread.
// Private to meaning/.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace knapsack::meaning {

// The words of a text in its order, punctuation marks and ideographs each as one of their own. The view lasts for
// the call.
void for_each_bert_word(std::string_view text, const std::function<void(std::string_view word)>& take);

// The text as its words are cut from it.
std::string bert_normalised(std::string_view text);

// Whether it is a word of its own wherever it is.
bool is_bert_punctuation(char32_t code_point);

}  // namespace knapsack::meaning
