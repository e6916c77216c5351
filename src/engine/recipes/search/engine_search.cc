// Engine::search: opens the sources that are there, lets each find by words and by meaning, and merges.
#include <fmt/format.h>

#include <algorithm>

#include "engine/linked/linked_repositories.h"
#include "engine/recipes/search/search_document.h"
#include "engine/recipes/search/search_merge.h"
#include "engine/recipes/search/search_record.h"
#include "engine/run_record.h"
#include "engine/sources/search_vectors.h"
#include "search/query/parse_query.h"
#include "text/secrets/redact.h"

namespace knapsack {
namespace {

// A source is looked at so deep; a phrase may be far down.
constexpr size_t kMaxFound = 1'000;
constexpr size_t kMinFound = 50;
constexpr size_t kFoundPerResult = 5;
// Texts of one source that are read for a phrase or an excluded word.
constexpr size_t kMaxFiltered = 2'000;
constexpr size_t kNamedWarnings = 3;  // of one source; the rest is counted

using OpenSource = OpenedSource (*)(Engine::State&, const SearchRequest&);
struct SourceRow {
  Source source;
  OpenSource open;
  const char* absent;  // what to do where somebody asked for it by name
};
constexpr SourceRow kSources[] = {
    {Source::kCode, open_code_source, "no code is indexed here: run `knapsack index`"},
    {Source::kNotes, open_notes_source, "there are no project notes here"},
    {Source::kMemory, open_memory_source, "there are no memories here: `knapsack remember` writes the first"},
    {Source::kGraph, open_graph_source, "there is no graph here: `knapsack graph init` creates one"}};

class Search {
 public:
  Search(Engine::State& state, const SearchRequest& request)
      : state_(state),
        request_(request),
        timer_(reply_.times, state.options.log),
        parsed_(search::parse_query(request.query)),
        match_(request.query) {}

  Result<SearchReply> run() {
    KNAPSACK_CHECK(check());
    KNAPSACK_TRY(settings_, state_.settings(Flags(request_.settings)));
    for (const std::string& line : settings_.refused) degrade(line);
    timer_.done("settings");
    KNAPSACK_CHECK(start_vectors(state_));
    for (const SourceRow& row : kSources) {
      if (is_asked(row.source)) search_source(row);
      if (is_asked(row.source) && row.source == Source::kCode) search_linked();
    }
    leave_to_others();
    finish();
    const RunRecord run =
        describe_search(request_, reply_, settings_, state_.workspace.path, state_.clock->now());
    reply_.run_id = run.run_id;
    reply_.output = request_.format == "json" ? search_json(reply_, request_, settings_.search)
                                              : search_text(reply_, settings_.search, request_.explain);
    // Where there is nothing to search, nothing is left behind either.
    if (!request_.dry_run && !reply_.sources.empty()) {
      KNAPSACK_TRY(reply_.run,
                   state_.record(run, search_decisions(request_, reply_), {}, reply_.output, reply_.notices));
      timer_.done("ledger");
    }
    return std::move(reply_);
  }

 private:
  Status check() const {
    if (request_.query.size() > kMaxQueryBytes) {
      return Error{ErrorCode::kUsage, fmt::format("the query has more than {} bytes", kMaxQueryBytes),
                   "shorten it"};
    }
    if (parsed_.terms.empty()) {
      return Error{ErrorCode::kUsage, "the query has no words to search for",
                   "give at least one that is not excluded"};
    }
    if (request_.mode != "hybrid" && request_.mode != "lex" && request_.mode != "vec") {
      return Error{ErrorCode::kUsage, fmt::format("unknown mode '{}'", request_.mode),
                   "choose hybrid, lex or vec"};
    }
    for (const std::string& name : request_.sources) {
      const bool known = std::any_of(std::begin(kSources), std::end(kSources),
                                     [&](const SourceRow& row) { return to_string(row.source) == name; });
      if (!known) {
        return Error{ErrorCode::kUsage, fmt::format("unknown source '{}'", name),
                     "choose one of code, notes, memory and graph"};
      }
    }
    if (request_.limit == 0 || request_.limit > kMaxSearchResults) {
      return Error{ErrorCode::kUsage, fmt::format("{} results cannot be shown", request_.limit),
                   fmt::format("give a limit from 1 to {}", kMaxSearchResults)};
    }
    return ok_status();
  }

  Status start_vectors(Engine::State& state) {
    vectors_.emplace(
        state, settings_,
        EmbeddingRequest{request_.embed_model, request_.embed_url, std::nullopt, request_.progress});
    if (request_.mode == "lex") return ok_status();
    if (!vectors_->configured()) {
      if (request_.mode == "hybrid") return ok_status();
      return Error{ErrorCode::kUsage, "`mode` vec needs an embedding model",
                   "give `embed_model` and `embed_url`, or search by words with `mode` lex"};
    }
    KNAPSACK_CHECK(vectors_->start(parsed_.words));
    if (!vectors_->ready()) degrade("searched by words only: " + vectors_->problem());
    timer_.done("query vector");
    return ok_status();
  }

  bool is_asked(Source source) const {
    return request_.sources.empty() || std::find(request_.sources.begin(), request_.sources.end(),
                                                 to_string(source)) != request_.sources.end();
  }

  void degrade(std::string why) {
    reply_.notices.push_back(std::move(why));
    degraded_ = true;
  }

  void search_source(const SourceRow& row) {
    auto opened = row.open(state_, request_);
    if (opened.ok() && *opened == nullptr) {
      if (!request_.sources.empty()) reply_.notices.emplace_back(row.absent);
      if (request_.sources.empty() && row.source == Source::kCode) unsearched_ = row.absent;
      return;
    }
    take_source(row.source, "", std::string(to_string(row.source)), std::move(opened));
  }

  void take_source(Source source, const std::string& repository, const std::string& called,
                   OpenedSource opened) {
    SearchedSource& searched = reply_.sources.emplace_back();
    searched.source = source;
    searched.repository = repository;
    const Status done = opened.ok() ? find_in(**opened) : Status(opened.error());
    if (!done.ok()) {
      searched.problem = done.error().line();
      degrade(fmt::format("{} is left out: {}", called, searched.problem));
    } else {
      searched.problem = vector_problem_;
      tell_warnings(**opened);
      for (std::string& note : (*opened)->notes()) reply_.notices.push_back(std::move(note));
      opened_.push_back(*std::move(opened));
    }
    timer_.done(called);
  }

  // The code of linked repositories; their vectors are kept where their index is.
  void search_linked() {
    linked_ = linked_repositories(state_);
    for (const std::string& warning : linked_.warnings) degrade(warning);
    for (const LinkedRepository& each : linked_.list) {
      reply_.linked.push_back(each.state->workspace.path);
      std::optional<VectorSearch> own = vectors_;
      const Status started = start_vectors(*each.state);
      if (!started.ok()) degrade(started.error().line());
      take_source(Source::kCode, each.name, each.name, open_linked_source(*each.state, request_, each.name));
      vectors_.reset();
      if (own) vectors_.emplace(*std::move(own));
    }
  }

  void tell_warnings(const SearchSource& source) {
    const auto warnings = source.warnings();
    for (size_t i = 0; i < std::min(warnings.size(), kNamedWarnings); ++i) degrade(warnings[i]);
    if (warnings.size() > kNamedWarnings) {
      degrade(fmt::format("and {} more warnings about {}", warnings.size() - kNamedWarnings,
                          to_string(source.source())));
    }
  }

  size_t depth() const { return std::clamp(request_.limit * kFoundPerResult, kMinFound, kMaxFound); }

  Status find_in(SearchSource& source) {
    SourceFinds finds;
    finds.source = &source;
    vector_problem_.clear();
    // A filter takes some away, so more are looked for.
    const size_t looked_for = parsed_.filter.empty() ? depth() : kMaxFiltered;
    if (vectors_->ready()) {
      auto embedded = embed(source);
      if (embedded.ok()) {
        finds.by_meaning = embedded->nearest(looked_for);
      } else {
        vector_problem_ = embedded.error().line();
        degrade(fmt::format("{} is searched by words only: {}", to_string(source.source()), vector_problem_));
      }
    }
    if (request_.mode != "vec" || !vectors_->ready() || !vector_problem_.empty()) {
      KNAPSACK_TRY(finds.by_words, source.by_words(parsed_.words, looked_for));
    }
    if (!parsed_.filter.empty()) {
      keep_accepted(source, finds.by_words);
      keep_accepted(source, finds.by_meaning);
    }
    used_meaning_ = used_meaning_ || (vectors_->ready() && vector_problem_.empty());
    used_meaning_ = used_meaning_ || source.used_meaning();
    used_words_ = used_words_ || !finds.by_words.empty();
    finds_.push_back(std::move(finds));
    return ok_status();
  }

  Result<EmbeddedTexts> embed(SearchSource& source) {
    KNAPSACK_TRY(std::vector<SourceUnit> units, source.units());
    return vectors_->embed_texts(
        {source.source(), std::move(units),
         [&source](const SourceUnit& unit) { return source.text(unit.item, unit.part); },
         source.other_units()});
  }

  // The files of notes, memories and graph are files like others to the code index. Where their own source is
  // searched they are results of that.
  void leave_to_others() {
    std::vector<std::string> folders;
    for (const auto& source : opened_) {
      if (!source->folder().empty()) folders.push_back(source->folder() + "/");
    }
    for (size_t i = 0; i < finds_.size(); ++i) {
      const auto belongs_to_others = [&, source = finds_[i].source](const SourceHit& hit) {
        const std::string file = source->file_of(hit.item);
        return std::any_of(folders.begin(), folders.end(),
                           [&](const std::string& folder) { return file.starts_with(folder); });
      };
      std::erase_if(finds_[i].by_words, belongs_to_others);
      std::erase_if(finds_[i].by_meaning, belongs_to_others);
    }
  }

  // In the order of rank, until there are as many as are wanted.
  void keep_accepted(SearchSource& source, std::vector<SourceHit>& hits) const {
    std::vector<SourceHit> kept;
    for (SourceHit& hit : hits) {
      if (kept.size() == depth()) break;
      const auto text = source.whole_text(hit.item);
      if (text.ok() && parsed_.filter.accepts(*text)) kept.push_back(std::move(hit));
    }
    hits = std::move(kept);
  }

  MergeOptions merge_options() const {
    MergeOptions options;
    if (const auto fusion = search::parse_fusion(settings_.search.fusion)) options.fusion = *fusion;
    options.vector_weight = settings_.search.vector_weight;
    options.rerank = settings_.search.rerank;
    options.mmr = settings_.search.mmr;
    options.limit = request_.limit;
    return options;
  }

  void finish() {
    MergedHits merged = merge_finds(finds_, match_, merge_options());
    reply_.hits = std::move(merged.hits);
    for (std::string& problem : merged.problems) degrade("a result is left out: " + std::move(problem));
    for (const SourceFinds& each : finds_) {
      for (SearchedSource& searched : reply_.sources) {
        if (searched.source != each.source->source() || searched.repository != each.source->repository())
          continue;
        searched.found = count_items(each);
        reply_.found += searched.found;
      }
    }
    // "Nothing matches" is no answer about code that was not looked at.
    if (reply_.hits.empty() && !unsearched_.empty()) reply_.notices.push_back(unsearched_);
    reply_.mode = !used_meaning_ ? "lex" : used_words_ ? "hybrid" : "vec";
    reply_.status = degraded_             ? RunStatus::kDegraded
                    : reply_.hits.empty() ? RunStatus::kEmpty
                                          : RunStatus::kOk;
    timer_.done("merge");
  }

  Engine::State& state_;
  const SearchRequest& request_;
  SearchReply reply_;
  StepTimer timer_;
  const search::ParsedQuery parsed_;
  const search::TextMatch match_;
  Settings settings_;
  LinkedRepositories linked_;
  std::optional<VectorSearch> vectors_;
  std::vector<std::unique_ptr<SearchSource>> opened_;
  std::vector<SourceFinds> finds_;  // of those, in their order
  std::string vector_problem_;      // of the source at hand
  std::string unsearched_;          // what to do about code that has no index; empty where it has one
  bool degraded_ = false, used_words_ = false, used_meaning_ = false;
};

}  // namespace

Result<std::string> SearchSource::whole_text(uint32_t item) {
  KNAPSACK_TRY(const SourceText whole, text(item, 0));
  return whole.title + "\n" + whole.text;
}

std::string SearchSource::title_of_line(uint32_t, uint32_t) {
  return "";
}

std::string SearchSource::excerpt(uint32_t, const SourceText& text, uint32_t,
                                  const search::TextMatch& match) {
  return search::excerpt(text.text, match.measure(text.title, text.text), kSnippetCharacters);
}

Result<SearchReply> PackRecipes::search(const SearchRequest& request) {
  const SettingFileCache::Request once(state_->setting_files);
  SearchRequest clean = request;
  redact_secrets(clean.query);
  return Search(*state_, clean).run();
}

}  // namespace knapsack
