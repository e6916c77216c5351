// The question that a model is asked about one file.
//
// The prompt fits the model's window and holds no secret of a known shape. A file that is too long is shown
// by its signatures and its beginning, and the prompt says so. The file's text stands between two lines that
// do not occur in it. Pure functions; any thread.
// Private to engine/recipes/code/.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "code/index/curated_rows.h"
#include "model/model_client.h"

namespace knapsack {

struct EnrichSubject {
  std::string_view path;
  std::string_view language;
  std::string_view text;
  std::span<const code::SymbolRow> symbols;
};

struct EnrichPrompt {
  model::ChatRequest request;  // without its deadline
  bool shortened = false;
  uint64_t redacted = 0;  // secrets that were taken out
};

EnrichPrompt make_enrich_prompt(const EnrichSubject& subject, uint64_t window);

}  // namespace knapsack
