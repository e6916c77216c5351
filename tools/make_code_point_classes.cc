// make_code_point_classes OUTPUT: the table that src/text/unicode/code_point_class.h reads. Runs at build time.
//
// General categories come from utf8proc. The reference implementation of the BPE encodings takes its own from
// the Rust crate regex-syntax 0.8.5, which has Unicode 16, while the utf8proc of Debian 12 has Unicode 15.0.
// Unicode 15.1 and 16 changed no category that the pre-tokenizers look at but only assigned new code points,
// so the difference is the list below. A utf8proc that knows Unicode 16 makes the list idle, not wrong; one
// that knows more than 16 would be ahead of the reference, which the test against the reference would show.
#include <utf8proc.h>

#include <array>
#include <cstdio>
#include <map>
#include <vector>

#include "text/unicode/code_point_class.h"

namespace {

using namespace knapsack;
using Block = std::array<CodePointClass, kClassBlockSize>;

struct Assigned {
  char32_t first;
  char32_t last;
  CodePointClass code_point_class;
};

constexpr Assigned kAssignedAfterUnicode15[] = {
    {0x0897, 0x0897, kMark},
    {0x1C89, 0x1C89, kUpper},
    {0x1C8A, 0x1C8A, kLower},
    {0xA7CB, 0xA7CC, kUpper},
    {0xA7CD, 0xA7CD, kLower},
    {0xA7DA, 0xA7DA, kUpper},
    {0xA7DB, 0xA7DB, kLower},
    {0xA7DC, 0xA7DC, kUpper},
    {0x105C0, 0x105F3, kCaselessLetter},
    {0x10D40, 0x10D49, kNumber},
    {0x10D4A, 0x10D4F, kCaselessLetter},
    {0x10D50, 0x10D65, kUpper},
    {0x10D69, 0x10D6D, kMark},
    {0x10D6F, 0x10D6F, kCaselessLetter},
    {0x10D70, 0x10D85, kLower},
    {0x10EC2, 0x10EC4, kCaselessLetter},
    {0x10EFC, 0x10EFC, kMark},
    {0x11380, 0x11389, kCaselessLetter},
    {0x1138B, 0x1138B, kCaselessLetter},
    {0x1138E, 0x1138E, kCaselessLetter},
    {0x11390, 0x113B5, kCaselessLetter},
    {0x113B7, 0x113B7, kCaselessLetter},
    {0x113B8, 0x113C0, kMark},
    {0x113C2, 0x113C2, kMark},
    {0x113C5, 0x113C5, kMark},
    {0x113C7, 0x113CA, kMark},
    {0x113CC, 0x113D0, kMark},
    {0x113D1, 0x113D1, kCaselessLetter},
    {0x113D2, 0x113D2, kMark},
    {0x113D3, 0x113D3, kCaselessLetter},
    {0x113E1, 0x113E2, kMark},
    {0x116D0, 0x116E3, kNumber},
    {0x11BC0, 0x11BE0, kCaselessLetter},
    {0x11BF0, 0x11BF9, kNumber},
    {0x11F5A, 0x11F5A, kMark},
    {0x13460, 0x143FA, kCaselessLetter},
    {0x16100, 0x1611D, kCaselessLetter},
    {0x1611E, 0x1612F, kMark},
    {0x16130, 0x16139, kNumber},
    {0x16D40, 0x16D6C, kCaselessLetter},
    {0x16D70, 0x16D79, kNumber},
    {0x18CFF, 0x18CFF, kCaselessLetter},
    {0x1CCF0, 0x1CCF9, kNumber},
    {0x1E5D0, 0x1E5ED, kCaselessLetter},
    {0x1E5EE, 0x1E5EF, kMark},
    {0x1E5F0, 0x1E5F0, kCaselessLetter},
    {0x1E5F1, 0x1E5FA, kNumber},
    {0x2EBF0, 0x2EE5D, kCaselessLetter},
};

// White_Space has not changed since Unicode 6.3 and utf8proc does not tell it.
bool is_white_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

CodePointClass classify(char32_t c) {
  if (c == '\r' || c == '\n') return kLineBreak;
  if (is_white_space(c)) return kBlank;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return kUpper;
    case UTF8PROC_CATEGORY_LL:
      return kLower;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      return kCaselessLetter;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return kMark;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return kNumber;
    default:
      break;
  }
  for (const Assigned& range : kAssignedAfterUnicode15) {
    if (c >= range.first && c <= range.last) return range.code_point_class;
  }
  return kOther;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_code_point_classes OUTPUT\n");
    return 2;
  }
  std::vector<uint8_t> block_of;
  std::vector<Block> blocks;
  std::map<Block, uint8_t> known;
  for (size_t number = 0; number < kClassBlockCount; ++number) {
    Block block;
    for (size_t i = 0; i < block.size(); ++i) {
      block[i] = classify(static_cast<char32_t>(number * block.size() + i));
    }
    const auto [place, is_new] = known.emplace(block, static_cast<uint8_t>(blocks.size()));
    if (is_new) blocks.push_back(block);
    block_of.push_back(place->second);
  }
  if (blocks.size() > 256) {
    std::fprintf(stderr, "make_code_point_classes: %zu distinct blocks do not fit a byte\n", blocks.size());
    return 1;
  }

  std::FILE* out = std::fopen(argv[1], "wb");
  const bool written = out != nullptr &&
                       std::fwrite(block_of.data(), 1, block_of.size(), out) == block_of.size() &&
                       std::fwrite(blocks.data(), sizeof(Block), blocks.size(), out) == blocks.size();
  if (out == nullptr || std::fclose(out) != 0 || !written) {
    std::fprintf(stderr, "make_code_point_classes: cannot write %s\n", argv[1]);
    return 1;
  }
  return 0;
}
