// What every command shares: the options all of them take, opening the engine, printing and exit codes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/parser.h"
#include "core/log.h"
#include "engine/engine.h"

namespace knapsack::cli {

struct Shared {
  std::string workspace;
  std::vector<std::string> also;  // folders of linked repositories
  std::string repository;         // one that a team has published, with or without @COMMIT
  std::string now;
  bool stats = false;
  bool strict = false;
  bool no_meaning = false;
  std::string log_level = "warning";
  std::function<int()> chosen;  // set by the command that the arguments name
};

// Adds a command with the options that all commands take; `run` gives the exit code.
Command add_command(Command program, Shared& shared, const std::string& name, const std::string& description,
                    std::function<int()> run);

// The same for a command that finds nothing and whose answer is never degraded: without --strict and --no-meaning.
Command add_plain_command(Command program, Shared& shared, const std::string& name,
                          const std::string& description, std::function<int()> run);

// For commands that answer from the code of linked repositories as well.
void add_also(Command command, Shared& shared);

// For commands that answer about a repository which a team has published as well.
void add_repository(Command command, Shared& shared);

// `folder` is the workspace when a command takes it as an argument too; empty otherwise.
Result<EngineOptions> engine_options(const Shared& shared, const std::string& folder = "");
Result<std::unique_ptr<Engine>> open_engine(const Shared& shared, const std::string& folder = "");

// Lines for people go to standard error from --log-level on.
Result<Log> open_log(const Shared& shared);
void say(const Shared& shared, LogLevel level, std::string_view line);

// Results go to standard output, everything else to standard error. A reader that went away is a kStopped
// without words, which fail() passes over: it has what it wanted.
Status print(std::string_view bytes);
void note(std::string_view line);  // "knapsack: line"
int fail(const Error& error);      // one line and the exit code
void print_times(const std::vector<StepTime>& times);

// Everything on standard input; `what` names it in the error for more than max_bytes.
Result<std::string> read_input(std::string_view what, size_t max_bytes);

// With --strict: the answer is degraded, or says that something was not read.
bool fails_strict(const Shared& shared, const Packet& packet);

// One that calls itself so: it takes no colour, and knows no way back to the beginning of a line.
bool is_dumb_terminal();
// A terminal that wants colour (NO_COLOR unset).
bool wants_colour(int descriptor);
// Bold on such a terminal, plain elsewhere.
std::string bold(std::string_view text);

// What a newcomer in this workspace has before them, and what to try; empty where there is nothing to see.
std::string first_look(const Shared& shared);

void add_pack(Command program, Shared& shared);
void add_agent(Command program, Shared& shared);
void add_note(Command program, Shared& shared);
void add_retrieve(Command program, Shared& shared);
void add_refine(Command program, Shared& shared);
void add_graph(Command program, Shared& shared);
void add_remember(Command program, Shared& shared);
void add_promote(Command program, Shared& shared);
void add_team(Command program, Shared& shared);
void add_team_repositories(Command team, Shared& shared);
void add_worker(Command program, Shared& shared);
void add_capture(Command program, Shared& shared);
void add_forget(Command program, Shared& shared);
void add_feedback(Command program, Shared& shared);
void add_memories(Command program, Shared& shared);
void add_profile(Command program, Shared& shared);
void add_recall(Command program, Shared& shared);
void add_search(Command program, Shared& shared);
void add_mcp(Command program, Shared& shared);
void add_index(Command program, Shared& shared);
void add_embed(Command program, Shared& shared);
void add_enrich(Command program, Shared& shared);
void add_symbols(Command program, Shared& shared);
void add_outline(Command program, Shared& shared);
void add_refs(Command program, Shared& shared);
void add_deps(Command program, Shared& shared);
void add_map(Command program, Shared& shared);
void add_impact(Command program, Shared& shared);
void add_history(Command program, Shared& shared);
void add_eval(Command program, Shared& shared);
void add_overview(Command program, Shared& shared);
void add_runs(Command program, Shared& shared);
void add_explain(Command program, Shared& shared);
void add_outcome(Command program, Shared& shared);
void add_report(Command program, Shared& shared);
void add_export(Command program, Shared& shared);
void add_prune(Command program, Shared& shared);
void add_config(Command program, Shared& shared);
void add_serve(Command program, Shared& shared);
void add_status(Command program, Shared& shared);
void add_completions(Command program, Shared& shared);
void add_doctor(Command program, Shared& shared);
void add_hook(Command program, Shared& shared);
void add_set_up(Command program, Shared& shared);
void add_man(Command program, Shared& shared);
void add_licenses(Command program, Shared& shared);

}  // namespace knapsack::cli
