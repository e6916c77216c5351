#include "understand/traces/native_frames.h"

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "text/markdown/markdown_lines.h"
#include "understand/traces/frame_parts.h"

namespace knapsack {
namespace {

using ascii::kNone;
using std::string_view;

constexpr size_t kMaxFrameNumberDigits = 4;
constexpr size_t kMinAddressDigits = 4;

// What every program of a system is linked with; nothing that runs there is of a repository.
bool is_of_system(string_view binary) {
  constexpr std::array<string_view, 16> kLibraries = {
      "libc.",   "libc-",   "libm.",       "libpthread",  "libstdc++", "libc++",
      "libgcc",  "ld-",     "libsystem_",  "libdispatch", "libobjc",   "libswift",
      "libdyld", "libasan", "libclang_rt", "libubsan"};
  binary = binary.substr(binary.find_last_of("/\\") + 1);
  return std::any_of(kLibraries.begin(), kLibraries.end(),
                     [binary](string_view library) { return binary.starts_with(library); });
}

// A frame that is known by its function alone; one without anything where that is unknown as well.
FrameLine frame_in(string_view binary, string_view function) {
  FrameLine read;
  const bool is_name =
      !function.empty() && function.front() != '?' && function.front() != '<' && !function.starts_with("0x");
  if (is_name && !is_of_system(binary)) read.frame.function = std::string(function);
  return read;
}

// `total+0x1b`, `total + 96`
string_view without_offset(string_view function) {
  const size_t plus = function.rfind('+');
  if (plus == kNone || plus == 0) return function;
  const string_view offset = trim(function.substr(plus + 1));
  const bool is_offset =
      offset.starts_with("0x") || (!offset.empty() && ascii::leading_digits(offset).size() == offset.size());
  return is_offset ? trim(function.substr(0, plus)) : function;
}

// `total () from /usr/lib/shop.so`, `total() (/usr/bin/app+0x1b)`, `total(int)+0x1b (app:arm64+0x10)`, `main ()`
std::optional<FrameLine> frame_of_binary(string_view rest, bool addressed) {
  constexpr string_view kFrom = ") from ";
  if (const size_t from = rest.rfind(kFrom); from != kNone) {
    const string_view call = rest.substr(0, from + 1);
    return frame_in(rest.substr(from + kFrom.size()), without_arguments(call.substr(0, call.find(" ("))));
  }
  if (!addressed) return std::nullopt;
  size_t open = rest.find(" (/");
  if (open == kNone) open = rest.find(" (");
  const string_view binary =
      open == kNone ? string_view() : rest.substr(open + 2, rest.find('+', open) - open - 2);
  return frame_in(binary, without_arguments(without_offset(trim(rest.substr(0, open)))));
}

// `total (n=1) at src/cart.c:42`
std::optional<FrameLine> frame_at(string_view rest) {
  const size_t at = rest.rfind(" at ");
  if (at == kNone) return std::nullopt;
  const auto place = read_place(rest.substr(at + 4));
  if (!place || !looks_like_file(place->path)) return std::nullopt;
  const string_view call = rest.substr(0, at);
  return FrameLine{frame_of(*place, call.substr(0, call.find(" ("))), false, false, {}};
}

// Where gdb stops it prints a frame without a number.
std::optional<FrameLine> stopped_frame(string_view line) {
  if (line.starts_with("0x")) {
    if (line.find(" in ") == kNone) return std::nullopt;
    auto read = native_frame(line);
    const bool tells = read && (!read->frame.path.empty() || line.find(") from ") != kNone);
    return tells ? read : std::nullopt;
  }
  const size_t open = line.find(" (");
  const size_t at = line.rfind(") at ");
  if (open == kNone || open == 0 || at == kNone || at < open) return std::nullopt;
  const string_view name = line.substr(0, open);
  if (name.find(' ') != kNone || !(ascii::is_letter(name[0]) || name[0] == '_')) return std::nullopt;
  return frame_at(line);
}

// `frame #1: 0x0000000104a1b2c8 Shop`Cart.total(self=0x0600) at Cart.swift:42:12 [opt]`
std::optional<FrameLine> lldb_frame(string_view line) {
  constexpr string_view kFrame = "frame #";
  if (line.starts_with("* ")) line = trim(line.substr(2));
  if (!line.starts_with(kFrame)) return std::nullopt;
  line.remove_prefix(kFrame.size());
  const string_view digits = ascii::leading_digits(line);
  if (digits.empty() || !line.substr(digits.size()).starts_with(':')) return std::nullopt;
  const size_t tick = line.find('`');
  if (tick == kNone) return FrameLine{};
  const string_view before = line.substr(0, tick);
  const string_view binary = before.substr(before.rfind(' ') + 1);
  string_view call = trim(line.substr(tick + 1));
  while (call.ends_with(']') && call.rfind(" [") != kNone) call = trim(call.substr(0, call.rfind(" [")));
  constexpr string_view kInlined = "[inlined] ";
  if (call.starts_with(kInlined)) call.remove_prefix(kInlined.size());
  std::optional<Place> place;
  if (const size_t at = call.rfind(" at "); at != kNone) {
    place = read_place(call.substr(at + 4));
    if (place && !looks_like_file(place->path)) place.reset();
    if (place) call = call.substr(0, at);
  }
  const string_view function = without_arguments(without_offset(call));
  if (place) return FrameLine{frame_of(*place, function), false, false, {}};
  return frame_in(binary, function);
}

// How many bytes the address at the beginning has, with the blank behind it; 0 where there is none.
size_t address_size(string_view text) {
  if (!text.starts_with("0x")) return 0;
  const size_t end = std::min(text.find_first_of(" \t"), text.size());
  const string_view digits = text.substr(2, end - 2);
  const bool is_address =
      digits.size() >= kMinAddressDigits && digits.find_first_not_of("0123456789abcdefABCDEF") == kNone;
  return is_address && end < text.size() ? end + 1 : 0;
}

// `3   Shop   0x0000000104a1b2c8 closure #1 in Cart.total() + 96 (Cart.swift:42)`
std::optional<FrameLine> apple_frame(string_view line) {
  const string_view number = ascii::leading_digits(line);
  string_view rest = line.substr(number.size());
  if (number.empty() || number.size() > kMaxFrameNumberDigits || rest.empty() || !ascii::is_blank(rest[0]))
    return std::nullopt;
  rest = trim(rest);
  std::optional<Place> place;
  if (const size_t open = rest.rfind(" ("); rest.ends_with(')') && open != kNone) {
    place = read_place(rest.substr(open + 2, rest.size() - open - 3));
    if (place && !looks_like_file(place->path)) place.reset();
    if (place) rest = trim(rest.substr(0, open));
  }
  const string_view whole = rest;
  rest = without_offset(rest);
  if (rest.size() == whole.size() || whole[rest.size()] != ' ') return std::nullopt;
  // The name of a program may have blanks; without an address at least two stand behind it.
  const size_t addressed = rest.find(" 0x"), tabbed = std::min(rest.find("  "), rest.find('\t'));
  size_t end = kNone, begin = kNone;
  if (addressed != kNone && address_size(rest.substr(addressed + 1)) > 0) {
    end = addressed;
    begin = addressed + 1 + address_size(rest.substr(addressed + 1));
  } else if (tabbed != kNone) {
    end = tabbed;
    begin = rest.find_first_not_of(" \t", tabbed);
    begin += address_size(rest.substr(begin));
  } else {
    return std::nullopt;
  }
  const string_view function = trim(rest.substr(std::min(begin, rest.size())));
  if (function.starts_with("0x")) return FrameLine{};
  constexpr string_view kOpenings = "_$@-+(<";  // also of Objective-C: `-[Cart total]`
  if (function.empty() || !(ascii::is_letter(function[0]) || kOpenings.find(function[0]) != kNone))
    return std::nullopt;
  const string_view name = without_arguments(function);
  if (place) return FrameLine{frame_of(*place, name), false, false, {}};
  return frame_in(rest.substr(0, end), name);
}

}  // namespace

std::optional<FrameLine> native_frame(string_view rest) {
  bool addressed = false;
  if (rest.starts_with("0x")) {
    const size_t in = rest.find(" in ");
    if (in == kNone) return FrameLine{};
    rest = trim(rest.substr(in + 4));
    addressed = true;
  }
  if (auto read = frame_at(rest)) return read;
  if (const size_t space = rest.rfind(' '); space != kNone) {
    string_view last = rest.substr(space + 1);
    if (last.starts_with('(') && last.ends_with(')')) last = last.substr(1, last.size() - 2);
    const auto place = read_place(last);
    if (place && looks_like_file(place->path))
      return FrameLine{frame_of(*place, without_arguments(rest.substr(0, space))), false, false, {}};
  }
  if (auto read = frame_of_binary(rest, addressed)) return read;
  return std::nullopt;
}

std::optional<FrameLine> native_line(string_view line) {
  if (line.starts_with("* frame #") || line.starts_with("frame #")) return lldb_frame(line);
  if (ascii::is_digit(line[0]))
    if (auto read = apple_frame(line)) return read;
  return stopped_frame(line);
}

}  // namespace knapsack
