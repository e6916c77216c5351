// Engine: the one owner of a workspace, and the whole public API: the recipes by topic (engine/api/*_recipes.h), and
// what needs several of them. Request struct in, reply out.
//
// It knows no argv, JSON-RPC or HTTP; it never prints and never exits. All time comes from its clock and all
// files through its file system, so the same request on the same files at the same time gives the same bytes.
// One engine serves one request at a time.
#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "engine/api/account_recipes.h"
#include "engine/api/code_recipes.h"
#include "engine/api/engine_options.h"
#include "engine/api/graph_recipes.h"
#include "engine/api/hook_requests.h"
#include "engine/api/memory_recipes.h"
#include "engine/api/notes_recipes.h"
#include "engine/api/pack_recipes.h"
#include "engine/api/setup_requests.h"
#include "engine/api/team_recipes.h"

namespace knapsack {

class Engine : public NotesRecipes,
               public CodeRecipes,
               public GraphRecipes,
               public MemoryRecipes,
               public TeamRecipes,
               public PackRecipes,
               public AccountRecipes {
 public:
  // Finds the workspace. Creates nothing.
  static Result<std::unique_ptr<Engine>> open(EngineOptions options, EngineParts parts = {});
  ~Engine();

  using State = EngineState;  // what an engine holds; known inside engine/ only

  // What a client's hook puts before its model: notes at the start of a session; memories, or everything that
  // a task for the code needs, with a prompt. Never more than the client shows, whole entries only.
  Result<HookReply> hook(const HookRequest& request);
  // Call when the context has reached its reader: the same is not given to that session again for a while.
  Status delivered(const HookReply& reply);
  using NotesRecipes::delivered;
  // Keeps a hook that failed in the ledger, where there is one already.
  Status record_hook_failure(const HookRequest& request, const Error& error);

  // Writes knapsack.toml and the entries that make clients start this program, or takes them back. All files
  // are checked before the first is written.
  Result<SetUpReply> set_up(const SetUpRequest& request);
  // What of this workspace works, what does not, and what to do about it.
  DoctorReport doctor(const DoctorRequest& request);

  const std::string& workspace() const;
  static std::string version();

 private:
  explicit Engine(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace knapsack
