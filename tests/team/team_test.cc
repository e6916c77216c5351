// What needs no server: lists as PostgreSQL writes them, memories on their way, the outbox, the cached copy.
#include <gmock/gmock.h>

#include "core/files/memory_file_system.h"
#include "support/support.h"
#include "team/cached_copy.h"
#include "team/connection.h"
#include "team/outbox.h"
#include "team/server_address.h"

namespace knapsack::team {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TeamMemory memory_called(const std::string& id, const std::string& review = "accepted") {
  TeamMemory memory;
  memory.team = "shop";
  memory.id = id;
  memory.category = "fact";
  memory.text = "About " + id;
  memory.tags = {"a,b", "c\"d\\e"};
  memory.importance = 0.25;
  memory.created = *parse_rfc3339("2026-11-16T08:00:00Z");
  memory.author_git = "Anna Berg <anna@example.org>";
  memory.provenance_json = "{\"promoted_from\":\"fact-1\"}";
  memory.review = review;
  return memory;
}

TEST(TeamArrays, GoToTextAndBack) {
  const std::vector<std::string> values = {"plain", "",     "with, comma", "quote \" and \\ slash",
                                           "{}",    "NULL", "новый"};
  EXPECT_EQ(array_values(array_text(values)), values);
  EXPECT_EQ(array_text({}), "{}");
  EXPECT_THAT(array_values("{}"), IsEmpty());
  EXPECT_THAT(array_values("{a,b}"), ElementsAre("a", "b"));
  EXPECT_THAT(array_values(""), IsEmpty());
}

TEST(TeamNames, AreThoseOfNamespaces) {
  EXPECT_EQ(team_name("team:shop"), "shop");
  EXPECT_EQ(team_name("shop"), std::nullopt);
  EXPECT_EQ(team_name("team:"), std::nullopt);
  EXPECT_EQ(team_name("team:../x"), std::nullopt);
  EXPECT_EQ(team_name("team:" + std::string(59, 'a')), std::nullopt);
}

TEST(TeamMemory, GoesToJsonAndBack) {
  const TeamMemory memory = memory_called("fact-7");
  const auto back = memory_from_json(to_json(memory));
  ASSERT_OK(back);
  EXPECT_EQ(to_json(*back), to_json(memory));
  EXPECT_FALSE(memory_from_json("{}").ok());
  EXPECT_FALSE(memory_from_json("no json").ok());
}

TEST(TeamOutbox, KeepsEachMemoryOnceUntilItIsDelivered) {
  MemoryFileSystem files;
  ASSERT_OK(files.make_directory("/team"));
  Outbox outbox(files, "/team/outbox");
  std::vector<std::string> warnings;
  EXPECT_THAT(outbox.waiting(warnings), IsEmpty());
  ASSERT_OK(outbox.put(memory_called("fact-1")));
  ASSERT_OK(outbox.put(memory_called("fact-2")));
  ASSERT_OK(outbox.put(memory_called("fact-1")));
  EXPECT_EQ(outbox.count(), 2U);
  ASSERT_OK(files.replace("/team/outbox/00000000000000000000000000000000.json", "{"));
  const auto waiting = outbox.waiting(warnings);
  ASSERT_THAT(waiting, SizeIs(2));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("of the outbox stays there")));
  for (const Waiting& each : waiting) {
    ASSERT_OK(outbox.remove(each));
    ASSERT_OK(outbox.remove(each));  // by another process
  }
  EXPECT_THAT(outbox.waiting(warnings), IsEmpty());
}

TEST(TeamCopy, FollowsTheServer) {
  MemoryFileSystem files;
  ASSERT_OK(files.make_directory("/team"));
  CachedCopy copy(files, "/team");
  EXPECT_FALSE(copy.state());
  Changes changes;
  changes.namespaces = {{"shop", true, true}};
  changes.memories = {memory_called("fact-1"), memory_called("../../evil", "proposed")};
  changes.since = "700";
  ASSERT_OK(copy.apply(changes, true, *parse_rfc3339("2026-11-16T09:00:00Z"), "anna"));
  EXPECT_EQ(copy.state()->known, 2U);
  EXPECT_EQ(copy.state()->since, "700");
  EXPECT_THAT(*copy.judged("shop", "proposed"), SizeIs(1));
  EXPECT_EQ(copy.judged("shop", "proposed")->front().id, "../../evil");
  EXPECT_FALSE(files.info("/evil.md").ok());

  changes.memories = {memory_called("../../evil", "rejected"), memory_called("fact-1")};
  changes.since = "701";
  ASSERT_OK(copy.apply(changes, false, *parse_rfc3339("2026-11-16T09:01:00Z"), "anna"));
  EXPECT_EQ(copy.state()->known, 2U);
  EXPECT_THAT(*copy.judged("shop", "proposed"), IsEmpty());
  EXPECT_THAT(*copy.judged("shop", "rejected"), SizeIs(1));

  changes.memories = {memory_called("fact-1")};
  ASSERT_OK(copy.apply(changes, true, *parse_rfc3339("2026-11-16T09:02:00Z"), "anna"));
  EXPECT_EQ(copy.state()->known, 1U);
  EXPECT_THAT(*copy.judged("shop", "rejected"), IsEmpty());
}

TEST(TeamServerAddress, DemandsProofFromAnotherMachine) {
  const auto local = read_address("postgresql://anna:secret@localhost:5433/team");
  ASSERT_OK(local);
  EXPECT_TRUE(local->is_local);
  EXPECT_EQ(local->shown, "anna@localhost:5433/team");
  const auto far = read_address("postgresql://anna@db.example.org/team");
  ASSERT_OK(far);
  EXPECT_FALSE(far->is_local);
  EXPECT_THAT(far->parameters,
              ::testing::Contains(std::pair<std::string, std::string>("sslmode", "verify-full")));
  for (const char* url : {"postgresql://db.example.org/team?sslmode=disable",
                          "postgresql://localhost,db.example.org/team?sslmode=require",
                          "postgresql://localhost/team?hostaddr=192.0.2.1&sslmode=prefer"}) {
    const auto refused = read_address(url);
    ASSERT_FALSE(refused.ok()) << url;
    EXPECT_THAT(refused.error().what, HasSubstr("does not prove"));
  }
  const auto broken = read_address("postgresql://anna:hunter2@[::1/team");
  ASSERT_FALSE(broken.ok());
  EXPECT_THAT(broken.error().line(), Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace knapsack::team
