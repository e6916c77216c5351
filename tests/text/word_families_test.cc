// Words that belong together: irregular forms, phrases whatever their endings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/words/irregular_forms.h"
#include "text/words/phrase_lexicon.h"

namespace knapsack {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(IrregularForms, LeadFromEveryFormToTheWholeFamily) {
  for (const char* form : {"write", "wrote", "written"})
    EXPECT_THAT(irregular_forms(form), ElementsAre("write", "wrote", "written")) << form;
  EXPECT_THAT(irregular_forms("люди"), Contains("человек"));
  EXPECT_THAT(irregular_forms("walk"), IsEmpty());
  EXPECT_THAT(irregular_forms(""), IsEmpty());
}

TEST(PhraseLexicon, FindsPhrasesWordForWordWhateverTheEndings) {
  constexpr std::string_view kPhrases[] = {"what happened", "history of", "хронология", "what happened next"};
  const PhraseLexicon lexicon(kPhrases);
  const auto found = [&](const char* text) { return lexicon.find(spoken_words(text)); };
  EXPECT_EQ(found("So, What HAPPENED there"), "what happened");
  EXPECT_EQ(found("what happened next?"), "what happened next") << "the longest one that begins there";
  EXPECT_EQ(found("покажи хронологию"), "хронологию");
  EXPECT_EQ(found("histories of rome"), "histories of");
  EXPECT_EQ(found("prehistory of rome"), "");
  EXPECT_EQ(found("what then happened"), "");
  EXPECT_EQ(found("what_happened"), "") << "a name is not taken apart";
  EXPECT_EQ(found(""), "");
}

}  // namespace
}  // namespace knapsack
