// What a list of answers is worth: the figures of `eval`, for whatever was asked for: files, memories, notes.
//
// An answer is where each expected thing came in a ranking. Pure functions; the same answers give the same
// figures, intervals included.
// Private to engine/eval/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knapsack {

struct EvalAnswer {
  std::string id;
  std::map<std::string, std::string> groups;  // "repository" → "owner/name": tables are made of each kind
  std::vector<uint32_t> ranks;                // one an expected thing, from 1; 0: it is not in the ranking
  std::vector<std::string> best;              // the first of the ranking, by name
  std::map<std::string, double> shares;       // other figures between 0 and 1, by name
  std::map<std::string, double> packet;       // what packets show, between 0 and 1
  std::map<std::string, double> amounts;      // what they hold: tokens, files
  int64_t first_micros = 0;                   // the first answer from what was just opened
  int64_t micros = 0;                         // the same again
};

enum class FigureKind : uint8_t {
  kShare,   // between 0 and 1, of the ranking
  kPacket,  // … of a packet
  kAmount,  // counts something
};

struct Figure {
  double value = 0;
  double low = 0, high = 0;  // 95 % of bootstrap samples lie between these
  FigureKind kind = FigureKind::kShare;
};

// "acc@5": all expected things are among the first 5; "hit@5": at least one is; "recall@5": the share that
// is; "mrr": 1/rank of the first one; "ndcg@10": how near the order of the first ten is to the best one. Then the other figures of the answers.
struct FigureTable {
  size_t tasks = 0;
  std::vector<std::pair<std::string, Figure>> figures;

  // Null where there is none of that name.
  const Figure* find(std::string_view name) const;
};

FigureTable measure(std::span<const EvalAnswer* const> answers, std::span<const size_t> ks);

// The smallest value that at least this share of the values does not exceed; 0 for none.
int64_t percentile(std::vector<int64_t> values, double share);

}  // namespace knapsack
