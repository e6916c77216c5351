// The arguments of a tool, checked against its input schema. Internal to serve/. Pure functions; any thread.
#pragma once

#include "core/result.h"
#include "serve/service.h"

namespace knapsack::serve {

// The arguments with the schema's defaults where nothing was given. kUsage says which argument is wrong and
// what to do: an unknown one is refused with the name that was probably meant.
Result<Json> check_arguments(const Tool& tool, const Json& arguments);

}  // namespace knapsack::serve
