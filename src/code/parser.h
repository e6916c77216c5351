// Parser: from one file's bytes and language to what is learnt from them.
//
// The same bytes and language give the same ParsedFile on every machine: limits on size, line length, nesting
// and parsing work depend on the bytes alone. Only the deadline reads a clock (this thread's processor time),
// as the last resort behind the work limit, and what it cuts off says so. Never recurses over input. One
// Parser a thread, reusable; it holds compiled queries and scratch space, nothing global.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "code/language.h"
#include "code/parsed_file.h"
#include "core/result.h"

namespace knapsack::code {

struct ParseLimits {
  int64_t deadline_micros = 1'000'000;
  uint32_t max_bytes = 1'000'000;
  // Deeper brackets are no hand-written code, and some grammars take quadratic time over them.
  uint32_t max_nesting = 1'000;
  // A longer line is data or minified.
  uint32_t max_line_bytes = 100'000;
  // tree-sitter's own steps for each byte, with a floor for short files; real sources stay below 2
  // (parse_bench).
  uint32_t max_steps_per_byte = 20;
};

class Parser {
 public:
  Parser();
  ~Parser();
  Parser(Parser&&) noexcept;
  Parser& operator=(Parser&&) noexcept;

  // An error only where a query file does not fit its grammar, which is our own mistake. Input cannot cause
  // one: what cannot be parsed comes back in line blocks, with the reason.
  Result<ParsedFile> parse(const Language& language, std::string_view bytes, const ParseLimits& limits = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace knapsack::code
