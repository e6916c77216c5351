// The yardstick: SQLite FTS5 gets the same documents word for word and must agree on who matches, and how
// often each term stands where.
#include <sqlite3.h>

#include <set>

#include "search/query/term_frequencies.h"
#include "search/support_corpus.h"

namespace knapsack::search {
namespace {

// Terms as plain ASCII words, so that FTS5's own tokenizer takes each as it is.
std::string ascii(const std::string& term) {
  std::string name = "t";
  for (const char c : term) {
    const auto byte = static_cast<unsigned char>(c);
    name += static_cast<char>('a' + byte / 16);
    name += static_cast<char>('a' + byte % 16);
  }
  return name;
}

class Fts5 {
 public:
  Fts5() {
    EXPECT_EQ(sqlite3_open(":memory:", &database_), SQLITE_OK);
    run("create virtual table units using fts5(key unindexed, unit unindexed, f0, f1, f2, f3, "
        "tokenize='ascii')");
    run("create virtual table words using fts5vocab(units, 'instance')");
  }
  ~Fts5() { sqlite3_close(database_); }
  Fts5(const Fts5&) = delete;
  Fts5& operator=(const Fts5&) = delete;

  void add(const Corpus& corpus) {
    run("begin");
    for (const auto& document : corpus) {
      for (size_t unit = 0; unit < document.units.size(); ++unit) {
        std::array<std::string, 4> fields;
        for (const auto& token : document.units[unit]) fields[token.field] += ascii(token.term) + " ";
        rows("insert into units values (?, ?, ?, ?, ?, ?)",
             {document.key, std::to_string(unit), fields[0], fields[1], fields[2], fields[3]});
      }
    }
    run("commit");
  }

  using Frequencies =
      std::map<std::tuple<std::string, uint32_t, std::string>, uint32_t>;  // key, unit, column
  Frequencies frequencies(const std::string& term) {
    Frequencies found;
    const char* sql =
        "select key, unit, col, count(*) from words join units on units.rowid = doc where term = ? group by "
        "doc, col";
    for (const auto& row : rows(sql, {ascii(term)})) {
      found[{row[0], static_cast<uint32_t>(std::stoul(row[1])), row[2]}] =
          static_cast<uint32_t>(std::stoul(row[3]));
    }
    return found;
  }

  std::set<std::string> matching(const std::vector<std::string>& terms) {
    std::string expression;
    for (const auto& term : terms) expression += (expression.empty() ? "" : " OR ") + ascii(term);
    std::set<std::string> keys;
    for (const auto& row : rows("select distinct key from units where units match ?", {expression}))
      keys.insert(row[0]);
    return keys;
  }

 private:
  void run(const char* sql) {
    ASSERT_EQ(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  }

  std::vector<std::vector<std::string>> rows(const char* sql, const std::vector<std::string>& values) {
    std::vector<std::vector<std::string>> all;
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(database_, sql, -1, &statement, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database_);
    for (size_t i = 0; i < values.size(); ++i) {
      sqlite3_bind_text(statement, static_cast<int>(i + 1), values[i].c_str(), -1, SQLITE_TRANSIENT);
    }
    int step = SQLITE_ROW;
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
      auto& row = all.emplace_back();
      for (int column = 0; column < sqlite3_column_count(statement); ++column) {
        row.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, column)));
      }
    }
    EXPECT_EQ(step, SQLITE_DONE) << sqlite3_errmsg(database_);
    sqlite3_finalize(statement);
    return all;
  }

  sqlite3* database_ = nullptr;
};

TEST(Fts5, AgreesOnEveryTermFrequency) {
  std::mt19937 random(61);
  MemoryFileSystem files;
  const Corpus corpus = random_corpus(random, 300, 200);
  const Index index = index_of_many(files, corpus, 3, random);
  Fts5 fts5;
  fts5.add(corpus);
  size_t compared = 0;
  for (size_t number = 0; number < 205; ++number) {
    Fts5::Frequencies ours;
    const auto found = term_frequencies(index, word(number));
    ASSERT_OK(found);
    for (const TermFrequency& one : *found) {
      ours[{std::string(*index.key(one.document)), one.unit, "f" + std::to_string(one.field)}] =
          one.frequency;
    }
    ASSERT_EQ(ours, fts5.frequencies(word(number))) << word(number);
    compared += ours.size();
  }
  EXPECT_GT(compared, 5000u);
}

TEST(Fts5, AgreesOnWhichDocumentsMatch) {
  std::mt19937 random(62);
  for (int round = 0; round < 5; ++round) {
    MemoryFileSystem files;
    const Corpus corpus = random_corpus(random, 100, 400);
    const Index index = index_of_many(files, corpus, 2, random);
    Fts5 fts5;
    fts5.add(corpus);
    for (int i = 0; i < 40; ++i) {
      Query query;
      std::vector<std::string> terms;
      for (size_t t = 0; t < 1 + random() % 4; ++t) {
        terms.push_back(word(random() % 410));
        query.push_back({terms.back()});
      }
      std::set<std::string> ours;
      const auto hits = top_k(index, query, {}, 1000);
      ASSERT_OK(hits);
      for (const Hit& hit : *hits) ours.insert(hit.key);
      EXPECT_EQ(ours, fts5.matching(terms));
    }
  }
}

}  // namespace
}  // namespace knapsack::search
