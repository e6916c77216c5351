// The bytes of a connection: a head is found at the same place however it is cut, and read or refused; chunks
// give the same body however they arrive, and never one beyond the limit.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "serve/http/http_chunks.h"
#include "serve/http/http_head.h"

namespace {

using namespace knapsack::serve;

constexpr size_t kMaxBody = 1000;

void read_one_head(std::string_view bytes, size_t cut) {
  const HeadScan whole = scan_head(bytes, 0);
  // What was seen in a first part need not be looked at again.
  if (const HeadScan part = scan_head(bytes.substr(0, cut), 0); part.end == HeadEnd::kMore) {
    const HeadScan rest = scan_head(bytes, cut);
    if (rest.end != whole.end || rest.size != whole.size) std::abort();
  }
  if (whole.end != HeadEnd::kFound) return;
  RequestHead head;
  if (const auto refusal = read_head(bytes.substr(0, whole.size), HttpLimits(), head)) {
    if (refusal->status < 400 || reason_phrase(refusal->status).empty()) std::abort();
    return;
  }
  if (!head.request.path.starts_with('/') || head.request.headers.size() > HttpLimits().headers) std::abort();
}

ChunkState take(std::string_view bytes, size_t step, std::string& body) {
  ChunkReader reader(kMaxBody);
  while (!bytes.empty()) {
    std::string_view input = bytes.substr(0, step);
    bytes.remove_prefix(input.size());
    const ChunkState state = reader.take(input, body);
    if (body.size() > kMaxBody) std::abort();
    if (state != ChunkState::kMore) return state;
  }
  return ChunkState::kMore;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const size_t cut = data[0] % (bytes.size() + 1);
  read_one_head(bytes, cut);
  std::string at_once, in_steps;
  const ChunkState first = take(bytes, bytes.size() + 1, at_once);
  const ChunkState second = take(bytes, 1 + cut % 7, in_steps);
  if (first != second || at_once != in_steps) std::abort();
  return 0;
}
