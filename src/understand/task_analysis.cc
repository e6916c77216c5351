#include "understand/task_analysis.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/paths.h"
#include "text/markdown/inline_code.h"
#include "text/markdown/markdown_lines.h"
#include "text/unicode/utf8.h"
#include "understand/message_references.h"
#include "understand/task_concepts.h"
#include "understand/task_keywords.h"
#include "understand/task_links.h"
#include "understand/task_paths.h"
#include "understand/task_segments.h"
#include "understand/task_symbols.h"
#include "understand/task_type.h"

namespace knapsack {
namespace {

using std::string_view;

bool is_documentation(string_view path) {
  const string_view name = base_name(path);
  return path.starts_with("docs/") || name.starts_with("README") || name.starts_with("CHANGELOG") ||
         name.starts_with("CONTRIBUTING") || name.ends_with(".rst");
}

enum class Wanted { kAll, kMentions };

class Analysis {
 public:
  explicit Analysis(Wanted wanted) : wanted_(wanted) {}

  TaskQuery run(string_view text) {
    TaskReading reading = read_task_text(text);
    for (size_t i = 0; i < reading.segments.size(); ++i) {
      // "Argument #1 must be an int" names no issue.
      printed_ = std::binary_search(reading.messages.begin(), reading.messages.end(), i);
      read_segment(reading.segments[i]);
    }
    if (wanted_ == Wanted::kMentions) return std::move(query_);
    query_.text = std::string(text);
    query_.frames = std::move(reading.frames);
    query_.errors = std::move(reading.errors);
    query_.segments = without_links(std::move(reading.segments));
    query_.type = task_type_of({title_, prose_, !query_.frames.empty() || !query_.errors.empty()});
    query_.keywords = keywords_.take();
    query_.concepts = find_concepts(keywords_.words());
    return std::move(query_);
  }

 private:
  void read_segment(const TaskSegment& segment) {
    switch (segment.kind) {
      case SegmentKind::kTitle:
      case SegmentKind::kProse:
        read_sentences(segment);
        break;
      case SegmentKind::kInline:
        add_quoted(segment.text);
        read_links(segment.text);
        read_words(drop_links(segment.text), SegmentKind::kInline, false);
        break;
      case SegmentKind::kCode:
        add_quoted(segment.text);
        for (PathMention& mention : find_paths(drop_links(segment.text), segment.kind, kMaxPaths))
          add_path(std::move(mention.hint));
        break;
      case SegmentKind::kTemplate:
        // Words in there are about the reporter, but a file that somebody names is named.
        read_links(segment.text);
        for (PathMention& mention : find_paths(drop_links(segment.text), segment.kind, kMaxPaths))
          add_path(std::move(mention.hint));
        break;
      case SegmentKind::kTrace:
        break;
    }
  }

  void read_sentences(const TaskSegment& segment) {
    const bool title = segment.kind == SegmentKind::kTitle;
    const std::string text = drop_links(segment.text);
    read_links(segment.text);
    // A message that a program printed may quote with a backtick on one side only: it has no inline code.
    if (printed_) {
      read_words(text, segment.kind, false);
      return;
    }
    for (const InlinePiece& piece : split_inline_code(text)) {
      if (piece.code) add_quoted(piece.text);
      read_words(piece.text, piece.code ? SegmentKind::kInline : segment.kind, title);
    }
  }

  void add_quoted(string_view code) {
    if (query_.quoted.size() >= kMaxQuoted) return;
    std::string entry(utf8_prefix(code, kMaxQuotedBytes));
    if (trim(entry).empty()) return;
    if (std::find(query_.quoted.begin(), query_.quoted.end(), entry) == query_.quoted.end())
      query_.quoted.push_back(std::move(entry));
  }

  // A path with a line tells more than the same path without one.
  void add_path(PathHint hint) {
    if (query_.paths.size() >= kMaxPaths) return;
    const auto [known, is_new] = first_of_path_.emplace(hint.path, query_.paths.size());
    if (!is_new) {
      uint32_t& line = query_.paths[known->second].line;
      if (line == 0) line = hint.line;
      if (hint.line == 0 || hint.line == line) return;
      if (std::find(query_.paths.begin(), query_.paths.end(), hint) != query_.paths.end()) return;
    }
    query_.paths.push_back(std::move(hint));
  }

  // `save!` may be read as `save` with the end of a sentence behind it.
  void add_mention(SymbolMention mention) {
    const std::string& name = mention.name;
    const bool is_new = add_symbol(name);
    if (!is_new) std::erase(query_.unmarked, name);
    if (mention.called) add_called(name);
    if (mention.bare.empty()) return;
    if (add_symbol(mention.bare)) query_.unmarked.push_back(mention.bare);
    if (mention.called) add_called(mention.bare);
  }

  // False where it is known.
  bool add_symbol(const std::string& name) {
    if (query_.symbols.size() >= kMaxSymbols || !known_symbols_.insert(name).second) return false;
    query_.symbols.push_back(name);
    return true;
  }

  void add_called(const std::string& name) {
    if (known_symbols_.contains(name) && called_.insert(name).second) query_.called.push_back(name);
  }

  // Links to files name files; in what is left, numbers and commit ids name issues and commits.
  void read_links(string_view text) {
    size_t at = 0;
    for (const Link& link : find_links(text)) {
      PathHint hint = linked_file(text.substr(link.begin, link.end - link.begin));
      if (hint.path.empty()) continue;
      read_references(text.substr(at, link.begin - at));
      add_path(std::move(hint));
      at = link.end;
    }
    read_references(text.substr(at));
  }

  void read_references(string_view text) {
    const size_t known = query_.issues.size() + query_.commits.size();
    if (printed_ || known >= kMaxReferences) return;
    for (MessageReference& reference : scan_references(text, kMaxReferences)) {
      auto& list = reference.kind == MessageReference::kNumber ? query_.issues : query_.commits;
      if (std::find(list.begin(), list.end(), reference.value) == list.end())
        list.push_back(std::move(reference.value));
    }
  }

  // Paths, then the names between them, then the words between those.
  void read_words(string_view text, SegmentKind kind, bool title) {
    const size_t paths_left = query_.paths.size() < kMaxPaths ? kMaxPaths : 0;
    size_t at = 0;
    for (PathMention& mention : find_paths(text, kind, paths_left)) {
      read_names(text.substr(at, mention.begin - at), kind, title);
      keywords_.add_words(mention.hint.path);
      // "Update README.md" is about documentation; the words of other paths say nothing about what is asked.
      (title ? title_ : prose_).append(is_documentation(mention.hint.path) ? " docs " : " ");
      add_path(std::move(mention.hint));
      at = mention.end;
    }
    read_names(text.substr(at), kind, title);
  }

  void read_names(string_view text, SegmentKind kind, bool title) {
    const size_t symbols_left = query_.symbols.size() < kMaxSymbols ? kMaxSymbols : 0;
    size_t at = 0;
    for (SymbolMention& mention : find_symbols(text, kind == SegmentKind::kInline, symbols_left)) {
      read_plain_words(text.substr(at, mention.begin - at), title);
      keywords_.add_words(mention.name);
      at = mention.end;
      add_mention(std::move(mention));
    }
    read_plain_words(text.substr(at), title);
  }

  void read_plain_words(string_view text, bool title) {
    if (wanted_ == Wanted::kMentions) return;
    keywords_.add(text, title);
    (title ? title_ : prose_).append(text).push_back(' ');
  }

  const Wanted wanted_;
  TaskQuery query_;
  KeywordCounter keywords_;
  std::unordered_map<std::string, size_t> first_of_path_;  // in query_.paths
  std::unordered_set<std::string> known_symbols_;
  std::unordered_set<std::string> called_;
  bool printed_ = false;  // the segment is what a program said
  std::string title_;     // without paths and names
  std::string prose_;
};

}  // namespace

TaskQuery analyze_task(string_view text) {
  return Analysis(Wanted::kAll).run(text);
}

TaskQuery find_mentions(string_view text) {
  return Analysis(Wanted::kMentions).run(text);
}

}  // namespace knapsack
