#include "store/deflate.h"

#include <zlib.h>

#include <cassert>

namespace knapsack {
namespace {

// Deflate cannot do better than this (https://zlib.net/zlib_tech.html): a damaged size must not ask for
// memory.
constexpr uint64_t kMaxRatio = 1032;

}  // namespace

std::string deflate_text(std::string_view text) {
  uLongf size = ::compressBound(text.size());
  std::string deflated(size, '\0');
  [[maybe_unused]] const int done =
      ::compress2(reinterpret_cast<Bytef*>(deflated.data()), &size,
                  reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_BEST_SPEED);
  assert(done == Z_OK);  // compressBound() made room for the worst case
  deflated.resize(size);
  return deflated;
}

std::optional<std::string> inflate_text(std::string_view deflated, int64_t size) {
  if (size < 0 || static_cast<uint64_t>(size) / kMaxRatio > deflated.size()) return std::nullopt;
  std::string text(static_cast<size_t>(size), '\0');
  uLongf written = text.size();
  const int done = ::uncompress(reinterpret_cast<Bytef*>(text.data()), &written,
                                reinterpret_cast<const Bytef*>(deflated.data()), deflated.size());
  if (done != Z_OK || written != text.size()) return std::nullopt;
  return text;
}

}  // namespace knapsack
