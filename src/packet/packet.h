// Packet: what a run answers with. Every command fills one; renderers print it.
//
// `candidates` of a section are in the order they are shown; `shown` says which form each took, so that
// nothing considered is ever missing from the account. Plain data; no thread rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run_status.h"
#include "packet/candidate.h"

namespace knapsack {

struct PacketItem {
  Candidate candidate;
  std::optional<size_t> shown;  // index into candidate.forms; nothing when left out
  uint64_t tokens = 0;          // of the shown form as rendered; of the poorest form when left out
  uint64_t full_tokens = 0;     // of the richest form as rendered
  std::string reason;           // why it was left out or reduced; empty when shown in full

  bool in_full() const { return shown == 0; }
};

// How items of a section look in text formats.
enum class ItemStyle { kBullet, kTask, kEntry };

// What a section holds, for who treats them differently; `key` is only how outputs name it.
enum class SectionKind : uint8_t {
  kOther,
  kNamed,
  kUnits,
  kSignatures,
  kConnections,
  kTasks,
  kConventions,
  kDecisions,
  kLearnings,
  kArtifacts,
  kMemories,
  kEpisodes,
  kKnowledge,
  kChanges,
};

struct PacketSection {
  SectionKind kind = SectionKind::kOther;
  std::string key;      // "decisions": the JSON field and the ledger's section name
  std::string heading;  // "Recent Decisions"
  ItemStyle style = ItemStyle::kBullet;
  int tier = 0;                       // lower is served first
  double cap = 1.0;                   // at most this share of the budget before leftovers are handed out
  double floor = 0.0;                 // at least this share is kept free for it from earlier tiers
  double rich_share = 1.0;            // forms other than the poorest take at most this share of the allowance
  bool in_order = false;              // shown in full up to the first that does not fit
  bool notes_reduced = false;         // poorer forms are listed under "Also noted" instead of in place
  std::vector<PacketItem> items;      // in packing order: best first
  std::vector<size_t> display_order;  // indexes into items; empty means packing order
};

enum class PreambleKind : uint8_t { kConstitution, kReadOrder, kTask, kNotRead, kRequest, kTeams };
std::string_view to_string(PreambleKind kind);  // how outputs name it: "read_order"

// A list that is always shown in full, whatever the budget.
struct PacketPreamble {
  PreambleKind kind = PreambleKind::kTask;
  std::string heading;
  std::vector<std::string> lines;
};

struct Packet {
  std::string run_id;
  std::string task_id;
  RunStatus status = RunStatus::kOk;
  std::vector<std::string> warnings;
  Timestamp generated;
  // Says when it was made. A packet for a task does not: asked for twice, it is the same text twice, which models'
  // clients need not read again.
  bool dated = true;
  std::string tokenizer;
  uint64_t budget = 0;
  uint64_t margin = 0;  // tokens of the budget that are left free because the counter only estimates
  uint64_t used = 0;
  bool omission_shown = false;  // the line that counts what was left out is printed
  bool is_full = false;      // something had no room, and hardly any is left: only a larger budget shows more
  bool over_budget = false;  // only where the preambles alone exceed the budget
  bool names_what_follows = false;  // what was left out shows by signatures: no line counts it
  bool may_be_blank = false;        // nothing at all is printed where not even the heading fits

  uint64_t behind_stop = 0;  // parts that were not offered: too far below the best
  // Left out before anything was packed, and listed only when all is printed: the counts hold from the start.
  uint64_t left_out_before = 0;
  // Parts of what is offered that stay out whatever the budget; Candidate::dropped says why. For the ledger.
  std::vector<Candidate> unoffered;

  std::string title;
  std::vector<PacketPreamble> preambles;
  std::vector<PacketSection> sections;
  // In the order in which they are shown. Their parts stand in the sections.
  std::vector<std::shared_ptr<const CandidateGroup>> groups;
  std::string instruction;

  // Anything that could be shown, preambles aside.
  bool has_items() const;
  uint64_t omitted_count() const;   // of all that was considered
  uint64_t unplaced_count() const;  // items of the sections that are not shown
  uint64_t reduced_count() const;
};

}  // namespace knapsack
