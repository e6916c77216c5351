// Views: the questions people and agents ask of the code index (answers in code/ask/code_answers.h).
#pragma once

#include <string>

#include "code/ask/code_answers.h"
#include "code/ask/code_index.h"
#include "code/ask/snapshot_texts.h"

namespace knapsack::code {

Result<SymbolsView> view_symbols(CodeIndex& index, const std::string& name);
Result<OutlineView> view_outline(CodeIndex& index, uint32_t file);
Result<RefsView> view_refs(CodeIndex& index, const std::string& name);
// Sources come from `texts`. A name that many things share is told by its first definitions.
Result<SymbolCard> view_symbol_card(CodeIndex& index, const SnapshotTexts& texts, const std::string& name);
// Who uses a definition, who uses those, and so on for `depth` steps.
Result<ImpactView> view_impact(CodeIndex& index, const std::string& name, uint32_t depth);
Result<DepsView> view_deps(CodeIndex& index, uint32_t file, uint32_t depth);
// Files that changed together with this one at least twice: what happened once is chance.
Result<std::vector<CoChangeLine>> co_change_lines(CodeIndex& index, uint32_t file);
Result<HistoryView> view_history(CodeIndex& index, uint32_t file);
Result<OverviewView> view_overview(CodeIndex& index);

}  // namespace knapsack::code
