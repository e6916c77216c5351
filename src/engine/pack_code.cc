// The code of a pack: what the task needs of it, with what the other sources name.
#include <fmt/format.h>

#include <algorithm>

#include "code/snapshot_texts.h"
#include "engine/code_packet.h"
#include "engine/pack_links.h"
#include "engine/pack_sources.h"
#include "engine/run_record.h"
#include "stages/runner.h"
#include "stages/scope_seeds.h"

namespace knapsack {
namespace {

constexpr size_t kNeededFiles = 10;  // the first files of the scope: what background entries may be about

bool is_instructions(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == "AGENTS.md" || name == "CLAUDE.md";
}

bool is_inside(std::string_view path, const std::string& folder) {
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

// What the other sources show is not shown again as a file.
void leave_to_others(stages::StageContext& context, const std::vector<std::string>& own_folders) {
  for (stages::ScopedFile& file : context.files) {
    const bool shown = is_instructions(file.path) ||
                       std::any_of(own_folders.begin(), own_folders.end(),
                                   [&](const std::string& folder) { return is_inside(file.path, folder); });
    if (!shown || file.named) continue;
    file.kept = false;
    file.verdict = "another source shows it";
  }
}

// How many folders two paths have in common.
size_t common_folders(std::string_view a, std::string_view b) {
  size_t common = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) common += a[i] == '/' ? 1 : 0;
  return common;
}

}  // namespace

bool CodeSource::open(const PackRequest& request, SourcePart& part) {
  part.source = Source::kCode;
  const auto fail = [&](const Error& error) {
    part.degraded = true;
    part.warnings.push_back("the code is left out: " + error.line());
    return true;
  };
  if (request.refresh) {
    IndexOptions options;
    options.progress = request.progress;
    options.stop = request.stop;
    options.deadline = request.index_deadline;
    const auto problem = state_.refresh_index(options);
    if (!problem.ok()) return fail(problem.error());
    if (!problem->empty()) {
      part.degraded = true;
      part.warnings.push_back(*problem);
    }
  }
  auto index = state_.code_index("");
  if (!index.ok()) return fail(index.error());
  index_ = *std::move(index);
  if (std::string lacking = index_->incomplete(); !lacking.empty()) {
    part.degraded = true;
    part.warnings.push_back(std::move(lacking));
  }
  part.fingerprint = index_->snapshot().fingerprint;
  return !index_->files().empty() || part.degraded;
}

void CodeSource::gather(const std::vector<PacketSection*>& background,
                        const std::vector<std::string>& own_folders, SourcePart& part) {
  if (!index_) return;
  const Status gathered = gather_or_fail(background, own_folders, part);
  if (gathered.ok()) return;
  part.degraded = true;
  part.warnings.push_back("the code is left out: " + gathered.error().line());
}

Status CodeSource::gather_or_fail(const std::vector<PacketSection*>& background,
                                  const std::vector<std::string>& own_folders, SourcePart& part) {
  KNAPSACK_TRY(const std::string workspace, state_.files->resolve(state_.workspace.path));
  KNAPSACK_TRY(const auto texts, code::SnapshotTexts::open(*state_.files, workspace, index_->snapshot()));
  stages::StageContext start;
  KNAPSACK_TRY(start.requested, named_by_background(background, *index_));
  const stages::StageInput input{*index_, question_.task, question_.judge, nullptr};
  KNAPSACK_TRY(stages::RunnerResult result, run_stages(stages::stage_list(), input, start, nullptr));
  leave_to_others(result.context, own_folders);
  part.decisions = stage_decisions(result.context);
  for (const stages::ScopedFile& file : result.context.files) {
    if (file.kept && needed_.size() < kNeededFiles) needed_.push_back(file.path);
    const bool by_task =
        std::find(file.relations.begin(), file.relations.end(), stages::kNamedInTask) != file.relations.end();
    if (by_task) named_.insert(file.path);
  }
  raise_what_names(background, needed_);
  KNAPSACK_TRY(CodePacketParts made, make_code_sections(*index_, texts, result.context, question_.budget));
  part.sections = std::move(made.sections);
  part.groups = std::move(made.groups);
  part.degraded = part.degraded || !made.warnings.empty() || !result.context.problems.empty();
  part.warnings.insert(part.warnings.end(), made.warnings.begin(), made.warnings.end());
  part.warnings.insert(part.warnings.end(), result.context.problems.begin(), result.context.problems.end());
  if (made.secrets > 0)
    part.warnings.push_back(fmt::format("{} secrets in the code were replaced by [redacted]", made.secrets));
  return ok_status();
}

std::vector<std::string> CodeSource::instruction_files() const {
  std::vector<std::string> found;
  if (!index_) return found;
  for (const FileRow& file : index_->files()) {
    if (is_instructions(file.name)) found.push_back(file.name);
  }
  const auto nearness = [&](const std::string& path) {
    size_t best = 0;
    for (const std::string& needed : needed_) best = std::max(best, common_folders(path, needed));
    return best;
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const std::string& a, const std::string& b) { return nearness(a) > nearness(b); });
  return found;
}

}  // namespace knapsack
