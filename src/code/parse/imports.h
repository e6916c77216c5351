// Imports as a query captured them. Pure functions.
// Private to code/parse/.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "code/parse/language.h"
#include "code/parse/parsed_file.h"
#include "code/parse/query_program.h"

namespace knapsack::code {

bool is_import_role(Role role);

// One import a captured module; names and aliases belong to what was captured before them. A language's hook
// takes over for forms that nest.
void add_imports(const Language& language, std::span<const Capture> captures, std::string_view bytes,
                 std::vector<Import>& imports);

}  // namespace knapsack::code
