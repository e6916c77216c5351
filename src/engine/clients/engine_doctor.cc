// Engine::doctor: what works here, what does not, and what to do about it.
#include <fmt/format.h>
#include <unistd.h>

#include "code/ask/stale_files.h"
#include "code/index/curated.h"
#include "core/counted.h"
#include "engine/clients/doctor.h"
#include "engine/recipes/memory/memory_session.h"
#include "engine/sources/describe_meaning.h"
#include "engine/sources/encoder_vectors.h"
#include "git/repository.h"

namespace knapsack {
namespace {

// Problems of one source that are named; the rest is counted.
constexpr size_t kMaxShown = 5;
// Past this a ledger is worth pruning: about a year of daily work.
constexpr uint64_t kLargeLedgerBytes = uint64_t{512} << 20U;

std::string several(const std::vector<std::string>& lines) {
  const size_t shown = std::min(lines.size(), kMaxShown);
  std::string text =
      fmt::format("{}", fmt::join(lines.begin(), lines.begin() + static_cast<ptrdiff_t>(shown), "; "));
  if (lines.size() > shown) text += fmt::format("; … and {} more", lines.size() - shown);
  return text;
}

void check_notes(Engine::State& state, const Settings& settings, const SettingsRequest& wanted,
                 Findings& findings) {
  const auto request = state.folder_request(settings, wanted);
  if (!request.ok()) return findings.add("notes", Health::kBroken, request.error());
  const auto folder = notes::read_folder(*state.files, *request);
  if (!folder.ok()) {
    const bool missing = folder.error().code == ErrorCode::kNotFound;
    if (!missing) return findings.add("notes", Health::kBroken, folder.error());
    return findings.add(
        "notes", Health::kNote, folder.error().what,
        fmt::format("write {}/CONSTITUTION.md with rules that always hold, and TASKS.md", request->shown_as));
  }
  findings.ok(
      "notes",
      fmt::format("{}: {}, {}, {}, {}", request->shown_as, counted(folder->constitution.size(), "rule"),
                  counted(folder->tasks.size(), "open task"), counted(folder->decisions.size(), "decision"),
                  counted(folder->learnings.size(), "learning")));
  if (!folder->unrecognised.empty()) {
    findings.add(
        "notes", Health::kNote, several(folder->unrecognised),
        "write them as `- [ ]` rules and tasks, bullets, or `## [YYYY-MM-DD] Title` entries, or leave them "
        "as remarks");
  }
  if (!folder->warnings.empty())
    findings.add("notes", Health::kWarning, several(folder->warnings), "put plain files in their place");
  nudge_notes(state, *request, *folder, findings);
  if (folder->constitution.empty())
    findings.add("notes", Health::kNote, "there are no constitution rules",
                 fmt::format("write them as a list into {}/CONSTITUTION.md", request->shown_as));
}

// Memories that nobody reads, because others are in force or their workspace moved.
void tell_memories_elsewhere(Engine::State& state, const MemorySession& session, Findings& findings) {
  const SettingsRequest wanted = state.settings_request({});
  for (const std::string& other : {user_memory_folder(wanted), former_memory_folder(state.workspace.path)}) {
    if (other.empty() || other == session.folder || !state.files->info(other).ok()) continue;
    const auto tree = memory::walk_tree(*state.files, other);
    if (!tree.ok() || tree->files.empty()) continue;
    findings.add("memory", Health::kWarning,
                 fmt::format("not read: {} in {} (those in {} are)",
                             counted(tree->files.size(), "memory", "memories"), other, session.shown_as),
                 fmt::format("`knapsack memories move {}` brings them over", other));
  }
  std::vector<std::string> lost;
  for (const LostMemories& found : find_lost_memories(*state.files, wanted))
    lost.push_back(
        fmt::format("{} contains memories of {}, which no longer exists", found.folder, found.workspace));
  if (lost.empty()) return;
  findings.add("memory", Health::kNote, several(lost),
               "`knapsack memories move FOLDER` brings them here, if it is this workspace that moved");
}

void check_memory(Engine::State& state, Findings& findings) {
  const auto session = MemorySession::open(state, {});
  if (!session.ok()) return findings.add("memory", Health::kBroken, session.error());
  tell_memories_elsewhere(state, *session, findings);
  if (!state.files->info(session->folder).ok()) {
    return findings.add("memory", Health::kNote,
                        fmt::format("there are no memories yet; they go to {} ({})", session->shown_as,
                                    session->place.described()),
                        "`knapsack remember TEXT` writes the first");
  }
  const auto catalogue = session->catalogue();
  if (!catalogue.ok()) return findings.add("memory", Health::kBroken, catalogue.error());
  findings.ok("memory", fmt::format("{} ({}): {}", session->shown_as, session->place.described(),
                                    counted(catalogue->memories().size(), "memory", "memories")));
  if (!catalogue->warnings().empty())
    findings.add("memory", Health::kWarning, several(catalogue->warnings()), "correct or remove these files");
}

// Reads all of the model, so that a damaged one is found before it answers.
void check_meaning(Engine::State& state, const Settings& settings, Findings& findings) {
  if (!settings.search.meaning)
    return findings.add("meaning", Health::kNote, "the encoder is switched off",
                        "set search.meaning to true");
  const auto encoder = open_encoder(state, settings);
  if (!encoder.ok()) return findings.add("meaning", Health::kWarning, encoder.error());
  if (*encoder == nullptr) {
    return findings.add("meaning", Health::kNote, "no model file: everything is found by words",
                        "install Knapsack with its share/knapsack folder");
  }
  if (const Status weights = (*encoder)->model().check_weights(); !weights.ok())
    return findings.add("meaning", Health::kWarning, weights.error());
  findings.ok("meaning", describe_meaning(state, settings));
}

void check_graph(Engine& engine, Engine::State& state, const Settings& settings,
                 const SettingsRequest& wanted, Findings& findings) {
  const std::string folder = graph_folder(settings, wanted);
  if (!state.files->info(folder).ok())
    return findings.add("graph", Health::kNote, "there is no graph", "`knapsack graph init` creates one");
  const auto checked = engine.graph_validate({});
  if (!checked.ok()) return findings.add("graph", Health::kBroken, checked.error());
  findings.ok("graph", fmt::format("{}: {} knowledge nodes, {} decisions, {} tasks",
                                   relative_to(wanted.workspace, folder), checked->knowledge,
                                   checked->decisions, checked->tasks));
  std::vector<std::string> errors, warnings;
  for (const GraphFinding& finding : checked->findings) {
    auto& list = finding.error ? errors : warnings;
    list.push_back(fmt::format("{}{} {}", finding.file,
                               finding.line > 0 ? fmt::format(":{}", finding.line) : "", finding.reason));
  }
  constexpr const char* kFix = "`knapsack graph validate` lists all; correct these lines";
  if (!errors.empty()) findings.add("graph", Health::kBroken, several(errors), kFix);
  if (!warnings.empty()) findings.add("graph", Health::kWarning, several(warnings), kFix);
}

}  // namespace

void Findings::add(std::string area, Health health, std::string what, std::string fix) {
  report.broken = report.broken || health == Health::kBroken;
  report.findings.push_back({std::move(area), health, std::move(what), std::move(fix)});
}

void Findings::add(std::string area, Health health, const Error& error) {
  add(std::move(area), health, error.what, error.next);
}

void check_workspace(Engine::State& state, const DoctorRequest& request, Findings& findings) {
  findings.ok("version", fmt::format("knapsack {}{}", Engine::version(),
                                     request.program.empty() ? "" : " at " + request.program));
  const Workspace& workspace = state.workspace;
  if (workspace.found_by == "the current folder") {
    findings.add(
        "workspace", Health::kNote,
        fmt::format("{} is only the current folder: nothing here or above marks a workspace", workspace.path),
        "`knapsack init` writes knapsack.toml, which marks it");
    return;
  }
  findings.ok("workspace", fmt::format("{} (found by {})", workspace.path, workspace.found_by));
}

void check_git(Engine::State& state, Findings& findings) {
  const auto repository = GitRepository::open(state.workspace.path);
  if (!repository.ok()) return findings.add("git", Health::kBroken, repository.error());
  if (!*repository) {
    return findings.add("git", Health::kNote, "the workspace has no repository of its own",
                        "`git init`; without history files are ranked by their content alone");
  }
  const GitLocation& location = (*repository)->location();
  const auto head = (*repository)->head();
  if (!head.ok()) return findings.add("git", Health::kBroken, head.error());
  if (location.layout == GitLayout::kBare) {
    findings.add("git", Health::kWarning, "the repository is bare: there is no work tree to index",
                 "run this in a clone, or index a commit with `knapsack index --rev`");
  } else {
    findings.ok("git", *head ? "at commit " + (*head)->substr(0, 12) : std::string("no commit yet"));
  }
  if ((*repository)->is_shallow()) {
    findings.add("git", Health::kWarning, "the clone is shallow: most of its history is not here",
                 "`git fetch --unshallow`");
  }
  if (location.alternates_left_out) {
    findings.add("git", Health::kWarning, "objects that the clone borrows from elsewhere are not read",
                 "`knapsack index --read-outside-alternates` where you trust them");
  }
}

// Whether an index could be written, for all that can be told without trying.
bool may_write_index(const Engine::State& state) {
  if (!state.on_disk) return true;
  const bool there = state.files->info(state.state_folder()).ok();
  return ::access((there ? state.state_folder() : state.workspace.path).c_str(), W_OK) == 0;
}

void check_code_index(Engine::State& state, Findings& findings) {
  auto rows = code::Curated::open(*state.files, state.state_folder());
  const bool writable = may_write_index(state);
  if (!rows.ok()) {
    const bool missing = rows.error().code == ErrorCode::kNotFound;
    if (missing && !writable)
      return findings.add(
          "code", Health::kWarning,
          fmt::format("there is no code index, and none can be written to {}", state.state_folder()),
          "work in a writable copy or clone, or run `knapsack index` where the folder is writable");
    return findings.add("code", missing ? Health::kNote : Health::kBroken, rows.error().what,
                        rows.error().next.empty() ? "run `knapsack index`" : rows.error().next);
  }
  const auto index = state.code_index("");
  if (!index.ok()) {
    const bool missing = index.error().code == ErrorCode::kNotFound;
    return findings.add("code", missing ? Health::kNote : Health::kBroken, index.error().what,
                        missing ? index.error().next : "run `knapsack index --full`");
  }
  findings.ok("code", state.describe_code_index());
  const auto changed = code::stale_files(*state.files, state.workspace.path, *rows, **index);
  if (!changed.ok()) return findings.add("code", Health::kBroken, changed.error());
  if (!changed->empty()) {
    findings.add("code", Health::kWarning,
                 fmt::format("{} changed since being indexed", counted(changed->size(), "file")),
                 writable ? "run `knapsack index`; `pack` and `retrieve` do so themselves"
                          : fmt::format("{} cannot be written here: run `knapsack index` where it can",
                                        state.state_folder()));
  }
  if (std::string lacking = (*index)->incomplete(); !lacking.empty())
    findings.add("code", Health::kWarning, std::move(lacking), "");
}

void check_ledger(Engine::State& state, Findings& findings) {
  const std::string path = join_path(state.state_folder(), "raw.db");
  const auto info = state.files->info(path);
  if (!info.ok() && info.error().code == ErrorCode::kNotFound) return findings.ok("ledger", "none yet");
  const auto ledger = state.ledger();
  if (!ledger.ok()) return findings.add("ledger", Health::kBroken, ledger.error());
  RunFilter newest;
  newest.limit = 1;
  const auto runs = (*ledger)->list_runs(newest);
  if (!runs.ok()) return findings.add("ledger", Health::kBroken, runs.error());
  const uint64_t bytes = info.ok() ? info->size : 0;
  findings.ok("ledger", fmt::format("{}, {} kB{}", relative_to(state.workspace.path, path),
                                    (bytes + 1023) / 1024, runs->empty() ? ", no run yet" : ""));
  if (bytes > kLargeLedgerBytes)
    findings.add("ledger", Health::kWarning, "the ledger is large", "`knapsack prune` removes old runs");
}

void check_sources(Engine& engine, Engine::State& state, Findings& findings) {
  const SettingsRequest wanted = state.settings_request({});
  const auto settings = state.settings(wanted);
  if (!settings.ok()) {
    findings.add("settings", Health::kBroken, settings.error());
    return findings.add("settings", Health::kNote, "notes, memories and graph were not looked at",
                        "correct the settings first");
  }
  const bool has_file = state.files->info(join_path(state.workspace.path, "knapsack.toml")).ok();
  findings.ok("settings", has_file ? "knapsack.toml" : "defaults: there is no knapsack.toml");
  for (const std::string& line : settings->refused) {
    findings.add(
        "settings", Health::kWarning, line,
        "read the file and allow it with `knapsack trust`, or name the place with a flag or in your own "
        "configuration");
  }
  check_notes(state, *settings, wanted, findings);
  check_memory(state, findings);
  check_meaning(state, *settings, findings);
  check_graph(engine, state, *settings, wanted, findings);
}

DoctorReport Engine::doctor(const DoctorRequest& request) {
  const SettingFileCache::Request once(state_->setting_files);
  Findings findings;
  check_workspace(*state_, request, findings);
  check_git(*state_, findings);
  check_code_index(*state_, findings);
  check_ledger(*state_, findings);
  check_sources(*this, *state_, findings);
  check_sandbox(*state_, findings);
  check_clients(*state_, request, findings);
  check_endpoints(request, findings);
  return std::move(findings.report);
}

}  // namespace knapsack
