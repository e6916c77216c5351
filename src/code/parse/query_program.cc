#include "code/parse/query_program.h"

#include <algorithm>
#include <utility>

#include "code/parse/node_text.h"
#include "core/ascii.h"

namespace knapsack::code {
namespace {

constexpr std::pair<std::string_view, Role> kRoles[] = {
    {"definition.function", Role::kFunction},
    {"definition.method", Role::kMethod},
    {"definition.class", Role::kClass},
    {"definition.interface", Role::kInterface},
    {"definition.enum", Role::kEnum},
    {"definition.struct", Role::kStruct},
    {"definition.trait", Role::kTrait},
    {"definition.module", Role::kModule},
    {"definition.constant", Role::kConstant},
    {"definition.variable", Role::kVariable},
    {"definition.field", Role::kField},
    {"definition.registered", Role::kRegistered},  // where a call gives a function its name
    {"definition.macro", Role::kMacro},
    {"definition.type", Role::kType},
    {"definition.test", Role::kTestBlock},
    {"scope", Role::kScope},            // qualifies what is inside, without being a symbol (impl, extension)
    {"package", Role::kPackage},        // names what the whole file belongs to
    {"name", Role::kName},              // one symbol a name
    {"body", Role::kBody},              // where the signature ends
    {"declarator", Role::kDeclarator},  // the name is somewhere inside (C)
    {"qualifier", Role::kQualifier},    // stands before the name in the qualified name (a receiver's type)
    {"followed", Role::kFollowed},      // the block after it is its body
    {"wrapper", Role::kWrapper},        // widens the span of the definition captured as @wrapped
    {"wrapped", Role::kWrapped},
    {"leading", Role::kLeading},        // a sibling that belongs to the definition that follows it
    {"annotation", Role::kAnnotation},  // left out of the signature
    {"exported", Role::kExported},      // the definition in this node, or of this name, is exported
    {"access", Role::kAccess},          // `private:`: what follows in the type is as visible as it says
    {"test", Role::kTest},              // makes the definition a test
    {"assertion", Role::kAssertion},
    {"docstring", Role::kDocstring},
    {"comment", Role::kComment},
    {"reference.call", Role::kCallReference},
    {"reference.type", Role::kTypeReference},
    {"reference.name", Role::kNameReference},
    {"reference.text", Role::kTextReference},           // a string that may name something: "shop.Order"
    {"reference.text.name", Role::kTextNameReference},  // one that does, even where it is a plain word
    {"receiver", Role::kReceiver},                      // what a reference is qualified with
    {"local", Role::kLocal},  // declares a name that lives in the enclosing function only
    {"local.declarator", Role::kLocalDeclarator},
    {"ignore", Role::kIgnore},  // is no reference
    {"import", Role::kImport},
    {"import.include", Role::kInclude},
    {"import.require", Role::kRequire},
    {"import.use", Role::kUse},
    {"import.dynamic", Role::kDynamic},
    {"import.module", Role::kImportModule},  // one import a module
    {"import.name", Role::kImportName},
    {"import.alias", Role::kImportAlias},  // of the name or module captured before it
    {"import.wildcard", Role::kImportWildcard},
    {"import.relative", Role::kImportRelative},  // the import starts at this file
};

// Deeper than any pattern a person would want to read.
constexpr size_t kMaxPatternDepth = 12;
// One bit a child item in the matcher's record of what it has found.
constexpr size_t kMaxChildren = 32;

class Compiler {
 public:
  explicit Compiler(const TSLanguage* language) : language_(language) {}

  Result<QueryProgram::Step> compile(const PatternNode& node, const std::vector<Predicate>& predicates,
                                     size_t depth) {
    QueryProgram::Step step;
    if (depth > kMaxPatternDepth) return error(node, "the pattern is too deep");
    if (node.children.size() > kMaxChildren) return error(node, "a node has too many children");
    step.is_first = node.is_first;
    step.quantifier = node.quantifier;
    if (!node.field.empty()) {
      KNAPSACK_TRY(step.field, field(node, node.field));
    }
    for (const auto& name : node.absent_fields) {
      KNAPSACK_TRY(auto id, field(node, name));
      step.absent_fields.push_back(id);
    }
    KNAPSACK_CHECK(add_captures(node, predicates, step));
    auto& parts = node.kind.empty() ? step.alternatives : step.children;
    for (const auto& child : node.children) {
      KNAPSACK_TRY(auto part, compile(child, predicates, depth + 1));
      parts.push_back(std::move(part));
    }
    if (node.kind == "_") {
      step.accepts_tokens = !node.is_named;
    } else if (!node.kind.empty()) {
      const TSSymbol symbol = ts_language_symbol_for_name(
          language_, node.kind.data(), static_cast<uint32_t>(node.kind.size()), node.is_named);
      if (symbol == 0) return error(node, "the grammar has no node '" + node.kind + "'");
      step.symbols.push_back(symbol);
    }
    for (size_t i = 0; i < step.children.size(); ++i) {
      const Quantifier quantifier = step.children[i].quantifier;
      if (quantifier == Quantifier::kOne || quantifier == Quantifier::kSome) step.wanted |= 1U << i;
      if (quantifier != Quantifier::kOne) step.is_open_ended = true;
    }
    if (!step.absent_fields.empty()) step.is_open_ended = true;
    flatten(step);
    return step;
  }

 private:
  static Error error(const PatternNode& node, const std::string& what) {
    return {ErrorCode::kInternal, "query line " + std::to_string(node.line) + ": " + what, ""};
  }

  Result<TSFieldId> field(const PatternNode& node, const std::string& name) const {
    const TSFieldId id =
        ts_language_field_id_for_name(language_, name.data(), static_cast<uint32_t>(name.size()));
    if (id == 0) return error(node, "the grammar has no field '" + name + "'");
    return id;
  }

  static Status add_captures(const PatternNode& node, const std::vector<Predicate>& predicates,
                             QueryProgram::Step& step) {
    for (const auto& name : node.captures) {
      for (const auto& predicate : predicates) {
        if (predicate.capture == name) step.predicates.push_back(predicate);
      }
      if (name.starts_with('_')) continue;
      const auto* const found = std::find_if(std::begin(kRoles), std::end(kRoles),
                                             [&](const auto& role) { return role.first == name; });
      if (found == std::end(kRoles)) return error(node, "unknown capture @" + name);
      step.roles.push_back(found->second);
    }
    return ok_status();
  }

  // [(a) (b)] without captures inside is one node with two symbols: the usual case, and quick to test.
  static void flatten(QueryProgram::Step& step) {
    const bool is_plain =
        std::all_of(step.alternatives.begin(), step.alternatives.end(), [](const auto& part) {
          return part.symbols.size() == 1 && part.roles.empty() && part.predicates.empty() &&
                 part.children.empty() && part.absent_fields.empty();
        });
    if (!is_plain) return;
    for (const auto& part : step.alternatives) step.symbols.push_back(part.symbols.front());
    step.alternatives.clear();
  }

  const TSLanguage* language_;
};

// Roles whose meaning needs nothing but the captured node.
bool stands_alone(Role role) {
  switch (role) {
    case Role::kComment:
    case Role::kCallReference:
    case Role::kTypeReference:
    case Role::kNameReference:
    case Role::kLocal:
    case Role::kIgnore:
    case Role::kAccess:
    case Role::kAnnotation:
    case Role::kAssertion:
      return true;
    default:
      return false;
  }
}

void collect_symbols(const QueryProgram::Step& step, std::vector<TSSymbol>& symbols) {
  symbols.insert(symbols.end(), step.symbols.begin(), step.symbols.end());
  for (const auto& part : step.alternatives) collect_symbols(part, symbols);
}

}  // namespace

Result<QueryProgram> QueryProgram::compile(const TSLanguage* language, std::string_view query) {
  KNAPSACK_TRY(const auto patterns, read_query(query));
  QueryProgram program;
  program.by_symbol_.resize(ts_language_symbol_count(language));
  program.bare_.resize(program.by_symbol_.size(), Role::kNone);
  Compiler compiler(language);
  for (const auto& pattern : patterns) {
    KNAPSACK_TRY(auto step, compiler.compile(pattern.root, pattern.predicates, 0));
    std::vector<TSSymbol> symbols;
    collect_symbols(step, symbols);
    if (symbols.empty()) {
      return Error{
          ErrorCode::kInternal,
          "query line " + std::to_string(pattern.root.line) + ": a pattern cannot begin with a wildcard", ""};
    }
    std::sort(symbols.begin(), symbols.end());
    symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
    for (const TSSymbol symbol : symbols) {
      program.by_symbol_[symbol].push_back(static_cast<uint16_t>(program.patterns_.size()));
    }
    program.patterns_.push_back(std::move(step));
  }
  for (size_t symbol = 0; symbol < program.by_symbol_.size(); ++symbol) {
    if (program.by_symbol_[symbol].size() != 1) continue;
    const Step& step = program.patterns_[program.by_symbol_[symbol].front()];
    const bool is_bare = step.alternatives.empty() && step.children.empty() && step.absent_fields.empty() &&
                         step.predicates.empty() && step.roles.size() == 1 &&
                         stands_alone(step.roles.front());
    if (is_bare) program.bare_[symbol] = step.roles.front();
  }
  return program;
}

void Matcher::start(const Child& node, std::span<const Child> children, std::string_view bytes) {
  bytes_ = bytes;
  root_ = node;
  root_children_ = children;
  arena_.clear();
  listed_.clear();
}

std::span<const Capture> Matcher::match(const QueryProgram::Step& pattern) {
  captures_.clear();
  if (!match_step(pattern, root_, true)) captures_.clear();
  return captures_;
}

ChildRange Matcher::children_of(TSNode node) {
  // The next pattern asks for the same few nodes again; looking further back than those would make a list of
  // a hundred thousand members quadratic.
  constexpr size_t kRecent = 16;
  for (size_t i = listed_.size(); i-- > 0 && i + kRecent >= listed_.size();) {
    if (listed_[i].node == node.id) return listed_[i].children;
  }
  const ChildRange range = lister_.list(node, true, arena_);
  listed_.push_back({node.id, range});
  return range;
}

bool Matcher::passes(const QueryProgram::Step& step, TSNode node) const {
  const std::string_view text = text_of(node, bytes_);
  return std::all_of(step.predicates.begin(), step.predicates.end(), [&](const Predicate& predicate) {
    const auto& values = predicate.values;
    const auto is_equal = [&](const std::string& value) { return text == value; };
    const auto is_prefix = [&](const std::string& value) { return text.starts_with(value); };
    const bool is_capital = !text.empty() && ascii::is_upper(text[0]);
    switch (predicate.test) {
      case Predicate::Test::kEqual:
      case Predicate::Test::kAnyOf:
        return std::any_of(values.begin(), values.end(), is_equal);
      case Predicate::Test::kNotEqual:
        return std::none_of(values.begin(), values.end(), is_equal);
      case Predicate::Test::kStartsWith:
        return std::any_of(values.begin(), values.end(), is_prefix);
      case Predicate::Test::kNotStartsWith:
        return std::none_of(values.begin(), values.end(), is_prefix);
      case Predicate::Test::kCapital:
        return is_capital;
      case Predicate::Test::kNotCapital:
        return !is_capital;
    }
    return false;
  });
}

bool Matcher::match_step(const QueryProgram::Step& step, const Child& node, bool is_root) {
  if (step.alternatives.empty()) {
    const bool fits = step.symbols.empty() ? step.accepts_tokens || node.is_named
                                           : std::find(step.symbols.begin(), step.symbols.end(),
                                                       node.symbol) != step.symbols.end();
    if (!fits) return false;
  }
  if (!step.predicates.empty() && !passes(step, node.node)) return false;
  const size_t mark = captures_.size();
  for (const Role role : step.roles) captures_.push_back({role, node.node});
  bool matched = true;
  if (!step.alternatives.empty()) {
    matched = std::any_of(step.alternatives.begin(), step.alternatives.end(),
                          [&](const auto& part) { return match_step(part, node, is_root); });
  } else if (!step.children.empty() || !step.absent_fields.empty()) {
    matched = match_children(step, node, is_root);
  }
  if (!matched) captures_.resize(mark);
  return matched;
}

// One pass over the children; each child goes to the first item that still wants one and matches it.
bool Matcher::match_children(const QueryProgram::Step& step, const Child& node, bool is_root) {
  uint32_t found = 0;
  bool seen_named = false;
  const ChildRange range =
      is_root ? ChildRange{0, static_cast<uint32_t>(root_children_.size())} : children_of(node.node);
  for (uint32_t at = range.begin; at < range.end; ++at) {
    const Child child =
        is_root ? root_children_[at] : arena_[at];  // a copy: matching below may move the arena
    if (std::find(step.absent_fields.begin(), step.absent_fields.end(), child.field) !=
        step.absent_fields.end()) {
      return false;
    }
    const bool counts = child.is_named && !child.is_extra;
    const bool is_first = counts && !seen_named;
    seen_named = seen_named || counts;
    for (size_t i = 0; i < step.children.size(); ++i) {
      const QueryProgram::Step& item = step.children[i];
      const bool repeats = item.quantifier == Quantifier::kAny || item.quantifier == Quantifier::kSome;
      if ((found & (1U << i)) != 0 && !repeats) continue;
      if (item.field != 0 && item.field != child.field) continue;
      if (item.is_first && !is_first) continue;
      if (!match_step(item, child, false)) continue;
      found |= 1U << i;
      break;
    }
    if (!step.is_open_ended && (found & step.wanted) == step.wanted) return true;
  }
  return (found & step.wanted) == step.wanted;
}

}  // namespace knapsack::code
