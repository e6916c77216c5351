#include "serve/http/http_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace knapsack::serve {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr uint16_t kPort = 7077;
const std::string kToken = "correct-horse-battery-staple";

int status(const HttpGuard& guard, std::vector<HttpHeader> headers, bool needs_token = true) {
  HttpRequest request;
  request.headers = std::move(headers);
  request.local_address = "192.0.2.7";
  const auto refusal = guard.check(request, needs_token);
  return refusal ? refusal->status : 200;
}

TEST(HttpGuard, TakesTheNamesOfThisMachineWithItsPort) {
  const HttpGuard guard({kPort, {"build-box"}, ""});
  for (const std::string host : {"localhost:7077", "LocalHost:7077", "127.0.0.1:7077", "[::1]:7077",
                                 "192.0.2.7:7077", "build-box", "BUILD-BOX:443"}) {
    EXPECT_EQ(status(guard, {{"host", host}}), 200) << host;
  }
}

TEST(HttpGuard, RefusesEveryOtherHost) {
  const HttpGuard guard({kPort, {"build-box"}, ""});
  EXPECT_EQ(status(guard, {}), 421);
  for (const std::string host : {"",
                                 "localhost",
                                 "localhost:",
                                 "localhost:7078",
                                 "localhost:07077x",
                                 "localhost:7077:1",
                                 "localhost.:7077",
                                 "evil.example:7077",
                                 "127.0.0.1.evil.example:7077",
                                 "localhost.evil.example:7077",
                                 "192.0.2.8:7077",
                                 "0.0.0.0:7077",
                                 "[::1]",
                                 "[::1",
                                 "[::1]7077",
                                 "::1:7077",
                                 "localhost:7077@evil.example",
                                 "localhost:65536",
                                 "localhost:-1",
                                 " localhost:7077",
                                 "build-box.evil.example",
                                 "xbuild-box",
                                 "127.1:7077",
                                 "2130706433:7077"}) {
    EXPECT_EQ(status(guard, {{"host", host}}), 421) << host;
  }
}

TEST(HttpGuard, BelievesABrowserThatSaysThatAnotherSiteAsks) {
  const HttpGuard guard({kPort, {}, ""});
  const auto from = [&](const std::string& site) {
    return status(guard, {{"host", "localhost:7077"}, {"sec-fetch-site", site}});
  };
  for (const char* site : {"same-origin", "same-site", "none"}) EXPECT_EQ(from(site), 200) << site;
  for (const char* site : {"cross-site", "", "same-origin, cross-site", "CROSS-SITE", "?"})
    EXPECT_EQ(from(site), 403) << site;
}

TEST(FailedTokens, WaitLongerEachTimeAndAreForgiven) {
  FailedTokens failed;
  auto now = FailedTokens::Clock::now();
  for (unsigned i = 0; i < FailedTokens::kFree; ++i) EXPECT_EQ(failed.add(now).count(), 0);
  EXPECT_EQ(failed.add(now), FailedTokens::kFirstWait);
  EXPECT_EQ(failed.add(now), 2 * FailedTokens::kFirstWait);
  for (int i = 0; i < 100; ++i) EXPECT_LE(failed.add(now), FailedTokens::kLongestWait);
  EXPECT_EQ(failed.add(now), FailedTokens::kLongestWait);
  now += 10 * FailedTokens::kHalfLife;
  EXPECT_EQ(failed.add(now).count(), 0) << "what was long ago counts no more";
}

TEST(HttpGuard, TakesNoPageOfAnotherSite) {
  const HttpGuard guard({kPort, {"build-box"}, ""});
  const auto with = [&](const std::string& origin) {
    return status(guard, {{"host", "localhost:7077"}, {"origin", origin}});
  };
  for (const std::string origin : {"http://localhost:7077", "http://localhost:3000", "https://127.0.0.1",
                                   "http://[::1]:5173", "https://build-box", "http://192.0.2.7:7077"}) {
    EXPECT_EQ(with(origin), 200) << origin;
  }
  for (const std::string origin :
       {"", "null", "http://evil.example", "https://localhost.evil.example", "http://evil.example:7077",
        "file://", "localhost:7077", "http://", "http://localhost:7077/evil", "http://localhost@evil.example",
        "chrome-extension://abc", "http://192.0.2.8:7077", "HTTP://localhost:7077"}) {
    EXPECT_EQ(with(origin), 403) << origin;
  }
}

TEST(HttpGuard, AsksForTheTokenWherePeopleHaveOne) {
  const HttpGuard guard({kPort, {}, kToken});
  const auto with = [&](const std::string& authorization, bool needed = true) {
    return status(guard, {{"host", "localhost:7077"}, {"authorization", authorization}}, needed);
  };
  EXPECT_EQ(with("Bearer " + kToken), 200);
  EXPECT_EQ(with("bearer " + kToken), 200);
  EXPECT_EQ(with("", false), 200);
  for (const std::string& wrong : {std::string(), std::string("Bearer"), std::string("Bearer "), kToken,
                                   "Bearer  " + kToken, "Bearer " + kToken + "x", "Basic " + kToken,
                                   "Bearer " + kToken.substr(1), std::string("Bearer correct")}) {
    EXPECT_EQ(with(wrong), 401) << wrong;
  }
}

TEST(HttpGuard, SaysHowToSendATokenAndNeverWhichOne) {
  const HttpGuard guard({kPort, {}, kToken});
  HttpRequest request;
  request.headers = {{"host", "localhost:7077"}, {"authorization", "Bearer some-other-secret-token"}};
  const auto refusal = guard.check(request, true);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->headers.at(0).name, "WWW-Authenticate");
  EXPECT_THAT(refusal->headers.at(0).value, HasSubstr("Bearer"));
  EXPECT_THAT(refusal->body, Not(HasSubstr("secret")));
  EXPECT_THAT(refusal->body, Not(HasSubstr("horse")));
}

TEST(HttpGuard, AHostThatIsNotOursIsRefusedEvenWithTheToken) {
  const HttpGuard guard({kPort, {}, kToken});
  EXPECT_EQ(status(guard, {{"host", "evil.example:7077"}, {"authorization", "Bearer " + kToken}}), 421);
}

TEST(Token, IsLongEnoughAndFitsIntoAHeader) {
  EXPECT_TRUE(check_token(kToken).ok());
  for (const std::string& wrong : {std::string(), std::string("short"), std::string("with a space in it"),
                                   std::string("with\r\na-line-break"), std::string(5000, 'a')}) {
    const auto status = check_token(wrong);
    ASSERT_FALSE(status.ok()) << wrong;
    if (!wrong.empty()) {
      EXPECT_THAT(status.error().line(), Not(HasSubstr(wrong)));
    }
  }
}

}  // namespace
}  // namespace knapsack::serve
