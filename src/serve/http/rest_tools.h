// A tool or a view of the service as a route: the body of a POST holds its arguments, the reply its structured content.
//
// The reply's bytes are what max_tokens counts. Any thread.
// Private to serve/http/.
#pragma once

#include <string_view>

#include "serve/http/http_handler.h"
#include "serve/service.h"
#include "serve/views/views.h"

namespace knapsack::serve {

// How an error of the engine looks to a client of HTTP.
HttpReply reply_to(const Error& error);
// JSON as the body of a reply.
HttpReply json_reply(const Json& body);

HttpReply answer_with_tool(Service& service, std::string_view tool, const HttpRequest& request,
                           const HttpExchange& exchange);

// The same for a view: a GET has no arguments.
HttpReply answer_with_view(const Views& views, std::string_view view, const HttpRequest& request,
                           const HttpExchange& exchange);

}  // namespace knapsack::serve
