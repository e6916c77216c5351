// Resources (the packets of earlier runs, the notes) and the prompt that starts a task.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "core/ascii.h"
#include "core/escape.h"
#include "serve/call.h"
#include "serve/mcp/mcp_methods.h"
#include "text/parse_json.h"
#include "text/unicode/utf8.h"

namespace knapsack::serve {
namespace {

constexpr std::string_view kRunScheme = "knapsack://run/";
constexpr std::string_view kNotesScheme = "knapsack://notes/";
constexpr int64_t kListedRuns = 20;
constexpr const char* kPrompt = "start_task";
constexpr const char* kMarkdown = "text/markdown";

rpc::Failure failed(const Error& error) {
  return {rpc::kInternalError, error.line()};
}

// RFC 3986: everything but what needs no escape anywhere, and the slashes of a path.
std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain =
        ascii::is_letter_or_digit(c) || std::string_view("-._~/").find(c) != std::string_view::npos;
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

// What a run was printed as; JSON where that was asked for.
const char* mime_type(const StoredRun& run) {
  const auto asked = parse_ordered_json(run.record.request_json);
  return asked.is_object() && asked.value("format", Json()) == "json" ? "application/json" : kMarkdown;
}

void add_runs(Engine& engine, Json& resources) {
  const auto runs = engine.runs(kListedRuns);
  if (!runs.ok()) return;
  std::set<std::string> listed;  // repeats of a run share its id; the newest is meant
  for (const StoredRun& run : *runs) {
    const std::string& id = run.record.run_id;
    // Runs of an older program, and runs that handed out nothing, cannot be read.
    if (!listed.insert(id).second || !engine.run_output(id).ok()) continue;
    resources.push_back(
        {{"uri", fmt::format("{}{}", kRunScheme, id)},
         {"name", id},
         {"title", fmt::format("{}, {}", run.record.command,
                               format_rfc3339(Timestamp::from_seconds(run.record.started.seconds())))},
         {"mimeType", mime_type(run)}});
  }
}

void add_notes(Engine& engine, Json& resources) {
  const auto notes = engine.notes_files();
  if (!notes.ok()) return;
  for (const NotesFile& file : *notes) {
    resources.push_back({{"uri", fmt::format("{}{}", kNotesScheme, percent_encoded(file.name))},
                         {"name", file.name},
                         {"title", "Project notes: " + file.name},
                         {"mimeType", kMarkdown},
                         {"size", file.text.size()}});
  }
}

MethodResult resource(const Method& method, const std::string& uri, const char* mime,
                      const std::string& text) {
  return finished_list(
      method, {{"contents", Json::array({{{"uri", uri}, {"mimeType", mime}, {"text", text}}})}}, Keep::kNot);
}

rpc::Failure no_resource(const std::string& uri) {
  constexpr size_t kMaxQuotedBytes = 200;
  return {rpc::kInvalidParams,
          fmt::format("there is no resource {}", escape_control(utf8_prefix(uri, kMaxQuotedBytes))),
          {{"uri", uri}}};
}

Json prompt_json() {
  return {{"name", kPrompt},
          {"title", "Start a task"},
          {"description", "A task together with what this workspace knows about it"},
          {"arguments",
           Json::array({{{"name", "task"}, {"description", "What is to be done"}, {"required", true}},
                        {{"name", "max_tokens"},
                         {"description", "Of the whole prompt, a whole number"},
                         {"required", false}}})}};
}

Json prompt_result(const Method& method, const std::string& task, const ToolReply& reply) {
  const std::string text = fmt::format("{}\n\nWhat this workspace knows about it:\n\n{}", task, reply.text);
  return finished(
      method,
      {{"description", "A task and its context"},
       {"messages", Json::array({{{"role", "user"}, {"content", {{"type", "text"}, {"text", text}}}}})}});
}

// The arguments of a prompt are texts; those of a tool are not.
std::variant<Json, rpc::Failure> tool_arguments(const Json& given) {
  Json arguments = Json::object();
  for (const auto& [name, value] : given.items()) {
    if (!value.is_string())
      return rpc::Failure{rpc::kInvalidParams,
                          fmt::format("{}: {} must be a string", kPrompt, escape_control(name))};
    const auto& text = value.get_ref<const std::string&>();
    uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
    if (name == "max_tokens" && !whole)
      return rpc::Failure{rpc::kInvalidParams, fmt::format("{}: max_tokens must be a whole number", kPrompt)};
    if (name == "max_tokens") {
      arguments[name] = number;
    } else {
      arguments[name] = value;
    }
  }
  return arguments;
}

}  // namespace

MethodResult list_resources(const Method& method) {
  if (method.request.params.contains("cursor"))
    return rpc::Failure{rpc::kInvalidParams, "unknown cursor: the list has one page"};
  Json resources = Json::array();
  // Nothing is kept between two calls there: neither notes of a workspace nor runs.
  if (!method.service.has_workspace())
    return finished_list(method, {{"resources", std::move(resources)}}, Keep::kNot);
  const auto engine = method.service.engine();
  if (!engine.ok()) return failed(engine.error());
  add_notes(**engine, resources);
  add_runs(**engine, resources);
  return finished_list(method, {{"resources", std::move(resources)}}, Keep::kNot);
}

MethodResult list_templates(const Method& method) {
  const Json templates = Json::array({{{"uriTemplate", fmt::format("{}{{run_id}}", kRunScheme)},
                                       {"name", "run"},
                                       {"title", "A packet as it was handed out"},
                                       {"description", "By the run id that replies name, or `latest`"},
                                       {"mimeType", kMarkdown}},
                                      {{"uriTemplate", fmt::format("{}{{+file}}", kNotesScheme)},
                                       {"name", "notes"},
                                       {"title", "A file of the project notes"},
                                       {"mimeType", kMarkdown}}});
  return finished_list(method, {{"resourceTemplates", templates}}, Keep::kLong);
}

MethodResult read_resource(const Method& method) {
  const auto given = method.request.params.find("uri");
  if (given == method.request.params.end() || !given->is_string())
    return rpc::Failure{rpc::kInvalidParams, "resources/read: uri must be a string"};
  const auto& uri = given->get_ref<const std::string&>();
  if (!method.service.has_workspace()) return no_resource(uri);
  const auto engine = method.service.engine();
  if (!engine.ok()) return failed(engine.error());
  if (uri.starts_with(kRunScheme) && uri.size() > kRunScheme.size()) {
    const auto found = (*engine)->run_output(uri.substr(kRunScheme.size()));
    if (!found.ok() && found.error().code != ErrorCode::kNotFound && found.error().code != ErrorCode::kUsage)
      return failed(found.error());
    if (!found.ok()) return no_resource(uri);
    return resource(method, uri, mime_type(found->run), found->output);
  }
  if (uri.starts_with(kNotesScheme)) {
    const auto notes = (*engine)->notes_files();
    if (!notes.ok()) return failed(notes.error());
    // Only what was listed: a path is never made of what a peer says.
    for (const NotesFile& file : *notes) {
      if (uri == fmt::format("{}{}", kNotesScheme, percent_encoded(file.name)))
        return resource(method, uri, kMarkdown, file.text);
    }
  }
  return no_resource(uri);
}

MethodResult list_prompts(const Method& method) {
  return finished_list(method, {{"prompts", Json::array({prompt_json()})}}, Keep::kLong);
}

MethodResult get_prompt(const Method& method) {
  const Json& params = method.request.params;
  if (params.value("name", Json()) != kPrompt)
    return rpc::Failure{rpc::kInvalidParams, fmt::format("there is one prompt: {}", kPrompt)};
  const auto given = params.find("arguments");
  if (given != params.end() && !given->is_object())
    return rpc::Failure{rpc::kInvalidParams, "prompts/get: arguments must be an object"};
  auto arguments = tool_arguments(given == params.end() ? Json::object() : *given);
  if (auto* const failure = std::get_if<rpc::Failure>(&arguments)) return std::move(*failure);
  const Json& checked = std::get<Json>(arguments);
  const std::string task = checked.value("task", "");
  const auto serialise = [&](const ToolReply& reply) {
    return rpc::line_of(prompt_result(method, task, reply));
  };
  const auto reply = method.service.call("pack", checked, method.caller(), serialise);
  if (!reply.ok()) return failed(reply.error());
  if (reply->is_error) return rpc::Failure{rpc::kInvalidParams, reply->text};
  return prompt_result(method, task, *reply);
}

}  // namespace knapsack::serve
