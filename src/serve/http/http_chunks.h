// ChunkReader: a body that comes in chunks, put together under a limit.
//
// Only the form that everybody understands alike: sizes in hexadecimal digits and nothing else before the
// line's end but an extension, which is passed over; trailers are passed over too. One thread.
// Private to serve/http/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace knapsack::serve {

enum class ChunkState { kMore, kDone, kTooLarge, kMalformed };

class ChunkReader {
 public:
  explicit ChunkReader(size_t max_bytes) : max_bytes_(max_bytes) {}

  // Takes bytes from the front of `input`, all of them unless the body ends before: what is left then belongs
  // to the next request.
  ChunkState take(std::string_view& input, std::string& body);

 private:
  enum class Part { kSize, kData, kDataEnd, kTrailer };

  ChunkState end_line(const std::string& body);

  size_t max_bytes_;
  Part part_ = Part::kSize;
  std::string line_;
  uint64_t left_ = 0;  // of the chunk
  size_t trailer_bytes_ = 0;
};

}  // namespace knapsack::serve
