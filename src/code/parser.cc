#include "code/parser.h"

#include <time.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "code/chunker.h"
#include "code/extractor.h"
#include "code/query_program.h"
#include "code/source_text.h"

namespace knapsack::code {
namespace {

// tree-sitter reports progress once in this many of its steps.
constexpr uint64_t kStepsPerReport = 100;
// A short file may need many steps a byte to recover from one error.
constexpr uint64_t kMinSteps = 200'000;

// Time that this thread spent computing: a busy machine must not turn a good file into line blocks.
int64_t thread_micros() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000;
}

struct Progress {
  uint64_t reports_left = 0;
  int64_t deadline = 0;
  FallbackReason reason = FallbackReason::kNone;
};

bool should_stop(TSParseState* state) {
  auto& progress = *static_cast<Progress*>(state->payload);
  if (progress.reports_left == 0) {
    progress.reason = FallbackReason::kWork;
    return true;
  }
  --progress.reports_left;
  if (thread_micros() > progress.deadline) {
    progress.reason = FallbackReason::kDeadline;
    return true;
  }
  return false;
}

struct Input {
  std::string_view bytes;
};

const char* read_input(void* payload, uint32_t offset, TSPoint /*position*/, uint32_t* length) {
  const std::string_view bytes = static_cast<Input*>(payload)->bytes;
  if (offset >= bytes.size()) {
    *length = 0;
    return "";
  }
  *length = static_cast<uint32_t>(bytes.size() - offset);
  return bytes.data() + offset;
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

}  // namespace

struct Parser::State {
  TSParser* parser = ts_parser_new();
  std::map<std::string_view, QueryProgram> programs;  // by the name of the language
  Matcher matcher;
  std::string repaired;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ts_parser_delete(parser); }

  Result<const QueryProgram*> program(const Language& language) {
    const auto found = programs.find(language.name);
    if (found != programs.end()) return &found->second;
    std::string query;
    any_word(language.query, [&](std::string_view name) {
      query += embedded_query(name);
      return false;
    });
    auto compiled = QueryProgram::compile(language.grammar(), query);
    if (!compiled.ok()) {
      Error error = compiled.error();
      error.what = "queries/" + std::string(language.query) + ".scm: " + error.what;
      return error;
    }
    return &programs.emplace(language.name, std::move(compiled).value()).first->second;
  }

  // Null where a limit stopped it.
  TSTree* parse(const Language& language, std::string_view bytes, const ParseLimits& limits,
                FallbackReason& reason) {
    ts_parser_set_language(parser, language.grammar());
    const uint64_t steps = std::max<uint64_t>(kMinSteps, uint64_t{limits.max_steps_per_byte} * bytes.size());
    Progress progress = {steps / kStepsPerReport, thread_micros() + limits.deadline_micros};
    Input input = {bytes};
    TSTree* tree = ts_parser_parse_with_options(
        parser, nullptr, {&input, read_input, TSInputEncodingUTF8, nullptr}, {&progress, should_stop});
    if (tree == nullptr) {
      reason = progress.reason;
      ts_parser_reset(parser);
    }
    return tree;
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
    KNAPSACK_TRY(const QueryProgram* program, state_->program(language));
    file.fallback = check_shape(bytes, limits);
    TSTree* tree = nullptr;
    if (file.fallback == FallbackReason::kNone) tree = state_->parse(language, bytes, limits, file.fallback);
    if (tree == nullptr) {
      file.status = ParseStatus::kDeadlineFallback;
    } else {
      extract(language, *program, ts_tree_root_node(tree), bytes, state_->matcher, file);
      ts_tree_delete(tree);
      file.status = file.error_nodes == 0 ? ParseStatus::kParsed : ParseStatus::kParsedWithErrors;
    }
  }
  add_chunks(language, bytes, file);
  return file;
}

}  // namespace knapsack::code
