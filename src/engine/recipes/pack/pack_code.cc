// The code of a pack: what the task needs of it, with what the other sources name.
#include <fmt/format.h>

#include <algorithm>

#include "code/ask/snapshot_texts.h"
#include "core/escape.h"
#include "core/paths.h"
#include "engine/recipes/code/code_packet.h"
#include "engine/recipes/pack/pack_links.h"
#include "engine/recipes/pack/pack_sources.h"
#include "engine/run_record.h"
#include "engine/sources/code_vectors.h"
#include "engine/sources/common_words.h"
#include "notes/instructions.h"
#include "stages/joined_context.h"
#include "stages/runner.h"
#include "stages/scope_seeds.h"
#include "text/secrets/redact.h"

namespace knapsack {
namespace {

constexpr size_t kNeededFiles = 10;  // the first files of the scope: what background entries may be about

bool is_inside(std::string_view path, const std::string& folder) {
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

// What the other sources show is not shown again as a file.
void leave_to_others(stages::StageContext& context, const std::vector<std::string>& own_folders) {
  for (stages::ScopedFile& file : context.files) {
    const bool shown = notes::is_instruction_file(file.path) ||
                       std::any_of(own_folders.begin(), own_folders.end(),
                                   [&](const std::string& folder) { return is_inside(file.path, folder); });
    if (!shown || file.is_named()) continue;
    file.kept = false;
    file.verdict = "another source shows it";
  }
}

IndexOptions index_options(const PackRequest& request) {
  IndexOptions options;
  options.progress = request.progress;
  options.stop = request.stop;
  options.deadline = request.index_deadline;
  options.revision = request.revision;
  return options;
}

}  // namespace

CodeSource::CodeSource(Engine::State& state, const PackQuestion& question, const PackRequest& request,
                       bool refresh)
    : state_(state),
      question_(question),
      request_(request),
      linked_(state, request.refresh, index_options(request)) {
  if (!request.paths.empty()) choice_.emplace(request.paths);
  if (!refresh) return;
  const IndexOptions options = index_options(request);
  // Where no thread can be had, it runs when it is waited for.
  refresh_ = std::async([&state, options] { return state.refresh_index(options); });
}

void CodeSource::begin() {
  // A model is asked once, about what holds.
  if (refresh_.valid() && question_.judge != nullptr) return;
  if (auto index = state_.code_index(request_.revision); index.ok()) opened_ = *std::move(index);
}

Result<std::string> CodeSource::shown_file(const code::CodeIndex& index, const std::string& named) {
  const auto own = state_.find_file(index, named);
  if (own.ok()) return index.file(*own).name;
  const auto place = linked_.repositories().place_of(named);
  if (place.repository == nullptr) return own.error();
  KNAPSACK_TRY(const auto linked, place.repository->state->code_index(""));
  KNAPSACK_TRY(const uint32_t file, place.repository->state->find_file(*linked, place.path));
  return stages::shown_path(place.repository->name, linked->file(file).name);
}

std::vector<stages::Requested> CodeSource::wanted_whole(const code::CodeIndex& index) {
  std::vector<stages::Requested> wanted;
  whole_.clear();
  unknown_.clear();
  for (const std::string& name : request_.full) {
    auto file = shown_file(index, name);
    if (!file.ok()) {
      unknown_.push_back(file.error().line());
      continue;
    }
    wanted.push_back({*std::move(file), stages::kNoPosition, "requested as a whole file"});
    whole_.insert(wanted.back().path);
  }
  return wanted;
}

Result<CodeSource::Found> CodeSource::look(const std::vector<PacketSection*>& background) {
  Found found;
  found.index = std::move(opened_);
  if (!found.index) {
    KNAPSACK_TRY(found.index, state_.code_index(request_.revision));
  }
  linked_.open();
  stages::StageContext start;
  start.requested = wanted_whole(*found.index);
  start.requested.insert(start.requested.end(), question_.places.begin(), question_.places.end());
  KNAPSACK_TRY(auto named, named_by_background(background, *found.index));
  std::move(named.begin(), named.end(), std::back_inserter(start.requested));
  KNAPSACK_TRY(const std::string workspace, state_.files->resolve(state_.workspace.path));
  KNAPSACK_TRY(auto texts, code::SnapshotTexts::open(*state_.files, workspace, found.index->snapshot()));
  found.texts = std::make_unique<code::FileTexts>(*found.index, std::move(texts));
  if (is_short_question(question_.task))
    found.near = compare_code(state_, question_.settings, *found.index, question_.task.text);
  if (!found.near.problem.empty())
    start.problems.push_back("code is found by words only: " + found.near.problem);
  const stages::StageInput input{*found.index,
                                 question_.task,
                                 *found.texts,
                                 question_.judge,
                                 nullptr,
                                 {},
                                 choice_ ? &*choice_ : nullptr,
                                 question_.budget,
                                 found.near.ranking()};
  KNAPSACK_TRY(stages::RunnerResult result, linked_.run(stages::stage_list(), input, start, nullptr));
  found.context = std::move(result.context);
  return found;
}

// What was found before holds where nobody has published another state since: this refresh, or another
// process while this one waited for its turn.
Status CodeSource::finish_refresh(SourcePart& part) {
  if (!refresh_.valid()) return ok_status();
  KNAPSACK_TRY(auto refreshed, refresh_.get());
  if (found_ && found_->index->snapshot().snapshot != refreshed.snapshot) found_.reset();
  if (refreshed.problem.empty()) return ok_status();
  part.degraded = true;
  part.warnings.push_back(std::move(refreshed.problem));
  return ok_status();
}

Status CodeSource::find_or_fail(const std::vector<PacketSection*>& background, SourcePart& part) {
  if (opened_ && refresh_.valid()) {
    if (auto found = look(background); found.ok()) found_ = *std::move(found);
  }
  KNAPSACK_CHECK(finish_refresh(part));
  if (!found_) {
    KNAPSACK_TRY(found_, look(background));
  }
  return ok_status();
}

// In the packet as well: who reads it may see nothing else.
void CodeSource::say_missing(const std::string& line, SourcePart& part) {
  part.degraded = true;
  part.warnings.push_back(line);
  part.preambles.push_back({PreambleKind::kNotRead, "Not Read", {line}});
}

bool CodeSource::find(const std::vector<PacketSection*>& background, SourcePart& part) {
  part.source = Source::kCode;
  if (const Status status = find_or_fail(background, part); !status.ok()) {
    found_.reset();
    part.degraded = true;
    say_missing("the code is left out: " + status.error().line(), part);
    return true;
  }
  if (const std::string lacking = found_->index->incomplete(); !lacking.empty()) say_missing(lacking, part);
  part.fingerprint = linked_.fingerprint(found_->index->snapshot().fingerprint);
  part.degraded = part.degraded || !linked_.warnings().empty();
  part.warnings.insert(part.warnings.end(), linked_.warnings().begin(), linked_.warnings().end());
  return !found_->index->files().empty() || !linked_.empty() || part.degraded;
}

void CodeSource::gather(const std::vector<PacketSection*>& background,
                        const std::vector<std::string>& own_folders, SourcePart& part) {
  if (!found_) return;
  const Status gathered = gather_or_fail(background, own_folders, part);
  if (!gathered.ok()) say_missing("the code is left out: " + gathered.error().line(), part);
}

Status CodeSource::gather_or_fail(const std::vector<PacketSection*>& background,
                                  const std::vector<std::string>& own_folders, SourcePart& part) {
  stages::StageContext& context = found_->context;
  leave_to_others(context, own_folders);
  part.decisions = {task_decision(question_.task)};
  for (Decision& row : stage_decisions(context)) part.decisions.push_back(std::move(row));
  for (const stages::ScopedFile& file : context.files) {
    if (file.kept && needed_.size() < kNeededFiles) needed_.push_back(file.path);
    if (file.naming == stages::Naming::kPath) named_.insert(file.path);
  }
  raise_what_names(background, needed_);
  KNAPSACK_TRY(
      CodePacketParts made,
      make_code_sections(linked_.places(*found_->index, *found_->texts), context,
                         {question_.budget, question_.fill, question_.settings.pack_tokenizer, whole_}));
  part.sections = std::move(made.sections);
  part.groups = std::move(made.groups);
  part.behind_stop = made.behind_stop;
  part.unoffered = std::move(made.unoffered);
  part.degraded = part.degraded || !made.warnings.empty() || !context.problems.empty() || !unknown_.empty();
  part.warnings.insert(part.warnings.end(), unknown_.begin(), unknown_.end());
  part.warnings.insert(part.warnings.end(), made.warnings.begin(), made.warnings.end());
  part.warnings.insert(part.warnings.end(), context.problems.begin(), context.problems.end());
  if (choice_ && !chooses_any()) {
    part.said.push_back(no_chosen_file());
    part.warnings.push_back(part.said.back());
  } else if (std::string line = no_common_word(context.files, found_->index->files().size());
             !line.empty() && !question_.task.text.empty()) {
    part.said.push_back(std::move(line));
  }
  if (made.secrets > 0) part.warnings.push_back(redacted_line(made.secrets, "the code"));
  return ok_status();
}

// Whether a file is left by the patterns that were given.
bool CodeSource::chooses_any() const {
  const auto& files = found_->index->files();
  return files.empty() || !linked_.empty() ||
         std::any_of(files.begin(), files.end(),
                     [&](const code::FileRow& file) { return choice_->holds(file.name); });
}

std::string CodeSource::no_chosen_file() const {
  const code::PathPatterns& paths = request_.paths;
  std::vector<std::string> given;
  for (const std::string& pattern : paths.only) given.push_back("`path` " + escape_control(pattern));
  for (const std::string& pattern : paths.without) given.push_back("`exclude` " + escape_control(pattern));
  if (paths.no_tests) given.emplace_back("`no_tests`");
  return fmt::format("no indexed file matches {}", fmt::join(given, " "));
}

std::vector<std::string> CodeSource::instruction_files() const {
  std::vector<std::string> found;
  if (!found_) return found;
  for (const code::FileRow& file : found_->index->files()) {
    if (notes::is_instruction_file(file.name)) found.push_back(file.name);
  }
  const auto nearness = [&](const std::string& path) {
    size_t best = 0;
    for (const std::string& needed : needed_) best = std::max(best, shared_folders(path, needed));
    return best;
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const std::string& a, const std::string& b) { return nearness(a) > nearness(b); });
  for (std::string& path : found) path = escape_control(path);
  return found;
}

}  // namespace knapsack
