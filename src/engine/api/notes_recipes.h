// NotesRecipes: the notes of a project. A part of Engine (engine/engine.h), which owns the state; one thread at a time.
#pragma once

#include "core/result.h"
#include "engine/api/agent_requests.h"
#include "engine/api/note_requests.h"

namespace knapsack {

struct EngineState;

class NotesRecipes {
 public:
  // The budgeted notes packet.
  Result<AgentReply> agent(const AgentRequest& request);
  // The first half of it, for who has to try several budgets.
  Result<std::unique_ptr<GatheredNotes>> gather_notes(const AgentRequest& request);
  // Call when the output has reached its reader: the cooldown of its session starts here.
  Status delivered(const AgentReply& reply, const std::string& session);
  // Adds to the notes, ticks a task off, or archives what is over; every other byte of them stays.
  Result<NoteReply> note(const NoteRequest& request);
  // The files of the notes folder, as the packet lists them to read.
  Result<std::vector<NotesFile>> notes_files();

 protected:
  explicit NotesRecipes(EngineState& state) : state_(&state) {}
  ~NotesRecipes() = default;

 private:
  EngineState* state_;
};

}  // namespace knapsack
