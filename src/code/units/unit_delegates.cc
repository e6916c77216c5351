#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "code/units/unit_signals.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

// A longer function does something itself.
constexpr uint32_t kLongestDelegate = 6;
// A name that more functions have says nothing about which of them is called.
constexpr size_t kMostOfOneName = 2;

class Delegates {
 public:
  explicit Delegates(const UnitInput& input) : input_(input) {
    for (size_t i = 0; i < input.units.size(); ++i)
      if (input.unit(i).kind == UnitKind::kFunction) by_name_[input.unit(i).name].push_back(i);
  }

  UnitScores scores(const NameSignals& names, const UnitConstants& constants) const {
    UnitScores scores(input_.units.size());
    for (size_t i = 0; i < input_.units.size(); ++i) {
      if (names.name[i] < 1 && names.dotted[i] < 1) continue;
      for (const size_t called : called_of(i)) {
        // What it has by its own name counts once.
        const double gained = constants.name * std::max(0.0, names.name[i] - names.name[called]) +
                              constants.dotted * std::max(0.0, names.dotted[i] - names.dotted[called]);
        scores[called] = std::max(scores[called], gained);
      }
    }
    return scores;
  }

 private:
  // The functions that it hands its work to; none if it does anything else.
  std::vector<size_t> called_of(size_t number) const {
    const Unit& unit = input_.unit(number);
    if (unit.kind != UnitKind::kFunction || unit.symbol == kNoSymbol) return {};
    const OpenFile& file = input_.file_of(number);
    const Symbol& symbol = file.symbols[static_cast<size_t>(unit.symbol)].symbol;
    // What documents it, inside of it, says what it does and does nothing.
    const bool has_docstring =
        symbol.doc_start_line > symbol.start_line && symbol.doc_end_line <= symbol.end_line;
    const LineRange docstring = has_docstring ? LineRange{symbol.doc_start_line, symbol.doc_end_line}
                                              : LineRange{symbol.end_line + 1, symbol.end_line};
    const uint32_t documented = docstring.last + 1 - docstring.first;
    if (symbol.end_line - symbol.start_line + 1 - documented > kLongestDelegate) return {};
    std::set<std::string_view> called;
    add_called({symbol.start_line, docstring.first - 1}, number, called);
    add_called({docstring.last + 1, symbol.end_line}, number, called);
    const auto found = called.size() == 1 ? by_name_.find(*called.begin()) : by_name_.end();
    if (found == by_name_.end()) return {};
    // Those of its own type are meant rather than others of that name.
    std::vector<size_t> meant;
    std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(meant),
                 [&](size_t each) { return type_of(each) == type_of(number); });
    if (meant.empty()) meant = found->second;
    return meant.size() > kMostOfOneName ? std::vector<size_t>() : meant;
  }

  void add_called(LineRange lines, size_t number, std::set<std::string_view>& called) const {
    const std::string_view text = input_.file_of(number).lines.lines(lines);
    for (size_t at = 0; at < text.size();) {
      if (!ascii::is_identifier(text[at])) {
        ++at;
        continue;
      }
      size_t end = at;
      while (end < text.size() && ascii::is_identifier(text[end])) ++end;
      const std::string_view name = text.substr(at, end - at);
      const bool is_called = text.substr(behind_types(text, end)).starts_with('(');
      if (is_called && does_work(text.substr(0, at), name) && name != input_.unit(number).name)
        called.insert(name);
      at = end;
    }
  }

  // `typeof(T)` and `new Rows(…)` are what is handed on.
  static bool does_work(std::string_view before, std::string_view name) {
    constexpr std::string_view kNone[] = {"typeof", "nameof", "sizeof", "default", "if", "return"};
    if (std::find(std::begin(kNone), std::end(kNone), name) != std::end(kNone)) return false;
    before = ascii::trim_space(before);
    return !before.ends_with("new") || (before.size() > 3 && ascii::is_identifier(before[before.size() - 4]));
  }

  // Behind `<T>` or `::<T>` of a call; where it was, if none stands there.
  static size_t behind_types(std::string_view text, size_t at) {
    constexpr size_t kLongest = 200;
    size_t end = text.substr(at).starts_with("::<") ? at + 2 : at;
    if (!text.substr(end).starts_with('<')) return at;
    int depth = 0;
    for (; end < text.size() && end < at + kLongest; ++end) {
      depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
      if (depth == 0) return end + 1;
      if (text[end] == ';' || text[end] == '(') break;
    }
    return at;
  }

  // `Buffer` of `okio.Buffer.indexOf`; empty for what stands alone.
  std::string_view type_of(size_t number) const {
    const Unit& unit = input_.unit(number);
    if (unit.symbol == kNoSymbol) return {};
    const Symbol& symbol = input_.file_of(number).symbols[static_cast<size_t>(unit.symbol)].symbol;
    const std::string_view whole = symbol.qualified_name;
    if (whole.size() <= symbol.name.size()) return {};
    const std::string_view owner = whole.substr(0, whole.size() - symbol.name.size() - 1);
    return owner.substr(owner.rfind('.') + 1);
  }

  const UnitInput& input_;
  std::map<std::string_view, std::vector<size_t>> by_name_;  // functions
};

}  // namespace

UnitScores handed_on_scores(const UnitInput& input, const NameSignals& names,
                            const UnitConstants& constants) {
  return Delegates(input).scores(names, constants);
}

}  // namespace knapsack::code
