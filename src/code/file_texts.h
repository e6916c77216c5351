// FileTexts: the texts of the files that one request looks at, each read once.
//
// Ranking looks at the same files that a packet shows. What could not be read is remembered as well. One
// thread at a time.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "code/snapshot_texts.h"

namespace knapsack::code {

class FileTexts {
 public:
  FileTexts(const CodeIndex& index, SnapshotTexts texts) : index_(&index), texts_(std::move(texts)) {}

  // Lasts as long as this object.
  Result<const std::string*> read(uint32_t file);

 private:
  const CodeIndex* index_;
  SnapshotTexts texts_;
  std::unordered_map<uint32_t, Result<std::string>> known_;
};

}  // namespace knapsack::code
