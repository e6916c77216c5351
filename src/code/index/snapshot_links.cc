#include "code/index/snapshot_links.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "code/parse/language.h"

namespace knapsack::code {
namespace {

class Linker {
 public:
  Linker(Curated& rows, const LinkRequest& request)
      : rows_(rows), request_(request), files_(*request.files) {}

  Result<SnapshotLinks> run() {
    const ImportResolver resolver = build_resolver();
    SnapshotLinks links;
    if (request_.changed) {
      KNAPSACK_CHECK(link_changed(resolver, links.edges));
    } else {
      KNAPSACK_CHECK(link_all(resolver, links.edges));
    }
    // Equally likely targets stay in the resolver's order, which is that of their paths: numbers of paths
    // tell only which was met first.
    std::stable_sort(links.edges.begin(), links.edges.end(), [](const ImportEdge& a, const ImportEdge& b) {
      if (a.from != b.from) return a.from < b.from;
      if (a.import != b.import) return a.import < b.import;
      return a.confidence > b.confidence;
    });
    links.notes.assign(resolver.notes().begin(), resolver.notes().end());
    return links;
  }

 private:
  ImportResolver build_resolver() const {
    const auto known =
        resolver_files(files_, [this](int64_t blob) { return request_.known->blob_row(blob); });
    return ImportResolver::build(known, [this](uint32_t file) { return request_.read(file); });
  }

  void add(const ImportResolver& resolver, size_t from, uint32_t position, const Import& import,
           std::vector<ImportEdge>& edges) const {
    for (const ImportTarget& target : resolver.resolve(static_cast<uint32_t>(from), import)) {
      const auto confidence =
          static_cast<uint8_t>(std::lround(std::clamp(target.confidence, 0.0F, 1.0F) * 255));
      edges.push_back({files_[from].path, position, files_[target.file].path, confidence, target.name});
    }
  }

  Status link_all(const ImportResolver& resolver, std::vector<ImportEdge>& edges) {
    std::unordered_map<int64_t, std::vector<size_t>> by_blob;
    for (size_t i = 0; i < files_.size(); ++i) {
      if (files_[i].blob != 0) by_blob[files_[i].blob].push_back(i);
    }
    return rows_.for_each_import([&](int64_t blob, uint32_t position, const Import& import) {
      if (const auto found = by_blob.find(blob); found != by_blob.end()) {
        for (const size_t from : found->second) add(resolver, from, position, import, edges);
      }
      return ok_status();
    });
  }

  Status link_changed(const ImportResolver& resolver, std::vector<ImportEdge>& edges) {
    std::unordered_set<int64_t> again;
    for (const size_t position : *request_.changed) again.insert(files_[position].path);
    for (const ImportEdge& edge : request_.before) {
      if (!again.contains(edge.from)) edges.push_back(edge);
    }
    for (const size_t from : *request_.changed) {
      if (files_[from].blob == 0) continue;
      KNAPSACK_TRY(const auto imports, rows_.imports(files_[from].blob));
      for (size_t i = 0; i < imports.size(); ++i) {
        add(resolver, from, static_cast<uint32_t>(i), imports[i], edges);
      }
    }
    return ok_status();
  }

  Curated& rows_;
  const LinkRequest& request_;
  const std::vector<FileRow>& files_;
};

}  // namespace

std::vector<ResolverFile> resolver_files(const std::vector<FileRow>& files,
                                         const std::function<const BlobRow*(int64_t blob)>& blob) {
  std::vector<ResolverFile> entries;
  entries.reserve(files.size());
  for (const FileRow& file : files) {
    ResolverFile& entry = entries.emplace_back();
    entry.path = file.name;
    entry.language = find_language(file.language);
    if (const BlobRow* row = blob(file.blob)) {
      entry.package = row->package;
      entry.declares = row->declares;
    }
  }
  return entries;
}

Result<SnapshotLinks> resolve_imports(Curated& rows, const LinkRequest& request) {
  return Linker(rows, request).run();
}

bool changes_resolution(const FileRow& file, const BlobRow* before, const BlobRow* after) {
  if (before == nullptr || after == nullptr) return true;
  // Configurations may be reached by any name through `extends`, but none of them is code.
  const Language* language = find_language(file.language);
  if (language == nullptr || !language->has_symbols() || is_resolver_config(file.name)) return true;
  return before->language != after->language || before->package != after->package ||
         before->declares != after->declares;
}

}  // namespace knapsack::code
