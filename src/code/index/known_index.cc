#include "code/index/known_index.h"

#include "code/index/code_documents.h"

namespace knapsack::code {
namespace {

// The clocks of file systems tick every few milliseconds, those of some network and FAT disks every two
// seconds: a change within one tick of being read does not show.
constexpr int64_t kTickNanos = 2'000'000'000;

std::string content_key(std::string_view path, std::string_view hash) {
  return std::string(path).append(1, '\0').append(hash);
}

}  // namespace

bool looks_unchanged(const WorkFileRow& before, const FileInfo& now, int64_t walked_nanos) {
  return before.size == now.size && before.mtime_nanos == now.mtime_nanos && before.inode == now.inode &&
         now.mtime_nanos <= walked_nanos - kTickNanos;
}

Result<KnownIndex> KnownIndex::load(Curated& rows) {
  KnownIndex known;
  KNAPSACK_TRY(known.files_, rows.files());
  KNAPSACK_TRY(known.work_files_, rows.work_files());
  KNAPSACK_TRY(auto blobs, rows.blobs());
  for (BlobRow& blob : blobs) known.add_blob(std::move(blob));
  known.by_number_.reserve(known.files_.size());
  known.by_content_.reserve(known.files_.size());
  for (size_t i = 0; i < known.files_.size(); ++i) {
    const FileRow& file = known.files_[i];
    known.by_number_.emplace(file.file, i);
    // What could not be read has no content to be known by.
    if (!file.hash.empty()) known.by_content_.emplace(content_key(file.name, file.hash), i);
  }
  for (const WorkFileRow& work_file : known.work_files_) {
    if (const FileRow* file = known.file(work_file.file)) known.by_path_.emplace(file->name, &work_file);
  }
  return known;
}

const FileRow* KnownIndex::file(int64_t number) const {
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : &files_[found->second];
}

const FileRow* KnownIndex::find(const std::string& path, const std::string& hash) const {
  const auto found = by_content_.find(content_key(path, hash));
  if (found == by_content_.end()) return nullptr;
  const FileRow& file = files_[found->second];
  if (file.blob != 0) {
    const BlobRow* row = blob_row(file.blob);
    if (row == nullptr || distrusted_.contains(blob_key(row->hash, row->language))) return nullptr;
  }
  return &file;
}

const FileRow* KnownIndex::find_unchanged(const SourceFile& file, int64_t walked_nanos) const {
  const auto found = by_path_.find(file.path);
  if (found == by_path_.end()) return nullptr;
  const WorkFileRow& before = *found->second;
  if (!looks_unchanged(before, file.info, walked_nanos)) return nullptr;
  const FileRow* row = this->file(before.file);
  if (row == nullptr) return nullptr;
  return row->hash.empty() ? row : find(file.path, row->hash);
}

int64_t KnownIndex::blob(const std::string& key) const {
  const auto found = blob_by_key_.find(key);
  return found == blob_by_key_.end() ? 0 : found->second;
}

const BlobRow* KnownIndex::blob_row(int64_t blob) const {
  const auto found = blobs_.find(blob);
  return found == blobs_.end() ? nullptr : &found->second;
}

void KnownIndex::add_blob(BlobRow row) {
  std::string key = blob_key(row.hash, row.language);
  blob_by_key_[std::move(key)] = row.blob;
  const int64_t number = row.blob;
  blobs_.insert_or_assign(number, std::move(row));
}

void KnownIndex::distrust(const std::string& key) {
  distrusted_.insert(key);
}

void KnownIndex::distrust_all() {
  for (const auto& [key, blob] : blob_by_key_) distrusted_.insert(key);
}

std::unordered_set<std::string> KnownIndex::trusted_keys() const {
  std::unordered_set<std::string> trusted;
  trusted.reserve(blob_by_key_.size());
  for (const auto& [key, blob] : blob_by_key_) {
    if (!distrusted_.contains(key)) trusted.insert(key);
  }
  return trusted;
}

std::vector<std::string> KnownIndex::keys() const {
  std::vector<std::string> keys;
  keys.reserve(blob_by_key_.size());
  for (const auto& [key, blob] : blob_by_key_) keys.push_back(key);
  return keys;
}

}  // namespace knapsack::code
