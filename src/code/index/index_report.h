// What an index run tells while it works and when it is done, as plain data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knapsack::code {

struct IndexProgress {
  std::string_view step;  // "reading", "history", …
  uint64_t files = 0;     // done so far
  uint64_t total_files = 0;
  uint64_t bytes = 0;  // read so far
  uint64_t parsed = 0;
};

struct IndexReport {
  std::string snapshot;   // "work tree", or the commit's id
  std::string commit_id;  // empty without a repository
  int64_t number = 0;     // of the snapshot as it is now; each publication gives it another
  bool changed = false;   // a new state was published
  uint64_t files = 0;
  uint64_t sources = 0;  // files that are parsed or searched
  uint64_t source_bytes = 0;
  uint64_t lines = 0;
  uint64_t examined = 0;  // files that were read in this run
  uint64_t unread = 0;    // files, new or maybe changed, that there was no time for
  uint64_t parsed = 0;    // blobs that were new
  uint64_t removed = 0;   // files that are gone since the last time
  uint64_t ignored = 0;
  uint64_t skipped = 0;
  uint64_t import_edges = 0;
  uint64_t commits = 0;
  uint64_t new_commits = 0;
  bool older_commits = false;  // there are more than were asked for; told when the history was read
  std::map<std::string, uint64_t> languages;           // sources
  std::map<std::string, uint64_t> listed;              // files that are listed only, by why
  std::vector<std::string> notes;                      // one line each, for people
  std::vector<std::pair<std::string, int64_t>> times;  // steps and their microseconds
};

}  // namespace knapsack::code
