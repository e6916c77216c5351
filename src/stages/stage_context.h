// StageContext: what the stages of a retrieval hand on to each other, as plain data.
//
// Each stage takes one and returns a refined one; the runner keeps it in the session after every stage, so it
// goes to JSON and back without loss. Paths are those of one snapshot. Values only; no thread rule.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "code/units/units.h"
#include "core/result.h"
#include "packet/candidate.h"

namespace knapsack::stages {

// How a file came into view. The number is the one the ledger shows.
enum class ScopeTier : uint8_t {
  kSeed = 1,        // the task names it, or it is among the very best of the ranking
  kDependency = 2,  // imports a seed, or is imported by one
  kCoChange = 3,    // changed together with a seed
  kMetadata = 4,    // a model said that it is about the same things
  kMatch = 5,       // has the words of the task
};
std::string_view to_string(ScopeTier tier);

// How a file was called by name.
enum class Naming : uint8_t {
  kNone,
  kDefinition,  // the task names what it defines
  kTrace,       // a stack trace runs through it
  kBackground,  // another source of the packet names it
  kRequest,     // a refinement asks for it
  kPath,        // the task has its path, or the end of it
};

struct ScopedFile {
  std::string path;
  ScopeTier tier = ScopeTier::kMatch;
  Naming naming = Naming::kNone;
  std::vector<std::string> relations;  // why it is here: "named in the task", "imported by src/a.py"
  double relevance = 0;                // within its tier
  uint32_t rank = 0;                   // in the ranking of the whole repository, from 1; 0: not in it
  Score score;                         // of that ranking
  std::vector<uint32_t> chunks;        // its best chunks, best first
  std::vector<uint32_t> uses;          // lines that use a symbol of the task
  bool listed = false;                 // shown by its path where nothing of it is
  bool kept = true;
  std::string verdict;  // why it was not kept, or what the model said
  // Its path is shown whatever happens.
  bool is_named() const { return naming != Naming::kNone; }
  bool operator==(const ScopedFile&) const;
};

enum class SymbolTier : uint8_t { kPrimary, kSupporting, kTypeContext, kExcluded };
std::string_view to_string(SymbolTier tier);

inline constexpr int32_t kNoPosition = -1;
// Why a unit is there that nothing points at.
inline constexpr const char* kHasWords = "has words of the task";
inline constexpr const char* kInLastPacket = "in the last packet";

// A unit of a scoped file (code/units/units.h) with what speaks for it.
struct SelectedSymbol {
  std::string path;
  int32_t position = kNoPosition;  // among the symbols of its file
  code::UnitKind kind = code::UnitKind::kBetween;
  bool is_callable = false;  // a function, or the head of a long one
  std::string name;          // qualified; "lines 10-40" for a stretch
  std::string signature;
  uint32_t signature_line = 0;  // where it stands; 0 for a stretch
  LineRange lines;
  LineRange opener;   // the line that opens what it stands in, such as its class; (0, 0) for none
  LineRange focus;    // its most telling lines, where it is long; (0, 0) for none
  LineRange doc;      // what its long comment can spare before any code goes; (0, 0) for none
  uint64_t cost = 0;  // tokens, estimated
  Score score;
  SymbolTier tier = SymbolTier::kExcluded;
  bool named = false;    // by a refinement, or by another source of the packet
  bool asked = false;    // by a refinement: it comes first, as its signature at least
  bool judged = false;   // a model decided its tier
  bool related = false;  // what it has to do with others decides its tier, not its score
  double key = 0;        // the score less what it costs; the largest comes first
  std::string reason;
  bool operator==(const SelectedSymbol&) const;

  bool heads_type() const { return kind == code::UnitKind::kHead && !is_callable; }
  // "total" of shop.Cart.total, and "Cart"; the latter is empty for what stands in nothing.
  std::string_view own_name() const { return std::string_view(name).substr(name.rfind('.') + 1); }
  std::string_view owner_name() const {
    const size_t dot = name.rfind('.');
    const std::string_view owner = std::string_view(name).substr(0, dot == std::string::npos ? 0 : dot);
    return owner.substr(owner.rfind('.') + 1);
  }
};

// What a refinement or another source asked for by name.
struct Requested {
  std::string path;
  int32_t position = kNoPosition;  // kNoPosition: the file as such
  std::string reason;
  bool beside = false;  // it comes after what the task itself names
  bool asked = false;   // a refinement wants this very symbol
  bool operator==(const Requested&) const = default;
};

// A part of the last packet of a task that is refined: it stays where there is room.
struct Earlier {
  std::string path;
  std::string name;  // of the unit
  bool operator==(const Earlier&) const = default;
};

// What a limit kept from being considered, as one thing: "181 more files import src/hub.py".
struct LeftOut {
  std::string id;
  std::string title;
  ScopeTier tier = ScopeTier::kDependency;
  std::string reason;
  bool operator==(const LeftOut&) const = default;
};

struct StageContext {
  std::vector<Requested> requested;
  std::vector<Earlier> earlier;
  std::vector<ScopedFile> files;        // kept or not; the kept ones in the order in which they are packed
  std::vector<SelectedSymbol> symbols;  // best first: what was asked for by name, then by key
  std::vector<LeftOut> left_out;        // for the ledger
  std::vector<std::string> infos;       // worth knowing, nothing wrong: "tier 4 skipped: …"
  std::vector<std::string> problems;    // what was not as asked: each makes the packet degraded
  bool operator==(const StageContext&) const = default;
};

std::string to_json(const StageContext& context);
// kCorrupt for anything that to_json() would not have written.
Result<StageContext> context_from_json(std::string_view json);

}  // namespace knapsack::stages
