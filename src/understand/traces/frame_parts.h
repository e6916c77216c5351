// What the readers of frames share: how files and functions look in traces.
//
// Private to understand/traces/. Pure functions; any thread.
#pragma once

#include <string_view>

#include "understand/traces/stack_frames.h"

namespace knapsack {

// What a trace may print as a file: a folder in it, or an extension behind it.
bool looks_like_file(std::string_view path);

StackFrame frame_of(const Place& place, std::string_view function);

// `shop::Cart::total(int)` without its arguments.
std::string_view without_arguments(std::string_view function);

}  // namespace knapsack
