// WordPiece: the numbers of a text's words and pieces of words in a model's vocabulary, as BERT's family counts them.
//
// The same numbers as the tokenizer that the models were trained with gives (tests/meaning has its answers for a
// thousand texts). Any bytes; pure functions of the model file; any thread.
// Private to meaning/.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "meaning/model_file.h"

namespace knapsack::meaning {

// At most `most` numbers, the first and the last of which stand for the beginning and the end. What does not fit
// is left out.
std::vector<int32_t> tokenize(const ModelFile& model, std::string_view text, size_t most);

}  // namespace knapsack::meaning
