#include "engine/sources/encoder_vectors.h"

#include "engine/sources/search_vectors.h"

namespace knapsack {
namespace {

// What is written together, and so what a kill costs at most.
constexpr size_t kVectorsOfWriter = 400;
constexpr std::chrono::seconds kLongestUnsaved{10};

// The hash of its weights names a model of ours exactly; no text has to be embedded to compare two of them.
search::VectorSpace space_of(const meaning::TextEncoder& encoder) {
  search::VectorSpace space;
  space.model = encoder.model().space();
  space.dimensions = static_cast<uint32_t>(encoder.width());
  space.encoding = search::VectorEncoding::kInt8;
  space.probe.assign(encoder.width(), 0);
  space.probe.front() = 1;
  return space;
}

}  // namespace

Result<std::unique_ptr<meaning::TextEncoder>> open_encoder(const Engine::State& state,
                                                           const Settings& settings) {
  std::unique_ptr<meaning::TextEncoder> encoder;
  if (!settings.search.meaning || state.options.model_file.empty()) return encoder;
  auto opened = meaning::TextEncoder::open(*state.files, state.options.model_file);
  if (!opened.ok() && opened.error().code == ErrorCode::kNotFound) return encoder;
  return opened;
}

Result<search::VectorStore> open_encoder_store(FileSystem& files, const std::string& state_folder,
                                               bool on_disk, Source source,
                                               const meaning::TextEncoder& encoder) {
  const std::string folder = vector_folder(state_folder, source);
  KNAPSACK_CHECK(files.make_directory(parent_path(folder)));
  KNAPSACK_CHECK(files.make_directory(folder));
  return search::VectorStore::open(files, folder, space_of(encoder), {on_disk});
}

Status VectorWriter::add(const std::vector<std::string>& hashes, const std::vector<float>& numbers) {
  hashes_.insert(hashes_.end(), hashes.begin(), hashes.end());
  numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
  const bool due =
      hashes_.size() >= kVectorsOfWriter || std::chrono::steady_clock::now() - saved_ >= kLongestUnsaved;
  return due ? save() : ok_status();
}

Status VectorWriter::save() {
  if (hashes_.empty()) return ok_status();
  KNAPSACK_CHECK(store_.add({hashes_.begin(), hashes_.end()}, numbers_));
  hashes_.clear();
  numbers_.clear();
  saved_ = std::chrono::steady_clock::now();
  return ok_status();
}

}  // namespace knapsack
