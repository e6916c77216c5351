#include "code/ask/cross_imports.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "code/imports/package_names.h"

namespace knapsack::code {
namespace {

// Where a file stands that is in no folder of the repository: behind all of them, as paths are sorted.
constexpr std::string_view kOutside = "\xff\xff\xff/outside";

// A repository as seen from others: its resolver, with a file of each language that asks.
class SeenFromOutside {
 public:
  static Result<SeenFromOutside> open(const CrossMember& member) {
    KNAPSACK_TRY(const ReferenceWorld* world, member.index->reference_world());
    return SeenFromOutside(world->files, member.read);
  }

  const PackageNames& names() const { return names_; }

  std::vector<ImportTarget> resolve(std::string_view language, const Import& import) {
    const uint32_t from = asker(language);
    std::vector<ImportTarget> targets = resolver_->resolve(from, import);
    std::erase_if(targets, [&](const ImportTarget& target) { return target.file >= files_.size(); });
    return targets;
  }

 private:
  SeenFromOutside(std::span<const ResolverFile> files, const ReadConfig& read)
      : files_(files), read_(read), names_(read_package_names(files, read)) {}

  // Builds the resolver when the first import is asked about: mostly none is.
  uint32_t asker(std::string_view language) {
    constexpr std::string_view kLanguages[] = {"go",     "java", "javascript", "jsx", "kotlin",    "notebook",
                                               "python", "rust", "scala",      "tsx", "typescript"};
    if (!resolver_) {
      std::vector<ResolverFile> all(files_.begin(), files_.end());
      paths_.reserve(std::size(kLanguages));
      for (const std::string_view each : kLanguages) {
        paths_.push_back(std::string(kOutside) + '.' + std::string(each));
        all.push_back({paths_.back(), find_language(each), "", ""});
      }
      resolver_.emplace(ImportResolver::build(all, read_));
    }
    const auto* const found = std::find(std::begin(kLanguages), std::end(kLanguages), language);
    return static_cast<uint32_t>(files_.size() + static_cast<size_t>(found - std::begin(kLanguages)));
  }

  std::span<const ResolverFile> files_;
  ReadConfig read_;
  PackageNames names_;
  std::vector<std::string> paths_;
  std::optional<ImportResolver> resolver_;
};

std::vector<CrossEdge> best_of_each(std::vector<CrossEdge> edges, bool by_target) {
  const auto other = [&](const CrossEdge& edge) {
    return by_target ? std::tuple(edge.to, edge.to_file) : std::tuple(edge.from, edge.from_file);
  };
  std::stable_sort(edges.begin(), edges.end(), [&](const CrossEdge& a, const CrossEdge& b) {
    return other(a) != other(b) ? other(a) < other(b) : a.confidence > b.confidence;
  });
  edges.erase(std::unique(edges.begin(), edges.end(),
                          [&](const CrossEdge& a, const CrossEdge& b) { return other(a) == other(b); }),
              edges.end());
  std::stable_sort(edges.begin(), edges.end(),
                   [](const CrossEdge& a, const CrossEdge& b) { return a.confidence > b.confidence; });
  return edges;
}

}  // namespace

Result<CrossImports> CrossImports::find(const std::vector<CrossMember>& members) {
  CrossImports found;
  std::vector<SeenFromOutside> seen;
  for (const CrossMember& member : members) {
    KNAPSACK_TRY(auto opened, SeenFromOutside::open(member));
    seen.push_back(std::move(opened));
  }
  for (uint32_t from = 0; from < members.size(); ++from) {
    CodeIndex& index = *members[from].index;
    const auto add = [&](uint32_t file, uint32_t position, const Import& import) -> Status {
      const std::string& language = index.file(file).language;
      for (uint32_t to = 0; to < members.size(); ++to) {
        if (to == from || !seen[to].names().may_mean(language, import, seen[from].names())) continue;
        KNAPSACK_TRY(const auto inside, index.import_targets(file, position + 1));
        if (!inside[position].empty()) return ok_status();
        for (const ImportTarget& target : seen[to].resolve(language, import))
          found.edges_.push_back({from, file, position, to, target.file, target.confidence});
      }
      return ok_status();
    };
    const auto visit = [&](int64_t blob, uint32_t position, const Import& import) -> Status {
      for (const uint32_t file : index.files_of_blob(blob)) KNAPSACK_CHECK(add(file, position, import));
      return ok_status();
    };
    KNAPSACK_CHECK(index.rows().for_each_import(visit));
  }
  std::stable_sort(found.edges_.begin(), found.edges_.end(), [](const CrossEdge& a, const CrossEdge& b) {
    const auto place = [](const CrossEdge& edge) {
      return std::tuple(edge.from, edge.from_file, edge.import, edge.to);
    };
    return place(a) != place(b) ? place(a) < place(b) : a.confidence > b.confidence;
  });
  return found;
}

std::vector<CrossEdge> CrossImports::imports_of(uint32_t repository, uint32_t file) const {
  std::vector<CrossEdge> edges;
  for (const CrossEdge& edge : edges_)
    if (edge.from == repository && edge.from_file == file) edges.push_back(edge);
  return best_of_each(std::move(edges), true);
}

std::vector<CrossEdge> CrossImports::importers_of(uint32_t repository, uint32_t file) const {
  std::vector<CrossEdge> edges;
  for (const CrossEdge& edge : edges_)
    if (edge.to == repository && edge.to_file == file) edges.push_back(edge);
  return best_of_each(std::move(edges), false);
}

}  // namespace knapsack::code
