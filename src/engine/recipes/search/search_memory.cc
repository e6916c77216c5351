// Memories as results of `search`, in the order of `recall` before age and use count.
#include "engine/recipes/memory/memory_session.h"
#include "engine/recipes/memory/recall_meaning.h"
#include "memory/recall/ranking.h"
#include "memory/tree/eligibility.h"

namespace knapsack {
namespace {

class MemorySource final : public SearchSource {
 public:
  static OpenedSource open(const MemorySession& session, bool with_meaning, Timestamp now) {
    KNAPSACK_TRY(memory::Catalogue catalogue, session.catalogue());
    auto source = std::make_unique<MemorySource>(std::move(catalogue));
    const std::vector<std::string> namespaces = session.read_namespaces();
    const std::span<const memory::Memory> all = source->catalogue_.memories();
    const memory::Eligibility eligibility(all, {namespaces, now, false});
    for (const memory::Memory& each : all) {
      // A verbatim copy would only repeat its memory.
      if (each.kind != memory::Kind::kArtifact && eligibility.allows(each))
        source->memories_.push_back(&each);
    }
    source->folder_ = session.shown_as;
    if (with_meaning) {
      source->compare_ = [&state = session.state(), settings = session.settings,
                          all](const std::string& words) {
        return compare_by_encoder(state, settings, words, all);
      };
    }
    return std::unique_ptr<SearchSource>(std::move(source));
  }

  explicit MemorySource(memory::Catalogue catalogue) : catalogue_(std::move(catalogue)) {}

  Source source() const override { return Source::kMemory; }
  std::string folder() const override { return folder_; }
  std::vector<std::string> warnings() const override {
    std::vector<std::string> all = catalogue_.warnings();
    all.insert(all.end(), problems_.begin(), problems_.end());
    return all;
  }

  std::vector<std::string> notes() const override { return notes_; }
  bool used_meaning() const override { return used_meaning_; }

  Result<std::vector<SourceHit>> by_words(const std::string& words, size_t limit) override {
    KNAPSACK_TRY(auto ranking, memory::MemoryRanking::open(catalogue_.index(), memories_));
    NearPrompt near;
    if (compare_) near = compare_(words);
    if (!near.problem.empty()) problems_.push_back("memories are found by words only: " + near.problem);
    if (std::string missing = near.missing_line(); !missing.empty()) notes_.push_back(std::move(missing));
    used_meaning_ = !near.similarities.empty();
    const char* part = near.similarities.empty() ? "words" : "words_and_meaning";
    KNAPSACK_TRY(const memory::MemoryOrder order, ranking.rank(words, near.similarities));
    std::vector<SourceHit> hits;
    if (!order.matched) return hits;  // the newest memories are no answer to a search
    for (const memory::RankedMemory& each : order.ranked) {
      if (hits.size() == limit) break;
      hits.push_back({static_cast<uint32_t>(each.position), 0, {each.score, {{part, each.score}}}});
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
  std::function<NearPrompt(const std::string& words)> compare_;  // none: words alone
  std::vector<std::string> problems_;
  std::vector<std::string> notes_;
  bool used_meaning_ = false;
  std::string folder_;
};

}  // namespace

OpenedSource open_memory_source(Engine::State& state, const SearchRequest& request) {
  KNAPSACK_TRY(const MemorySession session, MemorySession::open(state, request.settings));
  const auto info = state.files->info(session.folder);
  const bool is_missing = !info.ok() && info.error().code == ErrorCode::kNotFound;
  if (is_missing && session.team_line.empty()) return std::unique_ptr<SearchSource>();
  // Whoever names a model for meaning wants that one.
  const bool own =
      request.mode != "lex" &&
      !VectorSearch(state, session.settings, {request.embed_model, request.embed_url}).configured();
  return MemorySource::open(session, own, state.clock->now());
}

}  // namespace knapsack
