// SnapshotTexts: the texts of the files of a snapshot, from the work tree, the object database or what was published with it.
//
// What it gives is what was indexed: a file of the work tree that has changed since is refused, because
// nothing that the index says about its lines would be true. Secrets are replaced as they were for the index
// (code/walk/clean_source.h). One thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "code/ask/code_index.h"
#include "code/ask/published_texts.h"
#include "core/files/folder.h"
#include "git/repository.h"

namespace knapsack::code {

class SnapshotTexts {
 public:
  // `workspace` is absolute with links resolved.
  static Result<SnapshotTexts> open(const FileSystem& files, const std::string& workspace,
                                    const SnapshotRow& snapshot, const GitOpenOptions& git = {});

  // kBusy for content that has changed since it was indexed, kNotFound for what was only listed or is gone.
  // Adds how many secrets were replaced to `secrets`.
  Result<std::string> read(const FileRow& file, uint64_t* secrets = nullptr) const;

 private:
  SnapshotTexts() = default;
  Result<std::string> read_bytes(const FileRow& file) const;

  std::unique_ptr<Folder> root_;             // of the work tree
  std::optional<GitRepository> repository_;  // of commits
  std::optional<PublishedTexts> published_;  // where there is no repository
};

}  // namespace knapsack::code
