// Entries of the project notes as results of `search`: rules, open tasks, conventions, decisions, learnings.
#include <fmt/format.h>

#include "core/files/memory_file_system.h"
#include "core/ids.h"
#include "engine/recipes/notes/notes_recipe.h"
#include "engine/sources/search_source.h"
#include "search/query/parse_query.h"
#include "search/segments/segment_builder.h"
#include "search/segments/segment_set.h"

namespace knapsack {
namespace {

constexpr uint32_t kTextField = 0;
constexpr uint32_t kTitleField = 1;
constexpr double kTitleWeight = 2;  // a title says what its entry is about
constexpr size_t kNoteTitleCharacters = 80;
constexpr char kNoteSegments[] = "/segments";

WordOptions note_words() {
  WordOptions options;
  options.stemming = Stemming::kByScript;
  return options;
}

// Numbers that sort as text, so that equal scores keep the order of the folder.
std::string key_of(size_t item) {
  return fmt::format("{:08}", item);
}

class NotesSource final : public SearchSource {
 public:
  static OpenedSource open(const notes::NotesFolder& folder, const std::string& shown_as) {
    auto source = std::make_unique<NotesSource>();
    source->warnings_ = folder.warnings;
    source->folder_ = shown_as;
    for (const std::string& rule : folder.constitution) source->add("rule", "", 0, "", rule);
    for (const notes::Task& task : folder.tasks)
      source->add("task", task.file, task.line, task.title, task.text);
    for (const notes::Convention& each : folder.conventions)
      source->add("convention", each.file, each.line, "", each.text);
    for (const auto& [kind, list] :
         {std::pair{"decision", &folder.decisions}, std::pair{"learning", &folder.learnings}}) {
      for (const notes::FiledEntry& filed : *list) {
        const notes::Entry& entry = filed.entry;
        if (!entry.superseded) source->add(kind, filed.file, entry.line, entry.title, entry.body);
      }
    }
    KNAPSACK_CHECK(source->build());
    return std::unique_ptr<SearchSource>(std::move(source));
  }

  Source source() const override { return Source::kNotes; }
  std::string folder() const override { return folder_; }
  std::vector<std::string> warnings() const override { return warnings_; }

  Result<std::vector<SourceHit>> by_words(const std::string& words, size_t limit) override {
    std::vector<SourceHit> hits;
    if (!index_) return hits;
    search::Scorer scorer;
    scorer.field_weights[kTitleField] = kTitleWeight;
    const search::Query query = search::parse_query(words, note_words()).terms;
    KNAPSACK_TRY(const auto found, search::top_k(*index_, query, scorer, limit));
    for (const search::Hit& hit : found)
      hits.push_back({hit.document.document, 0, {hit.score, {{"words", hit.score}}}});
    return hits;
  }

  Result<std::vector<SourceUnit>> units() override {
    std::vector<SourceUnit> units;
    for (uint32_t item = 0; item < items_.size(); ++item)
      units.push_back({item, 0, hash_parts({items_[item].title, items_[item].text})});
    return units;
  }

  Result<SourceText> text(uint32_t item, uint32_t) override { return items_[item]; }

 private:
  void add(std::string_view kind, const std::string& file, size_t line, std::string title,
           const std::string& text) {
    if (title.empty()) title = notes::shorten(text, kNoteTitleCharacters);
    const std::string id = fmt::format("{}:{}", kind, slug(title));
    const std::string path = file.empty() ? "" : join_path(folder_, file);
    items_.push_back({id, path, static_cast<uint32_t>(line), std::move(title), text});
  }

  Status build() {
    if (items_.empty()) return ok_status();
    search::SegmentBuilder builder;
    for (size_t item = 0; item < items_.size(); ++item) {
      builder.begin_document(key_of(item));
      builder.begin_unit();
      builder.add_text(kTextField, items_[item].text, note_words());
      builder.add_text(kTitleField, items_[item].title, note_words());
    }
    MemoryFileSystem files;
    KNAPSACK_CHECK(files.make_directory(kNoteSegments));
    KNAPSACK_TRY(const std::string name, builder.write(files, kNoteSegments));
    KNAPSACK_TRY(auto segment, search::open_segment(files, kNoteSegments, name));
    const auto live = search::LiveSet::all(segment->documents());
    KNAPSACK_TRY(index_, search::Index::open({{std::move(segment), live}}));
    return ok_status();
  }

  std::string folder_;  // as somebody in the workspace would open it
  std::vector<SourceText> items_;
  std::optional<search::Index> index_;
  std::vector<std::string> warnings_;
};

}  // namespace

OpenedSource open_notes_source(Engine::State& state, const SearchRequest& request) {
  const SettingsRequest wanted = state.settings_request(request.settings);
  KNAPSACK_TRY(const Settings settings, state.settings(wanted));
  KNAPSACK_TRY(const notes::FolderRequest place, state.folder_request(settings, wanted));
  const auto info = state.files->info(place.path);
  if (!info.ok() && info.error().code == ErrorCode::kNotFound) return std::unique_ptr<SearchSource>();
  KNAPSACK_TRY(notes::NotesFolder folder, notes::read_folder(*state.files, place));
  redact(folder);
  return NotesSource::open(folder, place.shown_as);
}

}  // namespace knapsack
