// Candidate: one thing that might go into a packet, in every form it could take.
//
// Sources make candidates, ranking orders them, packing picks a form for each. Plain data; no thread rule.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/line_range.h"
#include "core/score.h"

namespace knapsack {

enum class Source { kCode, kNotes, kMemory, kGraph };
std::string_view to_string(Source source);

// How much of a candidate is shown, richest first.
enum class FormKind { kFull, kReduced, kSignature, kTitle };
std::string_view to_string(FormKind kind);

// A line that stands for something longer: a signature, with the line on which it really is.
struct OutlineLine {
  uint32_t line = 0;
  std::string text;
  bool operator==(const OutlineLine&) const = default;
};

struct Form {
  FormKind kind = FormKind::kFull;
  std::string text;  // the content itself; renderers add the framing
  // Instead of a text of its own, for a part of a group: lines of the group's text and of its outline. What
  // several parts share is printed once.
  std::vector<LineRange> lines = {};
  std::vector<OutlineLine> outline = {};
  bool breaks_off = false;  // the part goes on behind its last line
};

// A text whose chosen parts are shown together under one heading, whichever section they were packed from: a
// source file.
struct CandidateGroup {
  std::string id;                   // what is printed as the heading: "src/shop/cart.py"
  std::string about;                // why it is there, one line; may be empty
  std::string language;             // names the fence; may be empty
  std::string text;                 // all of it
  std::vector<size_t> line_starts;  // of each line of `text`, in bytes; index 0 is line 1
  // What all of `text` counts, by the names of counters that have counted it before; may be empty.
  std::vector<std::pair<std::string, uint64_t>> known_units = {};

  // The lines of a range, each with its line feed; a range beyond the end gives what is there.
  std::string_view lines(LineRange range) const;
  bool is_blank(LineRange range) const;
  bool is_all(const Form& form) const;
  uint32_t line_count() const { return static_cast<uint32_t>(line_starts.size()); }
};
// Finds the lines.
std::shared_ptr<const CandidateGroup> make_group(CandidateGroup group);

// What a candidate does in a packet, for packing and outputs to go by; `Candidate::kind` is for readers.
enum class CandidateRole {
  kPart,        // is a part of its own
  kSymbol,      // shows a definition
  kConnection,  // connects the first two groups that it needs
  kGoesOn,      // goes on with what another part shows
};

struct Candidate {
  std::string id;  // stable across runs, unique in a packet: "decision:2026-02-03-101500:use-sqlite"
  Source source = Source::kNotes;
  CandidateRole role = CandidateRole::kPart;
  std::string kind;   // what a reader would call it: "task", "decision"
  std::string title;  // one line
  std::optional<Timestamp> when;
  std::vector<Form> forms;  // richest first; never empty
  Score score;
  double bearing = 0;  // how much it has to do with the task, 0 to 1, as its source sees it
  bool pinned = false;
  bool leads = false;  // among the very best: where it has no room whole, a part of it comes first
  std::vector<std::string> provenance;                            // why it was gathered, in words
  std::shared_ptr<const CandidateGroup> group = {};               // what it is a part of, if anything
  std::vector<std::shared_ptr<const CandidateGroup>> needs = {};  // shown only when all of these are
  std::string dropped;      // why it takes no part in packing; empty when it does
  uint64_t stands_for = 1;  // candidates that are only counted
};

}  // namespace knapsack
