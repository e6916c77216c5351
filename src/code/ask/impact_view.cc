// Who is affected when a definition changes: what uses it, what uses that, and the tests among them.
#include <algorithm>
#include <set>

#include "code/ask/code_views.h"
#include "code/ask/enclosing_symbol.h"
#include "code/walk/file_class.h"

namespace knapsack::code {
namespace {

// Below this, another thing of the same name is meant as often.
constexpr float kMinCertain = 0.3F;
// Names that everything uses would otherwise be followed through the whole repository.
constexpr size_t kMaxFollowed = 2000;

class Follower {
 public:
  explicit Follower(CodeIndex& index) : index_(index), symbols_(index) {}

  Result<ImpactView> run(const std::string& name, uint32_t depth) {
    view_.name = name;
    KNAPSACK_TRY(const auto definitions, index_.find_symbols(name));
    std::set<uint32_t> files;
    for (const IndexedSymbol& each : definitions) {
      view_.definitions.push_back({index_.file(each.file).name, each.row});
      files.insert(each.file);
      known_.emplace(each.file, each.row.position);
      waiting_.push_back(
          {each.file, each.row.position, each.row.symbol.name, each.row.symbol.qualified_name, 1});
    }
    if (definitions.empty()) {
      KNAPSACK_TRY(view_.similar, similar_name(index_, name));
      return std::move(view_);
    }
    for (uint32_t distance = 1; distance <= depth && !waiting_.empty(); ++distance) {
      std::vector<Step> steps;
      steps.swap(waiting_);
      for (const Step& step : steps) KNAPSACK_CHECK(follow(step, distance));
    }
    KNAPSACK_CHECK(add_importers(files));
    std::stable_sort(view_.users.begin(), view_.users.end(), [](const ImpactLine& a, const ImpactLine& b) {
      if (a.distance != b.distance) return a.distance < b.distance;
      return a.confidence > b.confidence;
    });
    return std::move(view_);
  }

 private:
  struct Step {
    uint32_t file = 0;
    uint32_t symbol = 0;
    std::string name, qualified_name;
    float confidence = 1;
  };

  // Nothing more once the view is cut: each step looks through all files that mention its name.
  Status follow(const Step& step, uint32_t distance) {
    if (view_.is_cut) return ok_status();
    const auto meant = [&](uint32_t file, uint32_t symbol) {
      return file == step.file && symbol == step.symbol;
    };
    KNAPSACK_TRY(const auto uses, references_to(index_, step.name, meant));
    for (const ReferenceUse& use : uses) {
      const float confidence = use.confidence * step.confidence;
      if (confidence < kMinCertain) continue;
      const std::string& path = index_.file(use.file).name;
      KNAPSACK_TRY(const SymbolRow* around, symbols_.around(use));
      if (around == nullptr) {  // at the top of the file
        if (tops_.emplace(use.file, step.qualified_name).second)
          view_.users.push_back(
              {path, use.line, "", step.qualified_name, distance, confidence, is_test_path(path)});
        continue;
      }
      if (!known_.emplace(use.file, around->position).second) continue;
      if (known_.size() > kMaxFollowed) {
        view_.is_cut = true;
        return ok_status();
      }
      const Symbol& symbol = around->symbol;
      view_.users.push_back({path, use.line, symbol.qualified_name, step.qualified_name, distance, confidence,
                             symbol.is_test || is_test_path(path)});
      waiting_.push_back({use.file, around->position, symbol.name, symbol.qualified_name, confidence});
    }
    return ok_status();
  }

  // Whoever imports the file and names nothing of it may still depend on it.
  Status add_importers(const std::set<uint32_t>& files) {
    std::set<std::string> named;
    for (const ImpactLine& line : view_.users) named.insert(line.path);
    for (const uint32_t file : files) {
      KNAPSACK_TRY(const auto importers, index_.importers_of(file));
      for (const FileLink& link : importers) {
        const std::string& path = index_.file(link.file).name;
        if (named.insert(path).second) view_.importers.push_back({path, link.confidence, 1});
      }
    }
    return ok_status();
  }

  CodeIndex& index_;
  ImpactView view_;
  std::set<std::pair<uint32_t, uint32_t>> known_;  // symbols that were reached
  std::set<std::pair<uint32_t, std::string>> tops_;
  std::vector<Step> waiting_;
  EnclosingSymbols symbols_;
};

}  // namespace

Result<ImpactView> view_impact(CodeIndex& index, const std::string& name, uint32_t depth) {
  return Follower(index).run(name, depth);
}

}  // namespace knapsack::code
