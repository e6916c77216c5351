// What fits a model's window, and splitting lists so that every part does.
//
// A prompt that a server would cut is never sent: counts here are exact ones of a public tokenizer plus an
// allowance for the model's own, and room for the answer is taken off first. A list that split_batches() cut
// makes prompts that fits() accepts. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/model_client.h"

namespace knapsack::model {

// Models count by tokenizers of their own, most with smaller vocabularies than the one counted by here
// (o200k); those cut the same text into more tokens. An allowance, not a measurement: a server that still
// reports a full window is caught afterwards (ModelOutcome::kRefused).
inline constexpr uint64_t kTokenMarginPercent = 20;
// Role markers and separators that chat templates put around a system and a user text.
inline constexpr uint64_t kTemplateTokens = 64;
// Tokens do not quite add up where two texts meet.
inline constexpr uint64_t kSeamTokens = 2;

// Tokens of a text, without any margin.
uint64_t count_tokens(std::string_view text);
// The whole prompt (system, user, schema, template) with its margin, without room for the answer.
uint64_t prompt_tokens(const ChatRequest& request);
// Whether prompt and answer fit a window of so many tokens.
bool fits(const ChatRequest& request, uint64_t window);
// How many tokens of text, as count_tokens() counts, the user text may still grow by; 0 when it is full.
uint64_t room_left(const ChatRequest& request, uint64_t window);

struct Batches {
  std::vector<std::vector<size_t>> batches;  // places of the items, in order; no batch is empty
  std::vector<size_t> too_large;             // items that do not fit even alone: the caller reports them
};

// Cuts `items` (texts that the user text will list, separators included) into as few consecutive batches as
// filling each one in turn gives. `fixed_tokens` is prompt_tokens() of the request without items;
// `answer_tokens_per_item` the room that each item needs in the answer, on top of `fixed_answer_tokens`.
Batches split_batches(std::span<const std::string> items, uint64_t fixed_tokens, uint64_t window,
                      uint64_t answer_tokens_per_item, uint64_t fixed_answer_tokens = 64,
                      size_t max_items = SIZE_MAX);

}  // namespace knapsack::model
