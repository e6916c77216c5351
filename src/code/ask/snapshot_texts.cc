#include "code/ask/snapshot_texts.h"

#include <fmt/format.h>

#include "code/walk/clean_source.h"
#include "code/walk/notebook.h"
#include "code/walk/source_list.h"
#include "store/state_folder.h"

namespace knapsack::code {

Result<SnapshotTexts> SnapshotTexts::open(const FileSystem& files, const std::string& workspace,
                                          const SnapshotRow& snapshot, const GitOpenOptions& git) {
  SnapshotTexts texts;
  if (snapshot.name == kWorkTree) {
    KNAPSACK_TRY(texts.root_, files.open_folder(workspace));
    return texts;
  }
  KNAPSACK_TRY(texts.repository_, GitRepository::open(workspace, git));
  if (texts.repository_) return texts;
  KNAPSACK_TRY(texts.published_, PublishedTexts::open(files, state_folder_of(workspace)));
  if (!texts.published_) {
    return Error{ErrorCode::kNotFound, fmt::format("the repository with commit {} is gone", snapshot.name),
                 ""};
  }
  return texts;
}

Result<std::string> SnapshotTexts::read(const FileRow& file, uint64_t* secrets) const {
  if (published_ && file.blob != 0) return published_->read(file, secrets);
  KNAPSACK_TRY(std::string bytes, read_bytes(file));
  const uint64_t replaced = clean_source(bytes, file.language);
  if (secrets != nullptr) *secrets += replaced;
  return bytes;
}

Result<std::string> SnapshotTexts::read_bytes(const FileRow& file) const {
  if (file.hash.empty() || file.blob == 0) {
    return Error{ErrorCode::kNotFound, fmt::format("{} is listed only ({})", file.name, file.file_class), ""};
  }
  if (repository_) return repository_->read_blob(hash_to_hex(file.hash), most_bytes_of(file.name));
  KNAPSACK_TRY(std::string bytes, read_beneath(*root_, file.name, most_bytes_of(file.name)));
  if (git_blob_id(bytes) != hash_to_hex(file.hash)) {
    return Error{ErrorCode::kBusy, fmt::format("{} has changed since it was indexed", file.name),
                 "run `knapsack index`"};
  }
  return bytes;
}

}  // namespace knapsack::code
