#include "text/tokens/token_counter.h"

#include <array>

#include "text/tokens/bpe.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

class Chars4 final : public TokenCounter {
 public:
  constexpr ~Chars4() override {}
  std::string_view name() const override { return "chars4"; }
  uint64_t units_per_token() const override { return 4; }
  uint64_t units(std::string_view text) const override { return count_code_points(text); }
};

class Bytes4 final : public TokenCounter {
 public:
  constexpr ~Bytes4() override {}
  std::string_view name() const override { return "bytes4"; }
  uint64_t units_per_token() const override { return 4; }
  uint64_t units(std::string_view text) const override { return text.size(); }
};

class Exact final : public TokenCounter {
 public:
  constexpr Exact(std::string_view name, const BpeEncoding& encoding) : name_(name), encoding_(encoding) {}
  constexpr ~Exact() override {}

  std::string_view name() const override { return name_; }
  uint64_t units_per_token() const override { return 1; }
  uint64_t units(std::string_view text) const override { return encoding_.count(text); }
  const BpeEncoding* encoding() const override { return &encoding_; }

 private:
  std::string_view name_;
  const BpeEncoding& encoding_;
};

// Constants: usable before main begins and after it ends. For that their destructors are constexpr, and
// written out because g++ 12 does not accept a defaulted one that overrides.
constexpr Chars4 kChars4Counter;
constexpr Bytes4 kBytes4Counter;
constexpr Exact kCl100kCounter("cl100k", kCl100k);
constexpr Exact kO200kCounter("o200k", kO200k);
constexpr std::array<const TokenCounter*, 4> kCounters = {&kChars4Counter, &kBytes4Counter, &kCl100kCounter,
                                                          &kO200kCounter};

}  // namespace

Result<const TokenCounter*> find_token_counter(std::string_view name) {
  std::string known;
  for (const TokenCounter* counter : kCounters) {
    if (counter->name() == name) return counter;
    known.append(known.empty() ? "" : ", ").append(counter->name());
  }
  return Error{ErrorCode::kUsage, "unknown tokenizer '" + std::string(name) + "'", "use one of " + known};
}

std::vector<std::string> token_counter_names() {
  std::vector<std::string> names;
  names.reserve(kCounters.size());
  for (const TokenCounter* counter : kCounters) names.emplace_back(counter->name());
  return names;
}

}  // namespace knapsack
