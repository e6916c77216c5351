#include "understand/traces/function_additions.h"

#include <algorithm>
#include <initializer_list>

#include "core/ascii.h"

namespace knapsack {
namespace {

using ascii::kNone;
using std::string_view;

// Behind the package of `github.com/shop/cart.(*Cart).Total.func2.1` only methods and functions are joined by dots;
// func2, gowrap1 and numbers are what the compiler calls parts of them.
std::string go_definition(string_view function) {
  std::string text;
  int depth = 0;
  for (const char c : function) {  // `List[...]`
    if (c == '[') ++depth;
    if (depth == 0) text += c;
    if (c == ']' && depth > 0) --depth;
  }
  string_view rest = text;
  rest = rest.substr(0, rest.find("\xC2\xB7"));  // "·dwrap·1"
  if (rest.ends_with("-fm")) rest.remove_suffix(3);
  const size_t slash = rest.rfind('/');
  const size_t package = rest.find('.', slash == kNone ? 0 : slash);
  if (package == kNone) return std::string(rest);
  rest.remove_prefix(package + 1);
  if (rest.starts_with("glob.")) return {};  // in a variable of the package
  // The first part is a function, or the receiver of the second.
  size_t end = rest.find('.', rest.starts_with('(') ? std::min(rest.find(").") + 2, rest.size()) : 0);
  const auto is_made = [](string_view part) {
    for (const string_view word : {"func", "gowrap", "deferwrap"})
      if (part.starts_with(word)) part.remove_prefix(word.size());
    part = part.substr(0, part.find("-range"));
    return ascii::leading_digits(part).size() == part.size();
  };
  while (end != kNone) {
    const size_t next = rest.find('.', end + 1);
    if (is_made(rest.substr(end + 1, next == kNone ? kNone : next - end - 1))) {
      rest = rest.substr(0, end);
      break;
    }
    end = next;
  }
  return std::string(rest.substr(0, rest.find("-range")));
}

// `{closure:Shop\Cart::total():12}` is written in total; a closure of which no more is told, in nobody knows what.
string_view php_definition(string_view function) {
  constexpr string_view kWithin = "{closure:";
  if (const size_t within = function.find(kWithin); within != kNone) {
    function.remove_prefix(within + kWithin.size());
    const size_t end = function.find("()");
    return end == kNone ? string_view() : function.substr(0, end);
  }
  return function.find("{closure") == kNone ? function : string_view();
}

// `Cart.lambda$total$0`, `Cart$total$1.invoke`, `Cart.<init>`
std::string jvm_definition(string_view function) {
  constexpr string_view kStarter = ".<init>";
  if (function.ends_with(kStarter)) {
    function.remove_suffix(kStarter.size());
    const string_view type = function.substr(std::min(function.find_last_of(".$") + 1, function.size()));
    return std::string(function) + "." + std::string(type);
  }
  if (const size_t dot = function.rfind('.'); dot != kNone) {
    const string_view method = function.substr(dot + 1), type = function.substr(0, dot);
    const size_t number = type.find_last_not_of("0123456789");
    const bool is_closure = number != kNone && number + 1 < type.size() && type[number] == '$';
    if (is_closure && (method == "invoke" || method == "invokeSuspend")) {
      std::string written_in(type.substr(0, number));
      if (const size_t made = written_in.rfind('$'); made != kNone) written_in[made] = '.';
      return written_in;
    }
  }
  for (const string_view mark : {"lambda$", "$anonfun$", "access$"}) {
    const size_t at = function.find(mark);
    if (at == kNone) continue;
    const string_view name = function.substr(at + mark.size());
    return std::string(function.substr(0, at)) + std::string(name.substr(0, name.find('$')));
  }
  const size_t dot = function.rfind('.');
  const size_t made = function.find('$', dot == kNone ? 1 : dot + 2);  // "total$default"
  const string_view behind = made == kNone ? string_view() : function.substr(made + 1);
  if (dot != kNone && (behind.starts_with("default") || behind.starts_with("lambda")))
    function = function.substr(0, made);
  return std::string(function);
}

// `Cart.<Total>d__3.MoveNext`, `Cart..ctor`
std::string csharp_definition(string_view function) {
  const size_t open = function.rfind('<'), close = function.find('>', open == kNone ? 0 : open);
  if (open != kNone && close != kNone && close > open + 1 && function.find("__", close) != kNone)
    return std::string(function.substr(0, function.find('<'))).append(function, open + 1, close - open - 1);
  constexpr string_view kConstructor = "..ctor";
  if (function.ends_with(kConstructor)) {
    function.remove_suffix(kConstructor.size());
    const string_view type = function.substr(std::min(function.rfind('.') + 1, function.size()));
    return std::string(function) + "." + std::string(type);
  }
  return std::string(function);
}

// "Cart.total.getter" of Swift's properties
string_view swift_definition(string_view function) {
  for (const string_view accessor : {".getter", ".setter", ".modify", ".didset", ".willset"})
    if (function.ends_with(accessor)) function.remove_suffix(accessor.size());
  return function;
}

// A frame without a file has the language of what only that language adds.
std::string definition_without_file(string_view function) {
  const auto has = [&](string_view mark) { return function.find(mark) != kNone; };
  if (has("..ctor") || has(">d__") || has(">b__") || has(">g__") || has("<>c"))
    return csharp_definition(function);
  if (has("$") || has(".<init>")) return jvm_definition(function);
  return std::string(swift_definition(function));
}

bool ends_in_any(string_view path, std::initializer_list<string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [path](string_view each) { return path.ends_with(each); });
}

}  // namespace

std::string without_additions(string_view path, string_view function) {
  if (path.empty()) return definition_without_file(function);
  if (ends_in_any(path, {".go"})) return go_definition(function);
  if (ends_in_any(path, {".php"})) return std::string(php_definition(function));
  if (ends_in_any(path, {".java", ".kt", ".kts", ".scala", ".groovy"})) return jvm_definition(function);
  if (ends_in_any(path, {".cs"})) return csharp_definition(function);
  if (ends_in_any(path, {".swift"})) return std::string(swift_definition(function));
  // "Shop.Cart.total/1"
  if (ends_in_any(path, {".ex", ".exs", ".erl"})) return std::string(function.substr(0, function.find('/')));
  if (ends_in_any(path, {".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp"})) {
    for (const string_view mark :
         {".constprop.", ".part.", ".isra.", ".cold", ".llvm."})  // of the linker's names
      function = function.substr(0, function.find(mark));
  }
  // "Cart.total.<anonymous closure>"
  if (ends_in_any(path, {".dart"})) return std::string(function.substr(0, function.find(".<")));
  return std::string(function);
}

}  // namespace knapsack
