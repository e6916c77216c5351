#include "serve/http/http_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "core/ascii.h"

namespace knapsack::serve {
namespace {

constexpr std::string_view kBearer = "bearer ";
constexpr uint16_t kDefaultPort = 80;

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return ascii::lower(x) == ascii::lower(y); });
}

bool is_loopback_name(std::string_view name) {
  return same_letters(name, "localhost") || name == "127.0.0.1" || name == "::1";
}

struct Authority {
  std::string_view name;  // an IPv6 address without its brackets
  uint16_t port = kDefaultPort;
};

// "localhost:7077", "[::1]:7077"; nothing for anything that is not exactly that.
std::optional<Authority> parse_authority(std::string_view text) {
  Authority authority;
  std::string_view rest;
  if (text.starts_with('[')) {
    const size_t close = text.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    authority.name = text.substr(1, close - 1);
    rest = text.substr(close + 1);
  } else {
    const size_t colon = text.find(':');
    authority.name = text.substr(0, colon);
    rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon);
  }
  if (authority.name.empty()) return std::nullopt;
  if (rest.empty()) return authority;
  rest.remove_prefix(1);
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), authority.port);
  if (problem != std::errc() || end != rest.data() + rest.size()) return std::nullopt;
  return authority;
}

// What stands behind "Bearer"; empty for anything else.
std::string_view bearer_of(const HttpRequest& request) {
  const std::string_view given = request.header("authorization").value_or("");
  const bool bearer = given.size() > kBearer.size() && same_letters(given.substr(0, kBearer.size()), kBearer);
  return bearer ? given.substr(kBearer.size()) : std::string_view();
}

}  // namespace

Status check_token(std::string_view token) {
  const bool sendable = std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (sendable && token.size() >= kMinTokenCharacters && token.size() <= kMaxTokenCharacters)
    return ok_status();
  return Error{
      ErrorCode::kUsage,
      fmt::format("the token has {}", sendable ? fmt::format("{} characters", token.size())
                                               : "characters that a header cannot hold"),
      fmt::format("take one of at least {} letters and digits: openssl rand -hex 32", kMinTokenCharacters)};
}

HttpGuard::HttpGuard(const GuardOptions& options) : port_(options.port), hosts_(options.hosts) {
  if (!options.token.empty()) token_ = digest_of(options.token);
  if (!options.page_key.empty()) pages_->add_key(options.page_key);
}

// Digests have one length and are compared in one time, so that the answer's time says nothing of the token.
bool HttpGuard::is_token(std::string_view given) const {
  return token_ && same_digest(digest_of(given), *token_) && !given.empty();
}

bool HttpGuard::knows_name(std::string_view name, const HttpRequest& request) const {
  return is_loopback_name(name) || name == request.local_address;
}

bool HttpGuard::knows_host(std::string_view host, const HttpRequest& request) const {
  const auto authority = parse_authority(host);
  if (!authority) return false;
  const auto named = [&](const std::string& each) { return same_letters(each, authority->name); };
  return (knows_name(authority->name, request) && authority->port == port_) ||
         std::any_of(hosts_.begin(), hosts_.end(), named);
}

bool HttpGuard::knows_origin(std::string_view origin, const HttpRequest& request) const {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!origin.starts_with(scheme)) continue;
    const std::string_view host = origin.substr(scheme.size());
    const auto authority = parse_authority(host);
    // What another program of this machine serves may ask us; its port is its own.
    return authority && (is_loopback_name(authority->name) || knows_host(host, request));
  }
  return false;
}

std::optional<HttpReply> HttpGuard::check(const HttpRequest& request, bool needs_token) const {
  const auto host = request.header("host");
  if (!host || !knows_host(*host, request)) {
    return http_error(
        421, "host", "the Host header does not name this server",
        fmt::format("ask for localhost:{}, or start the server with `knapsack serve --allow-host NAME`",
                    port_));
  }
  const auto origin = request.header("origin");
  if (origin && !knows_origin(*origin, request)) {
    return http_error(403, "origin", "pages of other sites may not ask this server",
                      "send no Origin header, or one of this machine");
  }
  const auto site = request.header("sec-fetch-site");
  if (site && *site != "same-origin" && *site != "same-site" && *site != "none") {
    return http_error(403, "origin", "pages of other sites may not ask this server",
                      "ask from a program, or from a page of this machine");
  }
  if (!token_ || !needs_token) return std::nullopt;
  const std::string_view given = request.header("authorization").value_or("");
  const std::string_view bearer = bearer_of(request);
  if (is_token(bearer) || pages_->knows(bearer, PageSessions::Clock::now())) return std::nullopt;
  // Each connection has a thread of its own: nobody else waits with this one.
  if (!given.empty()) std::this_thread::sleep_for(failed_->add(FailedTokens::Clock::now()));
  HttpReply reply =
      http_error(401, "token", given.empty() ? "a token is needed" : "the token is not the right one",
                 "send Authorization: Bearer TOKEN");
  reply.headers.push_back({"WWW-Authenticate", "Bearer realm=\"knapsack\""});
  return reply;
}

std::optional<HttpReply> HttpGuard::check_page(const HttpRequest& request) const {
  if (auto refusal = check(request, false)) return refusal;
  if (!token_ || pages_->spend_key(bearer_of(request))) return std::nullopt;
  return check(request, true);
}

std::optional<HttpReply> HttpGuard::check_change(const HttpRequest& request) const {
  const std::string_view bearer = bearer_of(request);
  if (is_token(bearer) ||
      pages_->may_change(bearer, request.header(kCsrfHeader).value_or(""), PageSessions::Clock::now())) {
    return std::nullopt;
  }
  return http_error(403, "csrf", "a change needs the server's token, or a session with its CSRF token",
                    "POST to /v1/session and send its csrf as X-Knapsack-CSRF");
}

}  // namespace knapsack::serve
