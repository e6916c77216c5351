#include "core/files/file_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/ascii.h"
#include "core/files/folder.h"

namespace knapsack {
namespace {

class BytesInMemory final : public FileBytes {
 public:
  explicit BytesInMemory(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string_view bytes() const override { return bytes_; }

 private:
  std::string bytes_;
};

class NewFileInMemory final : public NewFile {
 public:
  explicit NewFileInMemory(FileSystem& files) : files_(files) {}
  Status append(std::string_view bytes) override {
    bytes_ += bytes;
    return ok_status();
  }
  Status commit(const std::string& path) override { return files_.replace(path, bytes_); }

 private:
  FileSystem& files_;
  std::string bytes_;
};

}  // namespace

Result<std::unique_ptr<Folder>> FileSystem::open_folder(const std::string& path) const {
  return Error{ErrorCode::kInternal, path + " cannot be opened as a folder by this form of the file system",
               ""};
}

Result<std::string> FileSystem::read_part(const std::string& path, uint64_t offset, uint64_t length) const {
  KNAPSACK_TRY(const std::string bytes, read(path, std::numeric_limits<uint64_t>::max()));
  if (offset > bytes.size() || bytes.size() - offset < length) {
    return Error{ErrorCode::kCorrupt, path + " is shorter than it was", "try again"};
  }
  return bytes.substr(offset, length);
}

Status FileSystem::append(const std::string& path, uint64_t at, std::string_view bytes) {
  auto content = read(path, std::numeric_limits<uint64_t>::max());
  if (!content.ok() && content.error().code != ErrorCode::kNotFound) return content.error();
  std::string all = content.ok() ? std::move(*content) : "";
  if (all.size() < at) return Error{ErrorCode::kCorrupt, path + " is shorter than it was", "try again"};
  all.replace(at, std::min(all.size() - at, bytes.size()), bytes);
  return replace(path, all);
}

Result<std::shared_ptr<const FileBytes>> FileSystem::map(const std::string& path) const {
  KNAPSACK_TRY(std::string bytes, read(path, std::numeric_limits<uint64_t>::max()));
  return std::shared_ptr<const FileBytes>(std::make_shared<BytesInMemory>(std::move(bytes)));
}

Result<std::unique_ptr<NewFile>> FileSystem::create(const std::string& /*folder*/) {
  return std::unique_ptr<NewFile>(std::make_unique<NewFileInMemory>(*this));
}

Status FileSystem::share(const std::string& from, const std::string& to) {
  KNAPSACK_TRY(const auto content, map(from));
  KNAPSACK_TRY(const auto made, create(parent_path(to)));
  KNAPSACK_CHECK(made->append(content->bytes()));
  return made->commit(to);
}

bool is_new_file_name(std::string_view name) {
  if (!name.starts_with(kNewFilePrefix)) return false;
  name.remove_prefix(kNewFilePrefix.size());
  return name.size() == kNewFileRandomCharacters &&
         std::all_of(name.begin(), name.end(), ascii::is_letter_or_digit);
}

Error not_a_folder(const std::string& path, FileKind kind) {
  return {ErrorCode::kIo, fmt::format("{} is {}, not a folder", path, describe(kind)),
          kind == FileKind::kSymlink
              ? "remove the link: it is not followed, so that nothing is written elsewhere"
              : "remove it or move it away"};
}

std::string_view describe(FileKind kind) {
  switch (kind) {
    case FileKind::kRegular:
      return "a regular file";
    case FileKind::kDirectory:
      return "a directory";
    case FileKind::kSymlink:
      return "a symbolic link";
    case FileKind::kOther:
      break;
  }
  return "a FIFO, socket or device";
}

}  // namespace knapsack
