// HttpGuard: who may ask at all. The same for every route, before anything else of a request is looked at.
//
// A page of any web site can make a browser send requests to this machine. It cannot choose the Host header,
// which holds the name that the browser believes to talk to, nor leave out Origin where it matters: so both
// must name us; newer browsers also say outright that a page of another site asks (Sec-Fetch-Site). Whoever
// sends wrong tokens waits for each answer a little longer. Any thread.
// Private to serve/http/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "serve/http/http_message.h"
#include "serve/http/page_sessions.h"
#include "serve/http/token.h"

namespace knapsack::serve {

// What a token must have: one that can be guessed protects nobody.
constexpr size_t kMinTokenCharacters = 16;
constexpr size_t kMaxTokenCharacters = 4096;

// Whether this can be sent in a header and is long enough; the message never repeats it.
Status check_token(std::string_view token);

struct GuardOptions {
  uint16_t port = 0;               // that we listen on
  std::vector<std::string> hosts;  // names beside loopback's and our addresses, with any port
  std::string token;               // empty: none is asked for
  std::string page_key = {};       // lets in one page of the inspector, once; empty: there is none
};

class HttpGuard {
 public:
  explicit HttpGuard(const GuardOptions& options);

  // Nothing when the request may go on: 421, 403 or 401 otherwise, the last perhaps after a while.
  std::optional<HttpReply> check(const HttpRequest& request, bool needs_token) const;
  // The same for a page that asks for a session: it may show a key instead, which is spent by this.
  std::optional<HttpReply> check_page(const HttpRequest& request) const;
  // The same for who wants to change something: without the server's token it must be a page with its CSRF
  // token, which no other page can know. 403 otherwise.
  std::optional<HttpReply> check_change(const HttpRequest& request) const;
  PageSessions& pages() const { return *pages_; }

 private:
  bool knows_name(std::string_view name, const HttpRequest& request) const;
  bool knows_host(std::string_view host, const HttpRequest& request) const;
  bool knows_origin(std::string_view origin, const HttpRequest& request) const;
  bool is_token(std::string_view given) const;

  uint16_t port_;
  std::vector<std::string> hosts_;
  std::optional<TokenDigest> token_;  // only its digest is kept
  std::shared_ptr<PageSessions> pages_ = std::make_shared<PageSessions>();
  std::shared_ptr<FailedTokens> failed_ = std::make_shared<FailedTokens>();
};

}  // namespace knapsack::serve
