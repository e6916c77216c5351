// The scope stage: which files matter. Seeds first, then what hangs together with them, tier by tier; one
// ranking orders what is kept, and a model may take candidates out, never seeds.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "code/ask/code_views.h"
#include "code/parse/language.h"
#include "stages/judge_stages.h"
#include "stages/scope_metadata.h"
#include "stages/scope_seeds.h"
#include "stages/scope_uses.h"
#include "stages/stage.h"

namespace knapsack::stages {
namespace {

class ScopeBuilder {
 public:
  ScopeBuilder(const StageInput& input, StageContext& context) : input_(input), context_(context) {}

  Status run() {
    if (input_.ranking != nullptr) {
      ranking_ = *input_.ranking;
    } else {
      code::RankingOptions options;
      options.near = input_.near;
      KNAPSACK_TRY(ranking_, code::rank_files(input_.index, input_.task, options));
    }
    if (input_.choice != nullptr)
      std::erase_if(ranking_,
                    [&](const auto& ranked) { return !input_.choice->holds(path_of(ranked.file)); });
    KNAPSACK_CHECK(add_seeds());
    const size_t seeds = std::min(files_.size(), kExpandedSeeds);
    KNAPSACK_CHECK(look_for_uses(seeds));
    for (size_t i = 0; i < seeds; ++i) KNAPSACK_CHECK(add_dependencies(numbers_[i]));
    add_users();
    for (size_t i = 0; i < seeds; ++i) KNAPSACK_CHECK(add_co_changes(numbers_[i]));
    KNAPSACK_CHECK(add_metadata_matches());
    add_matches();
    list_large_files();
    add_earlier();
    cut_tiers();
    leave_out_what_was_not_asked_for();
    sort_files();
    return ok_status();
  }

  void finish() { context_.files = std::move(files_); }

 private:
  const std::string& path_of(uint32_t file) const { return input_.index.file(file).name; }

  ScopedFile& add(uint32_t file, ScopeTier tier, const std::string& relation, double relevance) {
    const auto [place, is_new] = places_.emplace(file, files_.size());
    if (is_new) {
      ScopedFile scoped;
      scoped.path = path_of(file);
      scoped.tier = tier;
      files_.push_back(std::move(scoped));
      numbers_.push_back(file);
      add_ranking(file, files_.back());
    }
    ScopedFile& scoped = files_[place->second];
    if (std::find(scoped.relations.begin(), scoped.relations.end(), relation) == scoped.relations.end()) {
      scoped.relations.push_back(relation);
    }
    if (scoped.tier == tier) scoped.relevance += relevance;
    return scoped;
  }

  void add_ranking(uint32_t file, ScopedFile& scoped) {
    if (ranks_.empty()) {
      for (size_t i = 0; i < ranking_.size(); ++i) ranks_.emplace(ranking_[i].file, i);
    }
    const auto found = ranks_.find(file);
    if (found == ranks_.end()) return;
    const code::RankedFile& ranked = ranking_[found->second];
    scoped.rank = static_cast<uint32_t>(found->second + 1);
    scoped.score = ranked.score;
    for (const code::RankedChunk& chunk : ranked.chunks) scoped.chunks.push_back(chunk.chunk);
  }

  Status add_seeds() {
    KNAPSACK_TRY(const Seeds seeds, find_seeds(input_.index, input_.task, context_.requested));
    context_.infos.insert(context_.infos.end(), seeds.infos.begin(), seeds.infos.end());
    for (const Seed& seed : seeds.seeds) {
      if (seed.naming == Naming::kNone) continue;
      Naming& naming = add(seed.file, ScopeTier::kSeed, seed.relation, 1).naming;
      if (naming == Naming::kNone || seed.naming == Naming::kPath) naming = seed.naming;
      if (seed.by_task()) named_by_task_.insert(seed.file);
    }
    for (size_t i = 0; i < ranking_.size() && i < kRankedSeeds; ++i) {
      add(ranking_[i].file, ScopeTier::kSeed, fmt::format("rank {} for the task", i + 1), 1);
    }
    for (const Seed& seed : seeds.seeds) {
      if (seed.naming == Naming::kNone) add(seed.file, ScopeTier::kMatch, seed.relation, 1);
    }
    return ok_status();
  }

  Status look_for_uses(size_t seeds) {
    if (named_by_task_.empty() || input_.task.symbols.empty()) return ok_status();
    std::unordered_set<uint32_t> near;
    for (size_t i = 0; i < seeds; ++i) {
      if (!named_by_task_.contains(numbers_[i])) continue;
      KNAPSACK_TRY(const auto importers, input_.index.importers_of(numbers_[i]));
      for (const code::FileLink& link : importers) near.insert(link.file);
    }
    KNAPSACK_TRY(uses_, find_uses(input_.index, input_.task, near));
    std::move(uses_.left_out.begin(), uses_.left_out.end(), std::back_inserter(context_.left_out));
    return ok_status();
  }

  double use_of(uint32_t file) const {
    const auto found = uses_.files.find(file);
    return found == uses_.files.end() ? 0 : found->second.weight;
  }

  Status add_dependencies(uint32_t seed) {
    const std::string path = path_of(seed);
    KNAPSACK_TRY(auto imports, input_.index.imports_of(seed));
    add_neighbours(seed, std::move(imports), "imported by " + path, "are imported by " + path);
    KNAPSACK_TRY(auto importers, input_.index.importers_of(seed));
    add_neighbours(seed, std::move(importers), "imports " + path, "import " + path);
    if (!named_by_task_.contains(seed)) return ok_status();
    for (const uint32_t test : tests_called_after(input_.index, seed)) {
      ScopedFile& file = add(test, ScopeTier::kDependency, "is a test of " + path, 1);
      file.listed = input_.task.type == TaskType::kRefactor;
      beside_named_.insert(test);
    }
    return ok_status();
  }

  // All of them where the task names the seed, those first that use what it names; of other seeds the first.
  void add_neighbours(uint32_t seed, std::vector<code::FileLink> links, const std::string& relation,
                      const std::string& what_they_do) {
    const bool by_task = named_by_task_.contains(seed);
    const size_t limit = by_task ? kMaxNeighbours : kNeighboursOfSeed;
    if (by_task) {
      std::stable_sort(links.begin(), links.end(), [&](const code::FileLink& a, const code::FileLink& b) {
        return use_of(a.file) > use_of(b.file);
      });
    }
    if (links.size() > limit) {
      context_.left_out.push_back({fmt::format("neighbours:{}", relation),
                                   fmt::format("{} more files {}", links.size() - limit, what_they_do),
                                   ScopeTier::kDependency,
                                   fmt::format("beyond the first {} of a file that the task {}", limit,
                                               by_task ? "names" : "does not name")});
      links.resize(limit);
    }
    for (const code::FileLink& link : links) {
      add(link.file, ScopeTier::kDependency, relation, link.confidence);
      if (by_task) beside_named_.insert(link.file);
    }
  }

  // Files that use what the task names, whether or not they import it themselves. Those that define it are there.
  void add_users() {
    for (const auto& [number, uses] : uses_.files) {
      if (uses.symbols.empty()) {
        if (const auto place = places_.find(number); place != places_.end())
          files_[place->second].uses = uses.lines;
        continue;
      }
      const bool sure = uses.confidence >= kMinUseConfidence;
      if (!sure && !places_.contains(number)) continue;
      ScopedFile& file = add(number, ScopeTier::kDependency,
                             fmt::format("refers to {}", fmt::join(uses.symbols, ", ")), uses.weight);
      file.uses = uses.lines;
      if (sure) beside_named_.insert(number);
    }
  }

  Status add_co_changes(uint32_t seed) {
    KNAPSACK_TRY(const auto lines, code::co_change_lines(input_.index, seed));
    size_t added = 0;
    for (const code::CoChangeLine& line : lines) {
      const auto file = input_.index.find_file(line.path);
      if (!file || line.count < kMinCoChanges) continue;
      if (added++ == kNeighboursOfSeed) break;
      add(*file, ScopeTier::kCoChange,
          fmt::format("changed in {} commits with {}", line.count, path_of(seed)), line.weight);
    }
    return ok_status();
  }

  Status add_metadata_matches() {
    KNAPSACK_TRY(const auto found, metadata_matches(input_.index, input_.task));
    if (!found) {
      context_.infos.emplace_back(
          "enrichment not found, tier 4 skipped: `knapsack enrich --promote` adds it");
      return ok_status();
    }
    for (const MetadataMatch& match : *found) {
      add(match.file, ScopeTier::kMetadata, fmt::format("shares {} concepts with the task", match.shared),
          match.shared);
    }
    return ok_status();
  }

  void add_matches() {
    for (size_t i = 0; i < ranking_.size() && i < kRankedFiles; ++i) {
      add(ranking_[i].file, ScopeTier::kMatch, fmt::format("rank {} for the task", i + 1), 0);
    }
  }

  // Code that nobody read but history knows: a reader has to hear of it.
  void list_large_files() {
    for (size_t i = 0; i < files_.size(); ++i) {
      if (files_[i].rank == 0 || files_[i].rank > kLargeFiles) continue;
      const code::FileRow& row = input_.index.file(numbers_[i]);
      if (row.file_class == code::kLargeClass && code::detect_language(row.name, {}).has_symbols())
        files_[i].listed = true;
    }
  }

  // A refinement goes on from what the last packet had.
  void add_earlier() {
    for (const Earlier& each : context_.earlier) {
      const auto file = input_.index.find_file(each.path);
      if (!file) continue;
      add(*file, ScopeTier::kMatch, kInLastPacket, 0);
      beside_named_.insert(*file);
    }
  }

  // What is neither ranked nor beside what the task names is kept as far as its tier goes.
  void cut_tiers() {
    std::vector<size_t> order = by_tier();
    std::unordered_map<int, size_t> kept;
    for (const size_t place : order) {
      ScopedFile& file = files_[place];
      if (file.tier == ScopeTier::kSeed || file.rank > 0 || beside_named_.contains(numbers_[place])) continue;
      if (kept[static_cast<int>(file.tier)]++ < kKeptInTier) continue;
      file.kept = false;
      file.verdict = fmt::format("beyond the first {} of its tier", kKeptInTier);
    }
  }

  void leave_out_what_was_not_asked_for() {
    if (input_.choice == nullptr) return;
    for (ScopedFile& file : files_) {
      if (input_.choice->holds(file.path)) continue;
      file.kept = false;
      file.verdict = "left out by the paths of the request";
    }
  }

  std::vector<size_t> by_tier() const {
    std::vector<size_t> order(files_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const ScopedFile& x = files_[a];
      const ScopedFile& y = files_[b];
      if (x.tier != y.tier) return x.tier < y.tier;
      if (x.relevance != y.relevance) return x.relevance > y.relevance;
      return x.path < y.path;
    });
    return order;
  }

  // Named files as the task names them, then the ranking, then what only hangs together with the seeds.
  void sort_files() {
    std::vector<size_t> order = by_tier();
    std::vector<size_t> place_in_tiers(order.size());
    for (size_t i = 0; i < order.size(); ++i) place_in_tiers[order[i]] = i;
    const auto key = [&](size_t i) {
      const ScopedFile& file = files_[i];
      const size_t group = file.is_named() ? 0 : file.rank > 0 ? 1 : 2;
      return std::pair(group, group == 0 ? i : group == 1 ? file.rank : place_in_tiers[i]);
    };
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) < key(b); });
    std::vector<ScopedFile> files;
    std::vector<uint32_t> numbers;
    for (const size_t i : order) {
      files.push_back(std::move(files_[i]));
      numbers.push_back(numbers_[i]);
    }
    files_ = std::move(files);
    numbers_ = std::move(numbers);
  }

  const StageInput& input_;
  StageContext& context_;
  std::vector<code::RankedFile> ranking_;
  std::unordered_map<uint32_t, size_t> ranks_;   // file → place in the ranking
  std::unordered_map<uint32_t, size_t> places_;  // file → place in files_, while it is built
  std::vector<ScopedFile> files_;
  std::vector<uint32_t> numbers_;  // of files_, in the index
  std::unordered_set<uint32_t> named_by_task_;
  std::unordered_set<uint32_t> beside_named_;  // direct neighbours of those, and what was packed before
  SymbolUses uses_;
};

class ScopeStage final : public Stage {
 public:
  std::string_view name() const override { return "scope"; }
  std::string_view purpose() const override { return "find the files that matter, from seeds outwards"; }

  Result<StageContext> run(StageContext context, const StageInput& input) const override {
    ScopeBuilder builder(input, context);
    KNAPSACK_CHECK(builder.run());
    builder.finish();
    if (input.judge != nullptr) judge_files(*input.judge, input, context);
    return context;
  }
};

}  // namespace

const Stage& scope_stage() {
  static const ScopeStage stage;
  return stage;
}

}  // namespace knapsack::stages
