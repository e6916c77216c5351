#include "notes/relevance.h"

#include <cmath>

#include "support/support.h"

namespace knapsack::notes {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

const Timestamp kAskedAt = *parse_rfc3339("2026-11-15T08:00:00Z");

FiledEntry entry(std::string title, std::string body, const char* date) {
  FiledEntry filed;
  filed.entry.title = std::move(title);
  filed.entry.body = std::move(body);
  if (date != nullptr) filed.entry.date = *parse_rfc3339(date);
  return filed;
}

TEST(Recency, HasTheStepsOfTheSeed) {
  const std::pair<const char*, double> cases[] = {
      {"2026-11-15T07:00:00Z", 1.0}, {"2026-11-08", 1.0}, {"2026-11-07", 0.7},
      {"2026-10-16", 0.7},           {"2026-10-15", 0.4}, {"2026-08-17", 0.4},
      {"2026-08-16", 0.2},           {"2020-01-01", 0.2}, {"2027-01-01", 1.0},
  };
  for (const auto& [date, expected] : cases)
    EXPECT_EQ(recency(*parse_rfc3339(date), kAskedAt), expected) << date;
  EXPECT_EQ(recency(std::nullopt, kAskedAt), 0.2);
}

TEST(Keywords, LeaveOutStopWordsTagsTimestampsAndShortWords) {
  const auto words = keywords_of(
      {"Fix the retry of an HTTP request #priority:high #added:2026-02-16-111948 since 2026-02-16"});
  EXPECT_THAT(words, ElementsAre("fix", "retri", "http", "request"));
}

TEST(Keywords, AreDistinctStemsInEnglishAndRussian) {
  EXPECT_THAT(keywords_of({"packing packed packs", "ошибка ошибки ошибкой"}).size(), 2U);
}

TEST(Keywords, TakeIdentifiersByPartsAndWhole) {
  const auto words = keywords_of({"call parseConfig"});
  EXPECT_THAT(words, Contains("pars"));
  EXPECT_THAT(words, Contains("config"));
  EXPECT_THAT(words, Not(Contains("call parseConfig")));
}

TEST(Relevance, CountsDistinctKeywordsUpToThree) {
  const std::vector<FiledEntry> filed = {entry("Retries", "nothing else, retry retry", "2026-11-15"),
                                         entry("Queue", "retry the socket", "2026-11-15"),
                                         entry("All", "retry socket deadline budget", "2026-11-15"),
                                         entry("None", "prefix of retrying? no", "2026-11-15")};
  std::vector<const FiledEntry*> entries;
  for (const auto& each : filed) entries.push_back(&each);
  const auto scores = score_entries(entries, keywords_of({"retry socket deadline budget"}), kAskedAt);
  EXPECT_DOUBLE_EQ(scores[0].score.total, 1.0 + 1.0 / 3);
  EXPECT_DOUBLE_EQ(scores[1].score.total, 1.0 + 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores[2].score.total, 2.0);
  EXPECT_DOUBLE_EQ(scores[3].score.total, 1.0 + 1.0 / 3) << "'retrying' is 'retry'";
}

TEST(Relevance, MatchesWholeWordsOnly) {
  const FiledEntry filed = entry("Prefix", "a suffix and a fixture", "2026-11-15");
  EXPECT_EQ(score_entries({&filed}, keywords_of({"fix"}), kAskedAt)[0].matched.size(), 0U);
}

TEST(Relevance, MatchesIdentifiersByTheirParts) {
  const FiledEntry filed = entry("Use parseConfig", "in HTTPServer2", "2026-11-15");
  EXPECT_EQ(score_entries({&filed}, keywords_of({"config server"}), kAskedAt)[0].matched.size(), 2U);
}

TEST(Relevance, GivesASupersededEntryNothing) {
  FiledEntry filed = entry("Retry", "retry", "2026-11-15");
  filed.entry.superseded = true;
  EXPECT_EQ(score_entries({&filed}, keywords_of({"retry"}), kAskedAt)[0].score.total, 0);
}

TEST(Ranking, BreaksTiesByRareWordsThenNewerThenTitle) {
  const std::vector<FiledEntry> filed = {
      entry("B", "common", "2026-11-14"), entry("A", "common", "2026-11-14"),
      entry("C", "common", "2026-11-15"), entry("D", "rare", "2026-11-13"), entry("E", "common", nullptr)};
  std::vector<const FiledEntry*> entries;
  for (const auto& each : filed) entries.push_back(&each);
  const auto scores = score_entries(entries, keywords_of({"common rare"}), kAskedAt);
  EXPECT_THAT(rank_entries(entries, scores), ElementsAre(3, 2, 1, 0, 4));
  // Four of five entries hold "common", one holds "rare".
  EXPECT_DOUBLE_EQ(scores[3].overlap, std::log(1 + (5 - 1 + 0.5) / (1 + 0.5)));
}

}  // namespace
}  // namespace knapsack::notes
