// What every command shares: the options all of them take, opening the engine, printing and exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

#include "core/log.h"
#include "engine/engine.h"

namespace knapsack::cli {

struct Shared {
  std::string workspace;
  std::string now;
  bool stats = false;
  bool strict = false;
  std::string log_level = "warning";
  std::function<int()> chosen;  // set by the command that the arguments name
};

// Adds a command with the options that all commands take; `run` gives the exit code.
CLI::App* add_command(CLI::App& program, Shared& shared, const std::string& name,
                      const std::string& description, std::function<int()> run);

// `folder` is the workspace when a command takes it as an argument too; empty otherwise.
Result<EngineOptions> engine_options(const Shared& shared, const std::string& folder = "");
Result<std::unique_ptr<Engine>> open_engine(const Shared& shared, const std::string& folder = "");

// Lines for people go to standard error from --log-level on.
Result<Log> open_log(const Shared& shared);
void say(const Shared& shared, LogLevel level, std::string_view line);

// Results go to standard output, everything else to standard error.
Status print(std::string_view bytes);
void note(std::string_view line);  // "knapsack: line"
int fail(const Error& error);      // one line and the exit code
void print_times(const std::vector<StepTime>& times);

// Everything on standard input; `what` names it in the error for more than max_bytes.
Result<std::string> read_input(std::string_view what, size_t max_bytes);

// A terminal that wants colour (NO_COLOR unset).
bool wants_colour(int descriptor);
// Bold on such a terminal, plain elsewhere.
std::string bold(std::string_view text);

void add_pack(CLI::App& program, Shared& shared);
void add_agent(CLI::App& program, Shared& shared);
void add_retrieve(CLI::App& program, Shared& shared);
void add_refine(CLI::App& program, Shared& shared);
void add_graph(CLI::App& program, Shared& shared);
void add_remember(CLI::App& program, Shared& shared);
void add_forget(CLI::App& program, Shared& shared);
void add_feedback(CLI::App& program, Shared& shared);
void add_memories(CLI::App& program, Shared& shared);
void add_profile(CLI::App& program, Shared& shared);
void add_recall(CLI::App& program, Shared& shared);
void add_search(CLI::App& program, Shared& shared);
void add_mcp(CLI::App& program, Shared& shared);
void add_index(CLI::App& program, Shared& shared);
void add_enrich(CLI::App& program, Shared& shared);
void add_symbols(CLI::App& program, Shared& shared);
void add_outline(CLI::App& program, Shared& shared);
void add_refs(CLI::App& program, Shared& shared);
void add_deps(CLI::App& program, Shared& shared);
void add_history(CLI::App& program, Shared& shared);
void add_eval(CLI::App& program, Shared& shared);
void add_overview(CLI::App& program, Shared& shared);
void add_runs(CLI::App& program, Shared& shared);
void add_explain(CLI::App& program, Shared& shared);
void add_prune(CLI::App& program, Shared& shared);
void add_config(CLI::App& program, Shared& shared);
void add_serve(CLI::App& program, Shared& shared);
void add_status(CLI::App& program, Shared& shared);
void add_completions(CLI::App& program, Shared& shared);
void add_doctor(CLI::App& program, Shared& shared);
void add_hook(CLI::App& program, Shared& shared);
void add_set_up(CLI::App& program, Shared& shared);
void add_man(CLI::App& program, Shared& shared);

}  // namespace knapsack::cli
