// The checks of `doctor`, each about one part of a workspace. Private to engine/clients/.
//
// A check never fails: what it could not look at is a finding. None of them changes anything but what opening
// a damaged ledger does by itself: it is set aside.
#pragma once

#include "engine/api/setup_requests.h"
#include "engine/engine_state.h"

namespace knapsack {

class Findings {
 public:
  void ok(std::string area, std::string what) { add(std::move(area), Health::kOk, std::move(what), ""); }
  void add(std::string area, Health health, std::string what, std::string fix);
  // What it says, and what it says to do.
  void add(std::string area, Health health, const Error& error);

  DoctorReport report;
};

void check_workspace(Engine::State& state, const DoctorRequest& request, Findings& findings);
void check_git(Engine::State& state, Findings& findings);
void check_code_index(Engine::State& state, Findings& findings);
void check_ledger(Engine::State& state, Findings& findings);
// What holds the processes that parse.
void check_sandbox(Engine::State& state, Findings& findings);
// The settings, and the sources that they name: notes, memories, graph.
void check_sources(Engine& engine, Engine::State& state, Findings& findings);
// Notes that have grown, repeat or contradict each other, or speak of files that are gone.
void nudge_notes(Engine::State& state, const notes::FolderRequest& request, const notes::NotesFolder& folder,
                 Findings& findings);
// Files of clients in the workspace that start this program, and whether they can.
void check_clients(Engine::State& state, const DoctorRequest& request, Findings& findings);
void check_endpoints(const DoctorRequest& request, Findings& findings);

}  // namespace knapsack
