// What the engine answers from the code index.
#include <fmt/format.h>

#include "code/ask/code_views.h"
#include "code/ask/snapshot_texts.h"
#include "code/ask/stale_files.h"
#include "code/index/curated.h"
#include "code/index/snapshot_report.h"
#include "core/counted.h"
#include "core/nearest.h"
#include "core/paths.h"
#include "engine/engine_state.h"
#include "engine/linked/linked_views.h"
#include "git/repository.h"
#include "search/segments/live_set.h"
#include "stages/joined_context.h"

namespace knapsack {
namespace {

constexpr size_t kShownCandidates = 5;

Error ambiguous(const code::CodeIndex& index, const std::string& named, const std::vector<uint32_t>& found) {
  std::string list;
  for (size_t i = 0; i < found.size() && i < kShownCandidates; ++i) {
    list += (i == 0 ? "" : ", ") + index.file(found[i]).name;
  }
  if (found.size() > kShownCandidates) list += fmt::format(" and {} more", found.size() - kShownCandidates);
  return {ErrorCode::kUsage, fmt::format("{} files are called {}: {}", found.size(), named, list),
          "name more of the path"};
}

Error unknown_file(const code::CodeIndex& index, const std::string& named) {
  const auto last_component = [](const std::string& path) { return std::string(base_name(path)); };
  std::vector<std::string> names;
  for (const code::FileRow& file : index.files()) names.push_back(last_component(file.name));
  const std::string near = nearest_name(last_component(named), names);
  return {ErrorCode::kNotFound, fmt::format("the index has no file {}", named),
          near.empty() ? "run `knapsack index`"
                       : fmt::format("did you mean {}? A new file is known after `knapsack index`", near)};
}

bool is_bare(const Engine::State& state) {
  const auto workspace = state.files->resolve(state.workspace.path);
  if (!workspace.ok()) return false;
  const auto repository = GitRepository::open(*workspace);
  return repository.ok() && *repository && (*repository)->location().layout == GitLayout::kBare;
}

Error no_work_tree() {
  return {ErrorCode::kNotFound, "the workspace is a bare repository and has no files of its own",
          "name a commit with `revision` HEAD, as in `knapsack pack --rev HEAD TASK`"};
}

void tell_changes(const Engine::State& state, const code::CodeIndex& index) {
  const Log& log = state.options.log;
  if (index.snapshot().name != code::kWorkTree || !log.wants(LogLevel::kWarning)) return;
  auto rows = code::Curated::open(*state.files, state.state_folder());
  if (!rows.ok()) return;
  const auto changed = code::stale_files(*state.files, state.workspace.path, *rows, index);
  if (!changed.ok() || changed->empty()) return;
  const std::string first = changed->front();
  log.write(LogLevel::kWarning,
            changed->size() == 1
                ? fmt::format("{} has changed since it was indexed: run `knapsack index`", first)
                : fmt::format("{} files have changed since they were indexed, the first is {}: run "
                              "`knapsack index`",
                              changed->size(), first));
}

// Whoever looks at an index that lacks files or is older than they are is told.
Result<std::unique_ptr<code::CodeIndex>> view_index(const Engine::State& state, const std::string& revision) {
  KNAPSACK_TRY(auto index, state.code_index(revision));
  if (const std::string lacking = index->incomplete(); !lacking.empty())
    state.options.log.write(LogLevel::kWarning, lacking);
  tell_changes(state, *index);
  return index;
}

}  // namespace

Result<std::unique_ptr<code::CodeIndex>> EngineState::code_index(const std::string& revision) const {
  std::string snapshot = options.snapshot.empty() ? code::kWorkTree : options.snapshot;
  if (!revision.empty() && revision != options.snapshot) {
    KNAPSACK_TRY(const std::string path, files->resolve(workspace.path));
    KNAPSACK_TRY(const auto repository, GitRepository::open(path));
    if (!repository) {
      return Error{ErrorCode::kUsage, "`revision` needs a git repository, and the workspace is not one",
                   "leave it out"};
    }
    KNAPSACK_TRY(snapshot, repository->resolve(revision));
  }
  auto index = code::CodeIndex::open(*files, state_folder(), snapshot);
  const bool is_missing = !index.ok() && index.error().code == ErrorCode::kNotFound;
  if (is_missing && snapshot == code::kWorkTree && is_bare(*this)) return no_work_tree();
  return index;
}

std::string EngineState::describe_code_index() const {
  auto rows = code::Curated::open(*files, state_folder());
  if (!rows.ok()) return rows.error().line();
  const auto snapshots = rows->snapshots();
  if (!snapshots.ok()) return snapshots.error().line();
  std::string tree = is_bare(*this) ? "a bare repository, which has no files of its own"
                                    : "the work tree is not indexed: run `knapsack index`";
  size_t commits = 0;
  for (const code::SnapshotRow& snapshot : *snapshots) {
    if (snapshot.name != code::kWorkTree) {
      ++commits;
      continue;
    }
    const auto members = search::LiveSet::from_bytes(snapshot.files);
    if (!members.ok()) return members.error().line();
    tree = fmt::format("{} of the work tree, indexed {}", counted(members->size(), "file"),
                       format_rfc3339(Timestamp::from_seconds(Timestamp{snapshot.taken_micros}.seconds())));
    const auto about = code::SnapshotReport::from_json(snapshot.report_json);
    if (about.ok() && about->unread > 0) tree += fmt::format(", {} are still to be read", about->unread);
  }
  return commits == 0 ? tree : fmt::format("{}; indexed commits: {}", tree, commits);
}

Result<uint32_t> EngineState::find_file(const code::CodeIndex& index, const std::string& named) const {
  // As seen from the current folder first, then from the top, then by its last components.
  const std::string here = relative_to(workspace.path, join_path(options.folder, named));
  for (const std::string& path : {here, named}) {
    if (const auto found = index.find_file(path)) return *found;
  }
  const auto found = index.find_by_suffix(named);
  if (found.size() == 1) return found.front();
  return found.empty() ? unknown_file(index, named) : ambiguous(index, named, found);
}

Result<FileText> EngineState::file_text(const std::string& named) const {
  KNAPSACK_TRY(const auto index, code_index(""));
  KNAPSACK_TRY(const uint32_t number, find_file(*index, named));
  KNAPSACK_TRY(const std::string path, files->resolve(workspace.path));
  KNAPSACK_TRY(const auto texts, code::SnapshotTexts::open(*files, path, index->snapshot()));
  const code::FileRow& row = index->file(number);
  FileText file{row.name, row.language, "", 0};
  KNAPSACK_TRY(file.text, texts.read(row, &file.secrets));
  return file;
}

Result<FileText> CodeRecipes::file_text(const std::string& file) {
  auto own = state_->file_text(file);
  if (own.ok() || own.error().code != ErrorCode::kNotFound) return own;
  const LinkedRepositories linked = linked_repositories(*state_);
  const auto place = linked.place_of(file);
  if (place.repository == nullptr) return own;
  KNAPSACK_TRY(FileText text, place.repository->state->file_text(place.path));
  text.path = stages::shown_path(place.repository->name, text.path);
  return text;
}

Result<code::SymbolsView> CodeRecipes::symbols(const std::string& name, const std::string& revision) {
  KNAPSACK_TRY(const auto index, view_index(*state_, revision));
  return view_symbols(*index, name);
}

Result<code::OutlineView> CodeRecipes::outline(const std::string& file, const std::string& revision) {
  KNAPSACK_TRY(const auto index, view_index(*state_, revision));
  const auto number = state_->find_file(*index, file);
  if (number.ok()) return view_outline(*index, *number);
  const LinkedRepositories linked = linked_repositories(*state_);
  const auto place = linked.place_of(file);
  if (number.error().code != ErrorCode::kNotFound || place.repository == nullptr) return number.error();
  KNAPSACK_TRY(const auto other, view_index(*place.repository->state, ""));
  KNAPSACK_TRY(const uint32_t there, place.repository->state->find_file(*other, place.path));
  KNAPSACK_TRY(code::OutlineView view, view_outline(*other, there));
  view.path = stages::shown_path(place.repository->name, view.path);
  return view;
}

Result<code::RefsView> CodeRecipes::refs(const std::string& name, const std::string& revision) {
  KNAPSACK_TRY(const auto index, view_index(*state_, revision));
  LinkedRepositories linked = linked_repositories(*state_);
  if (linked.list.empty() && linked.warnings.empty()) return view_refs(*index, name);
  KNAPSACK_TRY(LinkedViews views, LinkedViews::open(*state_, *index, std::move(linked)));
  return views.refs(name);
}

Result<code::ImpactView> CodeRecipes::impact(const std::string& name, uint32_t depth,
                                             const std::string& revision) {
  KNAPSACK_TRY(const auto index, view_index(*state_, revision));
  return view_impact(*index, name, depth);
}

Result<code::SymbolCard> CodeRecipes::symbol_card(const std::string& name, const std::string& revision) {
  KNAPSACK_TRY(const auto index, state_->code_index(revision));
  if (LinkedRepositories linked = linked_repositories(*state_); !linked.list.empty()) {
    KNAPSACK_TRY(LinkedViews views, LinkedViews::open(*state_, *index, std::move(linked)));
    return views.symbol_card(name);
  }
  KNAPSACK_TRY(const std::string workspace, state_->files->resolve(state_->workspace.path));
  KNAPSACK_TRY(const auto texts, code::SnapshotTexts::open(*state_->files, workspace, index->snapshot()));
  return view_symbol_card(*index, texts, name);
}

Result<code::DepsView> CodeRecipes::deps(const std::string& file, uint32_t depth,
                                         const std::string& revision) {
  KNAPSACK_TRY(const auto index, view_index(*state_, revision));
  if (LinkedRepositories linked = linked_repositories(*state_);
      !linked.list.empty() || !linked.warnings.empty()) {
    KNAPSACK_TRY(LinkedViews views, LinkedViews::open(*state_, *index, std::move(linked)));
    return views.deps(file, depth);
  }
  KNAPSACK_TRY(const uint32_t number, state_->find_file(*index, file));
  return view_deps(*index, number, depth);
}

Result<code::HistoryView> CodeRecipes::history(const std::string& file, const std::string& revision) {
  KNAPSACK_TRY(const auto index, view_index(*state_, revision));
  KNAPSACK_TRY(const uint32_t number, state_->find_file(*index, file));
  return view_history(*index, number);
}

Result<code::OverviewView> CodeRecipes::overview(const std::string& revision) {
  KNAPSACK_TRY(const auto index, view_index(*state_, revision));
  return view_overview(*index);
}

}  // namespace knapsack
