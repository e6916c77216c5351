#include "engine/account/inspection.h"

#include <algorithm>

#include "engine/engine_state.h"

namespace knapsack {
namespace {

// Numbers that one page of runs looks at; a filter that matches few goes on with the next.
constexpr int64_t kScannedRuns = 5'000;

bool fits(const RunRecord& run, const RunFilter& filter) {
  return (filter.command.empty() || run.command == filter.command) &&
         (!filter.after || run.started >= *filter.after) && (!filter.before || run.started < *filter.before);
}

}  // namespace

Inspection::Inspection(std::unique_ptr<Engine::State> state) : state_(std::move(state)) {}
Inspection::~Inspection() = default;

Result<std::unique_ptr<Inspection>> Inspection::open(EngineOptions options) {
  auto state = std::make_unique<Engine::State>();
  state->files = make_disk_file_system();
  state->clock = std::make_shared<SystemClock>();
  KNAPSACK_TRY(state->workspace, find_workspace(*state->files, options.folder, options.workspace));
  state->options = std::move(options);
  return std::unique_ptr<Inspection>(new Inspection(std::move(state)));
}

Result<FileText> Inspection::file_text(const std::string& path) const {
  return state_->file_text(path);
}

Result<std::vector<code::CountedFile>> Inspection::biggest_files() const {
  KNAPSACK_TRY(const auto index, state_->code_index(""));
  std::vector<code::CountedFile> files;
  for (uint32_t file = 0; file < index->files().size(); ++file) {
    KNAPSACK_TRY(const code::BlobRow* blob, index->blob(file));
    if (blob != nullptr) files.push_back({index->file(file).name, blob->tokens.o200k});
  }
  std::stable_sort(files.begin(), files.end(), [](const code::CountedFile& a, const code::CountedFile& b) {
    return a.count != b.count ? a.count > b.count : a.path < b.path;
  });
  return files;
}

Result<RunPage> Inspection::runs(const RunFilter& filter, int64_t below) const {
  KNAPSACK_TRY(const auto ledger, state_->ledger());
  RunPage page;
  if (below == 0) {
    KNAPSACK_TRY(page.runs, ledger->list_runs(filter));
    if (static_cast<int64_t>(page.runs.size()) == filter.limit) page.next = page.runs.back().key.sequence;
    return page;
  }
  int64_t number = below - 1;
  for (; number > 0 && number > below - kScannedRuns; --number) {
    if (static_cast<int64_t>(page.runs.size()) == filter.limit) break;
    auto run = ledger->find_run(std::to_string(number));
    if (!run.ok() && run.error().code != ErrorCode::kNotFound) return run.error();
    if (run.ok() && run->key.sequence == number && fits(run->record, filter))
      page.runs.push_back(*std::move(run));
  }
  page.next = number > 0 ? number + 1 : 0;
  return page;
}

}  // namespace knapsack
