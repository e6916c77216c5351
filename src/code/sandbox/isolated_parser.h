// IsolatedParser: Parser, with the part that runs grammars in a process of its own (code/sandbox/parsing_process.h).
//
// Gives what Parser gives, byte for byte. A file that breaks its process comes back in line blocks and costs
// no other file: the process is replaced, and a file that met one which others had used before gets a second
// chance in a new one. Where there is no program to start, or it does not run, files are parsed here, and
// `not_isolated()` says why. One a thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "code/parse/parser.h"
#include "code/sandbox/parsing_process.h"

namespace knapsack::code {

class IsolatedParser {
 public:
  // Empty: parse here.
  explicit IsolatedParser(std::string program = "") : program_(std::move(program)) {}

  Result<ParsedFile> parse(const Language& language, std::string_view bytes);

  // Why files are parsed here though there was a program to start; empty otherwise.
  const std::string& not_isolated() const { return problem_; }

 private:
  using Outcome = ParsingProcess::Outcome;
  ParsingProcess::Answer ask(const Language& language, std::string_view bytes);
  void parse_here(std::string problem);

  std::string program_;
  std::string problem_;
  std::optional<ParsingProcess> process_;
  Parser parser_;
  std::string repaired_;
};

}  // namespace knapsack::code
