// SearchSource: one kind of knowledge as `search` sees it: items that words or meaning find, and their texts.
//
// An item is what a result names (a file, an entry, a memory, a node); its parts are what has a vector of its
// own (the chunks of a file; elsewhere the item itself). Each source ranks by words with the ranking that its
// own command has: there is one ranking a source, not two. Texts come out without secrets. One request, one
// thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine_state.h"
#include "search/query/text_match.h"

namespace knapsack {

struct SourceHit {
  uint32_t item = 0;
  uint32_t part = 0;  // that matches best
  Score score;        // on a scale of the source's own
  uint32_t line = 0;  // that is meant, where the query names what it defines; 0: where its words stand
};

struct SourceUnit {
  uint32_t item = 0;
  uint32_t part = 0;
  std::string hash;  // of the content, known without reading it
};

struct SourceText {
  std::string id;
  std::string path;
  uint32_t line = 0;  // where `text` begins; 0 where lines mean nothing
  std::string title;
  std::string text;
};

class SearchSource {
 public:
  virtual ~SearchSource() = default;

  virtual Source source() const = 0;
  // The linked repository that it is of; empty: the workspace.
  virtual std::string repository() const { return ""; }
  // Where its files are, as somebody in the workspace would say; empty for files all over it.
  virtual std::string folder() const { return ""; }
  // The file that an item is, where it is one.
  virtual std::string file_of(uint32_t) const { return ""; }
  // Best first, at most `limit`; none that no word speaks for.
  virtual Result<std::vector<SourceHit>> by_words(const std::string& words, size_t limit) = 0;
  virtual Result<std::vector<SourceUnit>> units() = 0;
  virtual Result<SourceText> text(uint32_t item, uint32_t part) = 0;
  // Hashes of what this request may not find and another may.
  virtual std::vector<std::string> other_units() const { return {}; }
  // All of an item's text, for phrases and excluded words.
  virtual Result<std::string> whole_text(uint32_t item);
  // What a name for the line of a text is, where the text itself has none; for code the symbol around it.
  virtual std::string title_of_line(uint32_t item, uint32_t line);
  // What a result shows of a text; `line` is where the query's words stand, or what they name.
  virtual std::string excerpt(uint32_t item, const SourceText& text, uint32_t line,
                              const search::TextMatch& match);
  // One line each: what was passed over.
  virtual std::vector<std::string> warnings() const { return {}; }
  // One line each: what is good to know and costs nothing.
  virtual std::vector<std::string> notes() const { return {}; }
  // Whether by_words() let the encoder in the program have a say.
  virtual bool used_meaning() const { return false; }
};

using OpenedSource = Result<std::unique_ptr<SearchSource>>;  // null: there is no such source here

OpenedSource open_code_source(Engine::State& state, const SearchRequest& request);
// Of a linked repository, whose index is made where there is none.
OpenedSource open_linked_source(Engine::State& state, const SearchRequest& request, const std::string& name);
OpenedSource open_notes_source(Engine::State& state, const SearchRequest& request);
OpenedSource open_memory_source(Engine::State& state, const SearchRequest& request);
OpenedSource open_graph_source(Engine::State& state, const SearchRequest& request);

}  // namespace knapsack
