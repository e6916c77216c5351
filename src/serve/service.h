// Service: what a server can be asked, whatever carries the question. A tool in, arguments as JSON, a reply
// out.
//
// MCP's tools and the routes of the HTTP API are the same calls: one table, one check of arguments, one way
// to keep a reply within its tokens. An engine is opened for each call, so calls run at once; at most
// ServiceOptions::max_running of them, the others wait their turn. Safe to share between threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/result.h"
#include "engine/engine.h"
#include "engine/published/published_repositories.h"

namespace knapsack::serve {

using Json = nlohmann::ordered_json;

struct ServiceOptions {
  EngineOptions engine;      // for each call
  EngineParts parts = {};    // likewise; empty ones are the real ones
  unsigned max_running = 0;  // calls at once; 0: one a core
  // Answers are about the repositories that a team has published, of which each call names one, and there is no workspace.
  std::shared_ptr<PublishedRepositories> published = {};
};

// Who waits for a reply.
struct Caller {
  std::stop_token stop;  // it is not wanted any more
  // How far a long call is; `total` 0 where nobody knows. Called from one thread at a time, and never after
  // the call.
  std::function<void(uint64_t done, uint64_t total, const std::string& message)> progress;
};

// What a tool answers: the text for a model; `structured`, with the text in it, for programs (the HTTP API).
struct ToolReply {
  std::string text;
  Json structured;        // an object that keeps the tool's output schema; null where is_error
  bool is_error = false;  // `text` says what to mend
  ErrorCode error = ErrorCode::kInternal;  // what kind of one
  std::string next = {};                   // what to do about it, with which `text` ends unless it was cut
};

// How the reply is written, for counting its tokens: the bytes that the caller will send.
using Serialise = std::function<std::string(const ToolReply&)>;

struct Tool {
  std::string name, title, description;
  Json input_schema, output_schema;
  bool read_only = true;
  bool idempotent = true;
  bool destructive = false;
};

class Service {
 public:
  // Finds the workspace; the only thing that can fail before a call.
  static Result<std::unique_ptr<Service>> open(ServiceOptions options);
  ~Service();

  std::span<const Tool> tools() const;
  // kNotFound for a tool that is not there; arguments that do not keep the input schema, and whatever the
  // engine could not do, are replies with is_error. With a `max_tokens` argument (or the tool's default),
  // what `serialise` makes of the reply has at most so many tokens.
  Result<ToolReply> call(std::string_view tool, const Json& arguments, const Caller& caller,
                         const Serialise& serialise);

  // An engine for a question that is not a tool: resources, runs, health. kNotFound where there is no workspace.
  Result<std::unique_ptr<Engine>> engine() const;
  bool has_workspace() const;
  const std::string& workspace() const;

 private:
  struct State;
  explicit Service(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace knapsack::serve
