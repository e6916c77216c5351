// ModelFile: a small BERT encoder as one file: what it is, its words and its weights, mapped read-only.
//
// The layout is a header of fixed size and then everything else in one order, from which the places follow; so a
// file is right in its size or refused. The weights are whole numbers of up to ±kMaxWeight with one factor a column, packed
// as the kernels read them (kernels.h). docs/meaning.md has the layout; tools/make_meaning_model.cc writes it.
// Reading any bytes is safe. Never changes; any thread.
// Private to meaning/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/file_system.h"
#include "core/mapping_guard.h"
#include "meaning/kernels/kernels.h"

namespace knapsack::meaning {

inline constexpr std::string_view kModelMagic = "KNAPMEAN";
inline constexpr uint32_t kModelVersion = 2;
inline constexpr size_t kSectionAlignment = 64;

enum class Pooling : uint32_t { kMean = 1, kFirstToken = 2 };

// Little endian, no gaps; texts end at their first NUL.
struct ModelHeader {
  char magic[8];
  uint32_t version;
  uint32_t layers, width, heads, inner, positions, vocabulary;
  uint32_t pooling;
  uint32_t word_bytes;  // of the whole vocabulary
  uint32_t word_slots;  // of its hash table; a power of two
  uint32_t begin_token, end_token, unknown_token, mask_token, padding_token;
  uint32_t most_word_characters;
  float token_factor, token_zero;  // a number of a token's row is (byte − zero) × factor
  char name[64];
  char query_prefix[96], passage_prefix[96];
  char weights_hash[32];  // of everything behind the header, as core/ids.h writes it
  char header_hash[32];   // of the header before this
};

struct EncoderLayer {
  Linear attention;  // queries, keys and values side by side
  Linear attended;
  Norm attended_norm;
  Linear inner;
  Linear outer;
  Norm outer_norm;
};

class ModelFile {
 public:
  // kNotFound where there is none; kCorrupt for what is cut, damaged in its header or of another version.
  static Result<std::shared_ptr<const ModelFile>> open(const FileSystem& files, const std::string& path);

  const ModelHeader& header() const { return header_; }
  std::string name() const;
  std::string query_prefix() const;
  std::string passage_prefix() const;
  // Names the vectors that it makes: two files that differ in any weight make different ones.
  std::string space() const;

  const uint8_t* token_rows() const { return token_rows_; }
  const float* position_rows() const { return position_rows_; }
  const Norm& token_norm() const { return token_norm_; }
  const std::vector<EncoderLayer>& layers() const { return layers_; }
  // The number of a word of the vocabulary, or −1.
  int32_t find_word(std::string_view word) const;

  // Whether the file at its path is still the one that was opened: who writes into a mapped file pulls it from
  // under us, so each use asks first.
  bool unchanged(const FileSystem& files) const;
  // False once a part of it was gone when it was read: whatever was made meanwhile means nothing.
  bool intact() const { return !guard_ || !guard_->cut(); }
  // Reads everything: kCorrupt where a weight is not what it was.
  Status check_weights() const;

 private:
  ModelFile() = default;
  Status read(std::string_view bytes);

  std::string path_;
  FileInfo info_;
  std::shared_ptr<const FileBytes> file_;
  std::optional<MappingGuard> guard_;  // of the file
  ModelHeader header_{};
  const uint8_t* token_rows_ = nullptr;
  const float* position_rows_ = nullptr;
  Norm token_norm_;
  std::vector<EncoderLayer> layers_;
  const int32_t* slots_ = nullptr;
  const uint32_t* word_ends_ = nullptr;
  const char* words_ = nullptr;
};

// Where a word is looked for first; the next slots follow.
uint32_t word_slot(std::string_view word, uint32_t slots);
// The size of a whole file with this header; 0 for a header that describes no encoder that we can run.
uint64_t model_file_size(const ModelHeader& header);

}  // namespace knapsack::meaning
