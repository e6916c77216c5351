#include "understand/task_symbols.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "core/ascii.h"
#include "text/markdown/markdown_lines.h"
#include "text/words/stop_words.h"
#include "understand/name_endings.h"

namespace knapsack {
namespace {

using std::string_view;
using Set = std::unordered_set<string_view>;
using ascii::kNone;

// Written like names, but of products, companies and people's things.
bool is_proper_noun(string_view word) {
  static const Set known = {
      "GitHub",     "GitLab",    "JavaScript",  "TypeScript", "CoffeeScript", "PostgreSQL",    "MySQL",
      "NoSQL",      "SQLite",    "MongoDB",     "MariaDB",    "DynamoDB",     "GraphQL",       "macOS",
      "iOS",        "iPadOS",    "tvOS",        "iPhone",     "iPad",         "YouTube",       "LinkedIn",
      "OpenAI",     "OAuth",     "OAuth2",      "OpenSSL",    "OpenSSH",      "OpenAPI",       "DevOps",
      "FastAPI",    "PyCharm",   "IntelliJ",    "PyPI",       "PyTorch",      "NumPy",         "SciPy",
      "PowerShell", "WordPress", "LaTeX",       "BigQuery",   "ClickHouse",   "RabbitMQ",      "CircleCI",
      "jQuery",     "WiFi",      "VSCode",      "DotNet",     "FreeBSD",      "OpenBSD",       "NetBSD",
      "CentOS",     "MinGW",     "LibreOffice", "DuckDB",     "CockroachDB",  "StackOverflow", "PhD",
  };
  return known.count(word) > 0;
}

// Dotted things that are no names: abbreviations and hosts.
bool is_dotted_word(string_view chain) {
  static const Set known = {"asp.net",   "node.js",  "vue.js", "next.js",
                            "socket.io", "three.js", "a.k.a",  "et.al"};
  return known.count(ascii::lower(chain)) > 0;
}

bool ends_a_host_name(string_view part) {
  static const Set known = {"com", "org", "net", "edu", "gov", "ru", "uk", "de", "io", "dev"};
  return known.count(part) > 0;
}

// Between backticks these say something about a language, not about this code.
bool is_keyword(string_view word) {
  static const Set known = {
      "return",  "if",   "else",      "for",    "while",  "true",    "false",  "null",  "none",
      "nil",     "True", "False",     "None",   "self",   "this",    "def",    "class", "function",
      "fn",      "func", "let",       "const",  "var",    "import",  "from",   "new",   "void",
      "int",     "str",  "string",    "bool",   "float",  "double",  "and",    "or",    "not",
      "in",      "is",   "async",     "await",  "try",    "except",  "catch",  "throw", "raise",
      "finally", "with", "undefined", "static", "public", "private", "struct", "enum",  "interface",
      "list",    "dict", "object",    "char",   "long",   "NULL",    "pip",    "npm",   "git",
      "sudo",    "bash", "yarn",      "cargo",  "python", "node",    "docker", "make",  "cd",
      "switch",  "case", "typeof",    "sizeof",
  };
  return known.count(word) > 0;
}

bool begins_name(char c) {
  return ascii::is_letter(c) || c == '_' || c == '$';
}

bool in_name(char c) {
  return ascii::is_identifier(c) || c == '$';
}

// The joint between two names that stands here, e.g. "::"; empty for none.
string_view joint_at(string_view text, size_t at) {
  const string_view rest = text.substr(at);
  for (const string_view joint : {"::", "->", "?.", ".", "#", "\\"}) {
    if (rest.starts_with(joint) && rest.size() > joint.size() && begins_name(rest[joint.size()]))
      return joint;
  }
  return {};
}

struct Chain {
  std::vector<string_view> parts;
  std::vector<string_view> joints;
  string_view whole;
  bool has(string_view joint) const { return std::find(joints.begin(), joints.end(), joint) != joints.end(); }
};

bool has_lower(string_view word) {
  return std::any_of(word.begin(), word.end(), ascii::is_lower);
}

// cartTotal, CartTotal, HTTPServer; not Cart, HTTP or the plural of capitals (IDs).
bool is_camel_case(string_view word) {
  if (is_proper_noun(word) || !has_lower(word)) return false;
  size_t humps = 0;
  for (size_t i = 1; i < word.size(); ++i)
    humps += ascii::is_upper(word[i]) && !ascii::is_upper(word[i - 1]) ? 1 : 0;
  if (humps > 0) return true;
  // HTTPServer: capitals, and small letters behind the last of them.
  const size_t small =
      static_cast<size_t>(std::find_if(word.begin(), word.end(), ascii::is_lower) - word.begin());
  return small >= 3 && word.size() - small >= 2 && ascii::is_upper(word[small - 2]);
}

bool is_snake_case(string_view word) {
  const size_t first = word.find_first_not_of('_');
  if (first == kNone) return false;
  return word.find('_') != kNone;
}

bool looks_like_name(string_view word) {
  return is_camel_case(word) || is_snake_case(word);
}

bool is_chain_in_sentence(const Chain& chain, bool called) {
  if (called) return true;
  if (chain.has("::")) return true;
  const bool any_name = std::any_of(chain.parts.begin(), chain.parts.end(), [](string_view part) {
    return looks_like_name(part) || ascii::is_upper(part[0]) || part[0] == '$';
  });
  if (chain.has("->") || chain.has("?.")) return any_name;
  if (chain.has("#") || chain.has("\\"))
    return ascii::is_upper(chain.parts[0][0]) && chain.parts[0].size() > 1;
  // Dots. A sentence that lacks its blank ("works.But") goes on with a function word.
  const string_view last = chain.parts.back();
  if (is_dotted_word(chain.whole)) return false;
  if (chain.parts.size() == 2 && ascii::is_upper(last[0]) && is_stop_word(ascii::lower(last))) return false;
  if (ends_a_host_name(last) && !any_name) return false;
  const auto is_letter = [](string_view part) { return part.size() == 1; };
  return !std::all_of(chain.parts.begin(), chain.parts.end(), is_letter);
}

// What follows the bracket that the text begins with, up to the one that closes it; nothing where that is far.
std::optional<string_view> in_brackets(string_view text) {
  constexpr size_t kFar = 120;
  size_t depth = 0;
  for (size_t at = 0; at < std::min(text.size(), kFar) && text[at] != '\n'; ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return text.substr(1, at - 1);
  }
  return std::nullopt;
}

// Words beside each other, as no arguments are: "(see below)", "(for example, when it rains)". Text in quotes aside, and what
// stands between a keyword and a name: `new Cart`.
bool reads_as_sentence(string_view inside) {
  char quote = '\0';
  string_view before;  // the word that ended with the blank
  for (size_t at = 0; at < inside.size(); ++at) {
    const char c = inside[at];
    if (quote != '\0' || c == '"' || c == '\'' || c == '`') {
      quote = quote == '\0' ? c : quote == c ? '\0' : quote;
      before = {};
    } else if (ascii::is_above(c)) {
      return inside != "\xE2\x80\xA6";  // "…"
    } else if (ascii::is_identifier(c)) {
      static const Set kBeforeNames = {"new",   "async", "await",  "function",
                                       "const", "int",   "typeof", "lambda"};
      if (!before.empty() && kBeforeNames.count(before) == 0) return true;
      size_t end = at;
      while (end < inside.size() && ascii::is_identifier(inside[end])) ++end;
      before = end < inside.size() && inside[end] == ' ' ? inside.substr(at, end - at) : string_view();
      at = end - 1;
    } else if (!ascii::is_blank(c)) {
      before = {};
    }
  }
  return false;
}

// Whether arguments follow a plain word of a sentence, as in `timeout(5000)` and `watch([], cb)`. Not in "file(s)",
// "colour(see below)", "Chrome(89)" and, where the word begins a line, "fix(cart): …".
bool is_call_in_sentence(string_view word, string_view behind, bool begins_line) {
  if (!behind.starts_with('(')) return false;
  const auto inside = in_brackets(behind);
  if (!inside || trim(*inside).empty() || reads_as_sentence(*inside)) return false;
  static const Set kEndings = {"ies", "optional", "required", "default", "deprecated"};
  const bool is_ending =
      (inside->size() <= 2 && std::all_of(inside->begin(), inside->end(), ascii::is_letter)) ||
      kEndings.count(*inside) > 0;
  const bool is_version = ascii::is_upper(word[0]) && ascii::is_digit(inside->back());
  const string_view rest = behind.substr(inside->size() + 2);
  const bool is_scope = begins_line && (rest.starts_with(':') || rest.starts_with("!:"));
  return !is_ending && !is_version && !is_scope;
}

// "thanks! please", "why? because": what people shout and ask in the middle of a line.
bool is_exclamation(string_view word) {
  static const Set known = {"thanks", "thank",   "hi",   "hello", "hey",   "please", "ok",     "okay",
                            "yes",    "no",      "wow",  "great", "sorry", "cheers", "well",   "right",
                            "really", "help",    "cool", "nice",  "ideas", "idea",   "bug",    "thoughts",
                            "wrong",  "correct", "true", "why",   "how",   "what",   "anyone", "possible"};
  return is_stop_word(word) || known.count(word) > 0;
}

// Begins another sentence, however carelessly that is written.
bool begins_sentence(string_view word) {
  static const Set known = {"i",     "we",  "you",     "it",     "they",   "this",   "that",
                            "these", "he",  "she",     "there",  "if",     "so",     "maybe",
                            "also",  "any", "because", "please", "thanks", "what",   "why",
                            "how",   "who", "where",   "can",    "could",  "should", "would"};
  return known.count(word) > 0;
}

// Whether the sentence goes on behind a mark, which then is none of its own: "does accept? return true".
bool goes_on(string_view word, string_view behind) {
  if (behind.size() < 2 || !ascii::is_space(behind[0]) || !ascii::is_lower(behind[1])) return false;
  size_t end = 1;
  while (end < behind.size() && ascii::is_identifier(behind[end])) ++end;
  return !is_exclamation(word) && !begins_sentence(behind.substr(1, end - 1));
}

// `cast/4` in a sentence; "page/2" and "http/2" are no functions.
bool is_function_in_sentence(string_view word, size_t arity) {
  static const Set kOthers = {"http", "https", "tcp", "udp", "page", "part", "step", "phase", "chapter"};
  constexpr size_t kMinWord = 3;
  constexpr size_t kOneDigit = 2;
  return word.size() >= kMinWord && arity == kOneDigit && ascii::is_lower(word[0]) && !is_stop_word(word) &&
         kOthers.count(word) == 0;
}

class SymbolFinder {
 public:
  SymbolFinder(string_view text, bool inline_code) : text_(text), inline_(inline_code) {}

  std::vector<SymbolMention> run(size_t max_symbols) {
    single_ = inline_ && is_single_expression();
    for (size_t at = 0; at < text_.size() && found_.size() < max_symbols;) {
      if (!ascii::is_word(text_[at]) && text_[at] != '$') {
        ++at;
        continue;
      }
      at = begins_name(text_[at]) ? examine(at) : end_of_word(at);
    }
    return std::move(found_);
  }

 private:
  size_t end_of_word(size_t at) const {
    while (at < text_.size() && (ascii::is_word(text_[at]) || text_[at] == '$')) ++at;
    return at;
  }

  // `total`, `Cart.total(items)`, `@app.route("/")`: one thing, not a command or a statement.
  bool is_single_expression() const {
    const string_view head = trim(text_.substr(0, text_.find_first_of("(<[{")));
    return head.find_first_of(" \t=\"'") == kNone && !head.starts_with('-');
  }

  size_t examine(size_t begin) {
    Chain chain;
    size_t end = begin;
    while (true) {
      const size_t part = end;
      while (end < text_.size() && in_name(text_[end])) ++end;
      chain.parts.push_back(text_.substr(part, end - part));
      const string_view joint = end - begin <= kMaxSymbolBytes ? joint_at(text_, end) : string_view();
      if (joint.empty()) break;
      chain.joints.push_back(joint);
      end += joint.size();
    }
    chain.whole = text_.substr(begin, end - begin);
    // A word of another script goes on here, or the run belongs to an address or an option.
    if (end < text_.size() && ascii::is_above(text_[end]) && ascii::is_word(text_[end])) {
      if (!punctuation_at(end)) return end_of_word(end);
    }
    if (chain.whole.size() > kMaxSymbolBytes || is_foreign(begin, end)) return end;
    if (is_hyphened(begin) && !looks_like_name(chain.parts[0]) && !chain.has("::")) return end;
    const Ending ending = strip_emphasis(chain) ? Ending() : ending_of(chain, begin, end);
    const bool is_wanted = wanted(chain, begin, end, ending);
    const bool is_marked = ending.mark != '\0' && is_mark_meant(chain, begin, end, ending);
    if (!is_wanted && (!is_marked || chain.parts.size() > 1 || is_quoted(begin, end + 1))) return end;
    string_view name = chain.whole;
    while (name.starts_with('$')) name.remove_prefix(1);
    if (name.size() < 2) return end;
    SymbolMention mention{begin, end, std::string(name), {}, is_called(chain, begin, end, ending)};
    if (is_marked) {
      // A plain word is a name by its mark alone.
      if (is_wanted) mention.bare = mention.name;
      mention.name += ending.mark;
      ++mention.end;
    }
    mention.end += ending.arity;
    found_.push_back(std::move(mention));
    return found_.back().end;
  }

  // What stands behind a name and belongs to it.
  struct Ending {
    char mark = '\0';
    size_t arity = 0;  // bytes of it
    size_t size() const { return (mark != '\0' ? 1 : 0) + arity; }
  };

  Ending ending_of(const Chain& chain, size_t begin, size_t end) const {
    Ending ending;
    ending.mark = name_mark(chain.parts.back(), text_.substr(end));
    const bool in_path = begin > 0 && string_view("/\\-~@+").find(text_[begin - 1]) != kNone;
    if (!in_path) ending.arity = arity_size(text_.substr(end + ending.size()));
    return ending;
  }

  // Whether a mark is a part of the name before it and does not only end the sentence.
  bool is_mark_meant(const Chain& chain, size_t begin, size_t end, const Ending& ending) const {
    if (inline_ || ending.arity > 0 || chain.parts.size() > 1) return true;
    const string_view behind = text_.substr(end + 1);
    if (behind.starts_with('(') || chain.whole.find('_') != kNone) return true;
    if (begin > 0 && string_view(".#:").find(text_[begin - 1]) != kNone) return true;
    return goes_on(chain.whole, behind);
  }

  bool is_called(const Chain& chain, size_t begin, size_t end, const Ending& ending) const {
    const string_view behind = text_.substr(end + ending.size());
    if (ending.arity > 0 || behind.starts_with("()")) return true;
    return inline_ ? behind.starts_with('(')
                   : is_call_in_sentence(chain.parts.back(), behind, begins_line(begin));
  }

  // Quotation marks and dashes above ASCII end a word.
  bool punctuation_at(size_t at) const {
    const string_view rest = text_.substr(at);
    return rest.starts_with("\xE2\x80") || rest.starts_with("\xC2");  // U+2000…203F, U+0080…00BF
  }

  bool is_foreign(size_t begin, size_t end) const {
    if (end < text_.size() && text_[end] == '@') return true;
    if (begin == 0) return false;
    const char before = text_[begin - 1];
    const char earlier = begin > 1 ? text_[begin - 2] : ' ';
    if (before == '@') return ascii::is_word(earlier);
    if (before == '-') return earlier == '-' || earlier == ' ' || begin == 1;
    if (before == '\\') return earlier == ':' || ascii::is_word(earlier);
    return before == '%' || (before == '.' && ascii::is_digit(earlier));
  }

  bool begins_line(size_t begin) const {
    return begin == 0 || text_[begin - 1] == '\n' || text_[begin - 1] == '[';
  }

  // "bind" of `v-bind()` is a part of another name; "non-camelCase" has one in it.
  bool is_hyphened(size_t begin) const {
    return begin > 1 && text_[begin - 1] == '-' && ascii::is_letter_or_digit(text_[begin - 2]);
  }

  // Markdown's _emphasis_ is no private name.
  static bool strip_emphasis(Chain& chain) {
    string_view& word = chain.parts[0];
    const bool emphasis = chain.parts.size() == 1 && word.size() > 2 && word.starts_with('_') &&
                          word.ends_with('_') && !word.starts_with("__") && !word.ends_with("__");
    if (!emphasis) return false;
    word = word.substr(1, word.size() - 2);
    chain.whole = word;
    return true;
  }

  bool wanted(const Chain& chain, size_t begin, size_t end, const Ending& ending) const {
    end += ending.size();
    const string_view behind = text_.substr(end);
    const bool called = inline_ ? behind.starts_with('(') : behind.starts_with("()");
    if (chain.parts.size() > 1) return inline_ || is_chain_in_sentence(chain, called || ending.arity > 0);
    const string_view word = chain.parts[0];
    if (looks_like_name(word)) return true;
    if (ending.arity > 0) return inline_ ? word.size() > 1 : is_function_in_sentence(word, ending.arity);
    if (is_keyword(word)) return false;
    if (called || (!inline_ && is_call_in_sentence(word, behind, begins_line(begin)))) return word.size() > 1;
    if (!inline_ || is_quoted(begin, end)) return false;
    return ascii::is_upper(word[0]) || single_head(begin);
  }

  // The plain word that a single expression consists of; its arguments are not meant.
  bool single_head(size_t begin) const {
    return single_ && begin <= text_.find_first_of("(<[{") && !is_stop_word(ascii::lower(trim(text_)));
  }

  bool is_quoted(size_t begin, size_t end) const {
    const auto quote = [](char c) { return c == '"' || c == '\''; };
    return begin > 0 && end < text_.size() && quote(text_[begin - 1]) && quote(text_[end]);
  }

  string_view text_;
  bool inline_;
  bool single_ = false;
  std::vector<SymbolMention> found_;
};

}  // namespace

std::vector<SymbolMention> find_symbols(string_view text, bool inline_code, size_t max_symbols) {
  return SymbolFinder(text, inline_code).run(max_symbols);
}

}  // namespace knapsack
