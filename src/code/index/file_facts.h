// FileExaminer: from one file of a snapshot to its row and, when its content is new, everything that is
// learnt from it.
//
// A pure function of path and bytes, but for a file that cannot be read. One examiner a thread.
// Private to code/index/.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "code/index/curated_rows.h"
#include "code/sandbox/isolated_parser.h"
#include "code/walk/source_list.h"
#include "search/segments/segment_builder.h"
#include "text/tokens/range_counter.h"

namespace knapsack::code {

// Why a file is listed and no more, beside the classes of code/walk/file_class.h.
inline constexpr const char* kSourceClass = "source";
inline constexpr const char* kLinkClass = "link";
inline constexpr const char* kLfsClass = "lfs pointer";
inline constexpr const char* kSensitiveClass = "sensitive";  // code/walk/sensitive_file.h

struct ExaminedFile {
  size_t position = 0;               // in its SourceList
  FileRow row;                       // without numbers
  std::string key;                   // of the blob's document; empty for what is listed only
  std::unique_ptr<BlobFacts> facts;  // when nobody had this blob before
  std::string problem;               // why it could not be read
};

class FileExaminer {
 public:
  // `claim(key)` says true to the one that shall parse a blob, and false when its facts are known.
  // Sensitive files that are in `allowed` are read like others. `parsing_program` is for IsolatedParser.
  FileExaminer(SourceReader reader, std::function<bool(const std::string& key)> claim,
               std::vector<std::string> allowed = {}, std::string parsing_program = "");

  // An error only for our own mistakes; what a file may hold cannot cause one.
  Result<ExaminedFile> examine(const SourceFile& file);

  // Why grammars ran in this process though they should not have; empty otherwise.
  const std::string& not_isolated() const { return parser_.not_isolated(); }

  // Everything that was parsed since the last time, as documents.
  search::SegmentBuilder& documents() { return documents_; }

 private:
  Result<std::unique_ptr<BlobFacts>> facts_of(const Language& language, const FileRow& row,
                                              std::string_view bytes, const std::string& key);
  void count_tokens(std::string_view bytes, BlobFacts& facts);

  SourceReader reader_;
  std::function<bool(const std::string& key)> claim_;
  std::vector<std::string> allowed_;
  IsolatedParser parser_;
  search::SegmentBuilder documents_;
  RangeCounter cl100k_;
  RangeCounter o200k_;
};

}  // namespace knapsack::code
