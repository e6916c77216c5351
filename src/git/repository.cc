#include "git/repository.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "core/files/file_system.h"
#include "git/objects.h"
#include "git/references.h"

namespace knapsack {
namespace {

constexpr uint64_t kMaxIndexBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxExcludeBytes = 16 << 20;

}  // namespace

GitRepository::GitRepository(GitLocation location) : location_(std::move(location)) {}

Result<const GitObjects*> objects_of(const GitRepository& repository) {
  return repository.objects();
}

Result<const GitObjects*> GitRepository::objects() const {
  if (!objects_) {
    KNAPSACK_TRY(objects_, GitObjects::open(location_));
  }
  return objects_.get();
}

Result<std::optional<GitRepository>> GitRepository::open(const std::string& workspace,
                                                         const GitOpenOptions& options) {
  KNAPSACK_TRY(auto location, find_git(workspace, options));
  if (!location) return std::optional<GitRepository>();
  return std::optional<GitRepository>(GitRepository(std::move(*location)));
}

Result<GitRepository> GitRepository::another() const {
  return GitRepository(location_);
}

bool GitRepository::is_shallow_boundary(const std::string& commit) const {
  return std::binary_search(location_.shallow.begin(), location_.shallow.end(), commit);
}

Result<std::optional<std::string>> GitRepository::head() const {
  auto id = References(location_).read("HEAD");
  if (id.ok()) return std::optional(*std::move(id));
  if (id.error().code == ErrorCode::kNotFound) return std::optional<std::string>();
  return id.error();
}

Result<uint64_t> GitRepository::blob_size(const std::string& id) const {
  KNAPSACK_TRY(const git_oid blob, parse_git_hex(id));
  KNAPSACK_TRY(const GitObjects* objects, this->objects());
  return objects->size(blob, GIT_OBJECT_BLOB, std::numeric_limits<uint64_t>::max());
}

Result<std::string> GitRepository::read_blob(const std::string& id, uint64_t max_bytes) const {
  KNAPSACK_TRY(const git_oid blob, parse_git_hex(id));
  KNAPSACK_TRY(const GitObjects* objects, this->objects());
  KNAPSACK_TRY(const auto object, objects->read_blob(blob, max_bytes));
  return std::string(static_cast<const char*>(git_odb_object_data(object.get())),
                     git_odb_object_size(object.get()));
}

Result<TrackedFiles> GitRepository::head_files() const {
  KNAPSACK_TRY(const auto commit, head());
  std::vector<std::string> files, submodules;
  if (commit) {
    KNAPSACK_CHECK(list_tree(*commit, [&](const TreeItem& item) {
      (item.kind == TreeItemKind::kSubmodule ? submodules : files).emplace_back(item.path);
      return true;
    }));
  }
  return TrackedFiles(std::move(files), std::move(submodules));
}

Result<TrackedFiles> GitRepository::tracked_files(std::string* note) const {
  const std::string path = location_.git_dir + "/index";
  const auto disk = make_disk_file_system();
  const auto bytes = disk->read(path, kMaxIndexBytes);
  if (!bytes.ok() && bytes.error().code == ErrorCode::kNotFound) return TrackedFiles();
  Result<TrackedFiles> tracked =
      bytes.ok() ? parse_git_index(*bytes, path) : Result<TrackedFiles>(bytes.error());
  if (tracked.ok()) return tracked;
  if (note != nullptr) *note = tracked.error().line() + "; the files of HEAD count as tracked";
  return head_files();
}

Result<std::vector<IndexEntry>> GitRepository::staged_files() const {
  const std::string path = location_.git_dir + "/index";
  const auto bytes = make_disk_file_system()->read(path, kMaxIndexBytes);
  if (!bytes.ok() && bytes.error().code == ErrorCode::kNotFound) return std::vector<IndexEntry>();
  if (!bytes.ok()) return bytes.error();
  return parse_index_entries(*bytes, path);
}

Result<std::string> GitRepository::info_exclude() const {
  const auto disk = make_disk_file_system();
  auto bytes = disk->read(location_.common_dir + "/info/exclude", kMaxExcludeBytes);
  if (!bytes.ok() && bytes.error().code == ErrorCode::kNotFound) return std::string();
  return bytes;
}

std::string git_blob_id(std::string_view bytes) {
  // The library that has git's objects hashes with a defence against forged collisions, at a tenth of the
  // speed; ids of our own files need none.
  const std::string header = fmt::format("blob {}", bytes.size());
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  git_oid id;
  static_assert(sizeof id.id == 20);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha1(), nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), header.c_str(), header.size() + 1) != 1 ||
      EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), id.id, nullptr) != 1) {
    return "";
  }
  return git_hex(id);
}

bool is_lfs_pointer(std::string_view bytes) {
  // The format's own rules: under 1024 bytes, the version line first, then sorted keys.
  return bytes.size() < 1024 &&
         (bytes.starts_with("version https://git-lfs.github.com/spec/v1\n") ||
          bytes.starts_with("version https://hawser.github.com/spec/v1\n")) &&
         bytes.find("\noid sha256:") != std::string_view::npos &&
         bytes.find("\nsize ") != std::string_view::npos;
}

}  // namespace knapsack
