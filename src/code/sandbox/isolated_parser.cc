#include "code/sandbox/isolated_parser.h"

#include "code/parse/chunker.h"
#include "code/parse/source_text.h"

namespace knapsack::code {

void IsolatedParser::parse_here(std::string problem) {
  problem_ = std::move(problem);
  program_.clear();
  process_.reset();
}

ParsingProcess::Answer IsolatedParser::ask(const Language& language, std::string_view bytes) {
  while (true) {
    if (process_ && process_->is_worn()) process_.reset();
    if (!process_) {
      auto started = ParsingProcess::start(program_);
      if (!started.ok()) {
        parse_here(started.error().what);
        return {Outcome::kNeverBegan, {}, ""};
      }
      process_.emplace(*std::move(started));
    }
    const bool fresh = process_->is_fresh();
    auto answer = process_->read_syntax(language, bytes);
    if (answer.outcome == Outcome::kAnswered || answer.outcome == Outcome::kMistaken) return answer;
    process_.reset();
    if (answer.outcome == Outcome::kNeverBegan) parse_here("the process for parsing does not run here");
    if (answer.outcome != Outcome::kDied || fresh) return answer;
  }
}

Result<ParsedFile> IsolatedParser::parse(const Language& language, std::string_view bytes) {
  const bool runs_grammar = language.has_symbols() && bytes.size() <= ParseLimits().max_bytes;
  if (program_.empty() || !runs_grammar) return parser_.parse(language, bytes);
  const std::string_view source = repair_utf8(bytes, repaired_) ? std::string_view(repaired_) : bytes;
  auto answer = ask(language, source);
  if (answer.outcome == Outcome::kNeverBegan) return parser_.parse(language, bytes);
  if (answer.outcome == Outcome::kMistaken) return Error{ErrorCode::kInternal, answer.problem, ""};
  ParsedFile& file = answer.file;
  if (answer.outcome != Outcome::kAnswered) {
    file.status = ParseStatus::kDeadlineFallback;
    file.fallback = answer.outcome == Outcome::kTooSlow ? FallbackReason::kDeadline : FallbackReason::kCrash;
  }
  add_chunks(language, source, file);
  return std::move(file);
}

}  // namespace knapsack::code
