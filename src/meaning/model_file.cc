#include "meaning/model_file.h"

#include <bit>
#include <cstring>

#include "core/ids.h"
#include "meaning/model_layout.h"

namespace knapsack::meaning {
namespace {

static_assert(std::endian::native == std::endian::little, "model files are mapped as they are");
static_assert(sizeof(ModelHeader) == 400, "no gaps");

// The text of a field; it need not end.
template <size_t kSize>
std::string field_text(const char (&field)[kSize]) {
  return std::string(field, strnlen(field, kSize));
}

Error refused(const std::string& path, const std::string& why) {
  return Error{ErrorCode::kCorrupt, path + ": " + why,
               "install Knapsack again, or switch meaning off with `no_meaning`"};
}

bool sensible(const ModelHeader& header) {
  const auto between = [](uint32_t value, uint32_t low, uint32_t high) {
    return value >= low && value <= high;
  };
  const auto in_vocabulary = [&](uint32_t token) { return token < header.vocabulary; };
  return between(header.layers, 1, 48) && between(header.width, 64, 1'024) &&
         between(header.inner, 64, 4'096) && header.width % 64 == 0 && header.inner % 64 == 0 &&
         header.heads * kHeadWidth == header.width && between(header.positions, 16, 512) &&
         between(header.vocabulary, 128, 1'000'000) && between(header.pooling, 1, 2) &&
         between(header.word_bytes, 1, 64'000'000) &&
         between(header.word_slots, header.vocabulary + 1, 1U << 24U) &&
         std::has_single_bit(header.word_slots) && in_vocabulary(header.begin_token) &&
         in_vocabulary(header.end_token) && in_vocabulary(header.unknown_token) &&
         in_vocabulary(header.mask_token) && in_vocabulary(header.padding_token) &&
         between(header.most_word_characters, 1, 1'000);
}

}  // namespace

uint32_t word_slot(std::string_view word, uint32_t slots) {
  uint32_t hash = 2'166'136'261U;  // FNV-1a, folded: words are short
  for (const char c : word) hash = (hash ^ static_cast<uint8_t>(c)) * 16'777'619U;
  return (hash ^ hash >> 15U) & (slots - 1);
}

uint64_t model_file_size(const ModelHeader& header) {
  if (!sensible(header)) return 0;
  SectionWalk walk(sizeof(ModelHeader));
  walk_sections(header, walk);
  return walk.end();
}

Result<std::shared_ptr<const ModelFile>> ModelFile::open(const FileSystem& files, const std::string& path) {
  auto model = std::shared_ptr<ModelFile>(new ModelFile);
  model->path_ = path;
  KNAPSACK_TRY(model->info_, files.info(path));
  KNAPSACK_TRY(model->file_, files.map(path));
  model->guard_.emplace(model->file_->bytes());
  const Status read = model->read(model->file_->bytes());
  if (!model->intact()) return refused(path, "was cut short while it was opened");
  if (!read.ok()) return refused(path, read.error().what);
  return std::shared_ptr<const ModelFile>(std::move(model));
}

Status ModelFile::read(std::string_view bytes) {
  const auto wrong = [](std::string why) { return Error{ErrorCode::kCorrupt, std::move(why), ""}; };
  if (bytes.size() < sizeof header_) return wrong("is too short for a model");
  std::memcpy(&header_, bytes.data(), sizeof header_);
  if (std::string_view(header_.magic, sizeof header_.magic) != kModelMagic)
    return wrong("is not a model of Knapsack's");
  if (header_.version != kModelVersion) return wrong("is of another version of Knapsack");
  if (content_hash(bytes.substr(0, offsetof(ModelHeader, header_hash))) !=
      std::string_view(header_.header_hash, sizeof header_.header_hash))
    return wrong("is damaged");
  const uint64_t size = model_file_size(header_);
  if (size == 0) return wrong("describes an encoder that cannot be run here");
  if (size != bytes.size()) return wrong("was cut short, or something was added to it");
  SectionWalk walk(sizeof header_, bytes.data());
  const ModelSections sections = walk_sections(header_, walk);
  token_rows_ = sections.token_rows;
  position_rows_ = sections.position_rows;
  token_norm_ = sections.token_norm;
  layers_ = sections.layers;
  slots_ = sections.slots;
  word_ends_ = sections.word_ends;
  words_ = sections.words;
  return ok_status();
}

std::string ModelFile::name() const {
  return field_text(header_.name);
}
std::string ModelFile::query_prefix() const {
  return field_text(header_.query_prefix);
}
std::string ModelFile::passage_prefix() const {
  return field_text(header_.passage_prefix);
}

std::string ModelFile::space() const {
  return name() + "@" + std::string(header_.weights_hash, sizeof header_.weights_hash);
}

int32_t ModelFile::find_word(std::string_view word) const {
  uint32_t slot = word_slot(word, header_.word_slots);
  // A damaged table may have no empty slot: no word is looked for longer than that.
  for (uint32_t tries = 0; tries < header_.word_slots; ++tries) {
    const int32_t id = slots_[slot];
    if (id < 0 || static_cast<uint32_t>(id) >= header_.vocabulary) return -1;
    const uint32_t begin = id == 0 ? 0 : word_ends_[id - 1];
    const uint32_t end = word_ends_[id];
    if (begin > end || end > header_.word_bytes) return -1;
    if (std::string_view(words_ + begin, end - begin) == word) return id;
    slot = (slot + 1) & (header_.word_slots - 1);
  }
  return -1;
}

bool ModelFile::unchanged(const FileSystem& files) const {
  if (!intact()) return false;
  const auto now = files.info(path_);
  // Another file under the same name leaves the one that is mapped as it was.
  return !now.ok() || now->inode != info_.inode ||
         (now->size == info_.size && now->mtime_nanos == info_.mtime_nanos);
}

Status ModelFile::check_weights() const {
  const std::string_view bytes = file_->bytes().substr(sizeof header_);
  if (content_hash(bytes) == std::string_view(header_.weights_hash, sizeof header_.weights_hash))
    return ok_status();
  return refused(path_, "is damaged");
}

}  // namespace knapsack::meaning
