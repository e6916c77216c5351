#include "understand/traces/stack_frames.h"

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "text/markdown/markdown_lines.h"
#include "understand/traces/frame_parts.h"
#include "understand/traces/native_frames.h"

namespace knapsack {
namespace {

using ascii::kNone;
using std::string_view;

// A longer line is a minified file or data; no language prints a frame like that.
constexpr size_t kMaxFrameBytes = 2000;
constexpr size_t kMaxLineDigits = 8;

bool ends_in(string_view path, std::initializer_list<string_view> extensions) {
  return std::any_of(extensions.begin(), extensions.end(),
                     [path](string_view extension) { return path.ends_with(extension); });
}

// `File "shop/cart.py", line 12, in total`, and IPython's `File ~/shop/cart.py:12, in total(self)`
std::optional<FrameLine> python_frame(string_view line) {
  constexpr string_view kOpening = "File ", kLine = ", line ", kIn = ", in ";
  if (!line.starts_with(kOpening)) return std::nullopt;
  line.remove_prefix(kOpening.size());
  Place place;
  size_t behind = 0;
  if (line.starts_with('"')) {
    const size_t close = line.find('"', 1);
    if (close == kNone || !line.substr(close + 1).starts_with(kLine)) return std::nullopt;
    const string_view digits = ascii::leading_digits(line.substr(close + 1 + kLine.size()));
    place = {line.substr(1, close - 1), line_number(digits)};
    behind = close + 1 + kLine.size() + digits.size();
  } else {
    behind = std::min(line.find(','), line.size());
    const auto found = read_place(line.substr(0, behind));
    if (!found) return std::nullopt;
    place = *found;
  }
  string_view function;
  if (line.substr(behind).starts_with(kIn)) function = line.substr(behind + kIn.size());
  FrameLine read{frame_of(place, without_arguments(function)), true, false, {}};
  if (place.path.starts_with('<')) read.frame = {};  // "<stdin>", "<string>": the reporter's own
  return read;
}

// pytest: `shop/cart.py:45: in total`, `tests/test_cart.py:12: AssertionError`, `tests/test_cart.py:12:`
std::optional<FrameLine> pytest_frame(string_view line) {
  const size_t end = line.find(".py:");
  if (end == kNone || line.find_first_of(" \t\"'(`") < end) return std::nullopt;
  const string_view digits = ascii::leading_digits(line.substr(end + 4));
  const size_t colon = end + 4 + digits.size();
  if (digits.empty() || colon >= line.size() || line[colon] != ':') return std::nullopt;
  string_view rest = trim(line.substr(colon + 1));
  const bool names_function = rest.starts_with("in ");
  if (names_function) rest.remove_prefix(3);
  const auto in_name = [](char c) { return ascii::is_identifier(c) || c == '.' || c == '<' || c == '>'; };
  if (!std::all_of(rest.begin(), rest.end(), in_name)) return std::nullopt;  // a message of a linter
  const Place place{line.substr(0, end + 3), line_number(digits)};
  return FrameLine{frame_of(place, names_function ? rest : string_view()), true, false, {}};
}

// "com.shop.Cart$Item.total" and "Cart.java" as com/shop/Cart.java: packages are folders and begin small.
std::string java_path(string_view function, string_view file) {
  if (const size_t module = function.rfind('/'); module != kNone) function.remove_prefix(module + 1);
  std::string path;
  for (size_t dot = function.find('.'); dot != kNone && !function.empty() && !ascii::is_upper(function[0]);
       dot = function.find('.')) {
    path.append(function.substr(0, dot)).push_back('/');
    function.remove_prefix(dot + 1);
  }
  if (function.empty() || !ascii::is_upper(function[0])) path.clear();  // no class: not a package either
  return path.append(file);
}

// `at com.shop.Cart.total(Cart.java:42)`
std::optional<FrameLine> java_frame(string_view rest) {
  const size_t open = rest.find('(');
  if (open == kNone || open == 0) return std::nullopt;
  const size_t close = rest.find(')', open);  // build tools add "~[shop.jar:1.2]"
  const string_view function = rest.substr(0, open);
  if (close == kNone || function.find_first_of(" \t") != kNone || function.find('.') == kNone)
    return std::nullopt;
  const string_view inside = rest.substr(open + 1, close - open - 1);
  FrameLine read;
  read.frame.function = std::string(function);
  if (inside == "Native Method" || inside.starts_with("Unknown Source")) return read;
  const size_t colon = std::min(inside.find(':'), inside.size());
  const string_view file = inside.substr(0, colon);
  if (!ends_in(file, {".java", ".kt", ".kts", ".scala", ".groovy", ".clj"})) return std::nullopt;
  if (file.find_first_of("/\\ ") != kNone) return std::nullopt;
  read.frame.line = colon < inside.size() ? line_number(inside.substr(colon + 1)) : 0;
  read.frame.path = java_path(function, file);
  return read;
}

// `at Shop.Cart.Total(Int32 n) in C:\src\Cart.cs:line 42`
std::optional<FrameLine> csharp_frame(string_view rest) {
  constexpr string_view kIn = " in ", kLine = ":line ";
  const size_t line_at = rest.rfind(kLine);
  const size_t open = rest.find('(');
  if (open == kNone || open == 0) return std::nullopt;
  const string_view function = rest.substr(0, open);
  if (line_at == kNone) {
    // A frame of a library: "at System.String.Parse(String text)".
    const bool named =
        rest.ends_with(')') && function.find('.') != kNone && function.find_first_of(" \t/\\:") == kNone;
    if (!named) return std::nullopt;
    return FrameLine{{"", 0, std::string(function)}, false, false, {}};
  }
  const size_t in = rest.find(kIn, open);
  if (in == kNone || in + kIn.size() > line_at) return std::nullopt;
  const Place place{rest.substr(in + kIn.size(), line_at - in - kIn.size()),
                    line_number(ascii::leading_digits(rest.substr(line_at + kLine.size())))};
  return FrameLine{frame_of(place, function), false, false, {}};
}

// What V8 brings with it: `Array.map`, `new Promise`, `Function.hasOwn`.
bool is_builtin(string_view function) {
  if (function.starts_with("new ")) function.remove_prefix(4);
  constexpr std::array<string_view, 20> kObjects = {
      "Array",  "Object", "Function",  "Promise",    "JSON",   "Reflect", "Proxy",
      "String", "Map",    "Set",       "RegExp",     "Number", "Date",    "Symbol",
      "BigInt", "Math",   "Generator", "TypedArray", "Intl",   "Iterator"};
  const string_view object = function.substr(0, function.find('.'));
  return std::find(kObjects.begin(), kObjects.end(), object) != kObjects.end();
}

// `Cart.total (/app/src/cart.js:12:5)`, `new Cart (cart.js:12:5)`, `Array.map (<anonymous>)`
std::optional<FrameLine> javascript_call(string_view rest) {
  FrameLine read;
  const size_t open = rest.rfind(" (");
  if (open == kNone || !rest.ends_with(')')) return std::nullopt;
  const string_view inside = rest.substr(open + 2, rest.size() - open - 3);
  string_view function = rest.substr(0, open);
  if (function.starts_with("async ")) function.remove_prefix(6);
  const auto place = read_place(inside);
  const bool builtin = inside == "<anonymous>" || inside == "native" || inside == "index 0";
  if ((!place || !looks_like_file(place->path)) && !builtin) return std::nullopt;
  // Words of a sentence are no function: "at the moment (see a.js:3)".
  const size_t space = function.find(' ');
  if (space != kNone && function[space + 1] != '[' && !function.starts_with("new ")) return std::nullopt;
  if (place)
    read.frame = frame_of(*place, function);
  else if (!is_builtin(function))
    read.frame.function = std::string(function);
  return read;
}

// `at Cart.total (/app/src/cart.js:12:5)`, `at async /app/src/cart.js:12:5`; Rust's `at ./src/cart.rs:42:9`
std::optional<FrameLine> javascript_frame(string_view rest) {
  FrameLine read;
  if (rest.ends_with(')')) return javascript_call(rest);
  if (rest.starts_with("async ")) rest.remove_prefix(6);
  if (rest.find(' ') != kNone) return std::nullopt;
  const auto place = read_place(rest);
  if (!place || !looks_like_file(place->path)) return std::nullopt;
  read.frame = frame_of(*place, "");
  read.wants_function = place->path.ends_with(".rs");
  return read;
}

// vitest: ` ❯ Cart.total src/cart.ts:12:5`, ` ❯ src/cart.ts:12:5`
std::optional<FrameLine> vitest_frame(string_view line) {
  constexpr string_view kArrow = "\xE2\x9D\xAF ";
  if (!line.starts_with(kArrow)) return std::nullopt;
  const string_view rest = trim(line.substr(kArrow.size()));
  if (rest.ends_with(')')) return javascript_call(rest);
  const size_t space = rest.rfind(' ');
  const auto place = read_place(rest.substr(space == kNone ? 0 : space + 1));
  if (!place || !looks_like_file(place->path)) return std::nullopt;
  return FrameLine{
      frame_of(*place, space == kNone ? string_view() : rest.substr(0, space)), false, false, {}};
}

// Firefox and Safari: `total@http://localhost:8080/src/cart.js:12:5`
std::optional<FrameLine> firefox_frame(string_view line) {
  const size_t at = line.find('@');
  if (at == kNone || line.find_first_of(" \t") != kNone) return std::nullopt;
  const auto place = read_place(line.substr(at + 1));
  if (!place || place->path.find('/') == kNone) return std::nullopt;
  return FrameLine{frame_of(*place, line.substr(0, at)), false, false, {}};
}

// `	/home/user/shop/cart.go:42 +0x1d`
std::optional<FrameLine> go_frame(string_view line) {
  const string_view place_text = line.substr(0, line.find(" +0x"));
  const auto place = read_place(place_text);
  if (!place || !place->path.ends_with(".go") || place->path.find_first_of(" \t") != kNone)
    return std::nullopt;
  return FrameLine{frame_of(*place, ""), false, true, {}};
}

// `thread 'main' panicked at 'index out of bounds', src/cart.rs:42:9`, and since 1.73
// `thread 'main' panicked at src/cart.rs:42:9:` with the message on the next line
std::optional<FrameLine> rust_panic(string_view line) {
  constexpr string_view kPanicked = " panicked at ";
  const size_t at = line.starts_with("thread '") ? line.find(kPanicked) : kNone;
  if (at == kNone) return std::nullopt;
  string_view rest = trim(line.substr(at + kPanicked.size()));
  FrameLine read;
  if (const size_t comma = rest.rfind("', "); rest.starts_with('\'') && comma != kNone && comma > 0) {
    read.message = std::string(rest.substr(1, comma - 1));
    rest.remove_prefix(comma + 3);
  } else if (rest.ends_with(':')) {
    rest.remove_suffix(1);
  }
  if (const auto place = read_place(rest)) read.frame = frame_of(*place, "");
  return read;
}

// `Shop\Cart->total(NULL)` without its arguments; `{closure:Shop\Cart::total():12}(NULL)` has brackets in its name.
string_view php_callee(string_view call) {
  const size_t braced = call.find('{');
  const size_t open = call.find('(');
  if (braced >= open) return call.substr(0, open);
  return call.substr(0, call.find('(', std::min(call.find('}', braced), call.size())));
}

// `#0 /app/src/index.php(10): Shop\Cart->total(NULL)`: line 10 calls total.
std::optional<FrameLine> php_frame(string_view rest) {
  FrameLine read;
  read.names_callee = true;
  constexpr string_view kInternal = "[internal function]";
  if (rest == "{main}") return read;
  if (rest.starts_with(kInternal)) {
    const size_t call = rest.find(": ");
    if (call != kNone) read.frame.function = std::string(php_callee(rest.substr(call + 2)));
    return read;
  }
  const size_t close = rest.find("): ");
  if (close == kNone) return std::nullopt;
  const size_t open = rest.rfind('(', close);
  if (open == kNone || !looks_like_file(rest.substr(0, open))) return std::nullopt;
  const string_view digits = rest.substr(open + 1, close - open - 1);
  if (digits.empty() || ascii::leading_digits(digits).size() != digits.size()) return std::nullopt;
  const Place place{rest.substr(0, open), line_number(digits)};
  read.frame = frame_of(place, php_callee(rest.substr(close + 3)));
  return read;
}

std::optional<FrameLine> numbered_frame(string_view line) {
  const string_view digits = ascii::leading_digits(line.substr(1));
  const string_view behind = line.substr(1 + digits.size());
  if (digits.empty() || digits.size() > kMaxLineDigits || behind.empty() || !ascii::is_blank(behind[0]))
    return std::nullopt;
  const string_view rest = trim(behind);
  if (auto read = php_frame(rest)) return read;
  return native_frame(rest);
}

// "/app/lib/cart.rb:42:in `total': undefined method `price' (NoMethodError)", "from …", "1: from …"
std::optional<FrameLine> ruby_frame(string_view line) {
  size_t in = line.find(":in `");
  if (in == kNone) in = line.find(":in '");
  if (in == kNone) return std::nullopt;
  string_view written = line.substr(0, in);
  if (const size_t from = written.find("from "); from != kNone && from <= kMaxLineDigits) {
    const string_view number = trim(written.substr(0, from));
    if (!number.empty() && !number.ends_with(':')) return std::nullopt;
    written = trim(written.substr(from + 5));
  }
  const auto place = read_place(written);
  if (!place || place->path.find_first_of(" \t\"'") != kNone) return std::nullopt;
  const string_view function = line.substr(in + 5);
  const size_t close = function.find('\'');
  if (close == kNone) return std::nullopt;
  FrameLine read{frame_of(*place, function.substr(0, close)), false, false, {}};
  const string_view behind = function.substr(close + 1);
  if (behind.starts_with(": ")) read.message = std::string(trim(behind.substr(2)));
  return read;
}

// `PHP Fatal error:  Uncaught TypeError: bad price in /app/src/Cart.php:42`, `thrown in /app/a.php on line
// 42`
std::optional<FrameLine> php_error(string_view line) {
  constexpr string_view kIn = " in ", kOnLine = " on line ";
  const size_t in = line.rfind(kIn);
  if (in == kNone) return std::nullopt;
  const string_view rest = line.substr(in + kIn.size());
  std::optional<Place> place = read_place(rest);
  if (const size_t on = rest.find(kOnLine); !place && on != kNone)
    place = Place{rest.substr(0, on), line_number(ascii::leading_digits(rest.substr(on + kOnLine.size())))};
  if (!place || !place->path.ends_with(".php") || place->path.find_first_of(" \t") != kNone)
    return std::nullopt;
  FrameLine read{frame_of(*place, ""), false, false, {}};
  const string_view before = trim(line.substr(0, in));
  constexpr std::array<string_view, 7> kOpenings = {
      "PHP ", "Fatal error:", "Warning:", "Notice:", "Uncaught", "Parse error:", "Deprecated:"};
  const bool announced = std::any_of(kOpenings.begin(), kOpenings.end(),
                                     [before](string_view opening) { return before.starts_with(opening); });
  if (before != "thrown" && !announced) return std::nullopt;
  if (announced) read.message = std::string(before);
  return read;
}

// `(shop 0.1.0) lib/shop/cart.ex:42: Shop.Cart.total/1`
std::optional<FrameLine> elixir_frame(string_view line) {
  if (line.starts_with('(')) {
    const size_t close = line.find(") ");
    if (close == kNone) return std::nullopt;
    line = trim(line.substr(close + 2));
  }
  const size_t end = line.find(": ");
  if (end == kNone) return std::nullopt;
  const auto place = read_place(line.substr(0, end));
  if (!place || !ends_in(place->path, {".ex", ".exs", ".erl"}) || place->path.find(' ') != kNone)
    return std::nullopt;
  const string_view function = trim(line.substr(end + 2));
  if (function.find(' ') != kNone) return std::nullopt;
  return FrameLine{frame_of(*place, function), false, false, {}};
}

}  // namespace

uint32_t line_number(string_view digits) {
  digits = ascii::leading_digits(digits);
  if (digits.size() > kMaxLineDigits) return 0;
  uint32_t number = 0;
  for (const char c : digits) number = number * 10 + static_cast<uint32_t>(c - '0');
  return number;
}

std::optional<Place> read_place(string_view text) {
  // From the end: a number, and perhaps another one before it, which then is the line.
  size_t number_begin = text.size();
  string_view digits;
  for (int numbers = 0; numbers < 2; ++numbers) {
    size_t begin = number_begin;
    while (begin > 0 && ascii::is_digit(text[begin - 1])) --begin;
    if (begin == number_begin || begin < 2 || text[begin - 1] != ':') break;
    digits = text.substr(begin, number_begin - begin);
    number_begin = begin - 1;
  }
  const string_view path = text.substr(0, number_begin);
  if (digits.empty() || path.empty() || path != trim(path)) return std::nullopt;
  return Place{path, line_number(digits)};
}

std::string plain_path(string_view written) {
  if (const size_t scheme = written.find("://"); scheme != kNone && scheme > 0) {
    const bool file = written.starts_with("file:");
    written.remove_prefix(scheme + 3);
    // The host goes as well; "file:///app" and "webpack:///./src" have none.
    const size_t slash = std::min(written.find('/'), written.size());
    written.remove_prefix(file && slash == 0 ? 0 : std::min(slash + 1, written.size()));
    written = written.substr(0, written.find('?'));
  }
  if (written.starts_with("package:")) written.remove_prefix(8);
  std::string path(written);
  std::replace(path.begin(), path.end(), '\\', '/');
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

std::optional<FrameLine> read_frame(string_view line) {
  line = trim(line);
  if (line.size() < 3 || line.size() > kMaxFrameBytes) return std::nullopt;
  if (line.starts_with("at ")) {
    const string_view rest = trim(line.substr(3));
    if (auto read = java_frame(rest)) return read;
    if (auto read = csharp_frame(rest)) return read;
    return javascript_frame(rest);
  }
  if (line[0] == '#') return numbered_frame(line);
  using Reader = std::optional<FrameLine> (*)(string_view);
  constexpr std::array<Reader, 10> kReaders = {python_frame, rust_panic,   ruby_frame,  go_frame,
                                               pytest_frame, vitest_frame, native_line, firefox_frame,
                                               elixir_frame, php_error};
  for (const Reader reader : kReaders)
    if (auto read = reader(line)) return read;
  return std::nullopt;
}

}  // namespace knapsack
