#include "packet/assembly/not_read.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/escape.h"
#include "text/unicode/utf8.h"

namespace knapsack {
namespace {

constexpr size_t kMaxLines = 4;
constexpr size_t kMaxBytes = 240;

}  // namespace

PacketPreamble not_read(const std::vector<std::string>& lines) {
  PacketPreamble preamble{PreambleKind::kNotRead, "Not Read", {}};
  for (size_t i = 0; i < std::min(lines.size(), kMaxLines); ++i) {
    const std::string line = escape_control(lines[i]);
    const std::string_view first = utf8_prefix(line, kMaxBytes);
    preamble.lines.push_back(std::string(first) + (first.size() < line.size() ? "…" : ""));
  }
  if (lines.size() > kMaxLines)
    preamble.lines.push_back(fmt::format("… and {} more", lines.size() - kMaxLines));
  return preamble;
}

void say_not_read(Packet& packet, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  packet.warnings.insert(packet.warnings.end(), lines.begin(), lines.end());
  packet.preambles.push_back(not_read(lines));
}

}  // namespace knapsack
