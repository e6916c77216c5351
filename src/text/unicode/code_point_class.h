// What the pre-tokenizers need to know of a code point: one of eight classes that exclude each other.
//
// The classes are the general categories and White_Space of Unicode 16, the version of the reference
// implementation. tools/make_code_point_classes.cc writes the table, the build embeds it. Constant data; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace knapsack {

// One bit a class, so that a set of classes is a mask.
using CodePointClass = uint8_t;
inline constexpr CodePointClass kUpper = 1;           // Lu, Lt
inline constexpr CodePointClass kLower = 2;           // Ll
inline constexpr CodePointClass kCaselessLetter = 4;  // Lm, Lo
inline constexpr CodePointClass kMark = 8;            // Mn, Mc, Me
inline constexpr CodePointClass kNumber = 16;         // Nd, Nl, No
inline constexpr CodePointClass kLineBreak = 32;      // CR and LF
inline constexpr CodePointClass kBlank = 64;          // White_Space but for CR and LF
inline constexpr CodePointClass kOther = 128;         // the rest; unassigned code points too

inline constexpr CodePointClass kLetter = kUpper | kLower | kCaselessLetter;
inline constexpr CodePointClass kSpace = kLineBreak | kBlank;

// Two stages: the high bits of a code point name a block of classes, and equal blocks are stored once. The
// table is one byte a block for all of Unicode, then the distinct blocks; the first of them begins with
// ASCII.
inline constexpr size_t kClassBlockSize = 256;
inline constexpr size_t kClassBlockCount = 0x110000 / kClassBlockSize;

extern "C" __attribute__((visibility("hidden"))) const uint8_t knapsack_code_point_classes[];

inline CodePointClass class_of_ascii(char c) {
  return knapsack_code_point_classes[kClassBlockCount + static_cast<uint8_t>(c)];
}

inline CodePointClass class_of(char32_t code_point) {
  const size_t block = knapsack_code_point_classes[code_point / kClassBlockSize];
  return knapsack_code_point_classes[kClassBlockCount + block * kClassBlockSize +
                                     code_point % kClassBlockSize];
}

}  // namespace knapsack
