// embed_missing: asks for the vectors of all texts that have none yet, and keeps them as they come.
//
// Texts are asked about several at a time and written a file at a time, so that a run that ends early (the
// model is gone, the process is killed) has lost little and the next one goes on where it stopped. It knows
// no model: who embeds is a function. One thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "search/vectors/vector_store.h"

namespace knapsack::search {

// Vectors that are written at once: what a kill costs at most.
inline constexpr size_t kVectorsPerFile = 2'000;

// The vectors of texts, one after the other, as many as texts; each of the length 1.
using EmbedTexts = std::function<Result<std::vector<float>>(const std::vector<std::string>& texts)>;
// The text of a unit. kNotFound and kBusy: it is passed over.
using TextOfUnit = std::function<Result<std::string>(const VectorUnit& unit)>;

struct EmbedProgress {
  size_t done = 0;
  size_t total = 0;
};

struct EmbedLimits {
  size_t texts = 64;                // in one question to the model
  size_t bytes = size_t{1} << 18U;  // of their text together; one text that is longer goes alone
};

// Embeds what is missing. What was embedded before an error stays. How many texts were embedded.
Result<size_t> embed_missing(VectorStore& store, const std::vector<VectorUnit>& units,
                             const TextOfUnit& text_of, const EmbedTexts& embed,
                             const std::function<void(const EmbedProgress&)>& progress,
                             const EmbedLimits& limits = {});

}  // namespace knapsack::search
