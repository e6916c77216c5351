// Candidate: one thing that might go into a packet, in every form it could take.
//
// Sources make candidates, ranking orders them, packing picks a form for each. Plain data; no thread rule.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"

namespace knapsack {

enum class Source { kCode, kNotes, kMemory, kGraph };
std::string_view to_string(Source source);

// How much of a candidate is shown, richest first.
enum class FormKind { kFull, kReduced, kSignature, kTitle };
std::string_view to_string(FormKind kind);

struct Form {
  FormKind kind = FormKind::kFull;
  std::string text;  // the content itself; renderers add the framing
};

// A sum of named parts, so that every score can be explained.
struct ScoreComponent {
  std::string name;
  double value = 0;
};
struct Score {
  double total = 0;
  std::vector<ScoreComponent> components;
};

struct Candidate {
  std::string id;  // stable across runs, unique in a packet: "decision:2026-02-03-101500:use-sqlite"
  Source source = Source::kNotes;
  std::string kind;   // what a reader would call it: "task", "decision"
  std::string title;  // one line
  std::optional<Timestamp> when;
  std::vector<Form> forms;  // richest first; never empty
  Score score;
  bool pinned = false;
  std::vector<std::string> provenance;  // why it was gathered, in words
  std::string dropped;                  // why it takes no part in packing; empty when it does
};

}  // namespace knapsack
