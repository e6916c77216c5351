// Whether what a session kept of an earlier run is still an answer, where the files are the same.
//
// Descriptions by a model and vectors come and go without any file changing; stages that ran before they were there run
// again. One thread.
// Private to engine/recipes/code/.
#pragma once

#include <string>

#include "code/ask/code_index.h"
#include "engine/sources/code_vectors.h"
#include "store/ledger/session.h"

namespace knapsack {

// Which descriptions of files are in the index; empty where there are none. Part of the session's fingerprint.
Result<std::string> descriptions_mark(code::CodeIndex& index);

// Starts the stages over where they compared by other vectors than these.
Status forget_other_meaning(Session& session, const NearCode& near);

}  // namespace knapsack
