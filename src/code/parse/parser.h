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

#include "code/parse/language.h"
#include "code/parse/parsed_file.h"
#include "core/result.h"

namespace knapsack::code {

struct ParseLimits {
  // For each million bytes begun. For both readings of a file that is read twice; each reading of one with opened macros has
  // its own.
  int64_t deadline_micros = 1'000'000;
  uint32_t max_bytes = 4'000'000;
  // Deeper brackets are no hand-written code, and some grammars take quadratic time over them.
  uint32_t max_nesting = 1'000;
  // A longer line is data or minified.
  uint32_t max_line_bytes = 100'000;
  // What the core may spend on each byte in one reading, beyond a fixed allowance for short files. Of 12,000 real files in
  // 20 languages none needs more than 2.6 steps, 25 characters read and 200 bytes of memory; the inputs that
  // make it slow need hundreds to thousands.
  uint64_t max_steps_per_byte = 6;
  uint64_t max_characters_per_byte = 50;
  uint64_t max_memory_per_byte = 500;
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

  // The part of it that runs a grammar, for a language that has one: everything but line count and chunks.
  // `bytes` are valid UTF-8 (repair_utf8) and within the limit of their number.
  Result<ParsedFile> read_syntax(const Language& language, std::string_view bytes,
                                 const ParseLimits& limits = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace knapsack::code
