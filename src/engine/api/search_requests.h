// What Engine::search is asked and what it answers. Plain data; no thread rule.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "code/index/index_report.h"
#include "core/run_status.h"
#include "engine/api/graph_requests.h"
#include "packet/candidate.h"

namespace knapsack {

inline constexpr size_t kMaxSearchResults = 1'000;
inline constexpr size_t kMaxQueryBytes = size_t{1} << 16U;

struct SearchProgress {
  Source source = Source::kCode;
  size_t embedded = 0;  // texts
  size_t total = 0;
};

struct SearchRequest {
  std::map<std::string, std::string> settings;  // by setting key: "search.fusion", "memory.namespace"
  std::string query;                            // words, "phrases" and -words
  std::vector<std::string> sources;             // code, notes, memory, graph; empty: all that are there
  std::string mode = "hybrid";                  // or lex, vec
  size_t limit = 10;
  std::string format = "text";  // or json
  bool explain = false;         // add the parts of every score and which stages are on
  bool dry_run = false;         // write nothing to the ledger
  bool refresh = true;          // bring the index up to date first; a repository that has none gets one
  // The embedding model; without one the answer is by words.
  std::string embed_model;
  std::string embed_url;
  std::function<void(const code::IndexProgress&)> index_progress;
  std::function<void(const SearchProgress&)> progress;
  std::stop_token stop;  // the answer is not wanted any more
};

struct SearchHit {
  Source source = Source::kCode;
  std::string repository;  // the linked one that it is of; empty: the workspace
  std::string id;          // a path, a memory's or a node's id, an entry of the notes
  std::string path;        // the file that it is in; empty where a file says nothing
  uint32_t line = 0;       // 0 where no line is meant
  std::string title;
  std::string snippet;  // of code some lines with their numbers, elsewhere one
  Score score;

  // "src/cart.py:12", or the id.
  std::string place() const;
  // The place with the title, where that says more.
  std::string heading() const;
  // The snippet as lines that begin with `margin`; empty where there is none.
  std::string shown(std::string_view margin) const;
};

struct SearchedSource {
  Source source = Source::kCode;
  std::string repository;  // the linked one that it is of; empty: the workspace
  size_t found = 0;        // before the limit; at most so many as are looked at
  std::string problem;     // why it could not be searched, or only by words; empty otherwise
};

struct SearchReply {
  RunStatus status = RunStatus::kOk;
  std::string mode;             // how it was answered: hybrid, lex or vec
  std::vector<SearchHit> hits;  // best first
  size_t found = 0;             // in all sources together
  std::vector<SearchedSource> sources;
  std::vector<std::string> linked;   // folders of linked repositories
  std::vector<std::string> notices;  // one line each, for people
  std::string output;
  std::string run_id;
  std::optional<int64_t> run;  // its number in the ledger; nothing where it was not written
  std::vector<StepTime> times;
};

}  // namespace knapsack
