#include "store/sqlite/fts_ranking.h"

namespace knapsack {
namespace {

// A string of the query language of FTS5: whatever the word holds, it is a word.
std::string quoted(const std::string& word) {
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace

Result<FtsRanking> FtsRanking::create() {
  sqlite::OpenOptions options;
  options.mode = sqlite::OpenMode::kInMemory;
  KNAPSACK_TRY(auto database, sqlite::Database::open("the full-text yardstick", options));
  KNAPSACK_CHECK(
      database.execute("CREATE VIRTUAL TABLE documents USING fts5(name, body, content='', tokenize='porter "
                       "unicode61'); BEGIN"));
  return FtsRanking(std::move(database));
}

Status FtsRanking::add(uint32_t document, std::string_view name, std::string_view body) {
  KNAPSACK_TRY(auto insert, database_.prepare("INSERT INTO documents(rowid, name, body) VALUES (?, ?, ?)"));
  insert.bind_at(1, int64_t{document} + 1);
  insert.bind_at(2, name);
  insert.bind_at(3, body);
  return insert.run();
}

Result<std::vector<uint32_t>> FtsRanking::best(const std::vector<std::string>& words) {
  std::vector<uint32_t> found;
  std::string query;
  for (const std::string& word : words) query += (query.empty() ? "" : " OR ") + quoted(word);
  if (query.empty()) return found;
  KNAPSACK_TRY(auto rows, database_.prepare("SELECT rowid FROM documents WHERE documents MATCH ? "
                                            "ORDER BY bm25(documents), rowid"));
  rows.bind_at(1, query);
  while (true) {
    KNAPSACK_TRY(const bool more, rows.step());
    if (!more) return found;
    found.push_back(static_cast<uint32_t>(rows.integer(0) - 1));
  }
}

}  // namespace knapsack
