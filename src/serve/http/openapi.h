// The HTTP API described in OpenAPI 3.1, made from the table of routes and the schemas of the tools and views: there is
// nothing to keep in step by hand. Pure function.
#pragma once

#include "serve/service.h"
#include "serve/views/views.h"

namespace knapsack::serve {

Json openapi_document(const Service& service, const Views& views);

}  // namespace knapsack::serve
