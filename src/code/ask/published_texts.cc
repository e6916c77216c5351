#include "code/ask/published_texts.h"

#include <fmt/format.h>

#include <set>

#include "code/index/code_documents.h"
#include "core/byte_reader.h"
#include "store/sqlite/migrations.h"

namespace knapsack::code {
namespace {

constexpr int32_t kTextsApplication = 0x4b4e5054;  // "KNPT"
constexpr const char* kTextsVersion1 = R"sql(
CREATE TABLE texts (
  number INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  secrets INTEGER NOT NULL,
  text BLOB NOT NULL
) STRICT;
CREATE TABLE own_files (
  path BLOB PRIMARY KEY,
  text BLOB NOT NULL
) STRICT, WITHOUT ROWID;
)sql";
constexpr const char* kTextsVersions[] = {kTextsVersion1};

const sqlite::Schema& texts_schema() {
  static const sqlite::Schema schema = {"published texts", kTextsApplication, kTextsVersions};
  return schema;
}

std::span<const std::byte> raw(std::string_view bytes) {
  return std::as_bytes(std::span(bytes.data(), bytes.size()));
}

}  // namespace

std::string texts_path(const std::string& state_folder) {
  return join_path(state_folder, "texts.db");
}

Result<std::optional<PublishedTexts>> PublishedTexts::open(const FileSystem& files,
                                                           const std::string& state_folder) {
  const std::string path = texts_path(state_folder);
  if (const auto there = files.info(path); !there.ok()) {
    if (there.error().code == ErrorCode::kNotFound) return std::optional<PublishedTexts>();
    return there.error();
  }
  sqlite::OpenOptions options;
  options.immutable = true;  // written once, before anybody knew of it
  options.when_damaged = "remove the folder that it is in: it is fetched again";
  KNAPSACK_TRY(auto database, sqlite::Database::open(path, options));
  KNAPSACK_CHECK(sqlite::check_schema(database, texts_schema()));
  return std::optional(PublishedTexts(std::move(database)));
}

Result<std::string> PublishedTexts::read(const FileRow& file, uint64_t* secrets) const {
  KNAPSACK_TRY(auto row, database_->prepare("SELECT text, secrets FROM texts WHERE key = ?"));
  const std::string key = blob_key(file.hash, file.language);
  row.bind(raw(key));
  KNAPSACK_TRY(const bool found, row.step());
  if (!found)
    return Error{ErrorCode::kNotFound, fmt::format("the text of {} was not published", file.name), ""};
  if (secrets != nullptr) *secrets += static_cast<uint64_t>(row.integer(1));
  return std::string(column_view(row.bytes(0)));
}

Result<std::map<std::string, std::string>> PublishedTexts::own_files() const {
  KNAPSACK_TRY(auto row, database_->prepare("SELECT path, text FROM own_files"));
  std::map<std::string, std::string> own;
  for (;;) {
    KNAPSACK_TRY(const bool more, row.step());
    if (!more) return own;
    own.emplace(column_view(row.bytes(0)), column_view(row.bytes(1)));
  }
}

Result<TextsWriter> TextsWriter::open(const std::string& state_folder) {
  sqlite::OpenOptions options;
  options.mode = sqlite::OpenMode::kCreate;
  options.journal = sqlite::Journal::kMemory;  // whoever is killed before finish() throws all of it away
  options.durability = sqlite::Durability::kNormal;
  KNAPSACK_TRY(auto opened, sqlite::Database::open(texts_path(state_folder), options));
  auto database = std::make_unique<sqlite::Database>(std::move(opened));
  KNAPSACK_CHECK(sqlite::migrate(*database, texts_schema()));
  TextsWriter writer(std::move(database));
  KNAPSACK_TRY(auto transaction, sqlite::Transaction::begin(*writer.database_));
  writer.transaction_.emplace(std::move(transaction));
  return writer;
}

Result<bool> TextsWriter::has(const FileRow& file) {
  KNAPSACK_TRY(auto row, database_->prepare("SELECT 1 FROM texts WHERE key = ?"));
  const std::string key = blob_key(file.hash, file.language);
  row.bind(raw(key));
  return row.step();
}

Status TextsWriter::add(const FileRow& file, std::string_view text, uint64_t secrets) {
  KNAPSACK_TRY(auto row, database_->prepare("INSERT INTO texts (key, secrets, text) VALUES (?, ?, ?)"));
  const std::string key = blob_key(file.hash, file.language);
  return row.bind(raw(key), static_cast<int64_t>(secrets), raw(text)).run();
}

Status TextsWriter::forget_others(std::span<const FileRow> files) {
  std::set<std::string> wanted;
  for (const FileRow& file : files)
    if (file.blob != 0) wanted.insert(blob_key(file.hash, file.language));
  KNAPSACK_TRY(const int64_t kept, database_->integer("SELECT count(*) FROM texts"));
  if (static_cast<size_t>(kept) <= wanted.size() + wanted.size() / 4) return ok_status();
  std::vector<std::string> gone;
  {
    KNAPSACK_TRY(auto row, database_->prepare("SELECT key FROM texts"));
    for (;;) {
      KNAPSACK_TRY(const bool more, row.step());
      if (!more) break;
      std::string key(column_view(row.bytes(0)));
      if (!wanted.contains(key)) gone.push_back(std::move(key));
    }
  }
  KNAPSACK_TRY(auto remove, database_->prepare("DELETE FROM texts WHERE key = ?"));
  for (const std::string& key : gone) KNAPSACK_CHECK(remove.bind(raw(key)).run());
  return ok_status();
}

Status TextsWriter::put_own_files(const std::map<std::string, std::string>& own) {
  KNAPSACK_CHECK(database_->execute("DELETE FROM own_files"));
  KNAPSACK_TRY(auto row, database_->prepare("INSERT INTO own_files (path, text) VALUES (?, ?)"));
  for (const auto& [path, text] : own) KNAPSACK_CHECK(row.bind(raw(path), raw(text)).run());
  return ok_status();
}

Status TextsWriter::finish() {
  return transaction_->commit();
}

}  // namespace knapsack::code
