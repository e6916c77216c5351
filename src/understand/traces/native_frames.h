// Frames of programs for a machine: gdb, LLDB, sanitizers and Apple's crash reports; also Dart's, which look like them.
//
// Such programs often know no place of a function, and print the library or the program that it is in instead: its name is
// left. Private to understand/traces/. Pure functions; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "understand/traces/stack_frames.h"

namespace knapsack {

// What follows the number: `0x55 in shop::Cart::total (this=0x0) at src/cart.cc:42` and `0x55 in total () from /lib/shop.so`
// (gdb), `0x55 in shop::Cart::total(int) /home/u/src/cart.cc:42:13` and `0x55 in total() (/bin/shop+0x1b)` (sanitizers), and
// Dart's `Cart.total (package:shop/cart.dart:42:5)`.
std::optional<FrameLine> native_frame(std::string_view rest);

// Lines without a number: `0x55 in total (n=1) at cart.c:42` and `total (n=1) at cart.c:42`, where gdb stops;
// `* frame #1: 0x55 Shop`Cart.total(self=…) at Cart.swift:42:5` (LLDB); and
// `3  Shop  0x55 closure #1 in Cart.total() + 96 (Cart.swift:42)` (Apple), with or without the address and the place.
std::optional<FrameLine> native_line(std::string_view line);

}  // namespace knapsack
