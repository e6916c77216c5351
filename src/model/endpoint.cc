#include "model/endpoint.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/escape.h"

namespace knapsack::model {
namespace {

constexpr size_t kMaxUrl = 2048;
constexpr size_t kMaxKey = 4096;
constexpr std::string_view kVersion = "/v1";
constexpr std::string_view kRemovedKey = "[redacted: model key]";

Error wrong_url(std::string_view text, std::string_view what) {
  return {ErrorCode::kUsage, fmt::format("base URL '{}': {}", escape_control(text.substr(0, 200)), what),
          "give one like http://localhost:11434 or https://host/v1"};
}

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

// Splits "host:port" or "[address]:port".
bool read_host(std::string_view authority, HttpTarget& target) {
  std::string_view port;
  if (authority.starts_with('[')) {
    const size_t end = authority.find(']');
    if (end == std::string_view::npos) return false;
    target.host = authority.substr(1, end - 1);
    port = authority.substr(end + 1);
  } else {
    const size_t colon = authority.find(':');
    target.host = authority.substr(0, colon);
    if (colon != std::string_view::npos) port = authority.substr(colon);
  }
  if (target.host.empty()) return false;
  target.port = target.tls ? 443 : 80;
  if (port.empty()) return true;
  if (!port.starts_with(':')) return false;
  port.remove_prefix(1);
  const auto [end, problem] = std::from_chars(port.data(), port.data() + port.size(), target.port);
  return problem == std::errc() && end == port.data() + port.size() && target.port > 0 &&
         target.port <= 65'535;
}

std::string variable(const ModelOptions& options, const char* name) {
  const auto found = options.environment.find(name);
  return found == options.environment.end() ? "" : found->second;
}

}  // namespace

bool is_this_machine(const HttpTarget& target) {
  // By its whole address: names can begin with "127." as well.
  in_addr address{};
  return target.host == "localhost" || target.host == "::1" ||
         (::inet_pton(AF_INET, target.host.c_str(), &address) == 1 && target.host.starts_with("127."));
}

std::string BaseUrl::text() const {
  const bool address = target.host.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}{}{}", target.tls ? "https" : "http", address ? "[" : "", target.host,
                     address ? "]" : "", target.port, path, versioned ? kVersion : "");
}

Result<BaseUrl> parse_base_url(std::string_view text) {
  // A name and password are looked for first: messages must not repeat them.
  if (text.find('@') != std::string_view::npos) {
    return Error{ErrorCode::kUsage, "the base URL contains a user name or a password",
                 "leave them out; a key goes into the environment variable KNAPSACK_MODEL_KEY"};
  }
  if (text.size() > kMaxUrl || !printable(text)) return wrong_url(text, "not a URL");
  BaseUrl url;
  std::string_view rest = text;
  if (rest.starts_with("https://")) {
    url.target.tls = true;
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else {
    return wrong_url(text, "must begin with http:// or https://");
  }
  if (rest.find_first_of("?#") != std::string_view::npos) return wrong_url(text, "has a query or a fragment");
  const size_t slash = rest.find('/');
  if (!read_host(rest.substr(0, slash), url.target)) return wrong_url(text, "has no valid host and port");
  std::string_view path = slash == std::string_view::npos ? "" : rest.substr(slash);
  while (path.ends_with('/')) path.remove_suffix(1);
  url.versioned = path.ends_with(kVersion);
  if (url.versioned) path.remove_suffix(kVersion.size());
  url.path = path;
  return url;
}

Result<Provider> choose_provider(std::string_view asked, const BaseUrl& url) {
  if (asked == "ollama") return Provider::kOllama;
  if (asked == "openai") return Provider::kOpenAi;
  if (asked == "auto") return url.versioned ? Provider::kOpenAi : Provider::kOllama;
  return Error{ErrorCode::kUsage, fmt::format("unknown model provider '{}'", asked),
               "it is auto, ollama or openai"};
}

Result<Endpoint> make_endpoint(const ModelOptions& options, Provider provider) {
  if (options.model.empty()) return Error{ErrorCode::kUsage, "no model is named", "name one with `model`"};
  if (options.window == 0) {
    return Error{ErrorCode::kUsage, "the context window must not be 0 tokens", "give the model's own"};
  }
  Endpoint endpoint;
  KNAPSACK_TRY(endpoint.url, parse_base_url(options.base_url));
  endpoint.url.target.ca_file = options.ca_file;
  endpoint.model = options.model;
  endpoint.window = options.window;
  const char* name = "KNAPSACK_MODEL_KEY";
  endpoint.key = variable(options, name);
  if (endpoint.key.empty() && provider == Provider::kOpenAi) {
    name = "OPENAI_API_KEY";
    endpoint.key = variable(options, name);
    if (!endpoint.key.empty() && !endpoint.url.target.tls && !is_this_machine(endpoint.url.target)) {
      endpoint.key.clear();
      endpoint.key_note =
          "OPENAI_API_KEY is not sent without TLS; set KNAPSACK_MODEL_KEY if this server is to have a key";
    }
  }
  if (endpoint.key.size() > kMaxKey || !printable(endpoint.key)) {
    return Error{ErrorCode::kConfig, fmt::format("the value of {} cannot be a key", name),
                 "it may hold only printable characters without spaces"};
  }
  return endpoint;
}

void remove_key(std::string& text, std::string_view key) {
  if (key.empty()) return;
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + kRemovedKey.size())) {
    text.replace(at, key.size(), kRemovedKey);
  }
}

}  // namespace knapsack::model
