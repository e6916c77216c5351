// Comments: joining neighbouring lines, and telling a reason from a chore, a licence and the rest.
//
// Kinds follow from words alone, by the table in comments.cc; the first kind that applies wins, in the order
// licence, todo, rationale, note, issue reference, doc. Pure functions but for the collector, which serves
// one file.
// Private to code/parse/.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "code/parse/language.h"
#include "code/parse/parsed_file.h"

namespace knapsack::code {

// kPlain where nothing in the words says otherwise. Text as strip_comment() leaves it.
CommentKind classify_comment(std::string_view text, uint32_t start_line);

// "#12", "GH-12", "…/issues/12", "…/pull/12", in order and without repeats.
std::vector<uint32_t> find_issue_numbers(std::string_view text);

// True for the marks that documentation tools read: "/**", "///", "//!", "/*!", "-- |", "--|", "{-|", "---".
bool has_doc_mark(std::string_view comment);

struct CommentSpan {
  uint32_t start_byte = 0;
  uint32_t end_byte = 0;
  uint32_t start_line = 0;
  uint32_t end_line = 0;
  int32_t enclosing = kNoSymbol;
  bool is_trailing = false;  // code stands before it on its line
  bool is_string = false;    // a docstring
  bool is_doc = false;       // documents the file, or something that has documentation already
  bool is_attached = false;  // became a symbol's docstring
};

class CommentCollector {
 public:
  CommentCollector(const Language& language, std::string_view bytes) : language_(language), bytes_(bytes) {}

  // In source order, but for docstrings, which are found with their definition.
  void add(CommentSpan span);
  // To be called once all are added, before the rest.
  void sort();
  // The comment that ends on this line and has it for itself; null where there is none.
  CommentSpan* ending_on(uint32_t line);
  const std::vector<CommentSpan>& spans() const { return spans_; }
  std::string_view text_of(const CommentSpan& span) const;
  // All of them but those that are nothing but the documentation of a symbol.
  std::vector<Comment> finish() const;

 private:
  const Language& language_;
  std::string_view bytes_;
  std::vector<CommentSpan> spans_;
};

}  // namespace knapsack::code
