// LineReader: bytes as they come, cut into lines of bounded length.
//
// A line that is longer than the limit is passed over without being held, and told once. A last line may lack
// its line feed. One thread at a time.
// Private to serve/mcp/.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace knapsack::serve {

class LineReader {
 public:
  // `line` gets each line without its end ("\n" or "\r\n"); `too_long` is called for each one that is not
  // given.
  LineReader(size_t max_bytes, std::function<void(std::string_view)> line, std::function<void()> too_long)
      : max_bytes_(max_bytes), line_(std::move(line)), too_long_(std::move(too_long)) {}

  void feed(std::string_view bytes);
  // There is no more: what stands without a line feed is a line.
  void finish();

 private:
  void add(std::string_view part);
  void end_line();

  const size_t max_bytes_;
  std::function<void(std::string_view)> line_;
  std::function<void()> too_long_;
  std::string held_;
  bool passing_over_ = false;
};

}  // namespace knapsack::serve
