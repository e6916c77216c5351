// A question in another language than the code finds the code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/support_workspace.h"

namespace knapsack {
namespace {

using namespace knapsack::testing;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class SearchLanguageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_.folder().write("sessions.py",
                              "def save_session(user):\n    return store.write(user.session)\n");
    workspace_.folder().write("invoice.py", "def total_price(order):\n    return sum(order.prices)\n");
    workspace_.folder().write("retry.py", "def retry_upload(limit):\n    return background.queue(limit)\n");
    workspace_.index(1);
  }
  std::string first_found(const std::string& query) {
    SearchRequest request;
    request.query = query;
    request.sources = {"code"};
    request.dry_run = true;
    const auto reply = workspace_.engine().search(request);
    EXPECT_OK(reply);
    return reply.ok() && !reply->hits.empty() ? reply->hits.front().path : "";
  }

  RetrievalWorkspace workspace_;
};

TEST_F(SearchLanguageTest, FindsCodeByWordsOfOtherLanguages) {
  EXPECT_EQ(first_found("Где сохраняется сессия пользователя?"), "sessions.py");
  EXPECT_EQ(first_found("用户的会话保存在哪里？"), "sessions.py");
  EXPECT_EQ(first_found("Wo wird die Sitzung des Benutzers gespeichert?"), "sessions.py");
  EXPECT_EQ(first_found("¿Cómo se reintenta la subida en segundo plano?"), "retry.py");
  EXPECT_EQ(first_found("Comment est calculé le prix de la commande ?"), "invoice.py");
  EXPECT_EQ(first_found("アップロードの再試行の上限"), "retry.py");
}

TEST_F(SearchLanguageTest, SaysThatAQuestionHasNoWordInCommonWithTheCode) {
  constexpr char kLine[] = "no word in common with the code";
  SearchRequest request;
  request.sources = {"code"};
  request.dry_run = true;
  const auto notices = [&](const std::string& query) {
    request.query = query;
    const auto reply = workspace_.engine().search(request);
    EXPECT_OK(reply);
    return reply.ok() ? reply->notices : std::vector<std::string>();
  };
  const auto packed = [&](const std::string& task) {
    PackRequest pack;
    pack.task = task;
    pack.sources = "code";
    pack.dry_run = true;
    const auto reply = workspace_.engine().pack(pack);
    EXPECT_OK(reply);
    return reply.ok() ? reply->output : "";
  };
  for (const char* foreign : {"Почему небо голубое?", "天空为什么是蓝色的"}) {
    EXPECT_THAT(notices(foreign), Contains(HasSubstr(kLine)));
    EXPECT_THAT(packed(foreign), HasSubstr(kLine));
    EXPECT_THAT(workspace_.retrieve(RetrievalWorkspace::request(foreign, 4'000)).packet.warnings,
                Contains(HasSubstr(kLine)));
  }
  for (const char* known : {"Где сохраняется сессия?", "save the session"}) {
    EXPECT_THAT(notices(known), Not(Contains(HasSubstr(kLine))));
    EXPECT_THAT(packed(known), Not(HasSubstr(kLine)));
  }
}

TEST_F(SearchLanguageTest, RetrievesItToo) {
  EXPECT_THAT(shown_files(workspace_.retrieve(
                  RetrievalWorkspace::request("Где сохраняется сессия пользователя?", 4'000))),
              ::testing::Contains("sessions.py"));
}

}  // namespace
}  // namespace knapsack
