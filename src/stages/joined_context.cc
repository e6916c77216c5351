#include "stages/joined_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "code/rank/file_ranking.h"
#include "code/units/unit_signal.h"
#include "stages/scope_seeds.h"
#include "stages/symbol_tiers.h"

namespace knapsack::stages {
namespace {

// Relations that name a file of the repository, behind these words.
constexpr std::string_view kNamesFile[] = {"imported by ", "imports "};
constexpr std::string_view kChangedTogether = "changed in ";
constexpr std::string_view kNamesFileAtEnd = " commits with ";
constexpr std::string_view kRankRelation = "rank ";

class ContextJoiner {
 public:
  ContextJoiner(std::vector<RepositoryContext> members, const code::UnitConstants& constants)
      : members_(std::move(members)), constants_(constants) {}

  StageContext run() {
    count_places();
    for (RepositoryContext& member : members_) take(member);
    std::stable_sort(joined_.files.begin(), joined_.files.end(),
                     [](const ScopedFile& a, const ScopedFile& b) { return order_of(a) < order_of(b); });
    sort_into_tiers(joined_, constants_);
    return std::move(joined_);
  }

 private:
  // Named files first, then by place, then what only hangs together with others.
  static std::pair<int, uint32_t> order_of(const ScopedFile& file) {
    if (file.is_named()) return {0, 0};
    return file.rank > 0 ? std::pair(1, file.rank) : std::pair(2, 0U);
  }

  struct Ranked {
    size_t member = 0;
    const ScopedFile* file = nullptr;
    double share = 0;
  };

  void count_places() {
    std::vector<Ranked> all;
    for (size_t i = 0; i < members_.size(); ++i) {
      std::vector<Ranked> own;
      for (const ScopedFile& file : members_[i].context.files)
        if (file.rank > 0) own.push_back({i, &file, code::earned_score(file.score)});
      std::stable_sort(own.begin(), own.end(),
                       [](const Ranked& a, const Ranked& b) { return a.file->rank < b.file->rank; });
      // The order within a repository stands: no file has less than one behind it.
      for (size_t at = own.size(); at-- > 1;) own[at - 1].share = std::max(own[at - 1].share, own[at].share);
      const double best = own.empty() ? 0 : own.front().share;
      for (Ranked& each : own) each.share = best > 0 ? each.share / best * members_[i].strength : 0;
      all.insert(all.end(), own.begin(), own.end());
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Ranked& a, const Ranked& b) { return a.share > b.share; });
    places_.resize(members_.size());
    for (size_t at = 0; at < all.size(); ++at)
      places_[all[at].member].emplace(all[at].file->path, static_cast<uint32_t>(at));
  }

  void take(RepositoryContext& member) {
    const auto& places = places_[static_cast<size_t>(&member - members_.data())];
    StageContext& context = member.context;
    for (SelectedSymbol& symbol : context.symbols) {
      const auto place = places.find(symbol.path);
      const bool is_first = place != places.end() && place->second == 0;
      if (symbol.kind == code::UnitKind::kImports && !is_first) continue;
      if (place != places.end()) put_on_one_scale(symbol, place->second, member.strength);
      if (!symbol.named && !symbol.judged && !symbol.related) symbol.reason = reason_of(symbol.score);
      symbol.path = shown_path(member.name, symbol.path);
      joined_.symbols.push_back(std::move(symbol));
    }
    for (ScopedFile& file : context.files) {
      const auto place = places.find(file.path);
      if (place != places.end()) file.rank = place->second + 1;
      if (!member.name.empty()) name_repository(file, member);
      joined_.files.push_back(std::move(file));
    }
    for (Requested& each : context.requested) {
      each.path = shown_path(member.name, each.path);
      joined_.requested.push_back(std::move(each));
    }
    for (Earlier& each : context.earlier) {
      each.path = shown_path(member.name, each.path);
      joined_.earlier.push_back(std::move(each));
    }
    const std::string prefix = member.name.empty() ? "" : member.name + ": ";
    for (LeftOut& each : context.left_out) {
      each.id = shown_path(member.name, each.id);
      each.title = prefix + each.title;
      joined_.left_out.push_back(std::move(each));
    }
    for (const std::string& line : context.infos) joined_.infos.push_back(prefix + line);
    for (const std::string& line : context.problems) joined_.problems.push_back(prefix + line);
  }

  void put_on_one_scale(SelectedSymbol& symbol, uint32_t place, double strength) const {
    double total = 0;
    for (ScoreComponent& component : symbol.score.components) {
      const auto signal = code::find_unit_signal(component.name);
      if (signal == code::UnitSignal::kFilePlace) component.value = constants_.file_place / (1 + place);
      if (signal == code::UnitSignal::kFileScore || signal == code::UnitSignal::kCoverage ||
          signal == code::UnitSignal::kChunk)
        component.value *= strength;
      total += component.value;
    }
    symbol.key += total - symbol.score.total;
    symbol.score.total = total;
  }

  void name_repository(ScopedFile& file, const RepositoryContext& member) {
    // What the task names by a path that the workspace has too is the workspace's.
    if (file.is_named() && own_named().contains(file.path)) file.naming = Naming::kNone;
    for (std::string& relation : file.relations) {
      for (const std::string_view words : kNamesFile)
        if (relation.starts_with(words)) relation.insert(words.size(), member.name + ":");
      // A note may be called "squash commits with care": what it says is not ours to change.
      const size_t at =
          relation.starts_with(kChangedTogether) ? relation.find(kNamesFileAtEnd) : relation.npos;
      if (at != relation.npos) relation.insert(at + kNamesFileAtEnd.size(), member.name + ":");
      if (relation.starts_with(kRankRelation)) relation = fmt::format("rank {} for the task", file.rank);
    }
    if (member.strength < 1 && file.score.total != 0) {
      const double loss = file.score.total * (member.strength - 1);
      file.score.components.push_back({"repository", loss});
      file.score.total += loss;
    }
    file.path = shown_path(member.name, file.path);
  }

  const std::unordered_set<std::string>& own_named() {
    if (!knows_named_) {
      knows_named_ = true;
      for (const ScopedFile& file : joined_.files)
        if (file.is_named()) named_.insert(file.path);
    }
    return named_;
  }

  std::vector<RepositoryContext> members_;
  const code::UnitConstants& constants_;
  std::vector<std::unordered_map<std::string, uint32_t>> places_;  // of ranked files, from 0, by path
  std::unordered_set<std::string> named_;                          // of the workspace
  bool knows_named_ = false;
  StageContext joined_;
};

}  // namespace

std::string shown_path(std::string_view repository, std::string_view path) {
  if (repository.empty()) return std::string(path);
  return fmt::format("{}:{}", repository, path);
}

StageContext join_contexts(std::vector<RepositoryContext> members, const code::UnitConstants& constants) {
  return ContextJoiner(std::move(members), constants).run();
}

}  // namespace knapsack::stages
