#include "serve/http/http_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/clock.h"
#include "core/escape.h"
#include "text/secrets/redact.h"

namespace knapsack::serve {
namespace {

constexpr std::array<std::pair<int, std::string_view>, 20> kReasons = {{
    {200, "OK"},
    {202, "Accepted"},
    {204, "No Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {421, "Misdirected Request"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
}};

// "Sun, 15 Nov 2026 08:00:00 GMT"
std::string http_date(Timestamp time) {
  const std::time_t seconds = time.seconds();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  const size_t size = std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return {text.data(), size};
}

std::string head(const HttpReply& reply, std::string_view framing, bool close_after) {
  std::string bytes = fmt::format("HTTP/1.1 {} {}\r\nDate: {}\r\n", reply.status, reason_phrase(reply.status),
                                  http_date(SystemClock().now()));
  if (!reply.content_type.empty()) bytes += fmt::format("Content-Type: {}\r\n", reply.content_type);
  for (const auto& [name, value] : reply.headers) bytes += fmt::format("{}: {}\r\n", name, value);
  // What is answered is of this moment and for this client; no browser may take it for a page or a script.
  const auto says_how = [](const HttpHeader& each) { return each.name == "Cache-Control"; };
  if (std::none_of(reply.headers.begin(), reply.headers.end(), says_how))
    bytes += "Cache-Control: no-store\r\n";
  bytes += "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n";
  if (close_after) bytes += "Connection: close\r\n";
  return bytes.append(framing).append("\r\n");
}

}  // namespace

std::optional<std::string_view> HttpRequest::header(std::string_view name) const {
  for (const auto& each : headers) {
    if (each.name == name) return each.value;
  }
  return std::nullopt;
}

HttpReply http_error(int status, std::string_view code, std::string_view message, std::string_view next) {
  HttpReply reply;
  reply.status = status;
  reply.error = code;
  nlohmann::ordered_json body;
  // What is quoted from a request may be any bytes, and is kept by whoever logs errors.
  std::string said(message);
  redact_secrets(said);
  body["error"] = {{"code", code}, {"message", escape_control(said)}, {"next", escape_control(next)}};
  reply.body = body.dump() + "\n";
  return reply;
}

std::string_view reason_phrase(int status) {
  for (const auto& [known, phrase] : kReasons) {
    if (known == status) return phrase;
  }
  return {};
}

std::string wire_bytes(const HttpReply& reply, bool with_body, bool close_after) {
  const bool bodiless = reply.status == 204 || reply.status == 304;
  std::string bytes =
      head(reply, bodiless ? std::string() : fmt::format("Content-Length: {}\r\n", reply.body.size()),
           close_after);
  if (with_body && !bodiless) bytes += reply.body;
  return bytes;
}

std::string wire_head_of_chunks(const HttpReply& reply, bool close_after) {
  return head(reply, "Transfer-Encoding: chunked\r\n", close_after);
}

std::string wire_chunk(std::string_view bytes) {
  return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
}

}  // namespace knapsack::serve
