// Digests: what ranking needs of a line of the store, learnt in one pass over its bytes.
//
// A line that cannot be used (not JSON, not UTF-8, nested too deep, too long, without a fitting id) becomes a
// problem with its file, number and reason; the rest is used. A digester belongs to one thread; digests are
// plain data.
// Private to graph/store/.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/store/node.h"
#include "graph/store/terms.h"

namespace knapsack::graph {

inline constexpr int64_t kNoTime = std::numeric_limits<int64_t>::min();

struct Problem {
  std::string file;
  uint64_t line = 0;  // from 1; 0 where it is about the whole file
  std::string reason;
  bool operator==(const Problem&) const = default;
};

struct LineDigest {
  uint64_t offset = 0;
  uint32_t length = 0;   // without its line feed
  uint64_t content = 0;  // hash of its bytes
  uint64_t id_hash = 0;
  int64_t rev = 0;
  int64_t updated = kNoTime;  // microseconds
  int64_t created = kNoTime;
  uint32_t id_begin = 0, id_size = 0;  // in DigestBatch::text
  uint32_t references_begin = 0, references_count = 0;
  uint32_t terms_begin = 0, terms_count = 0;
  Layer layer = Layer::kKnowledge;
  State state = State::kUnknown;
  bool has_rev = false;  // an integer; `true` and 1.0 are none
  bool weighty = false;  // tagged or typed constraint or risk
};

struct NamedReference {
  uint64_t hash = 0;
  uint32_t begin = 0, size = 0;  // in DigestBatch::text
  ReferenceKind kind = ReferenceKind::kLink;
};

struct DigestBatch {
  std::vector<LineDigest> lines;
  std::string text;
  std::vector<NamedReference> references;
  std::vector<Marked> terms;  // of each line, each once, by the numbers of the digester
  std::vector<Problem> problems;

  std::string_view id(const LineDigest& line) const { return view(line.id_begin, line.id_size); }
  std::string_view view(uint32_t begin, uint32_t size) const {
    return std::string_view(text).substr(begin, size);
  }
};

// What ids are looked up by.
uint64_t hash_of_id(std::string_view id);

class Digester {
 public:
  Digester();
  ~Digester();

  // The lines of a file from the byte `begin` up to `end`, which lie at line starts; `base` is where `bytes`
  // begins in the file and `first_line` the number of the line at `begin`. An empty line is passed over.
  void digest(Layer layer, std::string_view bytes, size_t begin, size_t end, uint64_t base,
              uint64_t first_line, DigestBatch& batch);
  // The terms that the batches number.
  const std::vector<Term>& dictionary() const;

 private:
  struct Parser;
  void digest_line(Layer layer, std::string_view bytes, size_t begin, size_t end, uint64_t base,
                   uint64_t number, DigestBatch& batch);
  std::unique_ptr<Parser> parser_;
};

}  // namespace knapsack::graph
