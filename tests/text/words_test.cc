#include "text/words/words.h"

#include "support/support.h"

namespace knapsack {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

struct Row {
  std::string text;
  std::vector<std::string> words;
};

void expect_rows(const std::vector<Row>& rows, const WordOptions& options = {}) {
  for (const Row& row : rows)
    EXPECT_THAT(words_of(row.text, options), ElementsAreArray(row.words)) << row.text;
}

TEST(Words, AreLowerCasedRunsOfLettersAndDigits) {
  expect_rows({
      {"", {}},
      {" \n\t.,;:!?-+*/(){}[]<>\"'`~@#$%^&|\\=", {}},
      {"Hello, World!", {"hello", "world"}},
      {"don't", {"don", "t"}},
      {"a-b c/d", {"a", "b", "c", "d"}},
      {"3.14 and 2023", {"3", "14", "and", "2023"}},
      {std::string("nul\0byte", 8), {"nul", "byte"}},
      {"Привет, МИР", {"привет", "мир"}},
      {"ΟΔΟΣ οδος οδός", {"οδοσ", "οδοσ", "οδόσ"}},
      {"STRASSE Straße STRAẞE", {"strasse", "straße", "straße"}},
      {"שלום مرحبا", {"שלום", "مرحبا"}},
  });
}

TEST(Words, SplitIdentifiersIntoPartsAndKeepTheWhole) {
  expect_rows({
      {"parseQuery", {"parse", "query", "parsequery"}},
      {"PascalCase", {"pascal", "case", "pascalcase"}},
      {"snake_case_name", {"snake", "case", "name", "snake_case_name"}},
      {"SCREAMING_CASE", {"screaming", "case", "screaming_case"}},
      {"HTTPServer2", {"http", "server", "httpserver2"}},
      {"HTTP2Server", {"http", "server", "http2server"}},
      {"getHTTPResponseCode", {"get", "http", "response", "code", "gethttpresponsecode"}},
      {"parse_rfc3339", {"parse", "rfc", "3339", "parse_rfc3339"}},
      {"sha256sum", {"sha", "256", "sum", "sha256sum"}},
      {"mixed_camelCase", {"mixed", "camel", "case", "mixed_camelcase"}},
      {"ALLCAPS", {"allcaps"}},
      {"Title", {"title"}},
      {"IDs", {"ds", "ids"}},
      {"__init__", {"init"}},
      {"__all_names__", {"all", "names", "all_names"}},
      {"_", {}},
      {"___", {}},
      {"a__b", {"a__b"}},
      {"x2", {"x2"}},
      {"x_y", {"x_y"}},
      {"std::vector<int>", {"std", "vector", "int"}},
      {"node.child_count", {"node", "child", "count", "child_count"}},
      {"КонтекстПакет", {"контекст", "пакет", "контекстпакет"}},
      {"имя_файла", {"имя", "файла", "имя_файла"}},
  });
}

TEST(Words, ThatStartWithADigitAreNumbersOrHashesAndStayWhole) {
  expect_rows({
      {"2nd 3D 10k", {"2nd", "3d", "10k"}},
      {"0x1F", {"0x1f"}},
      {"4ca7fE01", {"4ca7fe01"}},
      {"x86_64", {"86", "64", "x86_64"}},
      {"layer_3d", {"layer", "3d", "layer_3d"}},
  });
}

TEST(Words, OptionsChooseBetweenPartsAndWholes) {
  WordOptions parts_only;
  parts_only.emit_whole = false;
  expect_rows({{"parseQuery x", {"parse", "query", "x"}}, {"a1b", {"a1b"}}}, parts_only);

  WordOptions wholes_only;
  wholes_only.emit_parts = false;
  expect_rows({{"parseQuery snake_case word", {"parsequery", "snake_case", "word"}}}, wholes_only);

  WordOptions long_only;
  long_only.min_length = 3;
  expect_rows({{"is it the en_US ёж кот", {"the", "en_us", "кот"}}}, long_only);

  WordOptions every_part;
  every_part.min_part_length = 1;
  expect_rows({{"HTTPServer2", {"http", "server", "2", "httpserver2"}}}, every_part);
}

TEST(Words, AreStemmedExceptWholesAndPairs) {
  WordOptions stemmed;
  stemmed.stemming = Stemming::kByScript;
  expect_rows({{"packing boxes", {"pack", "box"}},
               {"runningTasks", {"run", "task", "runningtasks"}},
               {"книгами", {"книг"}},
               {"検索", {"検索"}}},
              stemmed);
}

TEST(Words, OfChineseJapaneseAndKoreanAreOverlappingPairs) {
  expect_rows({
      {"検索結果", {"検索", "索結", "結果"}},
      {"字", {"字"}},
      {"漢字、仮名。", {"漢字", "仮名"}},
      {"カタカナ・テスト", {"カタ", "タカ", "カナ", "テス", "スト"}},
      {"データ", {"デー", "ータ"}},
      {"검색어", {"검색", "색어"}},
      {"json解析器v2", {"json", "解析", "析器", "v2"}},
      {"𠮷野家", {"𠮷野", "野家"}},
  });
}

TEST(Words, ALongPairRunLosesNoPair) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += i % 2 == 0 ? "漢" : "字";
  const auto words = words_of(text);
  ASSERT_EQ(words.size(), 499u);
  for (size_t i = 0; i < words.size(); ++i) EXPECT_EQ(words[i], i % 2 == 0 ? "漢字" : "字漢") << i;
}

TEST(Words, TypedAsBaseLetterAndMarkEqualTheComposedOnes) {
  const std::pair<const char*, const char*> cases[] = {
      {"Cafe\u0301", "café"},        // as macOS writes file names
      {"E\u0301cole", "école"},      // an upper-case base
      {"и\u0306", "й"},              // Cyrillic
      {"Vie\u0323\u0302t", "việt"},  // two marks, canonical order
      {"か\u3099き", "がき"},        // kana with a voicing mark
      {"\u1112\u1161\u11AB\u1100\u1173\u11AF", "한글"},
  };
  for (const auto& [decomposed, composed] : cases)
    EXPECT_EQ(words_of(decomposed), words_of(composed)) << composed;
}

TEST(Words, IgnoreInvisibleCharactersInside) {
  expect_rows({
      {"Kontext\u00ADpaket", {"kontextpaket"}},
      {"\u200Eabc\u202E", {"abc"}},
      {"\uFEFFbom", {"bom"}},
      {"zero\u200Bwidth", {"zero", "width"}},
  });
}

TEST(Words, TreatBytesThatAreNotUtf8AsSeparators) {
  expect_rows({
      {"abc\xFF"
       "def",
       {"abc", "def"}},
      {"caf\xC3", {"caf"}},
      {"\xC0\xAFok", {"ok"}},
      {"a\xED\xA0\x80z", {"a", "z"}},
      {"\x80\x80\x80", {}},
      {"\xF4\x90\x80\x80top", {"top"}},
  });
}

TEST(Words, ThatAreTooLongAreCutAndTheirRestSkipped) {
  const std::string cut(kMaxWordBytes, 'a');
  EXPECT_THAT(words_of(std::string(100'000, 'a') + " next"), ElementsAre(cut, "next"));
  EXPECT_THAT(words_of(std::string(100'000, 'A')), ElementsAre(cut));
  EXPECT_THAT(words_of(cut), ElementsAre(cut));
  // A two-byte letter does not fit into an odd last byte, and nothing shorter slips in after it.
  std::string letters;
  for (int i = 0; i < 200; ++i) letters += "я";
  EXPECT_THAT(words_of(letters + "a"), ElementsAre(letters.substr(0, kMaxWordBytes - 1)));
  // Endless marks on one letter are a long word too.
  std::string marks = "x";
  for (int i = 0; i < 1000; ++i) marks += "\u0321";
  EXPECT_THAT(words_of(marks + " y"), ElementsAre(marks.substr(0, kMaxWordBytes), "y"));
}

TEST(Words, TellWhereTheyStandAndWhatTheyAre) {
  const std::string text = "ab HTTPServer2, Ünder_Score 検索結";
  WordReader reader(text);
  std::vector<std::string> seen;
  std::vector<WordKind> kinds;
  for (Word word; reader.next(word);) {
    seen.push_back(text.substr(word.begin, word.end - word.begin));
    kinds.push_back(word.kind);
  }
  EXPECT_THAT(seen, ElementsAre("ab", "HTTP", "Server", "HTTPServer2", "Ünder", "Score", "Ünder_Score",
                                "検索", "索結"));
  using enum WordKind;
  EXPECT_THAT(kinds, ElementsAre(kPlain, kPart, kPart, kWhole, kPart, kPart, kWhole, kPair, kPair));
}

TEST(Words, AReaderStartsAgainOnAnotherText) {
  WordReader reader("first text");
  Word word;
  ASSERT_TRUE(reader.next(word));
  reader.reset("second");
  ASSERT_TRUE(reader.next(word));
  EXPECT_EQ(word.text, "second");
  EXPECT_FALSE(reader.next(word));
  EXPECT_FALSE(reader.next(word));
}

TEST(Words, OfAWordAreTheWordItself) {
  // What indexing stored must be found by asking for it: reading a plain word again changes nothing.
  WordOptions wholes;
  wholes.emit_parts = false;
  for (const char* text :
       {"getHTTPResponse", "Ünder_Score", "e\u0301A", "ΟΔΟΣ", "ǅ", "İstanbul", "x86_64", "Ⱥbc"}) {
    for (const std::string& word : words_of(text, wholes))
      EXPECT_THAT(words_of(word, wholes), ElementsAre(word));
  }
}

}  // namespace
}  // namespace knapsack
