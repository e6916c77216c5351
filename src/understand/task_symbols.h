// Names of code that a text mentions: cartTotal, cart_total, Cart.total, shop::Cart, Cart#total,
// $cart->total, total(), MAX_PRICE, save!, empty?, cast/4.
//
// In sentences a name must look like one: "total" and "Cart" are words there, and names only `between
// backticks`. What looks like a name and is none (e.g., example.com, JavaScript, IDs) is left out. Linear;
// pure functions; any thread.
// Private to understand/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "understand/task_query.h"

namespace knapsack {

constexpr size_t kMaxSymbolBytes = 200;

struct SymbolMention {
  size_t begin = 0;  // where it stands in the text
  size_t end = 0;
  std::string name;     // as written, without "()", "/2" and without '$' or '@' in front; with its '!' or '?'
  std::string bare;     // the same without '!' or '?', where that may be meant too; else empty
  bool called = false;  // arguments or an arity follow
};

// The names in a text without links and paths, in its order; at most `max_symbols`. `inline_code`: the text
// is what stands between backticks.
std::vector<SymbolMention> find_symbols(std::string_view text, bool inline_code, size_t max_symbols);

}  // namespace knapsack
