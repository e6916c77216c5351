#include "search/query/parse_query.h"

#include "search/support_corpus.h"

namespace knapsack::search {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> terms(const ParsedQuery& parsed) {
  std::vector<std::string> all;
  for (const QueryTerm& term : parsed.terms) all.push_back(term.term);
  return all;
}

struct Row {
  const char* text;
  std::vector<std::string> terms;
  std::vector<std::vector<std::string>> required = {};
  std::vector<std::vector<std::string>> excluded = {};
};

TEST(ParseQuery, ReadsWordsPhrasesAndExclusions) {
  const Row rows[] = {
      {"", {}},
      {"  \t\n", {}},
      {"Budget PACKER budget", {"budget", "packer"}},
      {"how does the budget work", {"budget", "work"}},
      {"to be or not to be", {"to", "be", "or", "not"}},
      {"parseQuery", {"parse", "query", "parsequery"}},
      {"\"Hard budget\" now", {"hard", "budget", "now"}, {{"hard", "budget"}}},
      {"budget -test", {"budget"}, {}, {{"test"}}},
      {"budget -\"unit test\" -x", {"budget"}, {}, {{"unit", "test"}, {"x"}}},
      {"-test", {}, {}, {{"test"}}},
      {"budget -тест", {"budget"}, {}, {{"тест"}}},
      {"well-known --flag -1 - a -- b -", {"well", "known", "flag", "1", "b"}},
      {"an \"open quote", {"open", "quote"}},
      {"\"\" \"!!\" x", {"x"}},
      {"-\"\" -\"!\" x", {"x"}},
      {"-\"open quote", {"open", "quote"}},
      {"x\"b c\"y", {"x", "b", "c", "y"}, {{"b", "c"}}},
      {"AND OR NOT * ( ) ^2 title:x NEAR/3", {"2", "title", "x", "near", "3"}},
  };
  for (const Row& row : rows) {
    const ParsedQuery parsed = parse_query(row.text);
    EXPECT_EQ(terms(parsed), row.terms) << row.text;
    EXPECT_EQ(parsed.filter.required, row.required) << row.text;
    EXPECT_EQ(parsed.filter.excluded, row.excluded) << row.text;
  }
}

TEST(ParseQuery, StemsTermsButNotStopWordsOrPhrases) {
  WordOptions stemmed;
  stemmed.stemming = Stemming::kByScript;
  const ParsedQuery parsed = parse_query("having \"packed boxes\" packing", stemmed);
  EXPECT_THAT(terms(parsed), ElementsAre("pack", "box"));
  EXPECT_THAT(parsed.filter.required, ElementsAre(std::vector<std::string>{"packed", "boxes"}));
}

TEST(ParseQuery, TakesAnyBytes) {
  std::mt19937 random(51);
  MemoryFileSystem files;
  const Index index = index_of(files, random_corpus(random, 20, 20));
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (size_t i = 0; i < random() % 60; ++i)
      text += random() % 3 == 0 ? "\"- a"[random() % 4] : static_cast<char>(random());
    const ParsedQuery parsed = parse_query(text);
    ASSERT_OK(top_k(index, parsed.terms, {}, 5));
    (void)parsed.filter.accepts(text);
  }
}

TEST(ParseQuery, FindsTextThatWasIndexedWithTheSameOptions) {
  MemoryFileSystem files;
  ASSERT_OK(files.make_directory(kFolder));
  WordOptions stemmed;
  stemmed.stemming = Stemming::kByScript;
  SegmentBuilder builder;
  const std::pair<const char*, const char*> texts[] = {{"a", "The packer fills HTTPServer2 buffers."},
                                                       {"b", "Книги лежат на полке"},
                                                       {"c", "検索結果を表示する"},
                                                       {"d", "un cafe\u0301 noir"}};
  for (const auto& [key, text] : texts) {
    builder.begin_document(key);
    builder.begin_unit();
    builder.add_text(0, text, stemmed);
  }
  const auto segment = open_segment(files, kFolder, *builder.write(files, kFolder));
  ASSERT_OK(segment);
  const auto index = Index::open({{*segment, LiveSet::all(4)}});
  ASSERT_OK(index);
  const std::pair<const char*, const char*> questions[] = {
      {"filling", "a"}, {"httpserver2", "a"}, {"Server", "a"}, {"BUFFERED", "a"}, {"книга", "b"},
      {"полка", "b"},   {"結果", "c"},        {"検索", "c"},   {"CAFÉ", "d"}};
  for (const auto& [question, key] : questions) {
    const auto hits = top_k(*index, parse_query(question, stemmed).terms, {}, 10);
    ASSERT_OK(hits);
    ASSERT_EQ(hits->size(), 1u) << question;
    EXPECT_EQ((*hits)[0].key, key) << question;
  }
}

TEST(TextFilter, AcceptsWhatHoldsAllPhrasesAndNoExcludedWord) {
  const auto accepts = [](std::string_view query, std::string_view text) {
    return parse_query(query).filter.accepts(text);
  };
  EXPECT_TRUE(accepts("budget", ""));
  EXPECT_TRUE(accepts("\"hard budget\"", "The HARD\n  budget, always."));
  EXPECT_FALSE(accepts("\"hard budget\"", "hard the budget"));
  EXPECT_FALSE(accepts("\"hard budget\"", "budget hard"));
  EXPECT_TRUE(accepts("\"std::vector<int>\"", "a std::vector<int> b"));
  EXPECT_FALSE(accepts("\"parse query\"", "parseQuery"));
  EXPECT_FALSE(accepts("x -test", "a test"));
  EXPECT_FALSE(accepts("x -server", "class HTTPServer {}"));
  EXPECT_TRUE(accepts("x -serve", "class HTTPServer {}"));
  EXPECT_FALSE(accepts("x -\"unit test\"", "one unit test"));
  EXPECT_TRUE(accepts("x -\"unit test\"", "unit and test"));
  EXPECT_TRUE(accepts("\"検索結果\"", "この検索結果を"));
  EXPECT_FALSE(accepts("\"検索結果\"", "検索の結果"));
}

TEST(TopKFiltered, FindsTheBestThatPassHoweverFarDown) {
  MemoryFileSystem files;
  Corpus corpus;
  std::map<std::string, std::string> texts;
  for (int i = 0; i < 1000; ++i) {
    const std::string key = "k" + std::to_string(1000 + i);
    PlainUnit unit(static_cast<size_t>(1 + (999 - i) / 10), PlainToken{0, "word"});
    corpus.push_back({key, {unit}});
    texts[key] = i % 300 == 299 ? "hard budget" : "soft budget";
  }
  const Index index = index_of(files, corpus);
  size_t asked = 0;
  const TextOf text_of = [&](const Hit& hit) -> Result<std::string> {
    ++asked;
    return texts[hit.key];
  };
  TextFilter filter;
  filter.required = {{"hard", "budget"}};
  const auto hits = top_k_filtered(index, {{"word"}}, {}, 2, filter, text_of);
  ASSERT_OK(hits);
  ASSERT_EQ(hits->size(), 2u);
  EXPECT_EQ((*hits)[0].key, "k1299");
  EXPECT_EQ((*hits)[1].key, "k1599");
  EXPECT_LE(asked, 700u);
  EXPECT_EQ(top_k_filtered(index, {{"word"}}, {}, 10, filter, text_of)->size(), 3u);
  EXPECT_EQ(top_k_filtered(index, {{"word"}}, {}, 10, {}, text_of)->size(), 10u);
  const TextOf failing = [](const Hit&) -> Result<std::string> {
    return Error{ErrorCode::kNotFound, "gone", ""};
  };
  EXPECT_FALSE(top_k_filtered(index, {{"word"}}, {}, 2, filter, failing).ok());
}

}  // namespace
}  // namespace knapsack::search
