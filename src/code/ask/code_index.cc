#include "code/ask/code_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "code/index/code_documents.h"
#include "code/index/snapshot_history.h"
#include "code/index/snapshot_links.h"
#include "code/index/snapshot_report.h"
#include "core/ascii.h"
#include "core/dotted_name.h"
#include "core/nearest.h"
#include "core/string_hash.h"
#include "search/segments/live_set.h"
#include "search/segments/segment_set.h"

namespace knapsack::code {
namespace {

Error no_snapshot(const std::string& name) {
  if (name == kWorkTree) {
    return {ErrorCode::kNotFound, "the work tree is not indexed yet", "run `knapsack index`"};
  }
  return {ErrorCode::kNotFound, fmt::format("commit {} is not indexed", name),
          fmt::format("run `knapsack index --rev {}`", name.substr(0, 12))};
}

// "a::b#c" and "a.b.c" name the same thing.
std::string with_dots(std::string_view name) {
  std::string dotted;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool separator = name.substr(i).starts_with("::") || name.substr(i).starts_with("->");
    if (separator || name[i] == '#' || name[i] == '\\') {
      dotted += '.';
      i += separator ? 1 : 0;
    } else {
      dotted += name[i];
    }
  }
  return dotted;
}

}  // namespace

struct CodeIndex::Lazy {
  std::unordered_map<int64_t, std::optional<BlobRow>> blobs;              // those that were asked for
  std::optional<std::unordered_map<std::string, FileMetadata>> metadata;  // by hash
  bool edges_loaded = false;
  std::vector<ImportEdge> edges;    // by importing path
  std::vector<uint32_t> by_target;  // positions in `edges`, by imported path
  std::optional<CoChangeTable> co_changes;
  std::optional<HistoryTable> history;
  struct OpenSegment {
    SegmentRow row;
    Result<std::shared_ptr<const search::SegmentReader>>
        reader;  // one that is damaged matters when it is asked
  };
  std::vector<OpenSegment> segments;
  std::map<std::string, search::Index> collections;
  // Of documents → their files.
  std::unordered_map<std::string, std::span<const uint32_t>, StringHash, std::equal_to<>> keys;
  std::vector<BlobRow> declaring;  // what the next ones have their names from
  std::vector<ResolverFile> resolver_files;
  struct Definitions {
    std::vector<DefinitionRow> rows;
    std::vector<Definition> definitions;
  };
  std::unordered_map<std::string, std::unique_ptr<Definitions>> definitions;
  std::unique_ptr<ReferenceWorld> world;
  std::optional<Error> lookup_failure;  // of a definition, which a resolver cannot report itself
};

CodeIndex::CodeIndex(Curated rows)
    : rows_(std::make_unique<Curated>(std::move(rows))), lazy_(std::make_unique<Lazy>()) {}
CodeIndex::~CodeIndex() = default;

Result<std::unique_ptr<CodeIndex>> CodeIndex::open(const FileSystem& files, const std::string& state_folder,
                                                   const std::string& snapshot) {
  // Between looking at the database and opening a segment that it names, a writer may have merged that one
  // into another and the next writer removed it. One that is still missing after a few looks is lost.
  constexpr int kLooks = 4;
  for (int look = 1;; ++look) {
    KNAPSACK_TRY(Curated rows, Curated::open(files, state_folder));
    std::unique_ptr<CodeIndex> index(new CodeIndex(std::move(rows)));
    index->disk_ = &files;
    index->state_folder_ = state_folder;
    KNAPSACK_TRY(const bool complete, index->open_segments());
    if (!complete && look < kLooks) continue;
    KNAPSACK_CHECK(index->load(snapshot));
    return index;
  }
}

// Before anything is asked: a reader keeps the files that it opened, whatever writers remove. False when one
// is missing.
Result<bool> CodeIndex::open_segments() {
  KNAPSACK_TRY(const auto rows, rows_->segments());
  bool complete = true;
  for (const SegmentRow& row : rows) {
    auto reader = search::open_segment(*disk_, segments_folder(state_folder_), row.name);
    complete = complete && (reader.ok() || reader.error().code != ErrorCode::kNotFound);
    lazy_->segments.push_back({row, std::move(reader)});
  }
  return complete;
}

Status CodeIndex::load(const std::string& name) {
  KNAPSACK_TRY(auto found, rows_->find_snapshot(name));
  if (!found) return no_snapshot(name);
  return load_files(*rows_, *std::move(found));
}

Result<const BlobRow*> CodeIndex::blob(uint32_t file) {
  const int64_t number = files()[file].blob;
  auto found = lazy_->blobs.find(number);
  if (found == lazy_->blobs.end()) {
    KNAPSACK_TRY(auto row, rows_->blob(number));
    found = lazy_->blobs.emplace(number, std::move(row)).first;
  }
  return found->second ? &*found->second : nullptr;
}

Status CodeIndex::load_metadata() {
  if (lazy_->metadata) return ok_status();
  KNAPSACK_TRY(auto rows, rows_->file_metadata());
  lazy_->metadata.emplace();
  for (FileMetadata& row : rows) {
    std::string hash = row.hash;
    lazy_->metadata->emplace(std::move(hash), std::move(row));
  }
  return ok_status();
}

Result<const FileMetadata*> CodeIndex::file_metadata(uint32_t file) {
  KNAPSACK_CHECK(load_metadata());
  const auto found = lazy_->metadata->find(files()[file].hash);
  return found == lazy_->metadata->end() ? nullptr : &found->second;
}

Result<size_t> CodeIndex::files_with_metadata() {
  KNAPSACK_CHECK(load_metadata());
  size_t count = 0;
  for (const FileRow& file : files()) count += lazy_->metadata->contains(file.hash) ? 1 : 0;
  return count;
}

Result<std::vector<SymbolRow>> CodeIndex::symbols(uint32_t file) {
  return rows_->symbols(files()[file].blob);
}
Result<std::vector<ChunkRow>> CodeIndex::chunks(uint32_t file) {
  return rows_->chunks(files()[file].blob);
}
Result<std::vector<Comment>> CodeIndex::comments(uint32_t file) {
  return rows_->comments(files()[file].blob);
}
Result<std::vector<TestCase>> CodeIndex::tests(uint32_t file) {
  return rows_->tests(files()[file].blob);
}

Result<ParsedFile> CodeIndex::facts(uint32_t file) {
  KNAPSACK_TRY(ParsedFile parsed, rows_->facts(files()[file].blob));
  KNAPSACK_TRY(const BlobRow* row, this->blob(file));
  if (row != nullptr) parsed.package = row->package;
  return parsed;
}

namespace {

bool comes_before(const IndexedSymbol& a, const IndexedSymbol& b) {
  return a.file != b.file ? a.file < b.file : a.row.position < b.row.position;
}

}  // namespace

Result<std::vector<IndexedSymbol>> CodeIndex::find_symbols(std::string_view name) {
  const std::string dotted = with_dots(name);
  KNAPSACK_TRY(auto found, symbols_called(dotted));
  if (!found.empty() || dotted.empty() || !ascii::is_identifier(dotted.back())) return found;
  // Many write "save" for `save!`.
  for (const char mark : {'!', '?'}) {
    KNAPSACK_TRY(auto more, symbols_called(dotted + mark));
    std::move(more.begin(), more.end(), std::back_inserter(found));
  }
  std::stable_sort(found.begin(), found.end(), comes_before);
  return found;
}

Result<std::vector<IndexedSymbol>> CodeIndex::symbols_called(std::string_view dotted) {
  const std::string_view plain = last_part(dotted);
  KNAPSACK_TRY(auto rows, rows_->symbols_named(plain));
  std::vector<IndexedSymbol> found;
  for (SymbolRow& row : rows) {
    if (!ends_with_components(row.symbol.qualified_name, dotted, '.') && plain.size() != dotted.size())
      continue;
    for (const uint32_t file : files_of_blob(row.blob)) found.push_back({file, row});
  }
  std::sort(found.begin(), found.end(), comes_before);
  return found;
}

Status CodeIndex::load_edges() {
  if (lazy_->edges_loaded) return ok_status();
  KNAPSACK_TRY(const std::string packed, rows_->edges(snapshot().snapshot));
  KNAPSACK_TRY(lazy_->edges, unpack_edges(packed));
  auto& by_target = lazy_->by_target;
  by_target.resize(lazy_->edges.size());
  for (uint32_t i = 0; i < by_target.size(); ++i) by_target[i] = i;
  std::stable_sort(by_target.begin(), by_target.end(),
                   [this](uint32_t a, uint32_t b) { return lazy_->edges[a].to < lazy_->edges[b].to; });
  lazy_->edges_loaded = true;
  return ok_status();
}

namespace {

// Each file once with its best confidence; likeliest first, then by path.
class LinkList {
 public:
  void add(uint32_t file, uint8_t confidence) {
    uint8_t& best = best_[file];
    best = std::max(best, confidence);
  }
  std::vector<FileLink> sorted() const {
    std::vector<FileLink> links;
    for (const auto& [file, confidence] : best_)
      links.push_back({file, static_cast<float>(confidence) / 255});
    std::stable_sort(links.begin(), links.end(),
                     [](const FileLink& a, const FileLink& b) { return a.confidence > b.confidence; });
    return links;
  }

 private:
  std::map<uint32_t, uint8_t> best_;
};

}  // namespace

Result<std::vector<FileLink>> CodeIndex::imports_of(uint32_t file) {
  KNAPSACK_CHECK(load_edges());
  LinkList links;
  const auto before = [](const ImportEdge& edge, int64_t path) { return edge.from < path; };
  const int64_t path = files()[file].path;
  auto edge = std::lower_bound(lazy_->edges.begin(), lazy_->edges.end(), path, before);
  for (; edge != lazy_->edges.end() && edge->from == path; ++edge) {
    if (const auto target = by_path().find(edge->to); target != by_path().end())
      links.add(target->second, edge->confidence);
  }
  return links.sorted();
}

Result<std::vector<FileLink>> CodeIndex::importers_of(uint32_t file) {
  KNAPSACK_CHECK(load_edges());
  LinkList links;
  const auto before = [this](uint32_t edge, int64_t path) { return lazy_->edges[edge].to < path; };
  const int64_t path = files()[file].path;
  auto at = std::lower_bound(lazy_->by_target.begin(), lazy_->by_target.end(), path, before);
  for (; at != lazy_->by_target.end() && lazy_->edges[*at].to == path; ++at) {
    const ImportEdge& edge = lazy_->edges[*at];
    if (const auto from = by_path().find(edge.from); from != by_path().end())
      links.add(from->second, edge.confidence);
  }
  return links.sorted();
}

Result<std::vector<std::vector<ImportTarget>>> CodeIndex::import_targets(uint32_t file, size_t imports) {
  KNAPSACK_CHECK(load_edges());
  std::vector<std::vector<ImportTarget>> targets(imports);
  const auto before = [](const ImportEdge& edge, int64_t path) { return edge.from < path; };
  const int64_t path = files()[file].path;
  auto edge = std::lower_bound(lazy_->edges.begin(), lazy_->edges.end(), path, before);
  for (; edge != lazy_->edges.end() && edge->from == path; ++edge) {
    const auto target = by_path().find(edge->to);
    if (target == by_path().end() || edge->import >= imports) continue;
    targets[edge->import].push_back({target->second, static_cast<float>(edge->confidence) / 255, edge->name});
  }
  return targets;
}

Result<const CoChangeTable*> CodeIndex::co_changes() {
  if (!lazy_->co_changes) {
    KNAPSACK_TRY(const std::string packed, rows_->co_changes(snapshot().snapshot));
    KNAPSACK_TRY(auto unpacked, unpack_co_changes(packed));
    std::vector<std::string> paths;
    for (const int64_t path : unpacked.paths) {
      const auto found = by_path().find(path);
      paths.push_back(found == by_path().end() ? std::string() : file(found->second).name);
    }
    lazy_->co_changes.emplace(std::move(paths), std::move(unpacked.pairs));
  }
  return &*lazy_->co_changes;
}

Result<const HistoryTable*> CodeIndex::history_table() {
  if (!lazy_->history) {
    KNAPSACK_TRY(const auto numbers, code::commit_numbers(*this));
    KNAPSACK_TRY(auto table, HistoryTable::load(*rows_, numbers, by_path()));
    lazy_->history.emplace(std::move(table));
  }
  return &*lazy_->history;
}

std::vector<std::string> CodeIndex::keys_of(const std::string& collection) {
  std::vector<std::string> keys;
  if (collection == kPathCollection) {
    for (const FileRow& file : files()) keys.push_back(file.name);
  } else if (collection == kCodeCollection) {
    for (const auto& [blob, files] : by_blob()) {
      keys.push_back(blob_key(file(files.front()).hash, file(files.front()).language));
    }
  }
  return keys;
}

Result<search::Index> CodeIndex::open_collection(const std::string& name) {
  KNAPSACK_TRY(const auto stored, rows_->live_sets(snapshot().snapshot));
  std::vector<search::Index::Part> parts;
  std::vector<std::shared_ptr<const search::SegmentReader>> readers;
  for (const auto& segment : lazy_->segments) {
    if (segment.row.collection != name) continue;
    KNAPSACK_TRY(const auto reader, segment.reader);
    readers.push_back(reader);
    const auto live = std::find_if(stored.begin(), stored.end(),
                                   [&](const LiveSetRow& row) { return row.segment == segment.row.segment; });
    if (live == stored.end()) continue;
    KNAPSACK_TRY(search::LiveSet set, search::LiveSet::from_bytes(live->packed));
    parts.push_back({reader, std::move(set)});
  }
  if (parts.size() != readers.size()) {
    // Segments were merged since: which documents are live is found from their keys.
    auto keys = keys_of(name);
    if (name == kCommitCollection) {
      KNAPSACK_TRY(const auto numbers, code::commit_numbers(*this));
      KNAPSACK_TRY(const auto commits, rows_->commits(numbers, false));
      for (const CommitRow& row : commits) keys.push_back(row.commit.id);
    }
    KNAPSACK_TRY(auto found, search::find_live(readers, keys));
    parts.clear();
    for (size_t i = 0; i < readers.size(); ++i) parts.push_back({readers[i], std::move(found.live[i])});
  }
  return search::Index::open(std::move(parts));
}

Result<const search::Index*> CodeIndex::collection(const std::string& name) {
  auto found = lazy_->collections.find(name);
  if (found == lazy_->collections.end()) {
    KNAPSACK_TRY(search::Index opened, open_collection(name));
    found = lazy_->collections.emplace(name, std::move(opened)).first;
  }
  return &found->second;
}

std::span<const uint32_t> CodeIndex::files_of_key(std::string_view key) {
  if (lazy_->keys.empty()) {
    lazy_->keys.reserve(by_blob().size());
    for (const auto& [blob, files] : by_blob()) {
      const FileRow& file = this->files()[files.front()];
      lazy_->keys.emplace(blob_key(file.hash, file.language), files);
    }
  }
  const auto found = lazy_->keys.find(key);
  return found == lazy_->keys.end() ? std::span<const uint32_t>() : found->second;
}

Status CodeIndex::check_lookups() const {
  return lazy_->lookup_failure ? Status(*lazy_->lookup_failure) : ok_status();
}

Result<const ReferenceWorld*> CodeIndex::reference_world() {
  if (lazy_->world) return lazy_->world.get();
  KNAPSACK_TRY(lazy_->declaring, rows_->declaring_blobs());
  std::unordered_map<int64_t, const BlobRow*> by_number;
  for (const BlobRow& blob : lazy_->declaring) by_number.emplace(blob.blob, &blob);
  lazy_->resolver_files = resolver_files(files(), [&](int64_t blob) -> const BlobRow* {
    const auto row = by_number.find(blob);
    return row == by_number.end() ? nullptr : row->second;
  });
  const auto find = [this](std::string_view name) -> std::span<const Definition> {
    auto& known = lazy_->definitions[std::string(name)];
    if (known) return known->definitions;
    known = std::make_unique<Lazy::Definitions>();
    auto rows = rows_->definitions_named(name);
    if (!rows.ok()) {
      lazy_->lookup_failure = rows.error();
      return {};
    }
    known->rows = *std::move(rows);
    for (const DefinitionRow& row : known->rows) {
      for (const uint32_t file : files_of_blob(row.blob)) {
        known->definitions.push_back(
            {file, row.position, row.qualified_name, row.kind, row.is_exported, row.is_declaration});
      }
    }
    std::sort(known->definitions.begin(), known->definitions.end(),
              [](const Definition& a, const Definition& b) {
                return a.file != b.file ? a.file < b.file : a.symbol < b.symbol;
              });
    return known->definitions;
  };
  lazy_->world = std::make_unique<ReferenceWorld>(lazy_->resolver_files, find);
  return lazy_->world.get();
}

Result<std::string> similar_name(CodeIndex& index, std::string_view name) {
  const std::string dotted = with_dots(name);
  KNAPSACK_TRY(const auto names, index.rows().symbol_names());
  return nearest_name(last_part(dotted), names);
}

Result<std::vector<int64_t>> commit_numbers(const CodeIndex& index) {
  return unpack_commit_list(index.snapshot().commits);
}

Result<std::vector<ReachedFile>> neighbourhood(CodeIndex& index, std::span<const uint32_t> seeds,
                                               uint32_t depth, size_t limit) {
  std::map<uint32_t, uint32_t> distance;
  std::deque<uint32_t> waiting;
  for (const uint32_t seed : seeds) {
    if (distance.emplace(seed, 0).second) waiting.push_back(seed);
  }
  std::vector<ReachedFile> reached;
  while (!waiting.empty() && reached.size() < limit) {
    const uint32_t file = waiting.front();
    waiting.pop_front();
    reached.push_back({file, distance[file]});
    if (distance[file] == depth) continue;
    KNAPSACK_TRY(auto links, index.imports_of(file));
    KNAPSACK_TRY(const auto importers, index.importers_of(file));
    links.insert(links.end(), importers.begin(), importers.end());
    std::sort(links.begin(), links.end(),
              [](const FileLink& a, const FileLink& b) { return a.file < b.file; });
    for (const FileLink& link : links) {
      if (distance.emplace(link.file, distance[file] + 1).second) waiting.push_back(link.file);
    }
  }
  std::stable_sort(reached.begin(), reached.end(), [](const ReachedFile& a, const ReachedFile& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.file < b.file;
  });
  return reached;
}

}  // namespace knapsack::code
