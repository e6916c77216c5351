#include "serve/http/http_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "serve/http/http_chunks.h"

namespace knapsack::serve {
namespace {

using ::testing::HasSubstr;

int status_of(const std::string& bytes, RequestHead& head) {
  const HeadScan scan = scan_head(bytes, 0);
  if (scan.end == HeadEnd::kNotHttp) return 400;
  EXPECT_EQ(scan.end, HeadEnd::kFound) << bytes;
  const auto refusal = read_head(std::string_view(bytes).substr(0, scan.size), HttpLimits(), head);
  return refusal ? refusal->status : 200;
}

int status_of(const std::string& bytes) {
  RequestHead head;
  return status_of(bytes, head);
}

TEST(HttpHead, IsReadAsItIsWritten) {
  RequestHead head;
  ASSERT_EQ(
      status_of(
          "POST /v1/runs?limit=%35 HTTP/1.1\r\nHost: a:1\r\nX-Two:\t b  c \r\nContent-Length: 12\r\n\r\nrest",
          head),
      200);
  EXPECT_EQ(head.request.method, "POST");
  EXPECT_EQ(head.request.path, "/v1/runs");
  EXPECT_EQ(head.request.query, "limit=%35");
  EXPECT_EQ(head.request.header("host"), "a:1");
  EXPECT_EQ(head.request.header("x-two"), "b  c");
  EXPECT_EQ(head.request.header("x-three"), std::nullopt);
  EXPECT_EQ(head.framing, Framing::kLength);
  EXPECT_EQ(head.length, 12U);
  EXPECT_TRUE(head.keep_alive);
}

TEST(HttpHead, SaysHowTheConnectionGoesOn) {
  const auto read = [](const std::string& bytes) {
    RequestHead head;
    EXPECT_EQ(status_of(bytes, head), 200) << bytes;
    return head;
  };
  EXPECT_FALSE(read("GET / HTTP/1.0\r\n\r\n").keep_alive);
  EXPECT_FALSE(read("GET / HTTP/1.0\r\n\r\n").takes_chunks);
  EXPECT_FALSE(read("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n").keep_alive);
  EXPECT_TRUE(read("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n").expects_continue);
  EXPECT_EQ(read("POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n").framing, Framing::kChunks);
  EXPECT_EQ(read("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n").framing, Framing::kNone);
  // No number of digits makes a length small again.
  EXPECT_EQ(read("POST / HTTP/1.1\r\nContent-Length: 18446744073709551617\r\n\r\n").length, UINT64_MAX);
}

TEST(HttpHead, RefusesWhatCouldBeReadInTwoWays) {
  const std::pair<std::string, int> refused[] = {
      {"GET /\r\n\r\n", 400},
      {"GET  / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1 \r\n\r\n", 400},
      {" GET / HTTP/1.1\r\n\r\n", 400},
      {"G@T / HTTP/1.1\r\n\r\n", 400},
      {"GET x HTTP/1.1\r\n\r\n", 400},
      {"GET http://localhost/ HTTP/1.1\r\n\r\n", 400},
      {"GET /a b HTTP/1.1\r\n\r\n", 400},
      {"GET /\xc3\xa4 HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\n\r\n", 505},
      {"GET / http/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\n\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n: a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nX: a\r\n folded\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nX: a\rb\r\n\r\n", 400},
      {std::string("GET / HTTP/1.1\r\nX: a\0b\r\n\r\n", 27), 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: 3, 3\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: +3\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: 0x10\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length:\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n", 501},
      {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
  };
  for (const auto& [bytes, status] : refused) EXPECT_EQ(status_of(bytes), status) << bytes;
}

TEST(HttpHead, IsFoundWhereverItIsCutAndWithNothingOfWhatFollows) {
  const std::string bytes = "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\n\r\n";
  const size_t size = bytes.find("GET /next");
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    const HeadScan before = scan_head(std::string_view(bytes).substr(0, cut), 0);
    EXPECT_EQ(before.end, cut < size ? HeadEnd::kMore : HeadEnd::kFound) << cut;
    EXPECT_EQ(scan_head(bytes, std::min(cut, size - 1)).size, size) << cut;
  }
}

TEST(HttpHead, OfAnotherProtocolIsNoticedAtItsFirstBytes) {
  EXPECT_EQ(scan_head("\x16\x03\x01\x02", 0).end, HeadEnd::kNotHttp);  // TLS
  EXPECT_EQ(scan_head(std::string_view("SSH-2.0-x\n", 10), 0).end, HeadEnd::kNotHttp);
  EXPECT_EQ(scan_head("{\"jsonrpc\"", 0).end, HeadEnd::kNotHttp);
}

TEST(HttpHead, HasSoManyHeadersAndNoMore) {
  const auto with = [](size_t count) {
    std::string bytes = "GET / HTTP/1.1\r\n";
    for (size_t i = 0; i < count; ++i) bytes += "a" + std::to_string(i) + ": b\r\n";
    return bytes + "\r\n";
  };
  EXPECT_EQ(status_of(with(HttpLimits().headers)), 200);
  EXPECT_EQ(status_of(with(HttpLimits().headers + 1)), 431);
}

TEST(HttpHead, OfRandomBytesIsReadOrRefused) {
  std::mt19937 random(7);
  const std::string alphabet = "GET POST/:\r\n\r\n HTTP/1.1aZ0-%?\t";
  size_t read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = i % 2 == 0 ? "GET / HTTP/1.1\r\n" : "";
    for (size_t length = random() % 60; length > 0; --length) bytes += alphabet[random() % alphabet.size()];
    bytes += "\r\n\r\n";
    const HeadScan scan = scan_head(bytes, 0);
    if (scan.end != HeadEnd::kFound) continue;
    RequestHead head;
    const auto refusal = read_head(std::string_view(bytes).substr(0, scan.size), HttpLimits(), head);
    if (refusal) {
      EXPECT_THAT(refusal->body, HasSubstr("\"error\""));
    } else {
      EXPECT_TRUE(head.request.path.starts_with('/')) << bytes;
      ++read;
    }
  }
  EXPECT_GT(read, 100U);
}

ChunkState take_all(std::string_view bytes, size_t step, size_t limit, std::string& body, std::string& left) {
  ChunkReader reader(limit);
  for (size_t at = 0; at < bytes.size(); at += step) {
    std::string_view input = bytes.substr(at, step);
    const ChunkState state = reader.take(input, body);
    if (state == ChunkState::kMore) {
      EXPECT_TRUE(input.empty());
      continue;
    }
    left = std::string(input) + std::string(bytes.substr(std::min(bytes.size(), at + step)));
    return state;
  }
  return ChunkState::kMore;
}

TEST(HttpChunks, ArePutTogetherHoweverTheyArrive) {
  const std::string bytes = "3\r\nabc\r\nA;name=\"v\"\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\nNEXT";
  for (size_t step = 1; step <= bytes.size(); ++step) {
    std::string body, left;
    EXPECT_EQ(take_all(bytes, step, 100, body, left), ChunkState::kDone) << step;
    EXPECT_EQ(body, "abc0123456789");
    EXPECT_EQ(left, "NEXT");
  }
}

TEST(HttpChunks, EndAtTheLimitBeforeTheirBytesAreTaken) {
  std::string body, left;
  EXPECT_EQ(take_all("5\r\nabcde\r\n0\r\n\r\n", 64, 5, body, left), ChunkState::kDone);
  body.clear();
  EXPECT_EQ(take_all("6\r\nabcdef\r\n0\r\n\r\n", 64, 5, body, left), ChunkState::kTooLarge);
  EXPECT_EQ(body, "");
  EXPECT_EQ(take_all("3\r\nabc\r\n3\r\nabc\r\n0\r\n\r\n", 1, 5, body, left), ChunkState::kTooLarge);
  EXPECT_EQ(take_all("0\r\n" + std::string(20'000, 'x') + "\r\n\r\n", 64, 5, body, left),
            ChunkState::kMalformed);
  std::string trailers = "0\r\n";
  for (int i = 0; i < 100; ++i) trailers += std::string(500, 'x') + "\r\n";
  EXPECT_EQ(take_all(trailers, 64, 5, body, left), ChunkState::kTooLarge);
}

TEST(HttpChunks, WithSizesThatOthersMightReadDifferentlyAreRefused) {
  for (const std::string size :
       {"", " 3", "3 ", "+3", "-3", "0x3", "3,3", "g", "FFFFFFFFFFFFFFFFFF", "3\r"}) {
    std::string body, left;
    EXPECT_EQ(take_all(size + "\r\nabc\r\n0\r\n\r\n", 64, 1000, body, left), ChunkState::kMalformed) << size;
  }
  std::string body, left;
  EXPECT_EQ(take_all("3\r\nabcX\r\n", 64, 1000, body, left), ChunkState::kMalformed);
  EXPECT_EQ(take_all("3\nabc\r\n", 64, 1000, body, left), ChunkState::kMalformed);
}

}  // namespace
}  // namespace knapsack::serve
