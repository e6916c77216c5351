// Which memories a new one makes out of date, by rule.
#include "memory/recall/supersession.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/support_recall.h"
#include "memory/tree/infer.h"

namespace knapsack::memory {
namespace {

Memory said(const std::string& text, double days_before, const std::string& id) {
  Memory memory = note(id, text);
  memory.created = days_ago(days_before);
  memory.category = infer_category(text);
  return memory;
}

// Why the second, said a month later, supersedes the first; empty where it does not.
std::string superseded(const std::string& old, const std::string& fresh) {
  const std::vector<Memory> known = {said(old, 40, "old")};
  const auto found = find_contradicted(said(fresh, 10, "new"), known);
  return found.empty() ? "" : found.front().because;
}

TEST(Supersession, ANewerValueOfTheSameThingIsFound) {
  const std::pair<const char*, const char*> changed[] = {
      {"Anna owns the billing service", "Boris is the new owner of billing since 2026-11-01"},
      {"Anna owns the billing service", "Boris owns billing"},
      {"The API rate limit is 100 requests per minute for each key",
       "The API rate limit is 500 requests per minute"},
      {"The rate limit is 100", "The rate limit was raised to 500"},
      {"Logs are kept for 14 days", "Logs are kept for 30 days since the audit"},
      {"The design review takes place every Wednesday at 15:00",
       "The design review moved to Monday at 11:00"},
      {"The staging cluster has three nodes with 16 GB each", "The staging cluster has five nodes now"},
      {"Anna prefers tabs", "Anna prefers spaces now"},
      {"We store events in PostgreSQL", "We store events in MySQL instead of PostgreSQL"},
      {"Заявки клиентов разбирает Ольга", "Теперь заявки клиентов разбирает Тимур"},
      {"За безопасность отвечает Руслан", "С ноября за безопасность отвечает Вера"},
      {"Лимит на загрузку файлов — 20 МБ", "Лимит на загрузку файлов увеличили до 50 МБ"},
      {"Встреча команды по средам", "Встреча команды перенесена на четверг"},
  };
  for (const auto& [old, fresh] : changed) EXPECT_NE(superseded(old, fresh), "") << old << " / " << fresh;
}

TEST(Supersession, WhatIsBesideItOrHappenedAgainStays) {
  const std::pair<const char*, const char*> both[] = {
      {"Backups of the production database run at 02:30", "Backups of the staging database run at 04:00"},
      {"The session token lives for 12 hours", "The refresh token lives for 30 days"},
      {"The importer failed on 2026-06-18", "The importer failed on 2026-08-01"},
      {"Anna works in the billing team", "Boris works in the billing team"},
      {"Sofia leads the mobile team", "Boris leads the web team"},
      {"Anna prefers tabs", "Anna prefers short commits"},
      {"The contract with Nordwind ends on 2027-03-31", "Nordwind pays within 45 days"},
      {"Игорь предпочитает короткие ответы", "Игорь любит примеры кода на Python"},
      {"Договор с «Севером» действует до 1 марта", "Договор с «Югом» действует до 5 мая"},
      {"What is the rate limit?", "The rate limit is 500"},
      {"The rate limit is 500", "the rate limit is 500"},
  };
  for (const auto& [old, fresh] : both) EXPECT_EQ(superseded(old, fresh), "") << old << " / " << fresh;
}

TEST(Supersession, AnEarlierDayDoesNotWin) {
  const std::vector<Memory> known = {said("Boris owns billing", 10, "now")};
  EXPECT_TRUE(find_contradicted(said("Anna owns billing", 300, "then"), known).empty());
  Memory since = said("Anna owns billing since 2024-01-01", 1, "late");
  EXPECT_TRUE(find_contradicted(since, known).empty()) << "it was written later and speaks of earlier";
}

TEST(Supersession, OnlyWhatHoldsInTheSameNamespaceCounts) {
  std::vector<Memory> known = {said("The rate limit is 100", 40, "old")};
  const Memory fresh = said("The rate limit is 500", 1, "new");
  ASSERT_EQ(find_contradicted(fresh, known).size(), 1U);
  known[0].status = Status::kForgotten;
  EXPECT_TRUE(find_contradicted(fresh, known).empty());
  known[0].status = Status::kActive;
  known[0].name_space = "work";
  EXPECT_TRUE(find_contradicted(fresh, known).empty());
  known[0].name_space = "";
  known[0].kind = Kind::kArtifact;
  EXPECT_TRUE(find_contradicted(fresh, known).empty());
}

}  // namespace
}  // namespace knapsack::memory
