// Keeping a reply within its tokens, counted on the bytes that will be sent.
//
// JSON escapes cost tokens, so nobody can tell beforehand how much of a
// packet fits. Packets are made anew with another budget until what is sent fits and is well used; lists lose
// whole rows from their end. What cannot fit at all is an error reply that says what would.
#pragma once

#include <cstdint>
#include <functional>

#include "core/result.h"
#include "serve/call.h"

namespace knapsack::serve {

struct Draft {
  ToolReply reply;
  uint64_t used = 0;      // of the budget that the packet was given
  bool complete = false;  // a larger budget would show no more
};
// `for_real` is false while trying: nothing may be kept then.
using MakeDraft = std::function<Result<Draft>(uint64_t budget, bool for_real)>;

// The reply made for real with the largest budget that was found to fit.
Result<ToolReply> fit_budget(const Call& call, const MakeDraft& make);

// `make` gives the reply with the first `shown` of all rows and says how many it left out.
Result<ToolReply> fit_rows(const Call& call, size_t rows, const std::function<ToolReply(size_t shown)>& make);

// An error reply, cut to what fits; the serialised frame of the shortest one is all that may remain.
ToolReply error_reply(const Error& error, const Serialise& serialise, const TokenCounter& counter,
                      uint64_t max_tokens);

}  // namespace knapsack::serve
