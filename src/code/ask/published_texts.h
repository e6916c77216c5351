// PublishedTexts: the texts of a snapshot beside its index, for machines that have neither its work tree nor its repository.
//
// texts.db in the state folder: each content as it is shown, that is without its secrets, and the files that are read as files
// (notes, graphs, settings). It holds at least what one snapshot needs; what an earlier one needed may still be there. One thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "code/index/curated_rows.h"
#include "core/files/file_system.h"
#include "store/sqlite/sqlite.h"

namespace knapsack::code {

std::string texts_path(const std::string& state_folder);

class PublishedTexts {
 public:
  // Nothing where there are none.
  static Result<std::optional<PublishedTexts>> open(const FileSystem& files, const std::string& state_folder);
  // kNotFound for content that is not there. Adds how many secrets were replaced to `secrets`.
  Result<std::string> read(const FileRow& file, uint64_t* secrets) const;
  // By path.
  Result<std::map<std::string, std::string>> own_files() const;

 private:
  explicit PublishedTexts(sqlite::Database database)
      : database_(std::make_unique<sqlite::Database>(std::move(database))) {}
  std::unique_ptr<sqlite::Database> database_;
};

// Fills texts.db: creates it where it is missing, adds what is not there yet.
class TextsWriter {
 public:
  static Result<TextsWriter> open(const std::string& state_folder);
  Result<bool> has(const FileRow& file);
  Status add(const FileRow& file, std::string_view text, uint64_t secrets);
  // What none of these files has, once it is a good part of all.
  Status forget_others(std::span<const FileRow> files);
  // In place of all that were there.
  Status put_own_files(const std::map<std::string, std::string>& own);
  // Everything is on disk, and in one file.
  Status finish();

 private:
  explicit TextsWriter(std::unique_ptr<sqlite::Database> database) : database_(std::move(database)) {}
  std::unique_ptr<sqlite::Database> database_;  // where it is must not change: the transaction refers to it
  std::optional<sqlite::Transaction> transaction_;
};

}  // namespace knapsack::code
