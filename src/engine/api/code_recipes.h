// CodeRecipes: the code of a repository. A part of Engine (engine/engine.h), which owns the state; one thread at a time.
#pragma once

#include "code/ask/code_answers.h"
#include "code/index/index_report.h"
#include "core/result.h"
#include "engine/api/code_requests.h"
#include "engine/api/retrieve_requests.h"

namespace knapsack {

struct EngineState;
struct EvalReport;
struct EvalRequest;

class CodeRecipes {
 public:
  // Brings the code index up to date with the work tree, or adds a commit to it.
  Result<code::IndexReport> index(const IndexOptions& options);
  // Asks a model about each source file of the work tree's index, most imported first, and keeps prompt and
  // answer in the ledger; what a model has answered already is not asked again. Promoting copies its valid
  // answers into the index. Answers that cannot be used are counted; a server that is not there stops the
  // run.
  Result<EnrichReport> enrich(const EnrichRequest& request);
  // What the index knows, of the work tree as it was last indexed or of the commit that `revision` names. A
  // file is named by its path, or by as many of its last components as it takes.
  Result<code::SymbolsView> symbols(const std::string& name, const std::string& revision = "");
  Result<code::OutlineView> outline(const std::string& file, const std::string& revision = "");
  Result<FileText> file_text(const std::string& file);
  Result<code::RefsView> refs(const std::string& name, const std::string& revision = "");
  // One name with everything around it: its source, its callers and callees, its tests.
  Result<code::SymbolCard> symbol_card(const std::string& name, const std::string& revision = "");
  Result<code::DepsView> deps(const std::string& file, uint32_t depth = 1, const std::string& revision = "");
  Result<code::HistoryView> history(const std::string& file, const std::string& revision = "");
  Result<code::OverviewView> overview(const std::string& revision = "");
  // Who is affected when a definition changes, over so many uses.
  Result<code::ImpactView> impact(const std::string& name, uint32_t depth, const std::string& revision = "");
  // What the repository is made of, without a task, within a budget.
  Result<MapReply> map(const MapRequest& request);
  // The code that a task needs, within a budget.
  Result<RetrieveReply> retrieve(const RetrieveRequest& request);
  // The packet of an earlier retrieval with what it lacked.
  Result<RetrieveReply> refine(const RefineRequest& request);
  // How well the ranking finds what tasks with known answers need; on this workspace where the request names
  // no other repositories.
  Result<EvalReport> evaluate(EvalRequest request);

 protected:
  explicit CodeRecipes(EngineState& state) : state_(&state) {}
  ~CodeRecipes() = default;

 private:
  EngineState* state_;
};

}  // namespace knapsack
