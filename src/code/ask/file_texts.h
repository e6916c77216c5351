// FileTexts: the texts of the files that one request looks at, each read once.
//
// Ranking looks at the same files that a packet shows. What could not be read is remembered as well. One
// thread at a time.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "code/ask/snapshot_texts.h"

namespace knapsack::code {

class FileTexts {
 public:
  FileTexts(const CodeIndex& index, SnapshotTexts texts) : index_(&index), texts_(std::move(texts)) {}

  // With secrets replaced. Lasts as long as this object.
  Result<const std::string*> read(uint32_t file);
  // How many were replaced in a file that was read.
  uint64_t secrets(uint32_t file) const;

 private:
  const CodeIndex* index_;
  SnapshotTexts texts_;
  std::unordered_map<uint32_t, Result<std::string>> known_;
  std::unordered_map<uint32_t, uint64_t> secrets_;  // of files that have any
};

}  // namespace knapsack::code
