// Questions about the code index and what fills it. Plain data.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "code/index/index_report.h"

namespace knapsack {

struct MapRequest {
  uint64_t budget = 2000;
  std::string tokenizer = "o200k";
  std::string revision;  // a commit that was indexed; empty: the work tree
  bool refresh = true;   // bring the index of the work tree up to date first
  std::function<void(const code::IndexProgress&)> progress;
};
struct MapReply {
  std::string text;
  uint64_t used = 0;            // tokens
  size_t files = 0, shown = 0;  // of those that define something
};

// A file as it was indexed, without its secrets.
struct FileText {
  std::string path, language, text;
  uint64_t secrets = 0;  // that were replaced
};

struct IndexOptions {
  std::string revision;                    // a commit instead of the work tree
  unsigned jobs = 0;                       // threads; 0: one a core
  uint32_t history = 5000;                 // commits
  bool full = false;                       // learn everything anew
  std::chrono::milliseconds wait{30'000};  // for another indexer
  bool read_outside_alternates = false;    // objects that a shared clone borrows from elsewhere
  std::function<void(const code::IndexProgress&)> progress;
  std::stop_token stop;  // ends the run with kStopped; what was read is known to the next one
  // For reading files; nothing: as long as it takes. IndexReport::unread says what there was no time for.
  std::optional<std::chrono::milliseconds> deadline;
};

struct EnrichProgress {
  uint64_t done = 0;  // of those to be asked about
  uint64_t total = 0;
  uint64_t failed = 0;
  std::string path;  // the file that the model is asked about next
};

struct EnrichRequest {
  std::string model;
  std::string base_url;
  std::map<std::string, std::string> settings;  // "model.provider", "model.context_window", "model.timeout"
  bool promote = false;
  bool review = false;            // ask nothing: what this model has said, to be read before it is promoted
  std::optional<uint64_t> limit;  // files to ask about in this run; nothing: all
  std::function<void(const EnrichProgress&)> progress;
};

// What a model said of one file.
struct FileDescription {
  std::string path;
  std::string purpose, module, domain;
  std::vector<std::string> concepts;
  std::vector<std::string> public_api;
  std::string complexity_notes;
};

// Files with the same content count once.
struct EnrichReport {
  uint64_t files = 0;                        // source files that a model can describe
  uint64_t known = 0;                        // that this model had described before
  uint64_t asked = 0;                        // in this run
  uint64_t answered = 0;                     // of these, with an answer that passed validation
  uint64_t shortened = 0;                    // asked, but too long to be shown to the model whole
  uint64_t redacted = 0;                     // secrets that were taken out of prompts
  uint64_t left = 0;                         // not asked yet: over the limit, or the run was stopped
  uint64_t changed = 0;                      // passed over: not as they were when they were indexed
  uint64_t promoted = 0;                     // rows that file_metadata has from this model now
  std::map<std::string, uint64_t> failures;  // asked without use, by outcome
  std::string first_failure;                 // "path: what happened"
  std::vector<FileDescription> reviewed;     // what this model has said, most imported first; for a review
  std::string stopped;                       // why the run ended before its time; empty otherwise
  int64_t prompt_tokens = 0;
  int64_t completion_tokens = 0;
};

}  // namespace knapsack
