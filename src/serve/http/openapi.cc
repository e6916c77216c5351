#include "serve/http/openapi.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/ascii.h"
#include "serve/http/page.h"
#include "serve/http/rest_routes.h"
#include "serve/schema.h"
#include "serve/views/rest_runs.h"

namespace knapsack::serve {
namespace {

Json reference(std::string_view kind, std::string_view name) {
  return {{"$ref", fmt::format("#/components/{}/{}", kind, name)}};
}

Json json_content(Json schema) {
  return {{"application/json", {{"schema", std::move(schema)}}}};
}

std::string arguments_name(std::string_view tool) {
  return fmt::format("{}_arguments", tool);
}
std::string reply_name(std::string_view tool) {
  return fmt::format("{}_reply", tool);
}

// "postV1Pack" would be a name to explain; "post_v1_pack" is not.
std::string operation_id(const Route& route) {
  std::string id;
  for (const char c : fmt::format("{}{}", route.method, route.path)) {
    if (ascii::is_upper(c)) {
      id.push_back(static_cast<char>(c - 'A' + 'a'));
    } else if (ascii::is_lower(c)) {
      id.push_back(c);
    } else if (ascii::is_digit(c)) {
      id.push_back(c);
    } else if (!id.empty() && id.back() != '_') {
      id.push_back('_');
    }
  }
  while (id.ends_with('_')) id.pop_back();
  return id;
}

Json answered(std::string_view description, Json content) {
  return {{"description", description}, {"content", std::move(content)}};
}

Json mcp_responses(const Route& route) {
  const Json message = {{"type", "object"}};
  if (route.method == "DELETE") return {{"204", {{"description", "The session has ended"}}}};
  Json stream = json_content(message);
  stream["text/event-stream"] = {{"schema", {{"type", "string"}}}};
  return {{"200", answered("The answer, or a stream of events that ends with it", std::move(stream))},
          {"202", {{"description", "A notification was taken"}}}};
}

Json responses(const Route& route) {
  Json made = Json::object();
  switch (route.kind) {
    case RouteKind::kHealth:
      made["200"] = answered("It is", json_content(reference("schemas", "health")));
      break;
    case RouteKind::kMetrics:
      made["200"] = answered("Counters", {{"text/plain", {{"schema", {{"type", "string"}}}}}});
      break;
    case RouteKind::kOpenApi:
      made["200"] = answered("An OpenAPI document", json_content({{"type", "object"}}));
      break;
    case RouteKind::kPage:
      made["200"] =
          answered("A part of the page", {{content_type_of(route.path), {{"schema", {{"type", "string"}}}}}});
      made["304"] = {{"description", "It is as it was (ETag)"}};
      break;
    case RouteKind::kSession:
      made["200"] =
          answered("What the page sends from now on", json_content(reference("schemas", "session")));
      break;
    case RouteKind::kView:
    case RouteKind::kTool:
      made["200"] = answered("What was found", json_content(reference("schemas", reply_name(route.tool))));
      break;
    case RouteKind::kRuns:
      made["200"] = answered("The runs", json_content(reference("schemas", "runs")));
      break;
    case RouteKind::kRun:
      made["200"] = answered("The account", json_content(reference("schemas", "account")));
      break;
    case RouteKind::kMcp:
      made = mcp_responses(route);
      break;
  }
  made["default"] = reference("responses", "error");
  return made;
}

Json operation(const Route& route) {
  Json made = {{"operationId", operation_id(route)}, {"summary", route.summary}};
  if (route.kind == RouteKind::kRuns) {
    made["parameters"] = Json::array(
        {{{"name", "limit"}, {"in", "query"}, {"schema", schema::whole(1, kMaxRuns, kDefaultRuns)}}});
  }
  if (route.kind == RouteKind::kRun) {
    made["parameters"] = Json::array({{{"name", "id"},
                                       {"in", "path"},
                                       {"required", true},
                                       {"description", "A run number, an id or its beginning, or `latest`"},
                                       {"schema", {{"type", "string"}}}}});
  }
  if (route.changes) {
    made["parameters"] = Json::array({{{"name", "X-Knapsack-CSRF"},
                                       {"in", "header"},
                                       {"description", "Of the session; not needed with the server's token"},
                                       {"schema", {{"type", "string"}}}}});
  }
  if (route.method == "POST") {
    Json body =
        route.tool.empty() ? Json{{"type", "object"}} : reference("schemas", arguments_name(route.tool));
    made["requestBody"] = {{"required", true}, {"content", json_content(std::move(body))}};
  }
  if (route.kind == RouteKind::kHealth || route.kind == RouteKind::kPage) made["security"] = Json::array();
  made["responses"] = responses(route);
  return made;
}

Json components(const Service& service, const Views& views) {
  Json schemas = Json::object();
  for (const Route& route : routes()) {
    if (!is_answered(service, route)) continue;
    const Tool* about = nullptr;
    for (const Tool& each : service.tools()) {
      if (each.name == route.tool) about = &each;
    }
    for (const ViewEntry& each : views.entries()) {
      if (each.about.name == route.tool) about = &each.about;
    }
    if (about == nullptr) continue;
    if (route.method == "POST") schemas[arguments_name(route.tool)] = about->input_schema;
    schemas[reply_name(route.tool)] = about->output_schema;
  }
  using namespace schema;
  schemas["runs"] = runs_schema();
  schemas["account"] = account_schema();
  schemas["session"] = object({{"token!", any_text()}, {"csrf!", any_text()}});
  schemas["health"] = object({{"status!", any_text()}, {"version!", any_text()}});
  schemas["error"] =
      object({{"error!", object({{"code!", any_text()}, {"message!", any_text()}, {"next!", any_text()}})}});
  return {
      {"schemas", std::move(schemas)},
      {"responses",
       {{"error", answered("What went wrong, and what to do", json_content(reference("schemas", "error")))}}},
      {"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}};
}

}  // namespace

bool is_answered(const Service& service, const Route& route) {
  if (service.has_workspace()) return true;
  switch (route.kind) {
    case RouteKind::kTool:
      return std::any_of(service.tools().begin(), service.tools().end(),
                         [&](const Tool& tool) { return tool.name == route.tool; });
    case RouteKind::kMcp:
    case RouteKind::kHealth:
    case RouteKind::kMetrics:
    case RouteKind::kOpenApi:
      return true;
    default:
      return false;
  }
}

Json openapi_document(const Service& service, const Views& views) {
  Json paths = Json::object();
  for (const Route& route : routes()) {
    if (!is_answered(service, route)) continue;
    std::string method(route.method);
    std::transform(method.begin(), method.end(), method.begin(),
                   [](char c) { return static_cast<char>(c - 'A' + 'a'); });
    paths[std::string(route.path)][method] = operation(route);
  }
  return {
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "Knapsack"},
        {"version", Engine::version()},
        {"description",
         "What an AI agent needs, packed into the tokens it has. A token is asked for when the server was "
         "started with one."}}},
      {"servers", Json::array({{{"url", "/"}}})},
      // Either with a token or, where the server has none, without.
      {"security", Json::array({{{"token", Json::array()}}, Json::object()})},
      {"paths", std::move(paths)},
      {"components", components(service, views)}};
}

}  // namespace knapsack::serve
