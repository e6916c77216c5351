// Files as results of `search`, in the order of `retrieve`; their chunks have the vectors.
#include <fmt/format.h>

#include <algorithm>

#include "code/ask/snapshot_texts.h"
#include "code/index/curated.h"
#include "code/rank/file_ranking.h"
#include "code/walk/file_class.h"
#include "core/ids.h"
#include "engine/api/pack_requests.h"
#include "engine/recipes/search/search_excerpt.h"
#include "engine/sources/code_vectors.h"
#include "engine/sources/common_words.h"
#include "engine/sources/search_source.h"
#include "engine/sources/search_vectors.h"
#include "git/repository.h"
#include "stages/joined_context.h"
#include "understand/understand.h"

namespace knapsack {
namespace {

class SearchedCode final : public SearchSource {
 public:
  // How near the files are to a question; none: words alone.
  using Compare = std::function<NearCode(code::CodeIndex& index, const std::string& words)>;
  SearchedCode(std::string repository, std::unique_ptr<code::CodeIndex> index, code::SnapshotTexts texts,
               std::vector<std::string> warnings, Compare compare)
      : repository_(std::move(repository)),
        index_(std::move(index)),
        texts_(std::move(texts)),
        warnings_(std::move(warnings)),
        compare_(std::move(compare)) {}

  Source source() const override { return Source::kCode; }
  std::string repository() const override { return repository_; }
  // What other sources keep their own items in are files of the workspace.
  std::string file_of(uint32_t item) const override {
    return stages::shown_path(repository_, index_->file(item).name);
  }
  std::vector<std::string> warnings() const override { return warnings_; }
  std::vector<std::string> notes() const override { return notes_; }
  bool used_meaning() const override { return near_.ranking() != nullptr; }

  Result<std::vector<SourceHit>> by_words(const std::string& words, size_t limit) override {
    code::RankingOptions options;
    options.limit = limit;
    if (compare_) near_ = compare_(*index_, words);
    if (!near_.problem.empty()) warnings_.push_back("code is found by words only: " + near_.problem);
    options.near = near_.ranking();
    KNAPSACK_TRY(auto ranked, code::rank_files(*index_, understand(words), options));
    if (std::string line = no_common_word(ranked, index_->files().size()); !line.empty())
      notes_.push_back(std::move(line));
    std::vector<SourceHit> hits;
    for (code::RankedFile& file : ranked) {
      const uint32_t chunk = file.chunks.empty() ? 0 : file.chunks.front().chunk;
      hits.push_back({file.file, chunk, std::move(file.score)});
    }
    KNAPSACK_CHECK(put_definitions_first(words, hits));
    return hits;
  }

  Result<std::vector<SourceUnit>> units() override {
    std::vector<SourceUnit> units;
    for (uint32_t number = 0; number < index_->files().size(); ++number) {
      const code::FileRow& file = index_->file(number);
      if (file.blob == 0) continue;
      KNAPSACK_TRY(const auto chunks, index_->chunks(number));
      for (uint32_t part = 0; part < chunks.size(); ++part) {
        const std::string lines =
            fmt::format("{}-{}", chunks[part].chunk.start_line, chunks[part].chunk.end_line);
        units.push_back({number, part, hash_parts({file.name, file.hash, lines})});
      }
    }
    return units;
  }

  Result<SourceText> text(uint32_t item, uint32_t part) override {
    const code::FileRow& file = index_->file(item);
    const std::string shown = stages::shown_path(repository_, file.name);
    SourceText text{shown, shown, 1, shown, ""};
    if (file.blob == 0) return text;
    KNAPSACK_TRY(const std::string* bytes, bytes_of(item));
    KNAPSACK_TRY(const auto chunks, index_->chunks(item));
    if (part < chunks.size()) {
      const code::Chunk& chunk = chunks[part].chunk;
      text.line = chunk.start_line;
      if (chunk.start_byte <= chunk.end_byte && chunk.end_byte <= bytes->size())
        text.text = bytes->substr(chunk.start_byte, chunk.end_byte - chunk.start_byte);
    }
    return text;
  }

  Result<std::string> whole_text(uint32_t item) override {
    const code::FileRow& file = index_->file(item);
    if (file.blob == 0) return file.name;
    KNAPSACK_TRY(const std::string* bytes, bytes_of(item));
    return file.name + "\n" + *bytes;
  }

  std::string title_of_line(uint32_t item, uint32_t line) override {
    const auto symbols = index_->symbols(item);
    if (!symbols.ok()) return "";
    const code::Symbol* around = innermost(*symbols, line);
    return around == nullptr ? "" : around->qualified_name;
  }

  std::string excerpt(uint32_t item, const SourceText& text, uint32_t line,
                      const search::TextMatch& match) override {
    const auto lines = static_cast<uint32_t>(std::count(text.text.begin(), text.text.end(), '\n'));
    ExcerptPlace place{text.line, text.line + lines, 0, line};
    const auto symbols = index_->symbols(item);
    const code::Symbol* around = symbols.ok() ? innermost(*symbols, line) : nullptr;
    if (around != nullptr) place = {around->start_line, around->end_line, around->name_line, line};
    if (index_->file(item).blob == 0) return "";
    const auto bytes = bytes_of(item);
    return bytes.ok() ? code_excerpt(**bytes, place, match) : "";
  }

 private:
  // The one that begins last.
  static const code::Symbol* innermost(const std::vector<code::SymbolRow>& symbols, uint32_t line) {
    const code::Symbol* found = nullptr;
    for (const code::SymbolRow& row : symbols) {
      if (row.symbol.start_line <= line && line <= row.symbol.end_line) found = &row.symbol;
    }
    return found;
  }

  // A query that is one name asks for what has it: the files that define it stand before those that use it, real
  // definitions before prototypes and those of tests.
  Status put_definitions_first(const std::string& words, std::vector<SourceHit>& hits) {
    if (words.find_first_of(" \t\n") != std::string::npos) return ok_status();
    KNAPSACK_TRY(auto defined, index_->find_symbols(words));
    const auto keep_if_any = [&defined](const auto& wanted) {
      if (std::any_of(defined.begin(), defined.end(), wanted))
        std::erase_if(defined, [&](const code::IndexedSymbol& each) { return !wanted(each); });
    };
    keep_if_any([](const code::IndexedSymbol& each) { return !each.row.symbol.is_declaration; });
    keep_if_any([this](const code::IndexedSymbol& each) {
      return !code::is_test_path(index_->file(each.file).name);
    });
    double best = 1;
    for (const SourceHit& hit : hits) best = std::max(best, hit.score.total);
    for (const code::IndexedSymbol& each : defined) {
      auto hit = std::find_if(hits.begin(), hits.end(),
                              [&](const SourceHit& found) { return found.item == each.file; });
      if (hit == hits.end()) hit = hits.insert(hit, SourceHit{each.file, 0, {}});
      if (hit->line != 0) continue;  // its first definition of that name
      hit->line = each.row.symbol.name_line;
      hit->score.total += best;
      hit->score.components.push_back({"definition", best});
      KNAPSACK_TRY(const auto chunks, index_->chunks(each.file));
      for (uint32_t part = 0; part < chunks.size(); ++part) {
        if (chunks[part].chunk.start_line <= hit->line && hit->line <= chunks[part].chunk.end_line)
          hit->part = part;
      }
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const SourceHit& a, const SourceHit& b) { return a.score.total > b.score.total; });
    return ok_status();
  }

  // The chunks of a file are asked for one after the other.
  Result<const std::string*> bytes_of(uint32_t item) {
    if (held_ != item || bytes_.empty()) {
      KNAPSACK_TRY(bytes_, texts_.read(index_->file(item)));
      held_ = item;
    }
    return &bytes_;
  }

  std::string repository_;
  std::unique_ptr<code::CodeIndex> index_;
  code::SnapshotTexts texts_;
  std::vector<std::string> warnings_;
  Compare compare_;
  NearCode near_;
  std::vector<std::string> notes_;
  uint32_t held_ = UINT32_MAX;
  std::string bytes_;
};

bool holds_repository(const Engine::State& state) {
  const auto workspace = state.files->resolve(state.workspace.path);
  if (!workspace.ok() || !state.options.snapshot.empty()) return false;
  const auto repository = GitRepository::open(*workspace);
  return repository.ok() && repository->has_value();
}

}  // namespace

// A repository without an index gets one; a folder that is none, of notes or memories, does not for being searched.
OpenedSource open_code_source(Engine::State& state, const SearchRequest& request) {
  const auto rows = code::Curated::open(*state.files, state.state_folder());
  const bool is_absent = !rows.ok() && rows.error().code == ErrorCode::kNotFound;
  if (is_absent && !(request.refresh && holds_repository(state))) return std::unique_ptr<SearchSource>();
  return open_linked_source(state, request, "");
}

OpenedSource open_linked_source(Engine::State& state, const SearchRequest& request, const std::string& name) {
  std::vector<std::string> warnings;
  if (request.refresh) {
    IndexOptions options;
    options.progress = request.index_progress;
    options.stop = request.stop;
    options.deadline = kPackIndexDeadline;
    KNAPSACK_TRY(auto refreshed, state.refresh_index(options));
    if (!refreshed.problem.empty()) warnings.push_back(std::move(refreshed.problem));
  }
  KNAPSACK_TRY(auto index, state.code_index(""));
  if (std::string lacking = index->incomplete(); !lacking.empty()) warnings.push_back(std::move(lacking));
  KNAPSACK_TRY(const std::string workspace, state.files->resolve(state.workspace.path));
  KNAPSACK_TRY(auto texts, code::SnapshotTexts::open(*state.files, workspace, index->snapshot()));
  KNAPSACK_TRY(const Settings settings, state.settings(Flags(request.settings)));
  // Whoever names a model for meaning wants that one.
  // Linked repositories are asked by words.
  const bool own = name.empty() && request.mode != "lex" &&
                   !VectorSearch(state, settings, {request.embed_model, request.embed_url}).configured();
  SearchedCode::Compare compare;
  if (own) {
    compare = [&state, settings](code::CodeIndex& asked, const std::string& words) {
      NearCode near = compare_code(state, settings, asked, words);
      if (const std::string missing = near.missing_line(); !missing.empty())
        state.options.log.write(LogLevel::kInfo, missing);
      return near;
    };
  }
  return std::unique_ptr<SearchSource>(std::make_unique<SearchedCode>(
      name, std::move(index), std::move(texts), std::move(warnings), std::move(compare)));
}

}  // namespace knapsack
