#include "model/chat/batches.h"

#include "text/tokens/token_counter.h"

namespace knapsack::model {
namespace {

const TokenCounter& counter() {
  static const TokenCounter* const exact = find_token_counter("o200k").value();
  return *exact;
}

uint64_t with_margin(uint64_t tokens) {
  return tokens + (tokens * kTokenMarginPercent + 99) / 100;
}

}  // namespace

uint64_t count_tokens(std::string_view text) {
  return counter().count(text);
}

uint64_t prompt_tokens(const ChatRequest& request) {
  const std::string schema = request.schema.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return with_margin(count_tokens(request.system) + count_tokens(request.user) + count_tokens(schema) +
                     kTemplateTokens);
}

bool fits(const ChatRequest& request, uint64_t window) {
  return request.answer_tokens < window && prompt_tokens(request) <= window - request.answer_tokens;
}

uint64_t room_left(const ChatRequest& request, uint64_t window) {
  const uint64_t taken = prompt_tokens(request) + request.answer_tokens;
  if (taken >= window) return 0;
  // What remains holds the text, its margin and the seam.
  const uint64_t tokens = (window - taken) * 100 / (100 + kTokenMarginPercent);
  return tokens > kSeamTokens ? tokens - kSeamTokens : 0;
}

Batches split_batches(std::span<const std::string> items, uint64_t fixed_tokens, uint64_t window,
                      uint64_t answer_tokens_per_item, uint64_t fixed_answer_tokens, size_t max_items) {
  Batches result;
  std::vector<size_t> open;
  uint64_t taken = 0;
  const uint64_t fixed = fixed_tokens + fixed_answer_tokens;
  for (size_t i = 0; i < items.size(); ++i) {
    const uint64_t cost = with_margin(count_tokens(items[i]) + kSeamTokens) + answer_tokens_per_item;
    if (fixed + cost > window || max_items == 0) {
      result.too_large.push_back(i);
      continue;
    }
    if (!open.empty() && (fixed + taken + cost > window || open.size() >= max_items)) {
      result.batches.push_back(std::move(open));
      open.clear();
      taken = 0;
    }
    open.push_back(i);
    taken += cost;
  }
  if (!open.empty()) result.batches.push_back(std::move(open));
  return result;
}

}  // namespace knapsack::model
