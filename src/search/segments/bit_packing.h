// Bit packing: 128 numbers in as few bits each as the largest needs.
//
// Number i lies in lane i % 4 of 32-bit words, so that four neighbours are unpacked by the same shift: plain
// code that compilers turn into vector instructions on every machine we build for.
// Private to search/segments/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace knapsack::search {

constexpr size_t kBlockSize = 128;

// How many bits the largest of 128 numbers needs, 0 to 32.
int bits_needed(const uint32_t* numbers);
// How many bytes 128 numbers take at this width.
constexpr size_t packed_size(int bits) {
  return kBlockSize / 8 * static_cast<size_t>(bits);
}
// Appends packed_size(bits) bytes. Every number must fit.
void pack(const uint32_t* numbers, int bits, std::string& out);
// Reads packed_size(bits) bytes, whatever they hold; bits must be 0 to 32.
void unpack(const char* packed, int bits, uint32_t* numbers);

}  // namespace knapsack::search
