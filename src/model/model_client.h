// ModelClient: one question to a chat model, answered by JSON of a given schema. The seam to every model.
//
// Whatever a model or a network can do wrong comes back as an outcome, never as a hang or an exception: a
// call ends within its deadline (at most a tenth later), a value is there exactly when the outcome is kOk,
// and it then keeps the schema, or is a list of items that keep theirs. Every exchange is accounted for in `calls`; no key is ever among the texts.
// Any thread may use the same client.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace knapsack::model {

enum class ModelOutcome {
  kOk,
  kTimeout,      // the deadline passed
  kUnreachable,  // no connection, no trust in it, or closed without an answer
  kHttpError,    // an answer that is not a success, redirects included
  kMalformed,    // twice not the JSON that was asked for
  kTooLarge,     // more bytes than any answer may have
  kRefused,      // the prompt does not fit the model's window: nothing was sent, or the model cut it
};

// "ok", "timeout", "unreachable", "http_error", … as the ledger has them.
std::string_view to_string(ModelOutcome outcome);

struct ChatRequest {
  std::string stage;        // who asks, for the record: "scope", "enrich"
  std::string system;       // what the model is to do
  std::string user;         // what it is to look at
  std::string schema_name;  // letters, digits, '_' and '-', at most 64
  nlohmann::json schema;    // of the answer, in the subset of text/json_schema.h
  // An answer that is a list under this name counts item by item: those that keep `item_schema`, which may be
  // more lenient than what was asked for, are taken although others do not or the answer was cut off.
  std::string list;
  nlohmann::json item_schema;
  // An object that was cut off counts with what it said before the cut; what is missing is empty.
  bool takes_cut = false;
  uint64_t answer_tokens = 1024;               // of the answer at most; room for them is kept in the window
  std::chrono::milliseconds deadline{60'000};  // for everything, the retry included
};

// One exchange, as the ledger's model_calls has it.
struct CallRecord {
  std::string stage;
  std::string model;
  std::string request;   // the body that was sent
  std::string response;  // the body as it came, also when it could not be used
  std::string outcome;
  int64_t latency_micros = 0;
  int64_t prompt_tokens = 0;
  int64_t completion_tokens = 0;

  bool operator==(const CallRecord&) const = default;
};

struct ChatAnswer {
  ModelOutcome outcome = ModelOutcome::kUnreachable;
  nlohmann::json value;           // the answer when ok, null otherwise
  bool partial = false;           // ok, but the answer was cut off or not all items of its list were usable
  std::string text;               // what the model wrote last, as it came
  std::string problem;            // one line when not ok: what happened and what to do next
  std::vector<CallRecord> calls;  // in order; more than one when an answer was malformed or a limit refused

  bool ok() const { return outcome == ModelOutcome::kOk; }
  // Summed over all calls.
  int64_t latency_micros() const;
  int64_t prompt_tokens() const;
  int64_t completion_tokens() const;
};

class ModelClient {
 public:
  virtual ~ModelClient() = default;

  virtual const std::string& model() const = 0;
  // How many tokens the model sees at once, prompt and answer together.
  virtual uint64_t window() const = 0;
  virtual ChatAnswer chat(const ChatRequest& request) = 0;
};

}  // namespace knapsack::model
