// Where a model is asked, by which protocol and with which key.
//
// The key goes into one request header and nowhere else: not into a message, a record or a file. A key that
// was made for one well-known service (OPENAI_API_KEY) travels over TLS or within this machine only; one that
// was given to this program by name (KNAPSACK_MODEL_KEY) goes wherever its owner points. Values; any thread.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "model/http_post.h"
#include "model/model_client.h"

namespace knapsack::model {

enum class Provider { kOllama, kOpenAi };

struct BaseUrl {
  HttpTarget target;
  std::string path;        // "" or "/prefix", without a trailing slash and without a final /v1
  bool versioned = false;  // it did end in /v1

  // "https://host:port/prefix", for messages.
  std::string text() const;
};

// "http://localhost:11434", "https://host/prefix/v1". A name and password in it, a query or a fragment are
// refused: they would end up in messages and records.
Result<BaseUrl> parse_base_url(std::string_view text);

// Whether what is sent there stays on this machine.
bool is_this_machine(const HttpTarget& target);

// "auto": OpenAI's protocol where the base URL ends in /v1, Ollama's own otherwise. Never by the model's
// name.
Result<Provider> choose_provider(std::string_view asked, const BaseUrl& url);

struct ModelOptions {
  std::string model;
  std::string base_url;
  std::string provider = "auto";
  uint64_t window = 8192;                          // tokens that the model sees at once
  std::map<std::string, std::string> environment;  // may hold the key
  std::string ca_file;                             // certificates to trust; empty: the system's
};

// What a client for the network needs to know.
struct Endpoint {
  BaseUrl url;
  std::string model;
  uint64_t window = 0;
  std::string key;       // empty: none is sent
  std::string key_note;  // why a key that is there is not sent; empty otherwise
};
Result<Endpoint> make_endpoint(const ModelOptions& options, Provider provider);

// Replaces every occurrence of the key.
void remove_key(std::string& text, std::string_view key);

}  // namespace knapsack::model
