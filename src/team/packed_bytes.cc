#include "team/packed_bytes.h"

#include <fmt/format.h>
#include <openssl/sha.h>
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <memory>

namespace knapsack::team {
namespace {

// Quick enough that a worker does not wait for it, and a third of the size all the same.
constexpr int kLevel = 6;
// How far back a match may lie: all of what it is packed from, and of itself.
constexpr int kMinWindow = 20, kMaxWindow = 30;

int window_for(size_t bytes) {
  return std::clamp(static_cast<int>(std::bit_width(bytes)) + 1, kMinWindow, kMaxWindow);
}

struct FreeCompression {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeExpansion {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

Result<std::string> pack_bytes(std::string_view bytes, std::string_view from) {
  const std::unique_ptr<ZSTD_CCtx, FreeCompression> context(ZSTD_createCCtx());
  if (!context) return Error{ErrorCode::kInternal, "out of memory while packing", ""};
  const int window = window_for(bytes.size() + from.size());
  for (const auto& [parameter, value] : {std::pair{ZSTD_c_compressionLevel, kLevel},
                                         {ZSTD_c_windowLog, window},
                                         {ZSTD_c_checksumFlag, 1},
                                         {ZSTD_c_enableLongDistanceMatching, from.empty() ? 0 : 1}}) {
    ZSTD_CCtx_setParameter(context.get(), parameter, value);
  }
  ZSTD_CCtx_refPrefix(context.get(), from.data(), from.size());
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size = ZSTD_compress2(context.get(), packed.data(), packed.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0)
    return Error{ErrorCode::kInternal, fmt::format("cannot pack bytes: {}", ZSTD_getErrorName(size)), ""};
  packed.resize(size);
  return packed;
}

Result<std::string> unpack_bytes(std::string_view packed, uint64_t size, std::string_view from) {
  const std::unique_ptr<ZSTD_DCtx, FreeExpansion> context(ZSTD_createDCtx());
  if (!context) return Error{ErrorCode::kInternal, "out of memory while unpacking", ""};
  // What the bytes themselves say of their size is checked before any memory is taken for them.
  const unsigned long long said = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (said != size)
    return Error{ErrorCode::kCorrupt, "packed bytes are not of the size that they should be", ""};
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMaxWindow);
  ZSTD_DCtx_refPrefix(context.get(), from.data(), from.size());
  std::string bytes(size, '\0');
  const size_t done =
      ZSTD_decompressDCtx(context.get(), bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(done) != 0 || done != size)
    return Error{ErrorCode::kCorrupt, "packed bytes are damaged", ""};
  return bytes;
}

std::string content_name(std::string_view bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest);
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace knapsack::team
