#include "text/toml_depth.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace knapsack {
namespace {

class DepthScanner {
 public:
  explicit DepthScanner(std::string_view text) : text_(text) {}

  bool goes_deeper_than(size_t levels) {
    while (at_ < text_.size()) {
      take(text_[at_]);
      if (header_ + depth_ > levels) return true;
    }
    return false;
  }

  // Of the first letter beyond ASCII outside of quotes and comments, as far as the scan went; 0 for none.
  size_t strange_line() const { return strange_line_; }

 private:
  void take(char c) {
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return;
    }
    if (c == '"' || c == '\'') {
      first_in_statement_ = false;
      skip_string(c);
      return;
    }
    ++at_;
    if (static_cast<unsigned char>(c) >= 0x80 && strange_line_ == 0)
      strange_line_ = 1 + static_cast<size_t>(
                              std::count(text_.begin(), text_.begin() + static_cast<ptrdiff_t>(at_), '\n'));
    if (c == '\n') {
      if (open_.size() == 1) begin_statement();
    } else if (c == '[' || c == '{') {
      // The next header takes the place of the one before.
      if (first_in_statement_ && c == '[') {
        header_ = 0;
        in_header_ = true;
      }
      open_.push_back(0);
      ++depth_;
      first_in_statement_ = false;
    } else if (c == ']' || c == '}') {
      close();
    } else if (c == '.') {
      ++open_.back();
      ++depth_;
    } else if (c == ',') {
      depth_ -= open_.back();
      open_.back() = 0;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      first_in_statement_ = false;
    }
  }

  void begin_statement() {
    depth_ = 0;
    open_.assign(1, 0);
    first_in_statement_ = true;
    in_header_ = false;
  }

  void close() {
    // Each part of its name may be the last table of a list, which is a level of its own.
    if (in_header_) header_ = std::max(header_, 2 * depth_);
    if (open_.size() == 1) return;
    depth_ -= open_.back() + 1;
    open_.pop_back();
  }

  // Behind its last quote; at the end of the line where one of a single line has none.
  void skip_string(char quote) {
    const std::string_view rest = text_.substr(at_);
    const bool several_lines = rest.size() >= 3 && rest[1] == quote && rest[2] == quote;
    at_ += several_lines ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\' && quote == '"') {
        at_ = std::min(at_ + 2, text_.size());
      } else if (!several_lines && (c == quote || c == '\n')) {
        at_ += c == quote ? 1 : 0;
        return;
      } else if (several_lines &&
                 text_.substr(at_).starts_with(std::string_view(quote == '"' ? "\"\"\"" : "'''"))) {
        at_ += 3;
        // Up to two quotes may stand before the three that end it.
        while (at_ < text_.size() && text_[at_] == quote) ++at_;
        return;
      } else {
        ++at_;
      }
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<size_t> open_ = {
      0};              // dots since the last comma, for each open bracket and the statement itself
  size_t depth_ = 0;   // all of these, and the brackets
  size_t header_ = 0;  // of the table that statements now belong to
  size_t strange_line_ = 0;
  bool first_in_statement_ = true;
  bool in_header_ = false;
};

}  // namespace

bool toml_nests_deeper_than(std::string_view text, size_t levels) {
  return DepthScanner(text).goes_deeper_than(levels);
}

std::string toml_refusal(std::string_view text, size_t levels) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  DepthScanner scanner(text);
  if (scanner.goes_deeper_than(levels)) return fmt::format("tables nest more than {} deep", levels);
  if (scanner.strange_line() == 0) return "";
  return fmt::format("line {} has a non-ASCII character outside quotes", scanner.strange_line());
}

}  // namespace knapsack
