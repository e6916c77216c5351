#include "serve/http/page_sessions.h"

#include <gtest/gtest.h>

#include "serve/http/http_guard.h"
#include "serve/http/page.h"

namespace knapsack::serve {
namespace {

using std::chrono::hours;

const auto kStart = PageSessions::Clock::time_point(hours(100));

TEST(PageSessions, OpenWithAKeyThatIsGoodForOneTime) {
  PageSessions pages;
  EXPECT_FALSE(pages.spend_key("key"));
  EXPECT_FALSE(pages.spend_key(""));
  pages.add_key("key");
  EXPECT_FALSE(pages.spend_key("kez"));
  EXPECT_TRUE(pages.spend_key("key"));
  EXPECT_FALSE(pages.spend_key("key"));
}

TEST(PageSessions, ChangeSomethingOnlyWithTheCsrfTokenOfTheirOwn) {
  PageSessions pages;
  const auto one = pages.open(kStart), other = pages.open(kStart);
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_NE(one->token, other->token);
  EXPECT_TRUE(pages.knows(one->token, kStart));
  EXPECT_FALSE(pages.knows(one->csrf, kStart));
  EXPECT_FALSE(pages.knows("", kStart));
  EXPECT_TRUE(pages.may_change(one->token, one->csrf, kStart));
  EXPECT_FALSE(pages.may_change(one->token, other->csrf, kStart));
  EXPECT_FALSE(pages.may_change(one->token, "", kStart));
  EXPECT_FALSE(pages.may_change("", one->csrf, kStart));
}

TEST(PageSessions, EndWhenNobodyUsesThemAndWhenThereAreTooMany) {
  PageSessions pages;
  const auto idle = pages.open(kStart), used = pages.open(kStart);
  EXPECT_TRUE(pages.knows(used->token, kStart + hours(11)));
  EXPECT_FALSE(pages.knows(idle->token, kStart + hours(13)));
  EXPECT_TRUE(pages.knows(used->token, kStart + hours(13)));
  for (size_t i = 0; i < PageSessions::kMax; ++i) ASSERT_TRUE(pages.open(kStart + hours(14)).ok());
  EXPECT_FALSE(pages.knows(used->token, kStart + hours(14))) << "the one that waited longest goes";
}

HttpRequest asked(std::vector<HttpHeader> headers) {
  HttpRequest request;
  request.path = "/app.js";
  request.headers = std::move(headers);
  return request;
}

std::string header_of(const HttpReply& reply, std::string_view name) {
  for (const HttpHeader& each : reply.headers) {
    if (each.name == name) return each.value;
  }
  return "";
}

TEST(Page, IsSentCompressedOrPlainEachWithATagOfItsOwn) {
  const Page page;
  const HttpReply plain = page.answer(asked({}));
  for (const char* accepted : {"gzip", "br, gzip;q=0.5", "deflate,gzip , br"}) {
    const HttpReply packed = page.answer(asked({{"accept-encoding", accepted}}));
    EXPECT_EQ(header_of(packed, "Content-Encoding"), "gzip") << accepted;
    EXPECT_LT(packed.body.size(), plain.body.size());
    EXPECT_NE(header_of(packed, "ETag"), header_of(plain, "ETag"));
  }
  for (const char* refused : {"", "br", "gzip;q=0", "gzip; q=0.0", "gzipped", "x-gzip"}) {
    const HttpReply reply = page.answer(asked({{"accept-encoding", refused}}));
    EXPECT_EQ(header_of(reply, "Content-Encoding"), "") << refused;
    EXPECT_EQ(reply.body, plain.body) << refused;
  }
}

TEST(Page, IsNotSentAgainToWhoHasIt) {
  const Page page;
  const std::string tag = header_of(page.answer(asked({})), "ETag");
  EXPECT_EQ(tag.front(), '"') << "a strong one";
  const HttpReply again = page.answer(asked({{"if-none-match", "\"other\", " + tag}}));
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(header_of(again, "ETag"), tag);
  EXPECT_EQ(page.answer(asked({{"if-none-match", "\"other\""}})).status, 200);
}

TEST(Page, ComesWithAPolicyWithoutException) {
  const Page page;
  const std::string policy = header_of(page.answer(asked({})), "Content-Security-Policy");
  EXPECT_TRUE(policy.starts_with("default-src 'self';"));
  for (const char* exception : {"unsafe", "data:", "blob:", "*", "http", "nonce", "sha256"})
    EXPECT_EQ(policy.find(exception), std::string::npos) << exception;
}

}  // namespace
}  // namespace knapsack::serve
