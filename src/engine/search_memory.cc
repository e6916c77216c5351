// Memories as results of `search`, in the order of `recall` before age and use count.
#include "engine/memory_session.h"
#include "engine/recall_meaning.h"
#include "memory/eligibility.h"
#include "memory/ranking.h"

namespace knapsack {
namespace {

class MemorySource final : public SearchSource {
 public:
  static OpenedSource open(const MemorySession& session, Timestamp now) {
    KNAPSACK_TRY(memory::Catalogue catalogue, session.catalogue());
    auto source = std::make_unique<MemorySource>(std::move(catalogue));
    std::vector<std::string> namespaces = session.settings.memory_namespaces;
    if (session.settings.memory_shared) namespaces.emplace_back(memory::kSharedNamespace);
    const std::span<const memory::Memory> all = source->catalogue_.memories();
    const memory::Eligibility eligibility(all, {namespaces, now, false});
    for (const memory::Memory& each : all) {
      // A verbatim copy would only repeat its memory.
      if (each.kind != memory::Kind::kArtifact && eligibility.allows(each))
        source->memories_.push_back(&each);
    }
    source->folder_ = session.shown_as;
    return std::unique_ptr<SearchSource>(std::move(source));
  }

  explicit MemorySource(memory::Catalogue catalogue) : catalogue_(std::move(catalogue)) {}

  Source source() const override { return Source::kMemory; }
  std::string folder() const override { return folder_; }
  std::vector<std::string> warnings() const override { return catalogue_.warnings(); }

  Result<std::vector<SourceHit>> by_words(const std::string& words, size_t limit) override {
    KNAPSACK_TRY(auto ranking, memory::MemoryRanking::open(catalogue_.index(), memories_));
    KNAPSACK_TRY(const memory::MemoryOrder order, ranking.rank(words));
    std::vector<SourceHit> hits;
    if (!order.matched) return hits;  // the newest memories are no answer to a search
    for (const memory::RankedMemory& each : order.ranked) {
      if (hits.size() == limit) break;
      hits.push_back({static_cast<uint32_t>(each.position), 0, {each.score, {{"words", each.score}}}});
    }
    return hits;
  }

  Result<std::vector<SourceUnit>> units() override {
    std::vector<SourceUnit> units;
    for (uint32_t item = 0; item < memories_.size(); ++item)
      units.push_back(memory_unit(*memories_[item], item));
    return units;
  }

  std::vector<std::string> other_units() const override { return memory_hashes(catalogue_.memories()); }

  Result<SourceText> text(uint32_t item, uint32_t) override { return memory_text(*memories_[item], folder_); }

 private:
  memory::Catalogue catalogue_;
  std::vector<const memory::Memory*> memories_;
  std::string folder_;
};

}  // namespace

OpenedSource open_memory_source(Engine::State& state, const SearchRequest& request) {
  KNAPSACK_TRY(const MemorySession session, MemorySession::open(state, request.settings));
  const auto info = state.files->info(session.folder);
  if (!info.ok() && info.error().code == ErrorCode::kNotFound) return std::unique_ptr<SearchSource>();
  return MemorySource::open(session, state.clock->now());
}

}  // namespace knapsack
