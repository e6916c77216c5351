// Memory: one thing an agent was told or found out, as its file in the memory tree says it.
//
// The file is the truth; this is what was read of it. Keys that this program does not know stay in the file
// and are not here. Plain data; no thread rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"

namespace knapsack::memory {

enum class Status : uint8_t { kActive, kSuperseded, kArchived, kForgotten, kQuarantined };
std::string_view to_string(Status status);
// Nothing for a word that is no status.
std::optional<Status> parse_status(std::string_view word);

// Where in the tree it lies decides, and `memoryKind` of the front matter where that is silent.
enum class Kind : uint8_t { kNote, kEpisode, kBox, kArtifact, kEntity, kCorrection };
std::string_view to_string(Kind kind);

// fact preference correction entity decision relationship principle commitment moment skill
extern const std::vector<std::string_view> kCategories;
bool is_category(std::string_view word);

struct Link {
  std::string target_id;
  std::string type;     // "follows", "causes", "contradicts": any word
  double strength = 1;  // 0 to 1
  bool operator==(const Link&) const = default;
};

// What a memory is good for, noted when it was written.
struct Intent {
  std::string goal;
  std::string action_type;
  std::vector<std::string> entity_types;
  bool operator==(const Intent&) const = default;
};

struct Memory {
  std::string id;          // unique in its namespace; from the file name where the front matter has none
  std::string name_space;  // "" is the default one, "shared" is everybody's
  std::string path;        // from the memory folder, '/' between the parts
  std::string session;     // what it belongs to in time: its day folder, or its box; "" for none
  Kind kind = Kind::kNote;
  Status status = Status::kActive;
  std::string category = "fact";
  std::string speaker;  // who said it, where the front matter's `source` names a person; may be empty
  std::string text;     // the body, without front matter
  std::optional<Timestamp> created;
  std::optional<Timestamp> updated;
  std::optional<Timestamp> expires;
  std::optional<Timestamp> valid_from;   // valid_at
  std::optional<Timestamp> valid_until;  // invalid_at
  std::optional<Timestamp> last_accessed;
  double confidence = 0.8;
  std::optional<double> importance;  // 0 to 1; a memory without one has the neutral 0.4
  uint64_t access_count = 0;
  uint64_t useful = 0;      // how often feedback said so
  uint64_t not_useful = 0;  // and the contrary
  std::vector<std::string> tags;
  std::string entity;  // entityRef: "person-anna"
  std::vector<std::string> supersedes;
  std::string superseded_by;
  std::vector<Link> links;
  Intent intent;
  std::string artifact_type;
  std::string source_memory;         // of an artifact: the memory it repeats word for word
  uint64_t secrets = 0;              // that were replaced in what is here
  bool broken_front_matter = false;  // then everything is text, and only path and kind are known
};

}  // namespace knapsack::memory
