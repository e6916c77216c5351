#include "search/vectors/embed_missing.h"

namespace knapsack::search {
namespace {

// Texts on their way to the model and vectors on their way to the disk.
class Embedding {
 public:
  Embedding(VectorStore& store, const EmbedTexts& embed,
            const std::function<void(const EmbedProgress&)>& progress, size_t total)
      : store_(store), embed_(embed), progress_(progress), total_(total) {}

  Status add(const VectorUnit& unit, std::string text, const EmbedLimits& limits) {
    if (!texts_.empty() && bytes_ + text.size() > limits.bytes) KNAPSACK_CHECK(ask());
    bytes_ += text.size();
    texts_.push_back(std::move(text));
    asked_.push_back(unit.hash);
    return texts_.size() >= limits.texts ? ask() : ok_status();
  }

  Status ask() {
    if (texts_.empty()) return ok_status();
    KNAPSACK_TRY(const std::vector<float> vectors, embed_(texts_));
    vectors_.insert(vectors_.end(), vectors.begin(), vectors.end());
    hashes_.insert(hashes_.end(), asked_.begin(), asked_.end());
    done_ += texts_.size();
    texts_.clear();
    asked_.clear();
    bytes_ = 0;
    if (progress_) progress_({done_ + passed_over_, total_});
    return hashes_.size() >= kVectorsPerFile ? save() : ok_status();
  }

  Status save() {
    if (hashes_.empty()) return ok_status();
    KNAPSACK_CHECK(store_.add(hashes_, vectors_));
    hashes_.clear();
    vectors_.clear();
    return ok_status();
  }

  void pass_over() { ++passed_over_; }
  size_t done() const { return done_; }

 private:
  VectorStore& store_;
  const EmbedTexts& embed_;
  const std::function<void(const EmbedProgress&)>& progress_;
  size_t total_;
  size_t done_ = 0, passed_over_ = 0, bytes_ = 0;
  std::vector<std::string> texts_;
  std::vector<std::string_view> asked_, hashes_;
  std::vector<float> vectors_;
};

}  // namespace

Result<size_t> embed_missing(VectorStore& store, const std::vector<VectorUnit>& units,
                             const TextOfUnit& text_of, const EmbedTexts& embed,
                             const std::function<void(const EmbedProgress&)>& progress,
                             const EmbedLimits& limits) {
  const auto missing = store.missing(units);
  Embedding embedding(store, embed, progress, missing.size());
  const auto run = [&]() -> Status {
    for (const VectorUnit* unit : missing) {
      auto text = text_of(*unit);
      const bool gone =
          !text.ok() && (text.error().code == ErrorCode::kNotFound || text.error().code == ErrorCode::kBusy);
      if (gone) {
        embedding.pass_over();
        continue;
      }
      if (!text.ok()) return text.error();
      KNAPSACK_CHECK(embedding.add(*unit, *std::move(text), limits));
    }
    return embedding.ask();
  };
  const Status ran = run();
  KNAPSACK_CHECK(embedding.save());  // what the model has answered is not asked again
  if (!ran.ok()) return ran.error();
  return embedding.done();
}

}  // namespace knapsack::search
