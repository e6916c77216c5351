// Nodes: the words that every part of the graph shares: layers, states, references and ids.
//
// A node is one JSON object a line; a line is one revision of it. Plain data and pure functions; no thread
// rule.
// Private to graph/store/.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/clock.h"

namespace knapsack::graph {

enum class Layer : uint8_t { kKnowledge, kReasoning, kTask };
inline constexpr std::array<Layer, 3> kLayers = {Layer::kKnowledge, Layer::kReasoning, Layer::kTask};

std::string_view prefix_of(Layer layer);  // "KG", "RG", "TG"
std::string_view file_of(Layer layer);    // "kg_nodes.jsonl"
std::string_view to_string(Layer layer);  // "knowledge", "reasoning", "task"
// The layer that an id belongs to, by what it begins with, in any case; nothing for other texts.
std::optional<Layer> layer_of(std::string_view id);

inline constexpr size_t kMaxIdBytes = 128;
inline constexpr size_t kMaxTitleBytes = 1000;       // what `put` accepts; longer ones are read and shown cut
inline constexpr size_t kMaxLineBytes = 16U << 20U;  // a longer line is reported and passed over
inline constexpr size_t kMaxDepth = 64;              // of nested arrays and objects

// Letters, digits, '.', '_' and '-' after the prefix; at most kMaxIdBytes.
bool valid_id(std::string_view id);

// Where a node stands in its life. Tasks use the first nine, decisions and knowledge the rest (and
// superseded, which all share).
enum class State : uint8_t {
  kUnknown,
  kBacklog,
  kReady,
  kInProgress,
  kBlocked,
  kReview,
  kDone,
  kCancelled,
  kSuperseded,
  kArchived,
  kProposed,
  kAccepted,
  kRejected,
  kDeprecated,
};
State parse_state(std::string_view name);
std::string_view to_string(State state);  // "in_progress"; "" for kUnknown
// Somebody is on it: in progress, blocked or in review.
bool is_active(State state);
// Nothing is left to do or to believe: done, cancelled, superseded, archived, rejected, deprecated.
bool is_finished(State state);

// What one node says of another.
enum class ReferenceKind : uint8_t {
  kLink,        // links, relationships, evidence, refs and inputs
  kDependency,  // the target must be done first
  kBlocks,      // the target waits for this one
  kSupersedes,  // this decision replaces the target
};

// 26 characters: ten of the time in milliseconds, sixteen of a hash of `seed`. The same for the same two.
std::string ulid(Timestamp time, std::string_view seed);
// One that says no time, so that the same seed gives the same id for ever.
std::string timeless_ulid(std::string_view seed);

// "2026-11-15T08:00:00Z": whole seconds, as the store keeps times.
std::string stored_time(Timestamp time);
// "20261115T080000Z": the same in file names.
std::string file_time(Timestamp time);

}  // namespace knapsack::graph
