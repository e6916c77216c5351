#include "serve/http/http_head.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ascii.h"

namespace knapsack::serve {
namespace {

constexpr std::string_view kEndOfLine = "\r\n";
constexpr std::string_view kEndOfHead = "\r\n\r\n";
// 10^19 does not fit; no length that we accept has so many digits.
constexpr size_t kMaxLengthDigits = 18;

// RFC 9110, 5.6.2: what names of methods and headers are made of.
bool is_token_character(char c) {
  return ascii::is_letter_or_digit(c) ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_character);
}

bool is_visible(char c) {
  return c > ' ' && c < '\x7f';
}

bool is_value_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= ' ' && byte != 0x7f);
}

HttpReply malformed(std::string_view what) {
  return http_error(400, "bad_request", what, "send a request of HTTP/1.1");
}

std::optional<HttpReply> read_request_line(std::string_view line, HttpRequest& request, bool& old) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return malformed("the request line is not `METHOD TARGET HTTP/1.1`");
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(method)) return malformed("the method is not a word");
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    if (version.starts_with("HTTP/")) {
      return http_error(505, "http_version", "the version of HTTP is not known here", "use HTTP/1.1");
    }
    return malformed("the request line does not end in a version of HTTP");
  }
  if (!target.starts_with('/') || !std::all_of(target.begin(), target.end(), is_visible)) {
    return malformed("the target is not a path that begins with / and has visible characters only");
  }
  old = version == "HTTP/1.0";
  request.method = method;
  const size_t question = target.find('?');
  request.path = target.substr(0, question);
  if (question != std::string_view::npos) request.query = target.substr(question + 1);
  return std::nullopt;
}

std::optional<HttpReply> read_header(std::string_view line, std::vector<HttpHeader>& headers) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return malformed("a header line has no colon");
  if (!is_token(line.substr(0, colon))) return malformed("the name of a header is not a word");
  const std::string_view value = trim(line.substr(colon + 1));
  if (!std::all_of(value.begin(), value.end(), is_value_character)) {
    return malformed("a header holds a control character");
  }
  headers.push_back({ascii::lower(line.substr(0, colon)), std::string(value)});
  return std::nullopt;
}

// The headers of which a second one would mean something else to somebody else.
std::optional<HttpReply> find_repeated(const std::vector<HttpHeader>& headers) {
  for (const std::string_view name :
       {"host", "content-length", "transfer-encoding", "content-type", "authorization", "origin",
        "mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name"}) {
    const auto named = [name](const HttpHeader& each) { return each.name == name; };
    if (std::count_if(headers.begin(), headers.end(), named) > 1) {
      return malformed(fmt::format("there are two headers {}", name));
    }
  }
  return std::nullopt;
}

std::optional<HttpReply> read_framing(const HttpRequest& request, bool old, RequestHead& head) {
  const auto length = request.header("content-length");
  const auto encoding = request.header("transfer-encoding");
  if (length && encoding) return malformed("Content-Length and Transfer-Encoding exclude each other");
  if (encoding) {
    if (old) return malformed("HTTP/1.0 has no Transfer-Encoding");
    if (ascii::lower(*encoding) != "chunked") {
      return http_error(501, "transfer_encoding", "the only Transfer-Encoding here is chunked",
                        "send the body in chunks or with its length");
    }
    head.framing = Framing::kChunks;
  } else if (length) {
    if (length->empty() || !std::all_of(length->begin(), length->end(), ascii::is_digit)) {
      return malformed("Content-Length is not a number");
    }
    // Too many digits are a number that is refused for its size, not one that wraps around.
    head.length = UINT64_MAX;
    if (length->size() <= kMaxLengthDigits) {
      head.length = 0;
      for (const char c : *length) head.length = head.length * 10 + static_cast<uint64_t>(c - '0');
    }
    head.framing = head.length > 0 ? Framing::kLength : Framing::kNone;
  }
  return std::nullopt;
}

}  // namespace

HeadScan scan_head(std::string_view bytes, size_t seen) {
  for (size_t i = seen; i < bytes.size(); ++i) {
    // Anything may stand in a value, but no NUL, and lines end in two bytes; that tells other protocols
    // apart.
    if (bytes[i] == '\0' || (bytes[i] == '\n' && (i == 0 || bytes[i - 1] != '\r'))) {
      return {HeadEnd::kNotHttp, 0};
    }
    if (bytes[i] == '\n' && i + 1 >= kEndOfHead.size() &&
        bytes.substr(i + 1 - kEndOfHead.size(), kEndOfHead.size()) == kEndOfHead) {
      return {HeadEnd::kFound, i + 1};
    }
  }
  if (!bytes.empty() && !is_token_character(bytes.front())) return {HeadEnd::kNotHttp, 0};
  return {HeadEnd::kMore, 0};
}

std::optional<HttpReply> read_head(std::string_view bytes, const HttpLimits& limits, RequestHead& head) {
  HttpRequest& request = head.request;
  std::string_view rest = bytes.substr(0, bytes.size() - kEndOfLine.size());
  const auto next_line = [&rest] {
    const size_t end = rest.find(kEndOfLine);
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + kEndOfLine.size());
    return line;
  };
  bool old = false;
  if (auto refusal = read_request_line(next_line(), request, old)) return refusal;
  while (!rest.empty()) {
    if (request.headers.size() == limits.headers) {
      return http_error(431, "too_many_headers", fmt::format("more than {} headers", limits.headers),
                        "send fewer");
    }
    if (auto refusal = read_header(next_line(), request.headers)) return refusal;
  }
  if (auto refusal = find_repeated(request.headers)) return refusal;
  if (auto refusal = read_framing(request, old, head)) return refusal;
  head.keep_alive = !old && ascii::lower(request.header("connection").value_or("")) != "close";
  head.takes_chunks = !old;
  head.expects_continue = ascii::lower(request.header("expect").value_or("")) == "100-continue";
  return std::nullopt;
}

}  // namespace knapsack::serve
