#include "understand/traces/frame_name.h"

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "understand/traces/function_additions.h"

namespace knapsack {
namespace {

using ascii::kNone;
using std::string_view;

constexpr string_view kOperatorWord = "operator";

bool is_name_byte(char c) {
  return ascii::is_word(c) || c == '$';
}

bool drop_end(string_view& text, string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

// Where the bracket opens that the last byte closes; kNone for none.
size_t opening_of_last(string_view text, char open, char close) {
  size_t depth = 0;
  for (size_t at = text.size(); at-- > 0;) {
    if (text[at] == close) ++depth;
    if (text[at] == open && --depth == 0) return at;
  }
  return kNone;
}

void drop_joints(string_view& text) {
  while (!text.empty()) {
    const bool is_joint = string_view(".:#\\/").find(text.back()) != kNone;
    if (!is_joint && !text.ends_with("->")) return;
    text.remove_suffix(is_joint ? 1 : 2);
  }
}

// `Object.total [as sum]` is defined as total; where that has no name, what it was called by must do.
string_view without_alias(string_view function) {
  const size_t as = function.find(" [as ");
  if (as == kNone || !function.ends_with(']')) return function;
  const string_view before = function.substr(0, as);
  return before.ends_with('>') ? function.substr(as + 5, function.size() - as - 6) : before;
}

// Where the word `operator` begins the name of one; kNone for none.
size_t operator_in(string_view function) {
  const size_t at = function.rfind(kOperatorWord);
  const size_t end = at + kOperatorWord.size();
  const bool is_one = at != kNone && end < function.size() && !is_name_byte(function[end]) &&
                      function[end] != '.' && (at == 0 || !is_name_byte(function[at - 1]));
  return is_one ? at : kNone;
}

// `operator<< <char>(…)` as operator<<, `operator bool` as operatorbool.
std::string operator_name(string_view behind) {
  constexpr std::array<string_view, 24> kSigns = {"()", "[]", "<=>", "->*", "<<=", ">>=", "->", "<<",
                                                  ">>", "<=", ">=",  "==",  "!=",  "&&",  "||", "++",
                                                  "--", "+=", "-=",  "*=",  "/=",  "%=",  "&=", "|="};
  behind = trim(behind);
  std::string name(kOperatorWord);
  for (const string_view sign : kSigns)
    if (behind.starts_with(sign)) return name.append(sign);
  if (behind.empty() || !is_name_byte(behind[0])) return name.append(behind.substr(0, 1));
  for (const char c : behind.substr(0, behind.find_first_of("(<[")))
    if (!ascii::is_space(c)) name += c;
  return name;
}

// What C and C++ print behind the list of arguments, and that list.
string_view without_signature(string_view function) {
  constexpr std::array<string_view, 6> kBehind = {" const", " volatile", " noexcept", "&", "const", " "};
  if (const size_t clone = function.find(" [clone "); clone != kNone) function = function.substr(0, clone);
  const size_t close = function.rfind(')');
  if (close != kNone && close + 1 < function.size()) {
    string_view behind = function.substr(close + 1);
    while (
        std::any_of(kBehind.begin(), kBehind.end(), [&](string_view end) { return drop_end(behind, end); }))
      continue;
    if (behind.empty()) function = function.substr(0, close + 1);
  }
  const string_view operand = function.substr(std::min(function.size(), function.rfind(kOperatorWord)));
  if (!function.ends_with(')') || operand == "operator()") return function;
  const size_t open = opening_of_last(function, '(', ')');
  return open == kNone || open == 0 ? function : trim(function.substr(0, open));
}

void erase_between(std::string& text, string_view begin, string_view end) {
  for (size_t at = text.find(begin); at != kNone; at = text.find(begin, at)) {
    const size_t close = text.find(end, at);
    text.erase(at, close == kNone ? kNone : close + end.size() - at);
  }
}

// A lambda of C++ is named after what it is written in: `total(int)::{lambda()#1}::operator()`, `total::$_0::…`.
string_view without_lambda(string_view function) {
  for (const string_view mark : {"::{lambda", "::$_", "::'lambda"})
    if (const size_t at = function.find(mark); at != kNone) function = function.substr(0, at);
  return function;
}

// `total::{{closure}}::h0123456789abcdef`, `total::{closure#0}`
string_view without_closures(string_view function) {
  constexpr size_t kHash = 16;
  if (const size_t last = function.rfind("::h"); last != kNone && last > 0)
    if (ascii::is_lower_hex(function.substr(last + 3), kHash)) function = function.substr(0, last);
  while (function.ends_with('}')) {
    const size_t open = opening_of_last(function, '{', '}');
    if (open == kNone) return {};
    function = function.substr(0, open);
    drop_joints(function);
  }
  return function;
}

// The last name of a text, without it and what joins it to what stands before.
string_view take_last(string_view& text) {
  const size_t marks = text.ends_with('?') || text.ends_with('!') || text.ends_with('=') ? 1 : 0;  // of Ruby
  size_t begin = text.size() - marks;
  while (begin > 0 && is_name_byte(text[begin - 1])) --begin;
  if (begin + marks == text.size()) return {};
  if (begin > 0 && text[begin - 1] == '~') --begin;
  const string_view name = text.substr(begin);
  text = text.substr(0, begin);
  return name;
}

// "Cart" of `shop::Cart<T>::`, `(*Cart).`, `<shop::Cart as Display>::` and `com.shop.Pool$Lease.`
std::string owner_before(string_view text) {
  const size_t joined = text.size();
  drop_joints(text);
  if (text.size() == joined) return {};
  if (text.ends_with(')')) text = text.substr(0, text.size() - 1);
  if (text.starts_with('<') && text.ends_with('>') && opening_of_last(text, '<', '>') == 0) {
    text = text.substr(1, text.size() - 2);
    text = text.substr(0, text.find(" as "));
  }
  if (text.ends_with('>')) text = text.substr(0, std::min(opening_of_last(text, '<', '>'), text.size()));
  drop_joints(text);
  string_view last = take_last(text);
  return std::string(last.substr(std::min(last.rfind('$') + 1, last.size())));
}

// "Box.Total" of .NET's "Box`1.Total"
std::string without_arity(string_view function) {
  std::string text;
  for (size_t at = 0; at < function.size(); ++at) {
    const size_t digits = function[at] == '`' ? ascii::leading_digits(function.substr(at + 1)).size() : 0;
    if (digits > 0)
      at += digits;
    else
      text += function[at];
  }
  return text;
}

// Behind what it returns: C++ prints that of a template in front of its name.
string_view behind_result(string_view function) {
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at < function.size(); ++at) {
    const char c = function[at];
    if (c == '(' && depth == 0 && !function.substr(at).starts_with("(anonymous")) break;
    depth += c == '<' || c == '(' || c == '[' ? 1 : 0;
    depth -= (c == '>' || c == ')' || c == ']') && depth > 0 ? 1 : 0;
    if (c == ' ' && depth == 0 && at + 1 < function.size() && ascii::is_letter(function[at + 1]))
      begin = at + 1;
  }
  return function.substr(begin);
}

}  // namespace

bool FrameName::is_compound() const {
  const size_t first = name.find_first_not_of('_');
  const size_t last = name.find_last_not_of('_');
  if (first == kNone) return false;
  for (size_t at = first + 1; at < last; ++at) {
    const bool is_hump =
        ascii::is_upper(name[at]) && (!ascii::is_upper(name[at - 1]) || ascii::is_lower(name[at + 1]));
    if (name[at] == '_' || is_hump) return true;
  }
  return false;
}

bool FrameName::is_of(string_view defined) const {
  if (!name.starts_with(kOperatorWord)) return name == defined;
  std::string plain(defined);
  std::erase_if(plain, ascii::is_space);
  return name == plain;
}

FrameName name_of(const StackFrame& frame) {
  const std::string printed = without_arity(trim(frame.function));
  string_view function = without_alias(printed);
  function = function.substr(0, function.find(" in conformance "));  // Swift
  // "block in total", "anonymous fn/1 in Shop.Cart.total/1", "closure #1 in Cart.total"
  if (const size_t in = function.rfind(" in "); in != kNone) function.remove_prefix(in + 4);
  for (const string_view word : {"new ", "async "})
    if (function.starts_with(word)) function.remove_prefix(word.size());
  const std::string definition = without_additions(frame.path, function);
  std::string text(without_lambda(definition));
  erase_between(text, "[abi:", "]");
  erase_between(text, "(anonymous namespace", ")::");
  string_view rest = without_closures(without_signature(text));
  while (drop_end(rest, "/<")) continue;  // of Firefox: a function without a name in this one
  if (const size_t at = operator_in(rest); at != kNone)
    return {operator_name(rest.substr(at + kOperatorWord.size())), owner_before(rest.substr(0, at))};
  while (rest.ends_with('>') || rest.ends_with(']')) {  // `total<int>`, `Total[T]`
    const bool is_angle = rest.ends_with('>');
    const size_t open = is_angle ? opening_of_last(rest, '<', '>') : opening_of_last(rest, '[', ']');
    // "<module>", "Object.<anonymous>"
    if (open == kNone || open == 0 || rest[open - 1] == '.') return {};
    rest = trim(rest.substr(0, open));
    drop_end(rest, "::");
  }
  const string_view name = take_last(rest);
  return {std::string(name), name.empty() ? std::string() : owner_before(rest)};
}

bool is_of_runtime(const StackFrame& frame) {
  if (frame.path.starts_with("/rustc/") || frame.path.starts_with("node:")) return true;
  constexpr std::array<string_view, 18> kRoots = {"std::",          "core::",
                                                  "alloc::",        "rust_begin_unwind",
                                                  "rust_panic",     "__rust_",
                                                  "System.",        "Microsoft.",
                                                  "java.",          "javax.",
                                                  "jdk.",           "sun.",
                                                  "com.sun.",       "__libc_",
                                                  "__GI_",          "__pthread",
                                                  "__interceptor_", "BaseThreadInitThunk"};
  string_view function = behind_result(frame.function);
  // `<alloc::vec::Vec<T> as core::ops::Drop>::drop`, `<&mut std::io::Stdin as …>::read`
  for (bool any = true; any && !function.empty();) {
    any = false;
    for (const string_view mark : {"<", "&", "*", "mut ", "dyn ", "const "}) {
      if (!function.starts_with(mark)) continue;
      function.remove_prefix(mark.size());
      any = true;
    }
  }
  return function == "_start" || std::any_of(kRoots.begin(), kRoots.end(), [function](string_view root) {
           return function.starts_with(root);
         });
}

}  // namespace knapsack
