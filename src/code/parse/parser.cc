#include "code/parse/parser.h"

#include <time.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "code/parse/chunker.h"
#include "code/parse/extractor.h"
#include "code/parse/hooks.h"
#include "code/parse/parse_arena.h"
#include "code/parse/query_program.h"
#include "code/parse/source_text.h"

namespace knapsack::code {
namespace {

// tree-sitter reports progress once in this many of its steps.
constexpr uint64_t kStepsPerReport = 100;
// What a parse may cost however short the file is: first errors cost more than their bytes.
constexpr uint64_t kFreeSteps = 10'000;
constexpr uint64_t kFreeCharacters = 2'000'000;
constexpr uint64_t kFreeMemory = 8'000'000;
// However long the file is, one parse must not take the memory of the others.
constexpr uint64_t kMaxMemory = 400'000'000;
// Macros of a longer file stay as they are: with a deadline for each reading, half a megabyte comes near it where the
// macros are languages of their own, and the plain reading must not pay for that.
constexpr size_t kMaxToOpen = 400'000;

// Time that this thread spent computing: a busy machine must not turn a good file into line blocks.
int64_t thread_micros() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000;
}

// How long one reading of a text may take.
int64_t allowed_micros(const ParseLimits& limits, std::string_view bytes) {
  constexpr size_t kShare = 1'000'000;
  return limits.deadline_micros * static_cast<int64_t>(bytes.size() / kShare + 1);
}

const char* read_input(void* payload, uint32_t offset, TSPoint /*position*/, uint32_t* length) {
  const std::string_view bytes = *static_cast<const std::string_view*>(payload);
  *length = offset < bytes.size() ? static_cast<uint32_t>(bytes.size() - offset) : 0;
  return *length == 0 ? "" : bytes.data() + offset;
}

// One parse inside the arena. It may be left half way, so nothing in it needs a destructor.
struct Parse {
  const TSLanguage* grammar = nullptr;
  std::string_view bytes;
  uint64_t reports_left = 0;
  int64_t deadline = 0;
  FallbackReason reason = FallbackReason::kNone;
  TSTree* tree = nullptr;
};

bool should_stop(TSParseState* state) {
  auto& parse = *static_cast<Parse*>(state->payload);
  if (parse.reports_left == 0) {
    parse.reason = FallbackReason::kWork;
    return true;
  }
  --parse.reports_left;
  if (thread_micros() > parse.deadline) {
    parse.reason = FallbackReason::kDeadline;
    return true;
  }
  return false;
}

class ArenaScope {
 public:
  explicit ArenaScope(KnapsackArena* arena) : arena_(arena) { knapsack_arena_enter(arena); }
  ~ArenaScope() { knapsack_arena_leave(arena_); }
  ArenaScope(const ArenaScope&) = delete;
  ArenaScope& operator=(const ArenaScope&) = delete;

 private:
  KnapsackArena* arena_;
};

void run_parse(void* context) {
  auto& parse = *static_cast<Parse*>(context);
  TSParser* parser = ts_parser_new();  // the arena takes it away
  ts_parser_set_language(parser, parse.grammar);
  parse.tree = ts_parser_parse_with_options(
      parser, nullptr, {&parse.bytes, read_input, TSInputEncodingCustom, knapsack_decode_utf8},
      {&parse, should_stop});
}

// Brackets in strings and comments count too: a quick upper bound that is the same everywhere.
FallbackReason check_shape(std::string_view bytes, const ParseLimits& limits) {
  uint32_t depth = 0;
  size_t line_start = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (c == '\n') {
      if (i - line_start > limits.max_line_bytes) return FallbackReason::kLineLength;
      line_start = i + 1;
    } else if (c == '(' || c == '[' || c == '{') {
      if (++depth > limits.max_nesting) return FallbackReason::kNesting;
    } else if ((c == ')' || c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return bytes.size() - line_start > limits.max_line_bytes ? FallbackReason::kLineLength
                                                           : FallbackReason::kNone;
}

// Where the grammar found what it does not know, by start. Only where something is wrong below is looked further.
std::vector<ByteRange> errors_in(const TSTree* tree) {
  std::vector<ByteRange> errors;
  std::vector<TSNode> open = {ts_tree_root_node(tree)};
  while (!open.empty()) {
    const TSNode node = open.back();
    open.pop_back();
    if (!ts_node_has_error(node)) continue;
    if (ts_node_is_error(node) || ts_node_is_missing(node))
      errors.push_back({ts_node_start_byte(node), ts_node_end_byte(node)});
    TSTreeCursor children = ts_tree_cursor_new(node);
    for (bool more = ts_tree_cursor_goto_first_child(&children); more;
         more = ts_tree_cursor_goto_next_sibling(&children))
      open.push_back(ts_tree_cursor_current_node(&children));
    ts_tree_cursor_delete(&children);
  }
  std::sort(errors.begin(), errors.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.start < b.start; });
  return errors;
}

uint32_t count_errors(const TSTree* tree) {
  return static_cast<uint32_t>(errors_in(tree).size());
}

}  // namespace

struct Parser::State {
  std::map<std::string_view, QueryProgram> programs;  // by the name of the language
  std::string repaired, blanked, opened;
  KnapsackArena* arena = knapsack_arena_new();

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { knapsack_arena_delete(arena); }

  Result<const QueryProgram*> program(const Language& language) {
    const auto found = programs.find(language.name);
    if (found != programs.end()) return &found->second;
    std::string query;
    any_word(language.query, [&](std::string_view name) {
      query += embedded_query(name);
      return false;
    });
    const TSLanguage* const grammar = language.grammar();
    if (grammar == nullptr) {
      return Error{ErrorCode::kCorrupt,
                   "the grammar of " + std::string(language.name) + " in this program is damaged",
                   "install knapsack again"};
    }
    auto compiled = QueryProgram::compile(grammar, query);
    if (!compiled.ok()) {
      Error error = compiled.error();
      error.what = "queries/" + std::string(language.query) + ".scm: " + error.what;
      return error;
    }
    return &programs.emplace(language.name, std::move(compiled).value()).first->second;
  }

  // Null where a limit stopped it. Between entering and leaving the arena.
  TSTree* parse(const Language& language, std::string_view bytes, const ParseLimits& limits, int64_t deadline,
                FallbackReason& reason) {
    Parse parse;
    parse.grammar = language.grammar();
    parse.bytes = bytes;
    parse.reports_left = (kFreeSteps + limits.max_steps_per_byte * bytes.size()) / kStepsPerReport;
    parse.deadline = deadline;
    const uint64_t memory = std::min(kMaxMemory, kFreeMemory + limits.max_memory_per_byte * bytes.size());
    const uint64_t characters = kFreeCharacters + limits.max_characters_per_byte * bytes.size();
    if (!knapsack_arena_run(arena, memory, characters, run_parse, &parse)) {
      parse.tree = nullptr;
      parse.reason = FallbackReason::kWork;
    }
    reason = parse.reason;
    return parse.tree;
  }

  // What the grammar sees in a text; left as a fallback where a limit stopped it.
  Status read(const Language& language, std::string_view bytes, const ParseLimits& limits, ParsedFile& file) {
    KNAPSACK_TRY(const QueryProgram* program, this->program(language));
    file.fallback = check_shape(bytes, limits);
    file.status = ParseStatus::kDeadlineFallback;
    if (file.fallback != FallbackReason::kNone) return ok_status();
    int64_t deadline = thread_micros() + allowed_micros(limits, bytes);
    const ArenaScope scope(arena);
    Reading reading{&language, program, read_first(language, bytes, limits, deadline, file.fallback)};
    if (reading.tree == nullptr) return ok_status();
    file.error_nodes = count_errors(reading.tree);
    if (file.error_nodes > 0) {
      FallbackReason reason = FallbackReason::kNone;
      KNAPSACK_TRY(const Reading again, read_again(reading, bytes, limits, deadline, reason));
      // Which reading counts must not follow from the clock without saying so; what other limits stop depends on the
      // bytes.
      if (reason == FallbackReason::kDeadline) {
        file.error_nodes = 0;
        file.fallback = reason;
        return ok_status();
      }
      if (const uint32_t left = again.tree == nullptr ? file.error_nodes : count_errors(again.tree);
          left < file.error_nodes) {
        reading = again;
        file.error_nodes = left;
      }
    }
    extract(*reading.language, *reading.program, ts_tree_root_node(reading.tree), bytes, file);
    file.status = file.error_nodes == 0 ? ParseStatus::kParsed : ParseStatus::kParsedWithErrors;
    return ok_status();
  }

 private:
  struct Reading {
    const Language* language = nullptr;
    const QueryProgram* program = nullptr;
    TSTree* tree = nullptr;
  };

  // What stands in macros is read as the definitions that it is where that gives no more errors than the macros do;
  // most files need one reading for that. Null where a limit stopped it.
  TSTree* read_first(const Language& language, std::string_view bytes, const ParseLimits& limits,
                     int64_t& deadline, FallbackReason& reason) {
    const auto open_macros = language.hooks == nullptr ? nullptr : language.hooks->open_macros;
    TSTree* best = nullptr;
    size_t fewest = 0;
    std::vector<ByteRange> errors;
    const int tries = open_macros == nullptr || bytes.size() > kMaxToOpen ? 0 : 2;
    for (int i = 0; i < tries && open_macros(bytes, errors, opened); ++i) {
      TSTree* const tree = parse(language, opened, limits, deadline, reason);
      if (reason == FallbackReason::kDeadline) return nullptr;  // as below
      reason = FallbackReason::kNone;
      deadline = thread_micros() + allowed_micros(limits, bytes);
      if (tree == nullptr) break;
      errors = errors_in(tree);
      if (errors.empty()) return tree;
      if (best == nullptr || errors.size() < fewest) {
        best = tree;
        fewest = errors.size();
      }
    }
    TSTree* const plain = parse(language, bytes, limits, deadline, reason);
    return plain == nullptr || best == nullptr || count_errors(plain) < fewest ? plain : best;
  }

  // What the grammar could not read may be a dialect, or hide behind what a preprocessor takes away. No tree where it
  // is neither, or where a limit stopped it.
  Result<Reading> read_again(const Reading& first, std::string_view bytes, const ParseLimits& limits,
                             int64_t deadline, FallbackReason& reason) {
    if (const Language* const dialect = find_language(first.language->dialect); dialect != nullptr) {
      KNAPSACK_TRY(const QueryProgram* program, this->program(*dialect));
      return Reading{dialect, program, parse(*dialect, bytes, limits, deadline, reason)};
    }
    const LanguageHooks* const hooks = first.language->hooks;
    if (hooks == nullptr || hooks->blank_unknown == nullptr || !hooks->blank_unknown(bytes, blanked))
      return Reading{};
    return Reading{first.language, first.program, parse(*first.language, blanked, limits, deadline, reason)};
  }
};

Parser::Parser() : state_(std::make_unique<State>()) {}
Parser::~Parser() = default;
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;

Result<ParsedFile> Parser::parse(const Language& language, std::string_view bytes,
                                 const ParseLimits& limits) {
  ParsedFile file;
  if (bytes.size() > limits.max_bytes) {
    file.status = ParseStatus::kTooLarge;
    return file;
  }
  if (repair_utf8(bytes, state_->repaired)) bytes = state_->repaired;
  if (language.has_symbols()) {
    KNAPSACK_TRY(file, read_syntax(language, bytes, limits));
  }
  add_chunks(language, bytes, file);
  return file;
}

Result<ParsedFile> Parser::read_syntax(const Language& language, std::string_view bytes,
                                       const ParseLimits& limits) {
  ParsedFile file;
  KNAPSACK_CHECK(state_->read(language, bytes, limits, file));
  return file;
}

}  // namespace knapsack::code
