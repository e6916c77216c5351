// The scope stage: which files matter. Seeds first, then what hangs together with them, tier by tier; one
// ranking orders what is kept, and a model may take candidates out, never seeds.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "code/code_views.h"
#include "stages/scope_seeds.h"
#include "stages/stage.h"
#include "text/words.h"

namespace knapsack::stages {
namespace {

constexpr size_t kMetadataFiles = 40;
constexpr size_t kShownSymbols = 12;

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
    for (size_t i = 0; i < seeds; ++i) KNAPSACK_CHECK(add_dependencies(numbers_[i]));
    for (size_t i = 0; i < seeds; ++i) KNAPSACK_CHECK(add_co_changes(numbers_[i]));
    KNAPSACK_CHECK(add_metadata_matches());
    add_matches();
    cut_tiers();
    leave_out_what_was_not_asked_for();
    sort_files();
    return ok_status();
  }

  void judge(Judge& judge);
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
      if (seed.named) add(seed.file, ScopeTier::kSeed, seed.relation, 1).named = true;
    }
    for (size_t i = 0; i < ranking_.size() && i < kRankedSeeds; ++i) {
      add(ranking_[i].file, ScopeTier::kSeed, fmt::format("rank {} for the task", i + 1), 1);
    }
    for (const Seed& seed : seeds.seeds) {
      if (!seed.named) add(seed.file, ScopeTier::kMatch, seed.relation, 1);
    }
    return ok_status();
  }

  Status add_dependencies(uint32_t seed) {
    const std::string& path = path_of(seed);
    KNAPSACK_TRY(const auto imports, input_.index.imports_of(seed));
    for (size_t i = 0; i < imports.size() && i < kNeighboursOfSeed; ++i) {
      add(imports[i].file, ScopeTier::kDependency, "imported by " + path, imports[i].confidence);
    }
    KNAPSACK_TRY(const auto importers, input_.index.importers_of(seed));
    for (size_t i = 0; i < importers.size() && i < kNeighboursOfSeed; ++i) {
      add(importers[i].file, ScopeTier::kDependency, "imports " + path, importers[i].confidence);
    }
    return ok_status();
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

  Status add_metadata_matches();

  void add_matches() {
    for (size_t i = 0; i < ranking_.size() && i < kRankedFiles; ++i) {
      add(ranking_[i].file, ScopeTier::kMatch, fmt::format("rank {} for the task", i + 1), 0);
    }
  }

  // What is neither named nor ranked is kept as far as its tier goes.
  void cut_tiers() {
    std::vector<size_t> order = by_tier();
    std::unordered_map<int, size_t> kept;
    for (const size_t place : order) {
      ScopedFile& file = files_[place];
      if (file.tier == ScopeTier::kSeed || file.rank > 0) continue;
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
      file.verdict = "left out by --path, --exclude or --no-tests";
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
      const size_t group = file.named ? 0 : file.rank > 0 ? 1 : 2;
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

  std::string summary(size_t place) const;

  const StageInput& input_;
  StageContext& context_;
  std::vector<code::RankedFile> ranking_;
  std::unordered_map<uint32_t, size_t> ranks_;   // file → place in the ranking
  std::unordered_map<uint32_t, size_t> places_;  // file → place in files_, while it is built
  std::vector<ScopedFile> files_;
  std::vector<uint32_t> numbers_;  // of files_, in the index
};

// What a model said of the files, against what the task is about: shared concepts count, and so does a module
// or domain that the task's words name.
Status ScopeBuilder::add_metadata_matches() {
  KNAPSACK_TRY(const size_t described, input_.index.files_with_metadata());
  if (described == 0) {
    context_.infos.emplace_back("enrichment not found, tier 4 skipped: `knapsack enrich --promote` adds it");
    return ok_status();
  }
  WordOptions stemmed;
  stemmed.stemming = Stemming::kByScript;
  std::unordered_set<std::string> wanted;
  for (const auto* list : {&input_.task.concepts, &input_.task.keywords}) {
    for (const std::string& term : *list) {
      for (std::string& word : words_of(term, stemmed)) wanted.insert(std::move(word));
    }
  }
  std::vector<std::pair<double, uint32_t>> found;
  for (uint32_t file = 0; file < input_.index.files().size(); ++file) {
    KNAPSACK_TRY(const FileMetadata* metadata, input_.index.file_metadata(file));
    if (metadata == nullptr) continue;
    double shared = 0;
    std::vector<std::string> terms = metadata->concepts;
    terms.push_back(metadata->module);
    terms.push_back(metadata->domain);
    for (const std::string& term : terms) {
      const auto words = words_of(term, stemmed);
      const bool all =
          !words.empty() && std::all_of(words.begin(), words.end(),
                                        [&](const std::string& word) { return wanted.contains(word); });
      shared += all ? 1 : 0;
    }
    if (shared > 0) found.emplace_back(-shared, file);
  }
  std::sort(found.begin(), found.end());
  for (size_t i = 0; i < found.size() && i < kMetadataFiles; ++i) {
    add(found[i].second, ScopeTier::kMetadata,
        fmt::format("shares {} concepts with the task", -found[i].first), -found[i].first);
  }
  return ok_status();
}

std::string ScopeBuilder::summary(size_t place) const {
  const ScopedFile& file = files_[place];
  std::string text = fmt::format("{} ({})", file.path, fmt::join(file.relations, "; "));
  const auto metadata = input_.index.file_metadata(numbers_[place]);
  if (metadata.ok() && *metadata != nullptr) text += fmt::format(" {}", (*metadata)->purpose);
  const auto symbols = input_.index.symbols(numbers_[place]);
  if (!symbols.ok()) return text;
  std::string names;
  size_t shown = 0;
  for (const SymbolRow& row : *symbols) {
    if (row.symbol.parent != code::kNoSymbol || shown++ >= kShownSymbols) continue;
    names += (names.empty() ? "" : ", ") + row.symbol.name;
  }
  return names.empty() ? text : text + " defines " + names;
}

void ScopeBuilder::judge(Judge& judge) {
  Question question{"scope",
                    "You decide which files of a repository are needed for a programming task: \"relevant\" "
                    "files must be read or changed to do it, \"irrelevant\" ones need not be looked at.",
                    {"relevant", "irrelevant"}};
  std::vector<size_t> asked;
  std::vector<std::string> candidates;
  for (size_t i = 0; i < files_.size(); ++i) {
    if (!files_[i].kept) continue;
    asked.push_back(i);
    candidates.push_back(summary(i));
  }
  const Opinions opinions = judge.classify(question, input_.task, candidates);
  context_.problems.insert(context_.problems.end(), opinions.problems.begin(), opinions.problems.end());
  for (size_t i = 0; i < asked.size(); ++i) {
    if (!opinions.opinions[i]) continue;
    ScopedFile& file = files_[asked[i]];
    const bool relevant = opinions.opinions[i]->choice == 0;
    const std::string& reason = opinions.opinions[i]->reason;
    file.verdict = fmt::format("model: {}{}{}", question.choices[opinions.opinions[i]->choice],
                               reason.empty() ? "" : ", ", reason);
    // The task itself points to seeds; no opinion takes them away.
    if (!relevant && file.tier != ScopeTier::kSeed) file.kept = false;
  }
}

class ScopeStage final : public Stage {
 public:
  std::string_view name() const override { return "scope"; }
  std::string_view purpose() const override { return "find the files that matter, from seeds outwards"; }

  Result<StageContext> run(StageContext context, const StageInput& input) const override {
    ScopeBuilder builder(input, context);
    KNAPSACK_CHECK(builder.run());
    if (input.judge != nullptr) builder.judge(*input.judge);
    builder.finish();
    return context;
  }
};

}  // namespace

const Stage& scope_stage() {
  static const ScopeStage stage;
  return stage;
}

}  // namespace knapsack::stages
