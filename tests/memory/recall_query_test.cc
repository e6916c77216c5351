#include "memory/recall/recall_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/clock.h"
#include "support/support.h"

namespace knapsack::memory {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int kYears[] = {2022, 2023};

int64_t day(int year, int month, int of_month) {
  return make_timestamp(year, month, of_month, 0, 0, 0)->days();
}

TEST(QueryDates, AreFoundInAllTheWaysPeopleWriteThem) {
  const DateRange may8{day(2023, 5, 8), day(2023, 5, 8), true};
  for (const char* text :
       {"on 8 May 2023", "on 8th of May, 2023", "May 8, 2023", "may 8th 2023", "8 May, 2023",
        "Sept? no: May. 8 2023", "on 2023-05-08", "1:56 pm on 8 May, 2023", "8 мая 2023 года"}) {
    EXPECT_THAT(find_dates(text, kYears).ranges, ElementsAre(may8)) << text;
  }
}

TEST(QueryDates, AMonthIsAllOfItsDays) {
  const DateRange february{day(2023, 2, 1), day(2023, 2, 28), false};
  for (const char* text : {"in February 2023", "February of 2023", "Feb 2023", "в феврале 2023"}) {
    EXPECT_THAT(find_dates(text, kYears).ranges, ElementsAre(february)) << text;
  }
  const DateRange december{day(2023, 12, 1), day(2023, 12, 31), false};
  EXPECT_THAT(find_dates("December 2023", kYears).ranges, ElementsAre(december));
}

TEST(QueryDates, WithoutAYearMayLieInAnyYearThereIs) {
  EXPECT_EQ(find_dates("in July", kYears).ranges.size(), 2U);
  EXPECT_EQ(find_dates("on 5 July", kYears).ranges.size(), 2U);
  EXPECT_EQ(find_dates("July 5th", kYears).ranges.size(), 2U);
  EXPECT_EQ(find_dates("5 июля", kYears).ranges.size(), 2U);
  EXPECT_EQ(find_dates("29 February", std::vector<int>{2023, 2024}).ranges.size(), 1U);
}

TEST(QueryDates, WordsThatOnlyLookLikeMonthsAreNone) {
  for (const char* text : {"may I ask", "they march on", "the mar was", "in 5 days", "31 February 2023",
                           "jun", "2023-13-08", "version 2023", "дима"}) {
    EXPECT_THAT(find_dates(text, kYears).ranges, IsEmpty()) << text;
  }
}

TEST(QueryDates, FitADayTheBetterTheCloserItIs) {
  const std::vector<DateRange> one_day = {{100, 100, true}};
  EXPECT_EQ(date_fit(one_day, 100), 1);
  EXPECT_EQ(date_fit(one_day, 110), 0.3);
  EXPECT_EQ(date_fit(one_day, 90), 0.3);
  EXPECT_EQ(date_fit(one_day, 111), 0);
  const std::vector<DateRange> month = {{100, 130, false}};
  EXPECT_EQ(date_fit(month, 100), 0.5);
  EXPECT_EQ(date_fit(month, 130), 0.5);
  EXPECT_EQ(date_fit(month, 140), 0.2);
  EXPECT_EQ(date_fit(month, 141), 0);
  EXPECT_EQ(date_fit(month, 99), 0);
  EXPECT_EQ(date_fit({}, 99), 0);
}

std::vector<std::string> first_forms(const RecallQuery& query) {
  std::vector<std::string> forms;
  for (const auto& term : query.terms) forms.push_back(term.forms.front());
  return forms;
}

TEST(RecallQuery, LeavesOutFillersSpeakersAndDates) {
  Speakers speakers;
  speakers.add("Anna Weber");
  speakers.add("Boris");
  const RecallQuery query =
      read_recall_query("Where did Anna camp in June 2023 with the camping gear?", speakers, kYears);
  EXPECT_THAT(first_forms(query), ElementsAre("camp", "gear"));
  EXPECT_EQ(query.speaker, 0U);
  EXPECT_EQ(query.dates.size(), 1U);
  EXPECT_FALSE(query.asks_when);
}

TEST(RecallQuery, OfNothingButDatesIsReadOnce) {
  constexpr size_t kDates = 400'000;
  std::string question;
  for (size_t i = 0; i < kDates; ++i) question += "5 may ";
  EXPECT_EQ(find_dates(question, {}).places.size(), kDates);
  EXPECT_THAT(read_recall_query(question, {}, {}).terms, IsEmpty());
}

TEST(RecallQuery, OfTwoNamedPeopleNeitherIsMeantAlone) {
  Speakers speakers;
  speakers.add("Anna");
  speakers.add("Boris");
  EXPECT_EQ(read_recall_query("did Anna meet Boris", speakers, {}).speaker, std::nullopt);
  EXPECT_EQ(read_recall_query("did Boris cook", speakers, {}).speaker, 1U);
}

TEST(RecallQuery, OfNothingButFillersSearchesThem) {
  EXPECT_THAT(first_forms(read_recall_query("who is it", {}, {})), ElementsAre("who", "is", "it"));
}

TEST(RecallQuery, IrregularFormsAreOneTerm) {
  const RecallQuery query = read_recall_query("went going gone", {}, {});
  ASSERT_EQ(query.terms.size(), 1U);
  EXPECT_THAT(query.terms[0].forms, ::testing::IsSupersetOf({"go", "gone", "went"}));
  RecallQueryOptions plain;
  plain.irregular_forms = false;
  EXPECT_EQ(read_recall_query("went going gone", {}, {}, plain).terms.size(), 3U);
}

TEST(RecallQuery, AsksWhenInBothLanguages) {
  for (const char* text : {"When is it", "how long did it take", "which year", "Когда релиз", "как долго"})
    EXPECT_TRUE(read_recall_query(text, {}, {}).asks_when) << text;
  for (const char* text : {"what is when", "say how long", "где"})
    EXPECT_FALSE(read_recall_query(text, {}, {}).asks_when) << text;
}

TEST(RecallQuery, AQuestionHasItsMarkInTheSecondHalf) {
  EXPECT_TRUE(is_question("How are you?"));
  EXPECT_FALSE(is_question("You know what? I have decided to move to Berlin next year."));
  EXPECT_FALSE(is_question(""));
}

}  // namespace
}  // namespace knapsack::memory
