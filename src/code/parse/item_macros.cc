// Rust writes items in macros that say when they exist, `cfg_rt! { pub fn spawn() {} }`, or add to them, `pin_project! { struct
// … }`. A grammar sees words in braces there; without the braces it sees the items.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "code/parse/hidden_text.h"
#include "code/parse/hooks.h"
#include "code/parse/word_list.h"

namespace knapsack::code {
namespace {

constexpr TextForms kRustText{.has_lifetimes = true, .has_raw_strings = true};

// What the first item in such a macro begins with, behind comments and attributes.
constexpr std::array<std::string_view, 15> kItemWords = {"pub",  "fn",     "async", "unsafe",      "const",
                                                         "impl", "struct", "enum",  "trait",       "mod",
                                                         "use",  "static", "type",  "macro_rules", "extern"};
// What may stand before the word that tells what an item is.
constexpr std::array<std::string_view, 5> kBeforeItems = {"async", "const", "default", "pub", "unsafe"};
constexpr std::array<std::string_view, 3> kHoldItems = {"impl", "mod", "trait"};

// Brackets that nothing closes are not looked for again and again.
constexpr size_t kLongestAttribute = 1'000;
constexpr int kDeepestFirst = 4;  // macros that begin with a macro that holds items
constexpr size_t kNoMacro = std::string_view::npos;

class MacroOpener {
 public:
  MacroOpener(std::string_view bytes, std::string& opened)
      : text_(bytes, kRustText, opened), code_(text_.code()) {}

  bool run(std::span<const ByteRange> errors) {
    find_macros();
    if (!errors.empty() && !keep_broken(errors)) return false;
    for (const Macro& macro : macros_)
      if (!macro.stays) open(macro);
    return text_.any();
  }

 private:
  struct Macro {
    size_t start = 0, sign = 0, brace = 0, end = 0;  // `name`, `!`, `{` and `}`
    bool stays = true;                               // until its end is found
  };
  struct Block {
    bool holds_items = false;
    size_t macro = kNoMacro;
    int depth = 0;  // of brackets around it
  };
  enum class Head : uint8_t { kNone, kExtern, kHoldsItems, kOther };

  // Items of the file and of blocks that hold items; of other blocks only where they end.
  void find_macros() {
    blocks_.assign(1, Block{.holds_items = true});
    for (size_t at = 0; at < code_.size();) {
      if (!blocks_.back().holds_items) at = std::min(code_.find_first_of("{}", at), code_.size() - 1);
      if (code_[at] == '}') {
        close_block(at++);
      } else if (code_[at] == '{') {
        open_block({.holds_items = blocks_.back().holds_items && depth_ == 0 &&
                                   (head_ == Head::kHoldsItems || head_ == Head::kExtern)});
        ++at;
      } else {
        at = blocks_.back().holds_items ? read_item(at) : at + 1;
      }
    }
  }

  // One mark or word of what stands before the body of an item.
  size_t read_item(size_t at) {
    const char c = code_[at];
    if (c == '#' && head_ == Head::kNone) {
      const size_t end = after_attribute(at);
      if (end == at) head_ = Head::kOther;
      return std::max(end, at + 1);
    }
    if (c == '(' || c == '[') ++depth_;
    if (c == ')' || c == ']') --depth_;
    if (c == ';' && depth_ == 0) begin_item();
    const std::string_view word = word_at(at);
    if (word.empty()) return at + 1;
    return depth_ == 0 ? read_word(word, at) : at + word.size();
  }

  size_t read_word(std::string_view word, size_t at) {
    const size_t end = at + word.size();
    if (head_ == Head::kExtern && (word == "fn" || word == "crate")) head_ = Head::kOther;
    if (head_ != Head::kNone || is_one_of(kBeforeItems, word)) return end;
    head_ = word == "extern" ? Head::kExtern : is_one_of(kHoldItems, word) ? Head::kHoldsItems : Head::kOther;
    if (head_ != Head::kOther) return end;
    const Macro macro = macro_at(at);
    if (macro.brace == 0) return end;
    if (begins_with_item(macro.brace + 1)) {
      macros_.push_back(macro);
      open_block({.holds_items = true, .macro = macros_.size() - 1});
    } else {
      open_block({});
    }
    return macro.brace + 1;
  }

  // "name! {" or "path::name! {"; without a brace where none stands there. A definition is none: a name follows its `!`.
  Macro macro_at(size_t at) const {
    Macro macro{.start = at};
    for (at += word_at(at).size(); code_.substr(at).starts_with("::");) at += 2 + word_at(at + 2).size();
    macro.sign = after_spaces(at);
    if (macro.sign >= code_.size() || code_[macro.sign] != '!') return macro;
    at = after_spaces(macro.sign + 1);
    if (at < code_.size() && code_[at] == '{') macro.brace = at;
    return macro;
  }

  bool begins_with_item(size_t at) const {
    for (int deep = 0; deep < kDeepestFirst;) {
      at = after_spaces(at);
      if (at < code_.size() && code_[at] == '#') {
        const size_t end = after_attribute(at);
        if (end == at) return false;
        at = end;
        continue;
      }
      const std::string_view word = word_at(at);
      if (word.empty() || is_one_of(kItemWords, word)) return !word.empty();
      const Macro inner = macro_at(at);
      if (inner.brace == 0) return false;
      at = inner.brace + 1;
      ++deep;
    }
    return false;
  }

  // Behind "#[…]" or "#![…]"; the same place where none stands there.
  size_t after_attribute(size_t at) const {
    const size_t reach = std::min(code_.size(), at + kLongestAttribute);
    size_t i = at + (code_.substr(at).starts_with("#!") ? 2 : 1);
    if (i >= reach || code_[i] != '[') return at;
    for (int depth = 0; i < reach; ++i) {
      depth += code_[i] == '[' ? 1 : code_[i] == ']' ? -1 : 0;
      if (depth == 0) return i + 1;
    }
    return at;
  }

  std::string_view word_at(size_t at) const {
    size_t end = at;
    while (end < code_.size() && is_identifier(code_[end])) ++end;
    return code_.substr(std::min(at, code_.size()), end - at);
  }
  size_t after_spaces(size_t at) const {
    while (at < code_.size() && is_space(code_[at])) ++at;
    return at;
  }

  void begin_item() {
    head_ = Head::kNone;
    depth_ = 0;
  }
  void open_block(Block block) {
    block.depth = depth_;
    blocks_.push_back(block);
    begin_item();
  }
  void close_block(size_t at) {
    begin_item();
    if (blocks_.size() == 1) return;  // one too many
    depth_ = blocks_.back().depth;
    if (depth_ > 0) head_ = Head::kOther;
    if (const size_t macro = blocks_.back().macro; macro != kNoMacro) {
      macros_[macro].end = at;
      macros_[macro].stays = false;
    }
    blocks_.pop_back();
  }

  // Of the macros around an error the innermost stays, and those that begin within it. False where there are none.
  bool keep_broken(std::span<const ByteRange> errors) {
    std::vector<size_t> around;
    size_t next = 0, kept = 0;
    bool any = false;
    const auto keep = [&](Macro& macro) { any = std::exchange(macro.stays, true) ? any : true; };
    const auto leave = [&](size_t at) {
      while (!around.empty() && macros_[around.back()].end < at) around.pop_back();
    };
    for (const ByteRange& error : errors) {
      for (; next < macros_.size() && macros_[next].brace < error.start; ++next) {
        leave(macros_[next].brace);
        around.push_back(next);
      }
      leave(error.start);
      if (!around.empty()) keep(macros_[around.back()]);
      for (kept = std::max(kept, next); kept < macros_.size() && macros_[kept].brace < error.end; ++kept)
        keep(macros_[kept]);
    }
    return any;
  }

  // "name! {" becomes "name!{}", where there is room: it is used all the same.
  void open(const Macro& macro) {
    const bool has_room = macro.brace > macro.sign + 1 &&
                          code_.substr(macro.sign, macro.brace - macro.sign).find('\n') == kNoMacro;
    text_.blank(has_room ? macro.sign + 1 : macro.start, macro.brace + 1);
    if (has_room) text_.replace(macro.sign + 1, "{}");
    text_.blank(macro.end, macro.end + 1);
  }

  HiddenText text_;
  const std::string_view code_;
  std::vector<Block> blocks_;
  std::vector<Macro> macros_;  // by where they begin
  Head head_ = Head::kNone;
  int depth_ = 0;  // of brackets before the body
};

// "name! {" or "name!{" somewhere, which most files have only in functions, if at all.
bool may_have_macros(std::string_view bytes) {
  for (size_t at = bytes.find('!'); at != std::string_view::npos; at = bytes.find('!', at + 1)) {
    const size_t next = bytes.find_first_not_of(" \t\r\n", at + 1);
    if (next != std::string_view::npos && bytes[next] == '{') return true;
  }
  return false;
}

}  // namespace

bool open_item_macros(std::string_view bytes, std::span<const ByteRange> errors, std::string& opened) {
  return may_have_macros(bytes) && MacroOpener(bytes, opened).run(errors);
}

}  // namespace knapsack::code
