// Any bytes: counting agrees with encoding, units add up at line feeds, ranges count as their bytes do
// alone, and nothing crashes.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "text/tokens/bpe.h"
#include "text/tokens/range_counter.h"
#include "text/tokens/token_counter.h"
#include "text/unicode/utf8.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string clean = knapsack::replace_invalid_utf8(text);
  require(knapsack::valid_utf8(clean));
  require(knapsack::valid_utf8(text) == (clean == text));
  require(knapsack::count_code_points(clean) <= knapsack::count_code_points(text));

  for (const knapsack::BpeEncoding* encoding : {&knapsack::kCl100k, &knapsack::kO200k}) {
    const auto tokens = encoding->encode(text);
    require(encoding->count(text) == tokens.size());
    require(encoding->encode(clean) == tokens);
    require(tokens.size() <= clean.size());
  }

  const size_t line_feed = text.find('\n', size / 2);
  for (const std::string& name : knapsack::token_counter_names()) {
    const knapsack::TokenCounter& counter = **knapsack::find_token_counter(name);
    const uint64_t whole = counter.units(text);
    knapsack::RangeCounter ranges(counter);
    ranges.reset(text);
    const size_t step = size / 8 + 1;
    for (size_t begin = 0; begin <= size; begin += step) {
      for (size_t end = begin; end <= size; end += step) {
        require(ranges.tokens(begin, end) == counter.count(text.substr(begin, end - begin)));
      }
    }
    if (line_feed == std::string_view::npos) continue;
    const std::string first(text.substr(0, line_feed + 1));
    const std::string second = "x" + std::string(text.substr(line_feed + 1));
    require(counter.units(first + second) == counter.units(first) + counter.units(second));
    require(counter.to_tokens(whole) <= size);
  }
  return 0;
}
