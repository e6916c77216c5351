#include "serve/reply_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "text/unicode/utf8.h"

namespace knapsack::serve {
namespace {

// The first guess: a frame of some tokens, and a text whose line breaks are escaped. Measured on packets of code, it
// takes 1.05 to 1.3 times the tokens of the text itself.
constexpr uint64_t kFrameGuess = 80;
constexpr double kEscapedGuess = 1.2;
// A reply this full is not worth another try.
constexpr double kFullEnough = 0.95;
// Packing is in steps: aim a little below what would just fit.
constexpr double kAim = 0.985;
constexpr int kMaxTries = 6;
// Files that change between trying and doing are rare; changing each time is not an agent's workspace.
constexpr int kMaxDeeds = 3;

Error too_small(uint64_t max_tokens, uint64_t needed) {
  return {ErrorCode::kUsage, fmt::format("max_tokens {} is too small for the shortest reply", max_tokens),
          fmt::format("give at least {}", needed)};
}

// What the reply would count without its text.
uint64_t frame_of(const Call& call, const ToolReply& reply) {
  ToolReply bare = reply;
  bare.text.clear();
  bare.structured["text"] = "";
  return call.tokens_of(bare);
}

// Warnings are worth more than the last rows of a packet and less than having any reply.
enum class Warnings { kShown, kCounted };

ToolReply with(Warnings warnings, ToolReply reply) {
  const auto shown = reply.structured.find("warnings");
  if (warnings == Warnings::kShown || shown == reply.structured.end() || shown->empty()) return reply;
  *shown = Json::array({fmt::format("{} left out", shown->size())});
  return reply;
}

class BudgetSearch {
 public:
  BudgetSearch(const Call& call, const MakeDraft& make, Warnings warnings)
      : call_(call), make_given_(make), warnings_(warnings), max_(call.max_tokens()) {}

  Result<ToolReply> run() {
    KNAPSACK_CHECK(find_budget());
    uint64_t budget = best_;
    for (int deed = 0; deed < kMaxDeeds; ++deed) {
      KNAPSACK_CHECK(check_wanted());
      KNAPSACK_TRY(Draft done, make(budget, true));
      size_ = call_.tokens_of(done.reply);
      if (size_ <= max_) return std::move(done.reply);
      budget = budget * 9 / 10;
    }
    return too_small(max_, size_);
  }

  // Why run() failed: even a packet of nothing is too large.
  bool nothing_fits() const { return nothing_fits_; }

 private:
  Result<Draft> make(uint64_t budget, bool for_real) const {
    KNAPSACK_TRY(Draft draft, make_given_(budget, for_real));
    draft.reply = with(warnings_, std::move(draft.reply));
    return draft;
  }

  // Sets best_: a budget whose reply fits.
  Status find_budget() {
    uint64_t budget = max_ <= kFrameGuess ? 0 : scaled(max_ - kFrameGuess, 1 / kEscapedGuess);
    bool found = false;
    for (int tries = 0; tries < kMaxTries; ++tries) {
      KNAPSACK_CHECK(check_wanted());
      KNAPSACK_TRY(const Draft draft, make(budget, false));
      size_ = call_.tokens_of(draft.reply);
      if (size_ <= max_) {
        best_ = found ? std::max(best_, budget) : budget;
        found = true;
        if (draft.complete || static_cast<double>(size_) >= kFullEnough * static_cast<double>(max_)) break;
      } else {
        // With no less than it used, it would come out the same.
        over_ = std::min({over_, budget, draft.used});
      }
      const uint64_t next = next_budget(draft, tries);
      if (next == budget || (found && next <= best_)) break;
      budget = next;
    }
    return found ? ok_status() : check_empty();
  }

  static uint64_t scaled(uint64_t tokens, double by) {
    return static_cast<uint64_t>(static_cast<double>(tokens) * by);
  }

  uint64_t next_budget(const Draft& draft, int tries) const {
    const uint64_t frame = frame_of(call_, draft.reply);
    if (frame >= max_ || over_ == 0) return 0;
    const double each = static_cast<double>(size_ > frame ? size_ - frame : 1) /
                        static_cast<double>(std::max<uint64_t>(1, draft.used));
    uint64_t next = scaled(max_ - frame, kAim / std::max(each, 1.0));
    // After some tries that were all over, the estimate is no good here: halving always ends.
    if (size_ > max_ && tries >= kMaxTries / 2) next = std::min(next, over_ / 2);
    return std::min(next, over_ - 1);
  }

  Status check_empty() {
    KNAPSACK_TRY(const Draft draft, make(0, false));
    size_ = call_.tokens_of(draft.reply);
    nothing_fits_ = size_ > max_;
    if (nothing_fits_) return too_small(max_, size_);
    best_ = 0;
    return ok_status();
  }

  Status check_wanted() const {
    if (!call_.caller.stop.stop_requested()) return ok_status();
    return Error{ErrorCode::kStopped, "the call was cancelled", ""};
  }

  const Call& call_;
  const MakeDraft& make_given_;
  const Warnings warnings_;
  const uint64_t max_;
  uint64_t best_ = 0;
  uint64_t over_ = std::numeric_limits<uint64_t>::max();  // the smallest budget that is known to be too much
  uint64_t size_ = 0;
  bool nothing_fits_ = false;
};

Result<ToolReply> search_rows(const Call& call, size_t rows,
                              const std::function<ToolReply(size_t shown)>& make_given, Warnings warnings) {
  const uint64_t max = call.max_tokens();
  const auto make = [&](size_t shown) { return with(warnings, make_given(shown)); };
  ToolReply reply = make(rows);
  uint64_t size = call.tokens_of(reply);
  if (size <= max) return reply;
  // `fits` rows fit, or are none; `over` rows do not.
  size_t fits = 0;
  size_t over = rows;
  std::optional<ToolReply> best;
  while (fits < over) {
    const size_t middle = fits + (over - fits) / 2;
    reply = make(middle);
    size = call.tokens_of(reply);
    if (size <= max) {
      best = std::move(reply);
      fits = middle + 1;
    } else {
      over = middle;
    }
  }
  if (best) return *std::move(best);
  return too_small(max, size);
}

}  // namespace

Result<ToolReply> fit_budget(const Call& call, const MakeDraft& make) {
  BudgetSearch search(call, make, Warnings::kShown);
  auto reply = search.run();
  if (reply.ok() || !search.nothing_fits()) return reply;
  return BudgetSearch(call, make, Warnings::kCounted).run();
}

Result<ToolReply> fit_rows(const Call& call, size_t rows,
                           const std::function<ToolReply(size_t shown)>& make) {
  auto reply = search_rows(call, rows, make, Warnings::kShown);
  return reply.ok() ? reply : search_rows(call, rows, make, Warnings::kCounted);
}

ToolReply error_reply(const Error& error, const Serialise& serialise, const TokenCounter& counter,
                      uint64_t max_tokens) {
  ToolReply reply{error.line(), nullptr, true, error.code, error.next};
  while (counter.count(serialise(reply)) > max_tokens && !reply.text.empty()) {
    reply.text = utf8_prefix(reply.text, reply.text.size() / 2);
  }
  return reply;
}

}  // namespace knapsack::serve
