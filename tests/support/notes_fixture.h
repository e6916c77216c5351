// Makes notes folders as people really keep them, and knows apart from our reader what is in them.
//
// Every entry begins with a word of its own ("dec0042") and its full text ends with another ("enddec0042"),
// so that a test can see in any output whether the entry is there in full, only named, or not at all.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace knapsack::testing {

struct FixtureEntry {
  std::string first;  // the first word of its title
  std::string last;   // the last word of its full text
  bool superseded = false;
};

struct NotesFixture {
  std::vector<std::pair<std::string, std::string>> files;  // relative name, bytes
  std::vector<FixtureEntry> rules, tasks, conventions, decisions, learnings;
  std::vector<std::string>
      never;  // words that must not be in any packet: done tasks, fenced examples, comments

  size_t entries() const { return tasks.size() + conventions.size() + decisions.size() + learnings.size(); }
};

struct NotesShape {
  int rules = 6;
  int tasks = 10;
  int conventions = 8;
  int decisions = 8;
  int learnings = 8;
  int words = 30;       // of a typical body
  bool messy = true;    // CRLF, BOM, invalid UTF-8, fences, comments, index blocks
  bool themes = false;  // theme folders beside the root files
};

NotesFixture make_notes(std::mt19937& random, const NotesShape& shape);

// About 110 decisions, 150 learnings and 250 tasks in files of some 150 kB, with everything that is messy.
NotesFixture make_large_notes();

}  // namespace knapsack::testing
