// The views of the code index: the repository at a glance, and one file with everything around it.
#include <algorithm>

#include "core/escape.h"
#include "serve/schema.h"
#include "serve/views/views.h"
#include "text/unicode/utf8.h"

namespace knapsack::serve {
namespace {

constexpr size_t kShownFiles = 25;  // of each ranking
constexpr size_t kShownLinks = 60;  // imports, importers, tests
constexpr size_t kShownCommits = 60;
constexpr size_t kMaxShownBytes = size_t{1} << 20U;

// Paths and names of a repository are any bytes.
std::string utf8(std::string_view text) {
  return replace_invalid_utf8(text);
}

Json counted(const std::vector<code::CountedFile>& files) {
  Json rows = Json::array();
  for (size_t i = 0; i < std::min(files.size(), kShownFiles); ++i)
    rows.push_back({{"path", utf8(files[i].path)}, {"count", files[i].count}});
  return rows;
}

Json commits(const std::vector<code::CommitLine>& lines) {
  Json rows = Json::array();
  for (size_t i = 0; i < std::min(lines.size(), kShownCommits); ++i) {
    rows.push_back({{"id", lines[i].id},
                    {"time", format_rfc3339(Timestamp::from_seconds(lines[i].time))},
                    {"author", utf8(lines[i].author)},
                    {"subject", utf8(lines[i].subject)}});
  }
  return rows;
}

Json links(const std::vector<code::LinkLine>& lines) {
  Json rows = Json::array();
  for (size_t i = 0; i < std::min(lines.size(), kShownLinks); ++i)
    rows.push_back({{"path", utf8(lines[i].path)}, {"confidence", lines[i].confidence}});
  return rows;
}

Result<Json> code_overview(const ViewCall& call) {
  if (call.flag("refresh")) KNAPSACK_CHECK(call.refresh_index());
  KNAPSACK_TRY(const code::OverviewView view, call.engine.overview());
  KNAPSACK_TRY(const auto biggest, call.inspection.biggest_files());
  Json languages = Json::array();
  for (const code::LanguageLine& line : view.languages) {
    languages.push_back({{"language", line.language.empty() ? "other" : line.language},
                         {"files", line.files},
                         {"lines", line.lines},
                         {"tokens", line.tokens}});
  }
  Json folders = Json::array();
  for (const code::FolderLine& line : view.folders)
    folders.push_back({{"path", utf8(line.path)}, {"files", line.files}, {"lines", line.lines}});
  return Json{{"files", view.files},
              {"sources", view.sources},
              {"test_files", view.test_files},
              {"indexed", format_rfc3339(Timestamp{view.snapshot.taken_micros})},
              {"commit", view.snapshot.commit_id},
              {"languages", std::move(languages)},
              {"folders", std::move(folders)},
              {"biggest", counted(biggest)},
              {"most_imported", counted(view.most_imported)},
              {"most_changed", counted(view.most_changed)},
              {"recent", commits(view.recent)}};
}

Json symbols_of(const code::OutlineView& outline) {
  Json rows = Json::array();
  std::vector<int64_t> depths;
  for (const auto& row : outline.symbols) {
    const code::Symbol& symbol = row.symbol;
    const bool nested = symbol.parent >= 0 && static_cast<size_t>(symbol.parent) < depths.size();
    depths.push_back(nested ? depths[static_cast<size_t>(symbol.parent)] + 1 : 0);
    rows.push_back({{"name", utf8(symbol.qualified_name)},
                    {"kind", to_string(symbol.kind)},
                    {"signature", utf8(symbol.signature)},
                    {"first_line", symbol.start_line},
                    {"last_line", symbol.end_line},
                    {"depth", depths.back()}});
  }
  return rows;
}

// The text where it can be shown; why not otherwise.
void add_text(const ViewCall& call, const std::string& path, Json& reply) {
  const auto file = call.inspection.file_text(path);
  reply["unreadable"] = file.ok() ? "" : file.error().line();
  std::string text = file.ok() ? utf8(file->text) : "";
  reply["cut"] = text.size() > kMaxShownBytes;
  if (text.size() > kMaxShownBytes) text.resize(utf8_prefix(text, kMaxShownBytes).size());
  reply["text"] = std::move(text);
}

Result<Json> code_file(const ViewCall& call) {
  KNAPSACK_TRY(const code::OutlineView outline, call.engine.outline(call.text("path")));
  Json reply = {{"path", utf8(outline.path)},    {"language", outline.language},
                {"class", outline.file_class},   {"lines", outline.lines},
                {"bytes", outline.bytes},        {"tokens", outline.tokens.o200k},
                {"symbols", symbols_of(outline)}};
  if (!call.flag("text_only")) {
    KNAPSACK_TRY(const code::DepsView deps, call.engine.deps(outline.path));
    KNAPSACK_TRY(const code::HistoryView history, call.engine.history(outline.path));
    reply["imports"] = links(deps.imports);
    reply["importers"] = links(deps.importers);
    reply["tests"] = links(deps.tests);
    reply["subjects"] = links(deps.subjects);
    Json together = Json::array();
    for (size_t i = 0; i < std::min(deps.co_changes.size(), kShownFiles); ++i)
      together.push_back({{"path", utf8(deps.co_changes[i].path)}, {"count", deps.co_changes[i].count}});
    reply["changed_with"] = std::move(together);
    reply["commits"] = commits(history.commits);
  }
  add_text(call, outline.path, reply);
  return reply;
}

}  // namespace

std::vector<ViewEntry> code_views() {
  using namespace schema;
  const Json number = {{"type", "number"}};
  const Json files = rows(object({{"path!", any_text()}, {"count!", any_whole()}}));
  const Json near = rows(object({{"path!", any_text()}, {"confidence!", number}}));
  const Json commit_rows = rows(object(
      {{"id!", any_text()}, {"time!", any_text()}, {"author!", any_text()}, {"subject!", any_text()}}));
  return {
      {{"code_overview", "The repository at a glance", "",
        object({{"refresh", flag(true, "Bring the code index up to date first")}}),
        object({{"files!", any_whole()},
                {"sources!", any_whole()},
                {"test_files!", any_whole()},
                {"indexed!", any_text()},
                {"commit!", any_text()},
                {"languages!", rows(object({{"language!", any_text()},
                                            {"files!", any_whole()},
                                            {"lines!", any_whole()},
                                            {"tokens!", any_whole()}}))},
                {"folders!",
                 rows(object({{"path!", any_text()}, {"files!", any_whole()}, {"lines!", any_whole()}}))},
                {"biggest!", files},
                {"most_imported!", files},
                {"most_changed!", files},
                {"recent!", commit_rows}})},
       code_overview},
      {{"code_file", "A file with its surroundings", "",
        object({{"path!", text(kMaxNameCharacters, "Or its last components")},
                {"text_only", flag(false, "Without its neighbours and its history")}}),
        object({{"path!", any_text()},
                {"language!", any_text()},
                {"class!", any_text()},
                {"lines!", any_whole()},
                {"bytes!", any_whole()},
                {"tokens!", any_whole()},
                {"symbols!", rows(object({{"name!", any_text()},
                                          {"kind!", any_text()},
                                          {"signature!", any_text()},
                                          {"first_line!", any_whole()},
                                          {"last_line!", any_whole()},
                                          {"depth!", any_whole()}}))},
                {"imports", near},
                {"importers", near},
                {"tests", near},
                {"subjects", near},
                {"changed_with", files},
                {"commits", commit_rows},
                {"text!", any_text()},
                {"cut!", any_flag()},
                {"unreadable!", any_text()}})},
       code_file},
  };
}

}  // namespace knapsack::serve
