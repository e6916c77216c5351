// The HTTP API described in OpenAPI 3.1, made from the table of routes and the schemas of the tools and views: there is
// nothing to keep in step by hand. Pure function.
// Private to serve/http/.
#pragma once

#include "serve/http/rest_routes.h"
#include "serve/service.h"
#include "serve/views/views.h"

namespace knapsack::serve {

// Whether this server answers the route: one for a team's repositories has neither a workspace to look at nor runs of its own.
bool is_answered(const Service& service, const Route& route);

Json openapi_document(const Service& service, const Views& views);

}  // namespace knapsack::serve
