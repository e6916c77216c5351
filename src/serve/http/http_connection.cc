#include "serve/http/http_connection.h"

#include <fmt/format.h>

#include <chrono>

#include "serve/http/http_chunks.h"

namespace knapsack::serve {
namespace {

using std::chrono::steady_clock;

HttpReply too_slow(std::string_view what) {
  return http_error(408, "timeout", fmt::format("the {} did not come in time", what), "send it at once");
}

HttpReply too_large(size_t max_bytes) {
  return http_error(413, "body_too_large", fmt::format("the body has more than {} bytes", max_bytes),
                    "send less at once");
}

HttpReply cut_off() {
  return http_error(400, "bad_request", "the body ends before it is complete", "send all of it");
}

}  // namespace

void HttpConnection::serve() {
  parts_.metrics.connection_opened();
  while (serve_one()) first_ = false;
  parts_.metrics.connection_closed();
}

bool HttpConnection::serve_one() {
  RequestHead head;
  if (!read_request_head(head)) return false;
  HttpRequest& request = head.request;
  const auto began = steady_clock::now();
  parts_.metrics.request_began();
  request.local_address = socket_.local_address();
  close_after_ = !head.keep_alive || parts_.stop.raised();
  takes_chunks_ = head.takes_chunks;
  streamed_status_ = 0;
  int status = 0;
  bool usable = false;
  auto refusal = refusal_ ? refusal_ : parts_.handler.admit(request);
  bool all_read = head.framing == Framing::kNone;
  if (!refusal && !all_read) {
    refusal = read_body(head);
    all_read = !refusal.has_value();
  }
  if (refusal) {
    status = refusal->status;
    usable = refuse(*refusal, head, all_read && !refusal_);
  } else {
    usable = answer(head, status);
  }
  parts_.metrics.request_ended(request.route, status, steady_clock::now() - began);
  return usable && !close_after_;
}

bool HttpConnection::read_request_head(RequestHead& head) {
  const HttpLimits& limits = parts_.limits;
  // A new client says something soon; one that was served may think a while. Then the head has its own time.
  auto deadline = steady_clock::now() + (first_ ? limits.head_time : limits.idle_time);
  bool begun = false;
  size_t seen = 0;
  for (;;) {
    // RFC 9112, 2.2: an empty line before a request is passed over.
    while (seen == 0 && unread_.starts_with("\r\n")) unread_.erase(0, 2);
    if (!begun && !unread_.empty()) {
      begun = true;
      deadline = steady_clock::now() + limits.head_time;
    }
    const HeadScan scan = scan_head(unread_, seen);
    if (scan.end == HeadEnd::kNotHttp) {
      return refuse(http_error(400, "bad_request", "this is not HTTP", "send a request of HTTP/1.1"), head,
                    false);
    }
    const size_t size = scan.end == HeadEnd::kFound ? scan.size : unread_.size();
    if (size > limits.head_bytes) {
      return refuse(
          http_error(431, "head_too_large",
                     fmt::format("the request line and headers have more than {} bytes", limits.head_bytes),
                     "send shorter ones"),
          head, false);
    }
    if (scan.end == HeadEnd::kFound) {
      const auto refusal = read_head(std::string_view(unread_).substr(0, size), limits, head);
      if (refusal) return refuse(*refusal, head, false);
      unread_.erase(0, size);
      return true;
    }
    seen = unread_.size();
    switch (socket_.read_some(unread_, deadline, begun ? nullptr : &parts_.stop)) {
      case IoEnd::kDone:
        break;
      case IoEnd::kTimeout:
        return begun && refuse(too_slow("head of the request"), head, false);
      default:
        return false;
    }
  }
}

std::optional<HttpReply> HttpConnection::read_body(RequestHead& head) {
  const size_t max_bytes = parts_.limits.body_bytes;
  if (head.framing == Framing::kLength && head.length > max_bytes) return too_large(max_bytes);
  const auto deadline = steady_clock::now() + parts_.limits.body_time;
  if (head.expects_continue && !write("HTTP/1.1 100 Continue\r\n\r\n")) return cut_off();
  std::string& body = head.request.body;
  if (head.framing == Framing::kChunks) return read_chunks(head.request, deadline);
  body = std::move(unread_);
  unread_.clear();
  while (body.size() < head.length) {
    const IoEnd end = socket_.read_some(body, deadline);
    if (end != IoEnd::kDone) return end == IoEnd::kTimeout ? too_slow("body") : cut_off();
  }
  unread_ = body.substr(head.length);
  body.resize(head.length);
  return std::nullopt;
}

std::optional<HttpReply> HttpConnection::read_chunks(HttpRequest& request, TimePoint deadline) {
  ChunkReader chunks(parts_.limits.body_bytes);
  for (;;) {
    std::string_view input = unread_;
    const ChunkState state = chunks.take(input, request.body);
    unread_.erase(0, unread_.size() - input.size());
    switch (state) {
      case ChunkState::kDone:
        return std::nullopt;
      case ChunkState::kTooLarge:
        return too_large(parts_.limits.body_bytes);
      case ChunkState::kMalformed:
        return http_error(400, "bad_request", "the chunks of the body are malformed",
                          "send each chunk as its size in hexadecimal digits, and its bytes");
      case ChunkState::kMore:
        break;
    }
    const IoEnd end = socket_.read_some(unread_, deadline);
    if (end != IoEnd::kDone) return end == IoEnd::kTimeout ? too_slow("body") : cut_off();
  }
}

bool HttpConnection::answer(const RequestHead& head, int& status) {
  call_.emplace();
  std::optional<HttpReply> reply;
  {
    const auto hold =
        parts_.watch.watch(socket_.descriptor(), steady_clock::now() + parts_.limits.call_time, *call_);
    reply = parts_.handler.answer(head.request, *this);
  }
  // It may have taken long enough for the server to be told to stop.
  close_after_ = close_after_ || parts_.stop.raised();
  if (streamed_status_ != 0) {
    status = streamed_status_;
    return write(wire_chunk(""));
  }
  if (!reply) return false;  // a stream could not even begin
  status = reply->status;
  if (!reply->error.empty() && status == 503) parts_.metrics.rejected(reply->error);
  return write(wire_bytes(*reply, head.request.method != "HEAD", close_after_));
}

bool HttpConnection::refuse(const HttpReply& reply, const RequestHead& head, bool all_read) {
  parts_.metrics.rejected(reply.error);
  const bool usable = all_read && !close_after_;
  if (!write(wire_bytes(reply, head.request.method != "HEAD", !usable))) return false;
  if (!usable) socket_.linger(steady_clock::now() + parts_.limits.linger_time, parts_.limits.body_bytes);
  return usable;
}

bool HttpConnection::write(std::string_view bytes) {
  if (broken_) return false;
  broken_ = socket_.write_all(bytes, steady_clock::now() + parts_.limits.write_time) != IoEnd::kDone;
  return !broken_;
}

bool HttpConnection::begin(const HttpReply& head) {
  if (!takes_chunks_ || !write(wire_head_of_chunks(head, close_after_))) return false;
  streamed_status_ = head.status;
  return true;
}

bool HttpConnection::send(std::string_view bytes) {
  return bytes.empty() || write(wire_chunk(bytes));
}

}  // namespace knapsack::serve
