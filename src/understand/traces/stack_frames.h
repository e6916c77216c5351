// One line of a stack trace, in the ways that languages print them: Python (also pytest and IPython),
// JavaScript (V8, Firefox, vitest), Java and Kotlin, C#, Go, Rust, C and C++ (gdb, LLDB, AddressSanitizer), Swift
// (LLDB, Apple's crash reports), Ruby, PHP, Elixir, Dart.
//
// A line is read by itself, in one pass over it; what goes together is the business of understand/traces/trace_reader.h.
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "understand/traces/stack_frame.h"

namespace knapsack {

struct FrameLine {
  StackFrame frame;             // its path is empty where the line names no file ("Native Method"), also its
                                // function where it is none of a repository
  bool innermost_last = false;  // a language that prints the caller first
  bool wants_function = false;  // the function stands in the line before (Go, Rust)
  std::string message;          // what went wrong, where the frame's own line says it (Ruby, PHP, Rust)
  bool names_callee = false;    // the function is what the line calls: the frame before runs in it (PHP)
};

// Empty for a line that is no frame.
std::optional<FrameLine> read_frame(std::string_view line);

// "src/cart.cc:42:13" as path and line; empty unless the text is a path and a number, without white space
// around. A column is accepted and dropped. `text` may carry a scheme ("file:///", "webpack:///./").
struct Place {
  std::string_view path;
  uint32_t line = 0;
};
std::optional<Place> read_place(std::string_view text);

// A path as traces print it, as this project writes paths: '/' between folders, no scheme and host, no query,
// no "./" in front.
std::string plain_path(std::string_view written);

// The number that digits say; 0 for none, and for more than any file has lines.
uint32_t line_number(std::string_view digits);

}  // namespace knapsack
