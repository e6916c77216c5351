#include "code/parse/extractor.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "code/parse/comments.h"
#include "code/parse/hooks.h"
#include "code/parse/node_text.h"
#include "code/parse/reference_table.h"
#include "code/parse/source_text.h"
#include "code/parse/symbol_builder.h"
#include "code/parse/text_names.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

// A receiver longer than this, or one that is no dotted name, is an expression: it qualifies as "?".
constexpr size_t kMaxReceiverBytes = 60;

bool is_definition(Role role) {
  return (role >= Role::kFunction && role <= Role::kTestBlock) || role == Role::kScope;
}

// Bytes that belong to a name which already has its meaning, so that a later and more general pattern (any
// identifier is a reference) leaves it alone.
class ByteSet {
 public:
  explicit ByteSet(size_t size) : words_(size / 64 + 1) {}
  bool has(uint32_t byte) const { return (words_[byte / 64] >> (byte % 64) & 1) != 0; }
  void add(uint32_t start, uint32_t end) {
    for (uint32_t i = start; i < end; ++i) words_[i / 64] |= uint64_t{1} << (i % 64);
  }

 private:
  std::vector<uint64_t> words_;
};

class Extractor {
 public:
  Extractor(const Language& language, const QueryProgram& program, std::string_view bytes, ParsedFile& file)
      : language_(language),
        program_(program),
        bytes_(bytes),
        file_(file),
        symbols_(language, bytes, file),
        comments_(language, bytes),
        claimed_(bytes.size()) {
    any_word(language.not_references, [&](std::string_view name) {
      last_ignored_ = references_.intern(name);
      return false;
    });
  }

  // Depth first over an explicit stack; each frame is a run of siblings in the arena.
  void run(TSNode root) {
    std::vector<Child> arena = {{root, ts_node_symbol(root), 0, true, false}};
    std::vector<ChildRange> frames = {{0, 1}};
    while (!frames.empty()) {
      ChildRange& siblings = frames.back();
      if (siblings.begin == siblings.end) {
        frames.pop_back();
        arena.resize(frames.empty() ? 0 : frames.back().end);
        continue;
      }
      const Child node = arena[siblings.begin++];
      if (!node.is_named) continue;
      const auto patterns = program_.patterns_for(node.symbol);
      const ChildRange children = lister_.list(node.node, !patterns.empty(), arena);
      if (!patterns.empty())
        visit(node, patterns, {arena.data() + children.begin, arena.data() + children.end});
      if (children.begin != children.end) frames.push_back(children);
    }
    comments_.sort();
    symbols_.finish(comments_);
    references_.finish(file_);
    file_.comments = comments_.finish();
  }

 private:
  void visit(const Child& node, std::span<const uint16_t> patterns, std::span<const Child> children) {
    symbols_.advance_to(ts_node_start_byte(node.node));
    if (const Role bare = program_.bare_role(node.symbol); bare != Role::kNone) {
      apply(bare, node.node, 0);
      return;
    }
    matcher_.start(node, children, bytes_);
    for (const uint16_t index : patterns) {
      const auto captures = matcher_.match(program_.pattern(index));
      if (!captures.empty()) on_match(captures);
    }
  }

  void on_match(std::span<const Capture> captures) {
    const auto is_one = [](const Capture& capture) { return is_definition(capture.role); };
    const auto definition = std::find_if(captures.begin(), captures.end(), is_one);
    if (definition != captures.end()) {
      const auto second = std::find_if(definition + 1, captures.end(), is_one);
      if (second == captures.end()) {
        on_definition(captures, *definition);
        return;
      }
      // Several definitions in one match: each has the captures up to the next.
      for (auto at = definition; at != captures.end();) {
        const auto next = std::find_if(at + 1, captures.end(), is_one);
        symbols_.advance_to(ts_node_start_byte(at->node));
        on_definition({at, next}, *at);
        at = next;
      }
      return;
    }
    const auto import = std::find_if(captures.begin(), captures.end(),
                                     [](const Capture& capture) { return is_import_role(capture.role); });
    if (import != captures.end()) {
      if (claimed_.has(ts_node_start_byte(import->node))) return;
      add_imports(language_, captures, bytes_, file_.imports);
      claim(import->node);
      return;
    }
    const TSNode wrapper = find_capture(captures, Role::kWrapper);
    const bool is_exported = has_capture(captures, Role::kExported);
    bool is_first = true;
    for (const Capture& capture : captures) {
      if (capture.role != Role::kWrapped) continue;
      // `export const a = 1, b = 2`: both are exported, only the first begins with the wrapper.
      symbols_.wrap(wrapper, is_first ? wrapper : capture.node, capture.node, is_exported);
      is_first = false;
    }
    bool has_leading = false;
    const bool is_test = has_capture(captures, Role::kTest);
    const TSNode docstring = find_capture(captures, Role::kDocstring);
    for (const Capture& capture : captures) {
      if (capture.role != Role::kLeading) continue;
      symbols_.lead(capture.node, is_test, docstring);
      has_leading = true;
    }
    if (has_leading) return;
    apply_all(captures);
  }

  void on_definition(std::span<const Capture> captures, const Capture& definition) {
    for (const Capture& capture : captures) {
      // A name that something else already claimed (a loop's variable, an import) defines nothing.
      if (capture.role == Role::kName && claimed_.has(ts_node_start_byte(capture.node))) return;
    }
    const auto outcome = symbols_.define(captures, definition.node, definition.role);
    if (outcome == SymbolBuilder::Outcome::kIgnored) return;
    const bool is_local = outcome == SymbolBuilder::Outcome::kLocal;
    for (const Capture& capture : captures) {
      TSNode name = capture.node;
      if (capture.role == Role::kDeclarator) name = declared_name(capture.node);
      if ((capture.role != Role::kName && capture.role != Role::kDeclarator) || ts_node_is_null(name))
        continue;
      is_local ? add_local(name) : claim(name);
    }
    apply_all(captures);
  }

  void apply_all(std::span<const Capture> captures) {
    uint32_t qualifier = 0;
    for (const Capture& capture : captures) {
      if (capture.role == Role::kReceiver) {
        qualifier = receiver(capture.node);
        continue;
      }
      apply(capture.role, capture.node, qualifier);
      if (capture.role == Role::kCallReference || capture.role == Role::kNameReference ||
          capture.role == Role::kTypeReference || capture.role == Role::kTextNameReference) {
        qualifier = 0;
      }
    }
  }

  void apply(Role role, TSNode node, uint32_t qualifier) {
    switch (role) {
      case Role::kCallReference:
        if (add_reference(ReferenceKind::kCall, node, qualifier)) check_assertion(node, qualifier);
        break;
      case Role::kTypeReference:
        add_reference(ReferenceKind::kType, node, qualifier);
        break;
      case Role::kNameReference:
        add_reference(ReferenceKind::kName, node, qualifier);
        break;
      case Role::kTextReference:
        add_text_reference(node, 0, false);
        break;
      case Role::kTextNameReference:
        add_text_reference(node, qualifier, true);
        break;
      case Role::kLocal:
        add_local(node);
        break;
      case Role::kLocalDeclarator:
        if (const TSNode name = declared_name(node); !ts_node_is_null(name)) add_local(name);
        break;
      case Role::kIgnore:
        claim(node);
        break;
      case Role::kComment:
        add_comment(node);
        break;
      case Role::kDocstring:
        symbols_.document(node, comments_);
        break;
      case Role::kAnnotation:
        symbols_.leave_out_of_signatures(node);
        break;
      case Role::kExported:
        // A whole declaration that is exported was handed to wrap(); here a name is.
        if (ts_node_child_count(node) == 0) symbols_.export_name(text_of(node, bytes_));
        break;
      case Role::kAccess:
        if (!claimed_.has(ts_node_start_byte(node))) {
          symbols_.set_access(text_of(node, bytes_), ts_node_start_byte(node));
        }
        break;
      case Role::kAssertion:
        add_assertion(node);
        break;
      case Role::kPackage:
        symbols_.set_package(node);
        claim(node);
        break;
      default:
        break;
    }
  }

  TSNode declared_name(TSNode declarator) const {
    const bool has_hook = language_.hooks != nullptr && language_.hooks->find_name != nullptr;
    return has_hook ? language_.hooks->find_name(declarator, bytes_).node : TSNode{};
  }

  void claim(TSNode node) { claimed_.add(ts_node_start_byte(node), ts_node_end_byte(node)); }

  bool add_reference(ReferenceKind kind, TSNode node, uint32_t qualifier) {
    const uint32_t start = ts_node_start_byte(node);
    std::string_view name = text_of(node, bytes_);
    if (name.empty() || claimed_.has(start)) return false;
    claim(node);
    if (name.size() > 2 && name.front() == '`' && name.back() == '`') name = name.substr(1, name.size() - 2);
    if (name.find_first_of(" \t\r\n") != std::string_view::npos) return false;  // what an error left behind
    // One letter is a loop's variable or a type's parameter, not something to look up elsewhere.
    if (kind == ReferenceKind::kName && name.size() == 1 && qualifier == 0) return false;
    if (const size_t dot = name.rfind('.');
        dot != std::string_view::npos && dot > 0 && dot + 1 < name.size()) {
      if (qualifier == 0) qualifier = references_.intern(name.substr(0, dot));  // an Elixir alias: one token
      name.remove_prefix(dot + 1);
    }
    const uint32_t index = references_.intern(name);
    if (index <= last_ignored_) return false;
    references_.add(kind, index, qualifier, line_of(node), symbols_.enclosing(start));
    return true;
  }

  // Nothing is claimed: what else a string is stays as it was.
  void add_text_reference(TSNode node, uint32_t qualifier, bool may_be_plain) {
    const uint32_t start = ts_node_start_byte(node);
    // An association is a field and names a class.
    if (claimed_.has(start) && !may_be_plain) return;
    const auto named = name_in_text(text_of(node, bytes_), may_be_plain);
    if (!named) return;
    if (!named->qualifier.empty()) qualifier = references_.intern(named->qualifier);
    const uint32_t index = references_.intern(named->name);
    if (index <= last_ignored_) return;
    references_.add(ReferenceKind::kText, index, qualifier, line_of(node), symbols_.enclosing(start));
  }

  void add_local(TSNode node) {
    const uint32_t start = ts_node_start_byte(node);
    if (claimed_.has(start)) return;
    claim(node);
    references_.add_local(references_.intern(text_of(node, bytes_)), symbols_.enclosing(start));
  }

  uint32_t receiver(TSNode node) {
    std::string_view text = text_of(node, bytes_);
    while (text.ends_with('.')) text.remove_suffix(1);  // Haskell counts it as part of the module
    const bool is_plain =
        text.size() <= kMaxReceiverBytes && std::all_of(text.begin(), text.end(), [](char c) {
          return is_identifier(c) || std::string_view(".:$@\\->").find(c) != std::string_view::npos;
        });
    if (is_plain) return references_.intern(text);
    const std::string_view type = type_of_chain(text);
    return references_.intern(type.empty() ? "?" : type);
  }

  // "SearcherBuilder::new().line_number(false)": a chain that begins with a function of a type is mostly about that type.
  static std::string_view type_of_chain(std::string_view text) {
    const auto end =
        std::find_if(text.begin(), text.end(), [](char c) { return !is_identifier(c) && c != ':'; });
    if (end == text.end() || *end != '(') return {};
    const std::string_view head = text.substr(0, static_cast<size_t>(end - text.begin()));
    const size_t colons = head.rfind("::");
    if (colons == std::string_view::npos || colons == 0 || colons > kMaxReceiverBytes) return {};
    const std::string_view type = head.substr(0, colons);
    const char first = type[type.rfind(':') + 1];  // npos + 1 is 0
    return ascii::is_upper(first) ? type : std::string_view();
  }

  void add_comment(TSNode node) {
    const uint32_t start = ts_node_start_byte(node);
    if (start == 0 && bytes_.starts_with("#!")) return;
    const NodeEnd end = trimmed_end(node, bytes_);
    comments_.add({start, end.byte, line_of(node), end.line, symbols_.enclosing(start)});
  }

  // "assert" and "assert.are" are within "assert".
  static bool is_within(std::string_view object, std::string_view word) {
    return object.starts_with(word) && (object.size() == word.size() || object[word.size()] == '.');
  }

  // By its name or by the object that it is called on: assertEqual(…), assert.equal(…).
  void check_assertion(TSNode node, uint32_t qualifier) {
    if (language_.assertions.empty() || file_.tests.empty()) return;
    const std::string_view name = text_of(node, bytes_);
    const std::string_view object = references_.name(qualifier);
    const auto checks = [&](std::string_view word) {
      const size_t dot = word.find('.');
      if (dot == std::string_view::npos) return name.starts_with(word) || is_within(object, word);
      return object == word.substr(0, dot) && name.starts_with(word.substr(dot + 1));
    };
    if (any_word(language_.assertions, checks)) {
      add_assertion(node);
    }
  }

  // The line that the check stands on, and the next ones while brackets are open: enough to read it by.
  void add_assertion(TSNode node) {
    const uint32_t start = ts_node_start_byte(node);
    const int32_t symbol = symbols_.enclosing_test(start);
    if (symbol == kNoSymbol) return;
    const uint32_t line = ts_node_start_point(node).row;
    if (std::exchange(last_assertion_, {symbol, line}) == std::pair(symbol, line)) return;
    const auto test = std::find_if(file_.tests.rbegin(), file_.tests.rend(),
                                   [&](const TestCase& one) { return one.symbol == symbol; });
    if (test == file_.tests.rend() || test->assertions.size() >= kMaxAssertions) return;
    const size_t before = start == 0 ? std::string_view::npos : bytes_.rfind('\n', start - 1);
    uint32_t line_start = before == std::string_view::npos ? 0 : static_cast<uint32_t>(before + 1);
    // Of a test on one line only the statement.
    if (file_.symbols[static_cast<size_t>(symbol)].name_line == line + 1) {
      const size_t open = bytes_.find_last_of("{;\n", start);
      line_start = open == std::string_view::npos ? 0 : static_cast<uint32_t>(open + 1);
    }
    uint32_t end = start;
    int depth = 0;
    for (; end < bytes_.size() && end < line_start + 2 * kMaxAssertionBytes; ++end) {
      const char c = bytes_[end];
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      if (depth < 0 || (c == '\n' && depth == 0)) break;
    }
    test->assertions.push_back(fold(bytes_, {line_start, end}, {}, kMaxAssertionBytes));
  }

  const Language& language_;
  const QueryProgram& program_;
  std::string_view bytes_;
  Matcher matcher_;
  ParsedFile& file_;
  SymbolBuilder symbols_;
  CommentCollector comments_;
  ReferenceTable references_;
  ByteSet claimed_;
  ChildLister lister_;
  uint32_t last_ignored_ = 0;  // the names up to this one are no references
  std::pair<int32_t, uint32_t> last_assertion_ = {kNoSymbol, 0};
};

}  // namespace

void extract(const Language& language, const QueryProgram& program, TSNode root, std::string_view bytes,
             ParsedFile& file) {
  Extractor(language, program, bytes, file).run(root);
}

}  // namespace knapsack::code
