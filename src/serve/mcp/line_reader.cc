#include "serve/mcp/line_reader.h"

namespace knapsack::serve {

void LineReader::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    add(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    end_line();
    bytes.remove_prefix(end + 1);
  }
}

void LineReader::finish() {
  if (!held_.empty() || passing_over_) end_line();
}

void LineReader::add(std::string_view part) {
  if (passing_over_) return;
  // One more for the carriage return that belongs to the end of the line.
  if (held_.size() + part.size() <= max_bytes_ + 1) {
    held_ += part;
    return;
  }
  passing_over_ = true;
  held_ = std::string();
}

void LineReader::end_line() {
  std::string_view line = held_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (passing_over_ || line.size() > max_bytes_) {
    too_long_();
  } else {
    line_(line);
  }
  passing_over_ = false;
  held_.clear();
  // A long line does not keep its memory.
  constexpr size_t kKeptBytes = size_t{64} << 10U;
  if (held_.capacity() > kKeptBytes) held_ = std::string();
}

}  // namespace knapsack::serve
